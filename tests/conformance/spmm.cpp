// C = alpha op(A) B + beta C for several widths, both layouts of B and C, padded strides.
#include <gtest/gtest.h>

#include <cstring>

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

  padded_block(extents s, layout o, std::uint64_t seed)
      : shape(s),
        order(o),
        stride((o == layout::row_major ? s.cols : s.rows) + 3),
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
};
constexpr auto rows_first = layout::row_major, columns_first = layout::column_major;
constexpr setting all_settings[] = {
    {1, rows_first, rows_first, 1, 0},       {3, rows_first, columns_first, 2, 0.5},
    {8, rows_first, rows_first, 1, 0},       {33, rows_first, rows_first, -1.5, 1},
    {61, rows_first, rows_first, 1, 0},      {20, columns_first, rows_first, 1, 0},
    {7, columns_first, columns_first, 1, 2}, {5, rows_first, rows_first, 0, 2},
    {0, rows_first, rows_first, 1, 0}};

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

template <class T, class A>
padded_block<T> call(const subject& s, const A& a, bool transposed, const setting& how,
                     const padded_block<T>& b, padded_block<T> c, int threads) {
  const auto where = context_for(*s.tested, threads);
  if (how.beta == 0)
    for (index_t i = 0; i < c.shape.rows; ++i)
      for (index_t k = 0; k < c.shape.cols; ++k)
        c.writable()(i, k) = std::numeric_limits<T>::quiet_NaN();
  if (where.backend() != backend::cuda) {
    product<A, T>(where, s, a, transposed, how, b.view(), c.writable());
    return c;
  }
  auto moved_b = copy_to(where, b.storage), moved_c = copy_to(where, c.storage);
  product<A, T>(where, s, copy_to(where, a), transposed, how, b.over(moved_b), c.over(moved_c));
  copy_into(where, moved_c, c.storage);
  return c;
}

template <class T>
std::vector<judged_value> expected(const subject& s, bool transposed, const setting& how,
                                   const padded_block<T>& b, const padded_block<T>& c) {
  const index_t n = how.columns;
  std::vector<judged_value> sums(static_cast<std::size_t>(c.shape.rows * n));
  if (how.alpha != 0)
    for (const auto& e : rounded<T>(*s.matrix, transposed))
      for (index_t k = 0; k < n; ++k)
        sums[static_cast<std::size_t>(e.row * n + k)].add(static_cast<T>(e.value),
                                                          b.view()(e.column, k));
  for (index_t i = 0; i < c.shape.rows; ++i)
    for (index_t k = 0; k < n; ++k) {
      auto& sum = sums[static_cast<std::size_t>(i * n + k)];
      sum.value *= how.alpha, sum.magnitude *= std::abs(how.alpha);
      if (how.beta != 0) sum.add(static_cast<T>(how.beta), c.view()(i, k));
    }
  return sums;
}

/// Everything outside the block is as it was.
template <class T>
bool frame_untouched(const padded_block<T>& before, padded_block<T> after) {
  for (index_t i = 0; i < before.shape.rows; ++i)
    for (index_t k = 0; k < before.shape.cols; ++k) after.writable()(i, k) = before.view()(i, k);
  return before.storage == after.storage;
}

template <class T, class A>
bool check_setting(const subject& s, const A& a, bool transposed, const setting& how) {
  const auto shape = transposed ? gossamer::transposed(s.matrix->shape) : s.matrix->shape;
  const padded_block<T> b({shape.cols, how.columns}, how.b, 201);
  const padded_block<T> c({shape.rows, how.columns}, how.c, 202);
  try {
    const auto found = call(s, a, transposed, how, b, c, 2);
    const auto wanted = expected(s, transposed, how, b, c);
    for (index_t i = 0; i < c.shape.rows; ++i)
      for (index_t k = 0; k < how.columns; ++k)
        EXPECT_TRUE(
            acceptable(found.view()(i, k), wanted[static_cast<std::size_t>(i * how.columns + k)]))
            << "element " << i << ", " << k << " of " << how.columns << " columns";
    EXPECT_TRUE(frame_untouched(c, found)) << "wrote outside of C";
    if (s.tested->deterministic)
      for (const int threads : {1, 5}) {
        const auto again = call(s, a, transposed, how, b, c, threads);
        EXPECT_EQ(std::memcmp(again.storage.data(), found.storage.data(),
                              sizeof(T) * found.storage.size()),
                  0)
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
  int ran = 0;
  // A width is a property of the walk over A, which SpMV covers; one other pair is enough here.
  for (const auto w : {all_widths[0], all_widths[2]})
    for (const auto wanted : formats_of(*s.tested))
      in_format<T>(*s.matrix, wanted, w, [&](const auto& a) {
        for (const bool transposed : {false, true})
          for (const auto& how : all_settings) {
            if (s.matrix->entries.size() > 10000 && how.columns > 8) continue;
            SCOPED_TRACE(std::string(name(wanted)) + (transposed ? " transposed" : ""));
            ran += check_setting<T>(s, a, transposed, how);
            if (testing::Test::HasFailure()) return;
          }
      });
  EXPECT_GT(ran, 0) << "the kernel took this case in no format at all";
}

template void check_spmm<float>(const subject&);
template void check_spmm<double>(const subject&);

}  // namespace gossamer::conformance
