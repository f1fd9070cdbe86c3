// Every pair of formats, over every case and index width, against plain triplets.
#include <gtest/gtest.h>

#include "gossamer/convert.hpp"
#include "triplets.hpp"

namespace gossamer::test {
namespace {

/// A matrix in some format and width, made without asking for that width from the library: the
/// arrays of a narrow matrix are copied out and written down again wide.
template <class T>
struct sample {
  std::string name;
  std::vector<index_buffer> arrays;
  buffer<T> values;
  any_view<const T> view;
  bool stores_duplicates = true;

  index_view keep(index_view from, index_width width) {
    arrays.push_back(indices(numbers(from), width));
    return std::as_const(arrays.back()).view();
  }
};

const std::vector<widths> all_widths{{index_width::i32, index_width::i32},
                                     {index_width::i32, index_width::i64},
                                     {index_width::i64, index_width::i64}};

template <class T>
ell_view<const T> widened(sample<T>& s, const ell_view<const T>& a, index_width width) {
  return {a.shape, a.width, a.stride, s.keep(a.columns, width), a.values, a.entries};
}
template <class T>
coo_view<const T> widened(sample<T>& s, const coo_view<const T>& a, index_width width) {
  const auto rows = s.keep(a.rows, width);
  return {a.shape, rows, s.keep(a.columns, width), a.values};
}

/// All seven formats of one case in one pair of widths, handed to f one by one.
template <class T, class F>
void for_each_sample(const matrix_case& from, widths w, F&& f) {
  const auto ctx = context::reference();
  const auto csr = make_csr<T>(from, w);
  f(sample<T>{.name = "csr", .view = csr.view()});

  sample<T> s{.name = "csc"};
  const auto csc = convert<csc_matrix<T>>(ctx, csr);
  const auto offsets = s.keep(csc.view().offsets, w.offsets);
  s.view = csc_view<const T>(csc.shape(), offsets, s.keep(csc.view().rows, w.indices),
                             csc.view().values);
  f(s);

  f(sample<T>{.name = "coo", .view = make_coo<T>(from, w.indices).view()});

  s.name = "ell";
  const auto ell = convert<ell_matrix<T>>(ctx, csr, {.stride_factor = 4});
  s.view = widened(s, ell.view(), w.indices);
  f(s);

  for (const index_t window : {1, 4}) {
    s.name = window == 1 ? "sellp" : "sellp_sorted";
    const auto sellp =
        convert<sellp_matrix<T>>(ctx, csr, {.slice = 3, .stride_factor = 2, .sort_window = window});
    const auto a = sellp.view();
    const auto slices = s.keep(a.slice_offsets, w.offsets);
    const auto columns = s.keep(a.columns, w.indices);
    s.view = sellp_view<const T>(a.shape, a.slice, slices, columns, s.keep(a.row_order, w.indices),
                                 a.values, a.entries);
    f(s);
  }

  s.name = "hyb";
  const auto hyb = convert<hyb_matrix<T>>(
      ctx, csr, {.hyb = {.strategy = hyb_strategy::column_limit, .columns = 2}});
  const auto first = widened(s, hyb.view().ell, w.indices);
  s.view = hyb_view<const T>(first, widened(s, hyb.view().coo, w.indices));
  f(s);

  for (const layout order : {layout::row_major, layout::column_major}) {
    const auto dense = convert<dense_matrix<T>>(ctx, csr, {.order = order});
    f(sample<T>{
        .name = std::string(name(order)), .view = dense.view(), .stores_duplicates = false});
  }
}

template <class T>
std::vector<triplet> entries_of_any(const any_view<const T>& view) {
  return std::visit([](const auto& a) { return entries_of(a); }, view);
}

template <class To, class T>
void check_target(const sample<T>& from, const context& ctx, const convert_options& how) {
  SCOPED_TRACE(from.name + " to " + std::string(typeid(To).name()));
  constexpr bool to_dense = requires(const To& m) { m.order(); };
  const auto entries = entries_of_any<T>(from.view);
  const To to = convert<To>(ctx, expression<T>{.view = from.view}, how);
  EXPECT_EQ(to.shape(), std::visit([](const auto& a) { return a.shape; }, from.view));
  const auto found = entries_of(to.view());
  if constexpr (to_dense) {
    EXPECT_EQ(sorted(found), sorted(summed(entries)));
  } else {
    EXPECT_EQ(sorted(found), sorted(entries));
    EXPECT_EQ(to.nnz(), static_cast<index_t>(entries.size()));
    EXPECT_EQ(to.index_widths().indices, index_width::i32);
  }

  // The transpose, scaled: both are promised for every source.
  const auto scaled_back = convert<To>(ctx, scaled(T{-2}, transposed(expression<T>{from.view})));
  auto turned = entries;
  for (auto& t : turned) t = {t.column, t.row, -2 * t.value};
  const auto turned_found = sorted(entries_of(scaled_back.view()));
  EXPECT_EQ(turned_found, sorted(to_dense ? summed(turned) : turned));
}

template <class T>
void check_sample(const sample<T>& s, const matrix_case& from) {
  const auto truth = s.stores_duplicates ? from.entries : summed(from.entries);
  ASSERT_EQ(sorted(entries_of_any<T>(s.view)), sorted(truth));
  for (const auto& ctx : {context::reference(), context::openmp(3)}) {
    check_target<csr_matrix<T>>(s, ctx, {});
    check_target<csc_matrix<T>>(s, ctx, {});
    check_target<coo_matrix<T>>(s, ctx, {});
    check_target<ell_matrix<T>>(s, ctx, {.stride_factor = 8});
    check_target<sellp_matrix<T>>(s, ctx, {.slice = 2});
    check_target<sellp_matrix<T>>(s, ctx, {.slice = 4, .stride_factor = 3, .sort_window = 16});
    for (const auto strategy :
         {hyb_strategy::column_limit, hyb_strategy::imbalance_limit,
          hyb_strategy::imbalance_bounded, hyb_strategy::minimal_storage, hyb_strategy::automatic})
      check_target<hyb_matrix<T>>(
          s, ctx, {.hyb = {.strategy = strategy, .columns = 1, .quantile = 0.5, .bound = 0.5}});
    check_target<dense_matrix<T>>(s, ctx, {.order = layout::row_major});
    check_target<dense_matrix<T>>(s, ctx, {.order = layout::column_major});
  }
}

class EveryPair : public testing::TestWithParam<matrix_case> {};

TEST_P(EveryPair, KeepsEveryEntryDouble) {
  for (const auto w : all_widths)
    for_each_sample<double>(GetParam(), w,
                            [&](const sample<double>& s) { check_sample(s, GetParam()); });
}

TEST_P(EveryPair, KeepsEveryEntryFloat) {
  for (const auto w : all_widths)
    for_each_sample<float>(GetParam(), w,
                           [&](const sample<float>& s) { check_sample(s, GetParam()); });
}

TEST_P(EveryPair, ChangesTheValueType) {
  const auto source = make_csr<double>(GetParam());
  const auto all = [&]<class To>(std::type_identity<To>) {
    return sorted(entries_of(convert<To>(source).view()));
  };
  const auto narrow = sorted(GetParam().entries);  // every value of the cases is a float too
  EXPECT_EQ(all(std::type_identity<csr_matrix<float>>{}), narrow);
  EXPECT_EQ(all(std::type_identity<csc_matrix<float>>{}), narrow);
  EXPECT_EQ(all(std::type_identity<coo_matrix<float>>{}), narrow);
  EXPECT_EQ(all(std::type_identity<ell_matrix<float>>{}), narrow);
  EXPECT_EQ(all(std::type_identity<sellp_matrix<float>>{}), narrow);
  EXPECT_EQ(all(std::type_identity<hyb_matrix<float>>{}), narrow);
  EXPECT_EQ(all(std::type_identity<dense_matrix<float>>{}), sorted(summed(GetParam().entries)));
  const auto there = convert<hyb_matrix<float>>(source);
  EXPECT_EQ(sorted(entries_of(convert<csr_matrix<double>>(there).view())), narrow);
  EXPECT_EQ(sorted(entries_of(convert<csc_matrix<double>>(there).view())), narrow);
  EXPECT_EQ(sorted(entries_of(convert<coo_matrix<double>>(there).view())), narrow);
  EXPECT_EQ(sorted(entries_of(convert<ell_matrix<double>>(there).view())), narrow);
  EXPECT_EQ(sorted(entries_of(convert<sellp_matrix<double>>(there).view())), narrow);
  EXPECT_EQ(sorted(entries_of(convert<hyb_matrix<double>>(there).view())), narrow);
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryPair, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gossamer::test
