// Row-wise ESC on a device: rows at the limits of every group, columns too many for packed keys,
// limits set by name, plans, phases.
#include "random_matrices.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_row_esc : public on_gpu {};

/// Multiplications of rows around every limit: of groups, of launches, of windows.
const std::vector<index_t> around_limits{
    0,    1,    2,    31,   32,   33,   63,   64,   65,  127,    128,    129,
    255,  256,  257,  511,  512,  513,  735,  736,  737, 1023,   1024,   1025,
    4097, 6143, 6144, 6145, 8191, 8192, 9000, 6144, 300, 12'287, 12'288, 12'289};

/// A times B has rows of these numbers of multiplications. Columns of C are `step` apart, and
/// values whole numbers: sums are exact in any order.
struct exact_operands {
  cases::matrix_case a, b;
};
exact_operands operands_with(const std::vector<index_t>& multiplications, index_t distinct,
                             index_t step, std::uint32_t seed) {
  random_source draw(seed);
  const index_t rows_of_b = 40;
  exact_operands of{{"a", {static_cast<index_t>(multiplications.size()), rows_of_b}, {}},
                    {"b", {rows_of_b, (distinct - 1) * step + 1}, {}}};
  const auto small = [&] { return static_cast<double>(draw.number(-2, 2)); };
  // Rows of one nonzero in front, then rows of 1 to 64.
  std::vector<index_t> lengths;
  for (index_t j = 0; j < rows_of_b; ++j) {
    lengths.push_back(j < 20 ? 1 : draw.number(1, 64));
    for (index_t k = 0; k < lengths.back(); ++k)
      of.b.entries.push_back({j, draw.number(0, distinct - 1) * step, small()});
  }
  for (std::size_t i = 0; i < multiplications.size(); ++i)
    for (index_t left = multiplications[i]; left > 0;) {
      index_t j = draw.number(0, rows_of_b - 1);
      if (lengths[static_cast<std::size_t>(j)] > left) j = draw.number(0, 19);
      of.a.entries.push_back({static_cast<index_t>(i), j, small()});
      left -= lengths[static_cast<std::size_t>(j)];
    }
  return of;
}

template <class T>
void expect_reference(const context& gpu, const exact_operands& of, widths w, const options& how) {
  SCOPED_TRACE(how.algorithm + " " + how.tuning);
  const auto a = cases::as_csr<T>(of.a, w), b = cases::as_csr<T>(of.b, w);
  const auto wanted = multiply(context::reference(), scaled(T{-2}, a), b);
  const auto moved_a = copy_to(gpu, a), moved_b = copy_to(gpu, b);
  expect_same(copy_to_host(gpu, multiply(gpu, scaled(T{-2}, moved_a), moved_b, how)), wanted);
  auto limited = how;
  limited.memory_limit = index_t{1} << 34;  // counted first, computed in place
  expect_same(copy_to_host(gpu, multiply(gpu, scaled(T{-2}, moved_a), moved_b, limited)), wanted);
}

/// Limits that put the same rows into every group.
const std::vector<std::string> settings{
    "",
    "thread=0,warp=0,block=0",
    "thread=0,warp=0,block=12288",
    "thread=0,warp=1024,block=12288",
    "thread=64,warp=1024,block=12288",
    "thread=64,warp=64,block=64",
    "thread=7,warp=100,block=600",
};

TEST_F(cuda_row_esc, rows_at_the_limits_of_groups) {
  const auto gpu = context::cuda();
  for (const char* const algorithm : {"row_esc", "row_esc_hopper"})
    for (const auto& tuning : settings)
      for (const index_t distinct : {1, 3, 1000}) {
        const auto of = operands_with(around_limits, distinct, 1, 1);
        expect_reference<double>(gpu, of, narrow, {.algorithm = algorithm, .tuning = tuning});
        expect_reference<float>(gpu, of, narrow, {.algorithm = algorithm, .tuning = tuning});
        if (HasFatalFailure()) return;
      }
}

/// Past 2^18, 2^19, 2^22 and 2^27 columns a key of 32 bits has no bits left for the number of a
/// multiplication in a block, a warp, a thread; then indices of 64 bits.
TEST_F(cuda_row_esc, columns_that_leave_no_bits) {
  const auto gpu = context::cuda();
  const widths wide{index_width::i64, index_width::i64};
  for (const index_t columns : {index_t{1} << 18, index_t{1} << 19, index_t{1} << 20,
                                index_t{1} << 23, index_t{1} << 28, index_t{1} << 30})
    for (const char* const algorithm : {"row_esc", "row_esc_hopper"}) {
      SCOPED_TRACE(columns);
      const auto of = operands_with(around_limits, 256, columns / 256, 2);
      expect_reference<double>(gpu, of, narrow, {.algorithm = algorithm});
      expect_reference<float>(gpu, of, wide, {.algorithm = algorithm});
      if (HasFatalFailure()) return;
    }
}

TEST_F(cuda_row_esc, few_multiplications_everywhere) {
  const auto gpu = context::cuda();
  const std::vector<index_t> few{3, 0, 32, 1, 0, 17, 31, 5, 0, 0, 8, 32, 2};
  const auto of = operands_with(few, 9, 1, 3);
  expect_reference<double>(gpu, of, narrow, {.algorithm = "row_esc"});
  const std::vector<index_t> none(70, 0);
  expect_reference<double>(gpu, operands_with(none, 5, 1, 4), narrow, {.algorithm = "row_esc"});
}

TEST_F(cuda_row_esc, a_plan_takes_new_values) {
  const auto gpu = context::cuda();
  const auto of = operands_with(around_limits, 50, 1, 5);
  auto a = cases::as_csr<double>(of.a, narrow);
  const auto b = cases::as_csr<double>(of.b, narrow);
  const auto moved_b = copy_to(gpu, b);
  for (const auto& tuning : settings) {
    SCOPED_TRACE(tuning);
    const auto moved_a = copy_to(gpu, a);
    const auto prepared =
        multiply_compute(gpu, moved_a, moved_b, {.algorithm = "row_esc", .tuning = tuning});
    const auto nnz = prepared.result_nnz();
    csr_matrix<double> c(prepared.result_shape(), nnz, narrowest(prepared.result_shape(), nnz),
                         gpu.memory());
    multiply_fill(prepared, moved_a, moved_b, c);
    expect_same(copy_to_host(gpu, c), multiply(context::reference(), a, b));
    for (auto& v : a.values()) v = 3 - v;
    const auto changed = copy_to(gpu, a);
    multiply_fill(prepared, changed, moved_b, c);
    expect_same(copy_to_host(gpu, c), multiply(context::reference(), a, b));
    if (HasFatalFailure()) return;
  }
}

std::vector<std::string> phases_of(const context& gpu, const exact_operands& of) {
  const auto a = copy_to(gpu, cases::as_csr<double>(of.a, narrow));
  const auto b = copy_to(gpu, cases::as_csr<double>(of.b, narrow));
  explanation why;
  multiply(gpu, a, b, {.algorithm = "row_esc"}, why);
  EXPECT_EQ(why.chosen, "spgemm/csr/row_esc/cuda");
  std::vector<std::string> names;
  for (const auto& phase : why.phases) {
    names.push_back(phase.name);
    EXPECT_GT(phase.seconds, 0) << phase.name;
  }
  return names;
}

TEST_F(cuda_row_esc, phases_are_explained) {
  const auto gpu = context::cuda();
  EXPECT_EQ(
      phases_of(gpu, operands_with(around_limits, 50, 1, 6)),
      (std::vector<std::string>{"analysis", "expand, sort, contract", "allocate C", "reorder"}));
  const std::vector<index_t> few{3, 0, 32, 1};
  EXPECT_EQ(phases_of(gpu, operands_with(few, 50, 1, 6)).back(), "compact") << "in order already";
}

TEST_F(cuda_row_esc, is_never_chosen_unasked) {
  const auto gpu = context::cuda();
  const auto a = copy_to(gpu, some_matrix());
  explanation why;
  multiply(gpu, a, a, {}, why);
  EXPECT_EQ(why.chosen.find("row_esc"), std::string::npos) << why.chosen;
}

TEST_F(cuda_row_esc, impossible_limits_are_refused) {
  const auto gpu = context::cuda();
  const auto a = copy_to(gpu, some_matrix());
  for (const char* const tuning : {"thread=65", "warp=1025", "block=12289", "thread=40,warp=30",
                                   "warp=7000", "block=-1", "group=3"})
    EXPECT_THROW(multiply(gpu, a, a, {.algorithm = "row_esc", .tuning = tuning}), error) << tuning;
}

}  // namespace
}  // namespace gossamer
