// C = alpha op(A) B + beta C for several widths, both layouts of B and C, padded strides.
#include <gtest/gtest.h>

#include <utility>

#include "conformance/oracle.hpp"
#include "conformance/suite.hpp"

namespace gossamer::conformance {

namespace {

/// A dense block inside a larger array: the elements around it must survive.
template <class T>
struct padded_block {
  using value = T;
  extents shape;
  layout order;
  index_t stride;
  std::vector<T> storage;

  padded_block(extents s, layout o, index_t padding, std::uint64_t seed)
      : shape(s),
        order(o),
        stride((o == layout::row_major ? s.cols : s.rows) + padding),
        storage(static_cast<std::size_t>(stride * (o == layout::row_major ? s.rows : s.cols) + 1)) {
    for (std::size_t i = 0; i < storage.size(); ++i)
      storage[i] = static_cast<T>(cases::value_at(seed, static_cast<index_t>(i)));
  }
  dense_view<const T> view() const { return {shape, order, stride, storage.data()}; }
  dense_view<T> writable() { return {shape, order, stride, storage.data()}; }
  /// The same block over a copy of the storage on a device.
  dense_view<T> over(vector<T>& moved) const {
    return {shape, order, stride, moved.data(), memory::device};
  }
};

struct setting {
  index_t columns;
  layout b, c;
  double alpha, beta;
  index_t padding = 3;  ///< between lines of B and C; multiples of 4 leave rows aligned
};
constexpr auto rows_first = layout::row_major, columns_first = layout::column_major;
constexpr setting all_settings[] = {
    {1, rows_first, rows_first, 1, 0},       {3, rows_first, columns_first, 2, 0.5},
    {8, rows_first, rows_first, 1, 0},       {33, rows_first, rows_first, -1.5, 1},
    {61, rows_first, rows_first, 1, 0},      {20, columns_first, rows_first, 1, 0},
    {7, columns_first, columns_first, 1, 2}, {5, rows_first, rows_first, 0, 2},
    {0, rows_first, rows_first, 1, 0},       {2, rows_first, rows_first, 1, 0, 0},
    {4, rows_first, rows_first, 1, -1, 4},   {8, rows_first, rows_first, 2, 1, 4},
    {64, rows_first, rows_first, 1, 0, 4},   {100, rows_first, rows_first, 1, 0.5, 0},
    {128, rows_first, rows_first, -1, 0, 4}, {257, rows_first, rows_first, 1, 0},
    {260, rows_first, rows_first, 1, 0, 0}};
/// Wide blocks are for cases small enough.
bool fits(const setting& how, std::size_t nnz) {
  return how.columns <= 8 || nnz <= (how.columns <= 61 ? 10000U : 1500U);
}

template <class A, class T>
void product(const context& where, const subject& s, const A& a, bool transposed,
             const setting& how, const dense_view<const T>& b, const dense_view<T>& c) {
  const auto scaled_a =
      scaled(static_cast<T>(how.alpha), transposed ? gossamer::transposed(a) : express(a));
  const options forced{.algorithm = std::string(s.tested->id)};
  if (how.beta != 0)
    multiply(where, scaled_a, b, scaled(static_cast<T>(how.beta), c), c, forced);
  else
    multiply(where, scaled_a, b, c, forced);
}

/// The operands of a product and what must come out: the same for every format and width.
template <class T>
struct trial {
  bool transposed;
  setting how;
  padded_block<T> b, c;
  std::vector<judged_value> wanted;  ///< by rows

  trial(const cases::matrix_case& a, bool transpose, const setting& s)
      : transposed(transpose),
        how(s),
        b({transposed ? a.shape.rows : a.shape.cols, how.columns}, how.b, how.padding, 201),
        c({transposed ? a.shape.cols : a.shape.rows, how.columns}, how.c, how.padding, 202),
        wanted(static_cast<std::size_t>(c.shape.rows * how.columns)) {
    const index_t n = how.columns;
    const auto in_b = std::as_const(b).view(), in_c = std::as_const(c).view();
    if (how.alpha != 0)
      for (const auto& e : rounded<T>(a, transposed))
        for (index_t k = 0; k < n; ++k)
          wanted[static_cast<std::size_t>(e.row * n + k)].add(static_cast<T>(e.value),
                                                              in_b(e.column, k));
    for (index_t i = 0; i < c.shape.rows; ++i)
      for (index_t k = 0; k < n; ++k) {
        auto& sum = wanted[static_cast<std::size_t>(i * n + k)];
        sum.value *= how.alpha, sum.magnitude *= std::abs(how.alpha);
        if (how.beta != 0) sum.add(static_cast<T>(how.beta), in_c(i, k));
      }
  }
};

template <class T, class A>
padded_block<T> call(const subject& s, const A& a, const trial<T>& t, int threads) {
  const auto where = context_for(*s.tested, threads);
  const auto& b = t.b;
  auto c = t.c;
  if (t.how.beta == 0) {
    const auto block = c.writable();
    for (index_t i = 0; i < c.shape.rows; ++i)
      for (index_t k = 0; k < c.shape.cols; ++k) block(i, k) = std::numeric_limits<T>::quiet_NaN();
  }
  if (where.backend() != backend::cuda) {
    product<A, T>(where, s, a, t.transposed, t.how, b.view(), c.writable());
    return c;
  }
  auto moved_b = copy_to(where, b.storage), moved_c = copy_to(where, c.storage);
  product<A, T>(where, s, copy_to(where, a), t.transposed, t.how, b.over(moved_b), c.over(moved_c));
  copy_into(where, moved_c, c.storage);
  return c;
}

/// Everything outside the block is as it was.
template <class T>
bool frame_untouched(const padded_block<T>& before, padded_block<T> after) {
  const auto from = before.view();
  const auto to = after.writable();
  for (index_t i = 0; i < before.shape.rows; ++i)
    for (index_t k = 0; k < before.shape.cols; ++k) to(i, k) = from(i, k);
  return same_bits(before.storage, after.storage);
}

template <class T, class A>
bool check_trial(const subject& s, const A& a, const trial<T>& t) {
  try {
    const auto found = call(s, a, t, 2);
    const auto elements = found.view();
    const index_t n = t.how.columns;
    for (index_t i = 0; i < t.c.shape.rows; ++i)
      for (index_t k = 0; k < n; ++k)
        if (!acceptable(elements(i, k), t.wanted[static_cast<std::size_t>(i * n + k)]))
          ADD_FAILURE() << "element " << i << ", " << k << " of " << n << " columns";
    EXPECT_TRUE(frame_untouched(t.c, found)) << "wrote outside of C";
    if (s.tested->deterministic)
      for (const int threads : {1, 5}) {
        const auto again = call(s, a, t, threads);
        EXPECT_TRUE(same_bits(again.storage, found.storage))
            << "other bits with " << threads << " threads";
      }
    return true;
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::not_available) << e.what();
    return false;
  }
}

}  // namespace

template <class T>
void check_spmm(const subject& s) {
  std::vector<trial<T>> trials;
  for (const bool transposed : {false, true})
    for (const auto& how : all_settings)
      if (fits(how, s.matrix->entries.size())) trials.emplace_back(*s.matrix, transposed, how);
  int ran = 0;
  // A width is a property of the walk over A, which SpMV covers; one other pair is enough here.
  for (const auto w : tested(narrow_and_wide))
    for (const auto wanted : formats_of(*s.tested))
      in_format<T>(*s.matrix, wanted, w, [&](const auto& a) {
        for (const auto& t : trials) {
          SCOPED_TRACE(std::string(name(wanted)) + (t.transposed ? " transposed" : ""));
          ran += check_trial(s, a, t);
          if (testing::Test::HasFailure()) return;
        }
      });
  EXPECT_GT(ran, 0) << "the kernel took this case in no format at all";
}

template void check_spmm<float>(const subject&);
template void check_spmm<double>(const subject&);

}  // namespace gossamer::conformance
