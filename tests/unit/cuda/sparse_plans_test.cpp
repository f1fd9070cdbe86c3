// Plans of sparse products on a device, what they notice, graphs of them; memory that runs out.
#include <thread>

#include "base/counting_memory.hpp"
#include "caller_stream.hpp"
#include "plan/implementation.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_sparse_plans : public on_gpu {
 protected:
  static csr_matrix<double> square() {
    return cases::as_csr<double>(cases::named("power_law"), narrow);
  }
  static csr_matrix<double> reference_square(const csr_matrix<double>& a) {
    return multiply(context::reference(), a, a);
  }
  static csr_matrix<double> result_for(const context& gpu, const plan& prepared) {
    const auto nnz = prepared.result_nnz();
    return {prepared.result_shape(), nnz, narrowest(prepared.result_shape(), nnz), gpu.memory()};
  }
};

TEST_F(cuda_sparse_plans, filled_again_when_values_change) {
  const auto gpu = context::cuda();
  auto a = square();
  const auto moved = copy_to(gpu, a);
  const auto prepared = multiply_compute(gpu, moved, transposed(moved), {.algorithm = "esc"});
  auto c = result_for(gpu, prepared);
  multiply_fill(prepared, moved, transposed(moved), c);
  expect_same(copy_to_host(gpu, c), multiply(context::reference(), a, transposed(a)));
  for (auto& v : a.values()) v = 3 * v - 1;
  const auto changed = copy_to(gpu, a);
  multiply_fill(prepared, changed, transposed(changed), c);
  expect_same(copy_to_host(gpu, c), multiply(context::reference(), a, transposed(a)));
  multiply_fill(prepared, scaled(0.0, changed), transposed(changed), c);
  const auto zeros = copy_to_host(gpu, c);
  EXPECT_TRUE(
      std::all_of(zeros.values().begin(), zeros.values().end(), [](double v) { return v == 0; }));
}

/// Plans of many calls list the multiplications behind every nonzero.
TEST_F(cuda_sparse_plans, terms_that_are_listed_give_the_bits_of_the_reference) {
  const auto gpu = context::cuda();
  for (const char* name : {"power_law", "dense_row", "unsorted_duplicates", "tall", "not_finite"}) {
    SCOPED_TRACE(name);
    auto a = cases::as_csr<double>(cases::named(name), narrow);
    const auto moved = copy_to(gpu, a);
    const auto prepared = multiply_compute(gpu, moved, transposed(moved),
                                           {.algorithm = "adaptive", .tuning = "terms=all"});
    const auto plain = multiply_compute(gpu, moved, transposed(moved),
                                        {.algorithm = "adaptive", .tuning = "terms=none"});
    EXPECT_GT(prepared.impl().state.bytes, plain.impl().state.bytes);
    auto c = result_for(gpu, prepared);
    multiply_fill(prepared, moved, transposed(moved), c);
    expect_same(copy_to_host(gpu, c), multiply(context::reference(), a, transposed(a)));
    for (auto& v : a.values()) v = 3 * v - 1;
    const auto changed = copy_to(gpu, a);
    multiply_fill(prepared, scaled(2.0, changed), transposed(changed), c);
    expect_same(copy_to_host(gpu, c),
                multiply(context::reference(), scaled(2.0, a), transposed(a)));
  }
}

TEST_F(cuda_sparse_plans, what_changed_is_noticed) {
  const auto gpu = context::cuda();
  auto a = square();
  const auto moved = copy_to(gpu, a);
  const auto prepared = multiply_compute(gpu, moved, moved);
  auto c = result_for(gpu, prepared);
  EXPECT_NO_THROW(multiply_fill(prepared, moved, moved, c));
  const auto columns = a.mutable_view().columns.as<std::int32_t>();
  columns.back() = columns.back() == 0 ? 1 : 0;
  const auto other = copy_to(gpu, a);
  EXPECT_THROW(multiply_fill(prepared, other, other, c), error);
  EXPECT_THROW(multiply_fill(prepared, moved, other, c), error);
  csr_matrix<double> here(prepared.result_shape(), prepared.result_nnz());
  EXPECT_THROW(multiply_fill(prepared, moved, moved, here), error) << "C is on the host";
  EXPECT_THROW(multiply_compute(gpu, moved, moved, {.drop_zeros = true}), error);
}

TEST_F(cuda_sparse_plans, the_choice_is_explained_with_its_phases) {
  const auto gpu = context::cuda();
  const auto a = square();
  const auto moved = copy_to(gpu, a);
  explanation why;
  multiply(gpu, moved, moved, {.algorithm = "esc"}, why);
  EXPECT_EQ(why.chosen, "spgemm/csr/esc/cuda");
  std::vector<std::string> names;
  for (const auto& phase : why.phases) {
    names.push_back(phase.name);
    EXPECT_GT(phase.seconds, 0) << phase.name;
    EXPECT_GT(phase.bytes, 0) << phase.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"analysis", "expand", "sort", "contract"}));
  const auto flop = count_products(context::openmp(1), a, a);
  std::string digits;  // without the commas of thousands
  for (const char ch : why.problem)
    if (ch != ',') digits += ch;
  EXPECT_NE(digits.find(std::to_string(flop) + " multiplications"), std::string::npos)
      << why.problem;
}

TEST_F(cuda_sparse_plans, the_rule_of_a_paper_for_cpus_is_refused) {
  const auto gpu = context::cuda();
  const auto moved = copy_to(gpu, square());
  EXPECT_THROW(multiply(gpu, moved, moved, {.algorithm = "paper"}), error);
  EXPECT_THROW(multiply(gpu, moved, moved, {.algorithm = "pb"}), error);
}

/// Each thread has values of its own; all of them share the workspace of one plan.
TEST_F(cuda_sparse_plans, several_threads_fill_by_one_plan) {
  const auto gpu = context::cuda();
  const auto a = square();
  const auto first = copy_to(gpu, a);
  const auto prepared = multiply_compute(gpu, first, first);
  constexpr int workers = 6;
  std::vector<csr_matrix<double>> found(workers);
  std::vector<std::string> failures(workers);
  std::vector<std::thread> team;
  for (std::size_t w = 0; w < workers; ++w)
    team.emplace_back([&, w] {
      try {
        auto own = a;
        for (auto& v : own.values()) v *= static_cast<double>(1 << w);  // exact
        const auto moved = copy_to(gpu, own);
        auto c = result_for(gpu, prepared);
        for (int repeat = 0; repeat < 10; ++repeat) multiply_fill(prepared, moved, moved, c);
        found[w] = copy_to_host(gpu, c);
      } catch (const std::exception& e) {
        failures[w] = e.what();
      }
    });
  for (auto& one : team) one.join();
  auto wanted = result_for(gpu, prepared);
  multiply_fill(prepared, first, first, wanted);
  const auto once = copy_to_host(gpu, wanted);
  for (std::size_t w = 0; w < workers; ++w) {
    ASSERT_EQ(failures[w], "");
    const auto factor = static_cast<double>(1 << (2 * w));
    for (std::size_t p = 0; p < once.values().size(); ++p)
      ASSERT_EQ(found[w].values()[p], factor * once.values()[p]) << "thread " << w;
  }
}

// ---- graphs ---------------------------------------------------------------------------------

std::vector<std::string> sparse_algorithms() {
  std::vector<std::string> found{""};
  for (const auto& k : kernels())
    if (k.id.starts_with("spgemm/") && k.id.ends_with("/cuda")) found.push_back(k.id);
  return found;
}

TEST_F(cuda_sparse_plans, multiply_fill_can_be_captured) {
  const caller_stream stream;
  const auto gpu = context::cuda().with_stream(stream.get());
  const auto a = square();
  auto doubled = a;
  for (auto& v : doubled.values()) v *= 2;  // exact: so is the product
  const auto moved = copy_to(gpu, a), moved_doubled = copy_to(gpu, doubled);
  auto work = copy_to(gpu, a);
  for (const auto& algorithm : sparse_algorithms())
    for (const bool flipped : {false, true}) {
      SCOPED_TRACE(algorithm + (flipped ? " transposed" : ""));
      const auto right = [&](const csr_matrix<double>& m) {
        return flipped ? transposed(m) : express(m);
      };
      const auto prepared = multiply_compute(gpu, work, right(work), {.algorithm = algorithm});
      auto c = result_for(gpu, prepared);
      auto again = result_for(gpu, prepared);
      gpu.synchronise();
      cudaGraph_t graph = nullptr;
      cudaGraphExec_t ready = nullptr;
      ASSERT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal), cudaSuccess);
      ASSERT_NO_THROW(multiply_fill(prepared, work, right(work), c));
      EXPECT_THROW(multiply(gpu, work, right(work)), error) << "it would have to wait";
      EXPECT_THROW(multiply_compute(gpu, work, right(work)), error);
      ASSERT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaSuccess);
      ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
      for (const auto* now : {&moved, &moved_doubled}) {
        copy_into(gpu, dense_view<const double>(now->values().data(), a.nnz(), memory::device),
                  dense_view<double>(work.values().data(), a.nnz(), memory::device));
        ASSERT_EQ(cudaGraphLaunch(ready, stream.get()), cudaSuccess);
        multiply_fill(prepared, work, right(work), again);
        expect_same(copy_to_host(gpu, c), copy_to_host(gpu, again));
      }
      (void)cudaGraphExecDestroy(ready);
      (void)cudaGraphDestroy(graph);
    }
}

// ---- memory ---------------------------------------------------------------------------------

/// Refuses the allocation of a given number.
class failing_memory final : public memory_resource {
 public:
  failing_memory(std::shared_ptr<memory_resource> from, int refused)
      : from_(std::move(from)), left_(refused) {}
  void* allocate(std::size_t bytes) override {
    if (left_-- == 0) throw error(error_kind::out_of_memory, "the allocation of this test");
    return from_->allocate(bytes);
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    from_->deallocate(data, bytes);
  }
  memory where() const noexcept override { return from_->where(); }
  void set(void* data, unsigned char byte, std::size_t bytes) override {
    from_->set(data, byte, bytes);
  }
  bool has_refused() const { return left_ < 0; }

 private:
  std::shared_ptr<memory_resource> from_;
  int left_;
};

TEST_F(cuda_sparse_plans, an_allocation_that_fails_leaves_nothing_behind) {
  const auto gpu = context::cuda();
  const auto a = cases::as_csr<double>(cases::named("banded"), narrow);
  const auto wanted = multiply(context::reference(), a, transposed(a));
  const auto moved = copy_to(gpu, a);
  for (const auto& algorithm : sparse_algorithms())
    for (const std::string tuning : {"", "products=2000"}) {
      if (!tuning.empty() && algorithm != "spgemm/csr/esc/cuda") continue;
      SCOPED_TRACE(algorithm + " " + tuning);
      const auto counted = std::make_shared<counting_memory>(gpu.memory());
      int refused = 0;
      for (bool done = false; !done && refused < 1000; ++refused) {
        const auto failing = std::make_shared<failing_memory>(counted, refused);
        const auto where = gpu.with_memory(failing);
        try {
          const auto c =
              multiply(where, moved, transposed(moved), {.algorithm = algorithm, .tuning = tuning});
          done = !failing->has_refused();  // else by a variant that takes less
          EXPECT_EQ(copy_to_host(gpu, c).nnz(), wanted.nnz());
        } catch (const error& e) {
          EXPECT_EQ(e.kind(), error_kind::out_of_memory) << e.what();
          EXPECT_EQ(counted->held(), 0) << "after allocation " << refused;
        }
      }
      EXPECT_GT(refused, 1);
      EXPECT_EQ(counted->held(), 0);
    }
}

TEST_F(cuda_sparse_plans, filters_and_sums_keep_the_limit) {
  const auto gpu = context::cuda();
  const auto a = square();
  const auto moved = copy_to(gpu, a);
  const auto wanted =
      multiply(context::reference(), a, a, {.keep = {.magnitude = 0.1, .largest = 3}});
  const auto counted = std::make_shared<counting_memory>(gpu.memory());
  const auto where = gpu.with_memory(counted);
  const auto within = [](index_t limit) {
    return options{
        .algorithm = "esc", .memory_limit = limit, .keep = {.magnitude = 0.1, .largest = 3}};
  };
  index_t limit = 1;
  for (int tries = 0; tries < 6; ++tries) {
    counted->restart();
    try {
      expect_same(copy_to_host(gpu, multiply(where, moved, moved, within(limit))), wanted);
      EXPECT_LE(counted->peak(), limit);
      break;
    } catch (const error& e) {
      EXPECT_EQ(e.kind(), error_kind::memory_limit) << e.what();
      EXPECT_LE(counted->peak(), limit);
      EXPECT_EQ(counted->held(), 0);
      const std::string text = e.what(), before = "the smallest limit that would do is ";
      ASSERT_NE(text.find(before), text.npos) << text;
      const index_t more = std::stoll(text.substr(text.find(before) + before.size()));
      ASSERT_GT(more, limit);
      limit = more;
    }
    ASSERT_LT(tries, 5);
  }
}

}  // namespace
}  // namespace gossamer
