// Offsets past 2^31 for real: a matrix of 2^31 + 100 entries whose arrays are one small file mapped
// again and again, so that it needs address space but hardly any memory.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

constexpr index_t tile = 1 << 22;  // elements of one mapped piece
constexpr index_t entries = (index_t{1} << 31) + 100;
constexpr index_t columns = 1024;

/// `count` elements that repeat the first `tile` ones.
template <class T>
class repeated {
 public:
  repeated(index_t count, T (*element)(index_t))
      : bytes_(((count + tile - 1) / tile) * tile * sizeof(T)) {
    const int file = memfd_create("repeated", 0);
    if (file < 0 || ftruncate(file, tile * sizeof(T)) != 0) return;
    void* whole =
        mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) return;
    auto* base = static_cast<char*>(whole);
    for (std::size_t at = 0; at < bytes_; at += tile * sizeof(T))
      if (mmap(base + at, tile * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
               0) == MAP_FAILED)
        return;
    close(file);
    data_ = static_cast<T*>(whole);
    for (index_t i = 0; i < tile; ++i) data_[i] = element(i);
  }
  ~repeated() {
    if (data_) munmap(data_, bytes_);
  }
  repeated(const repeated&) = delete;
  repeated& operator=(const repeated&) = delete;
  T* data() { return data_; }

 private:
  std::size_t bytes_;
  T* data_ = nullptr;
};

TEST(Large, OffsetsPast32Bits) {
  repeated<float> values(entries, [](index_t i) { return i % 2 == 0 ? 1.0f : -1.0f; });
  repeated<std::int32_t> indices(entries,
                                 [](index_t i) { return static_cast<std::int32_t>(i % columns); });
  if (!values.data() || !indices.data()) GTEST_SKIP() << "17 GB of address space were refused";
  // Three rows: almost everything, nothing, and the hundred entries beyond 2^31.
  const std::int64_t offsets[] = {0, index_t{1} << 31, index_t{1} << 31, entries};
  const csr_view<const float> a(values.data(), offsets, indices.data(), {3, columns});
  std::vector<float> x(columns, 0.0f), y(3, -1.0f);
  x[1] = 1.0f;  // hit by the odd entries 1, 1025, ...: each adds -1
  for (const char* algorithm : {"merge", "rows"}) {
    multiply(context::openmp(), a, x, y, {.algorithm = algorithm});
    EXPECT_EQ(y[0], -2097152.0f) << algorithm;  // 2^31 / 1024 entries
    EXPECT_EQ(y[1], 0.0f);
    EXPECT_EQ(y[2], -1.0f);
  }
}

TEST(Large, WidthsFollowTheCounts) {
  constexpr index_t limit = (index_t{1} << 31) - 1;
  EXPECT_EQ(narrowest({10, 10}, limit), (widths{index_width::i32, index_width::i32}));
  EXPECT_EQ(narrowest({10, 10}, limit + 1), (widths{index_width::i32, index_width::i64}));
  EXPECT_EQ(narrowest({limit + 1, 10}, 5), (widths{index_width::i64, index_width::i64}));
  EXPECT_THROW(require_fits({10, 10}, limit + 1, {index_width::i32, index_width::i32}), error);
  EXPECT_NO_THROW(require_fits({10, 10}, limit + 1, {index_width::i32, index_width::i64}));
  EXPECT_THROW(require_fits({10, 10}, 5, {index_width::i64, index_width::i32}), error);
}

}  // namespace
}  // namespace gossamer
