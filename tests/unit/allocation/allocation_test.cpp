// Every allocation fails in turn: each call must end in a clean error, hold nothing afterwards and
// leave its operands alone. The global operator new of this executable counts and refuses.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace {

std::atomic<long> allowed{-1};  // -1: all; n: n more allocations succeed, the next one fails once
std::atomic<long> alive{0};

void* granted(std::size_t bytes, std::size_t alignment) {
  long left = allowed.load();
  while (left >= 0 && !allowed.compare_exchange_weak(left, left - 1)) {
  }
  if (left == 0) return nullptr;
  void* data = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
  if (data) ++alive;
  return data;
}

void release(void* data) {
  if (data) --alive;
  std::free(data);
}

constexpr std::size_t plain = 16;

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* data = granted(bytes, plain)) return data;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* data = granted(bytes, static_cast<std::size_t>(alignment))) return data;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return granted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return granted(bytes, plain);
}
void operator delete(void* data) noexcept { release(data); }
void operator delete(void* data, std::size_t) noexcept { release(data); }
void operator delete(void* data, std::align_val_t) noexcept { release(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept { release(data); }

namespace gossamer {
namespace {

/// Runs `call` with the 1st, 2nd, ... allocation failing until it gets through.
void fail_each(const std::function<void()>& call) {
  call();  // statics are made outside of the count
  for (long k = 0; k < 10'000; ++k) {
    const long before = alive.load();
    bool finished = false;
    allowed = k;
    try {
      call();
      finished = true;
    } catch (const error& e) {
      allowed = -1;
      EXPECT_EQ(e.kind(), error_kind::out_of_memory) << e.what();
    } catch (const std::exception& other) {
      allowed = -1;
      FAIL() << "allocation " << k << " failed with another exception: " << other.what();
    }
    const bool refused = allowed.exchange(-1) == -1;
    ASSERT_EQ(alive.load(), before) << "allocation " << k << " failed and something was kept";
    if (finished && !refused) return;
  }
  FAIL() << "10,000 allocations were not enough";
}

class Allocation : public testing::Test {
 protected:
  context cpu = context::openmp(2);
  csr_matrix<double> a = generate::rmat<double>(cpu, 7, 4);
  std::vector<double> x = std::vector<double>(128, 1.0), y = std::vector<double>(128);
};

TEST_F(Allocation, Vectors) {
  for (const char* algorithm : {"rows", "merge", "owner"})
    fail_each([&] { multiply(cpu, a, x, y, {.algorithm = algorithm}); });
  fail_each([&] { multiply(cpu, transposed(a), x, y, {.algorithm = "scatter"}); });
  fail_each([&] { multiply(context::reference(), a, x, y); });
}

TEST_F(Allocation, Blocks) {
  dense_matrix<double> b(128, 8), c(128, 8);
  fail_each([&] { multiply(cpu, a, b, c); });
  fail_each([&] { multiply(cpu, transposed(a), b, c); });
}

TEST_F(Allocation, SparseProducts) {
  fail_each([&] { multiply(cpu, a, a); });
  fail_each([&] { multiply(cpu, a, transposed(a)); });
  fail_each([&] { multiply_compute(cpu, a, a); });
  for (const char* algorithm : {"", "hash", "hashvec", "spa", "heap", "lean", "pb", "adaptive"})
    fail_each([&] {
      multiply(cpu, a, transposed(a), {.algorithm = algorithm, .memory_limit = 10'000'000});
    });
}

TEST_F(Allocation, SemiringsMasksAndFilters) {
  // Filters allocate row by row, and a call is made for each allocation: half the rows, a quarter
  // of the time.
  const auto small = generate::rmat<double>(cpu, 6, 4);
  const options masked{.semiring = semiring::min_plus, .mask = pattern_of(small)};
  for (const char* algorithm : {"adaptive", "hash", "spa"}) {
    options how = masked;
    how.algorithm = algorithm;
    fail_each([&] { multiply(cpu, small, transposed(small), how); });
    fail_each([&] { multiply_compute(cpu, small, small, how); });
    how.keep = {.magnitude = 0.1, .largest = 2};
    fail_each([&] { multiply(cpu, small, small, how); });
    how.memory_limit = 100'000'000;
    fail_each([&] { multiply(cpu, small, small, how); });
  }
  fail_each([&] { multiply(context::reference(), small, small, {.keep = {.largest = 1}}); });
  fail_each([&] { multiply(cpu, small, small, {.algorithm = "heap", .keep = {.largest = 1}}); });
}

TEST_F(Allocation, SparseSums) {
  fail_each([&] { add(cpu, a, scaled(2.0, transposed(a))); });
  fail_each([&] { multiply(cpu, a, a, scaled(-1.0, a), {.keep = {.largest = 3}}); });
  fail_each([&] { keep(cpu, a.view(), {.largest = 2}); });
}

TEST_F(Allocation, Conversions) {
  fail_each([&] { convert<csc_matrix<double>>(cpu, a); });
  fail_each([&] { convert<coo_matrix<double>>(cpu, a); });
  fail_each([&] { convert<ell_matrix<double>>(cpu, a); });
  fail_each([&] { convert<sellp_matrix<double>>(cpu, a, {.slice = 8, .sort_window = 32}); });
  fail_each([&] { convert<hyb_matrix<double>>(cpu, a); });
  fail_each([&] { convert<dense_matrix<double>>(cpu, a); });
  fail_each([&] { transpose(cpu, a.view()); });
  fail_each([&] { sum_duplicates(cpu, a.view()); });
}

TEST_F(Allocation, AnalysisAndGenerators) {
  fail_each([&] { analyse(cpu, a.view()); });
  fail_each([&] { estimate(cpu, a, a); });
  fail_each([&] { generate::rmat<double>(cpu, 5, 4); });
  fail_each([&] { generate::poisson2d<double>(cpu, 6, 5); });
}

TEST_F(Allocation, Files) {
  const auto folder = std::filesystem::temp_directory_path() / "gossamer_allocation_test";
  std::filesystem::create_directories(folder);
  for (const char* kind : {"a.mtx", "a.mtx.gz", "a.npz", "a.gsm"}) {
    const auto path = folder / kind;
    fail_each([&] { write(path, a); });
    fail_each([&] { read_sparse<double>(path); });
    // A failed write leaves no temporary file behind.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder),
                            std::filesystem::directory_iterator()),
              1);
    std::filesystem::remove(path);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gossamer
