// What is wrong with a matrix on a device is said in the words of the host.
#include <functional>

#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_validation : public on_gpu {};

template <class A>
void expect_same_report(const context& gpu, const A& a) {
  const auto wanted = inspect_structure(a);
  const auto found = inspect_structure(gpu, copy_to(gpu, a));
  EXPECT_EQ(found.valid, wanted.valid);
  EXPECT_EQ(found.sorted, wanted.sorted);
  EXPECT_EQ(found.unique, wanted.unique);
  EXPECT_EQ(found.problem, wanted.problem);
}

TEST_F(cuda_validation, every_case_in_every_format) {
  const auto gpu = context::cuda();
  const convert_options free{.slice = 8, .padding_limit = 0};
  for (const auto& c : cases::all()) {
    SCOPED_TRACE(c.name);
    const auto a = cases::as_csr<double>(c, narrow);
    expect_same_report(gpu, a);
    expect_same_report(gpu, convert<csc_matrix<double>>(a));
    expect_same_report(gpu, convert<coo_matrix<double>>(a));
    expect_same_report(gpu, convert<ell_matrix<double>>(a, free));
    expect_same_report(gpu, convert<sellp_matrix<double>>(a, free));
    expect_same_report(gpu, convert<hyb_matrix<double>>(a, free));
  }
}

TEST_F(cuda_validation, broken_matrices) {
  const auto gpu = context::cuda();
  const auto broken = [&](const std::function<void(csr_view<double>)>& spoil) {
    auto a = some_matrix();
    spoil(a.mutable_view());
    EXPECT_FALSE(inspect_structure(a).valid);
    expect_same_report(gpu, a);
    const auto moved = copy_to(gpu, a);
    EXPECT_THROW(validate(gpu, moved), error);
  };
  broken([](csr_view<double> a) { a.columns.as<std::int32_t>()[77] = -1; });
  broken([](csr_view<double> a) { a.columns.as<std::int32_t>()[77] = 1000; });
  broken([](csr_view<double> a) { a.offsets.as<std::int32_t>()[0] = 1; });
  broken([](csr_view<double> a) { a.offsets.as<std::int32_t>()[500] = 1 << 30; });
  broken([](csr_view<double> a) { a.offsets.as<std::int32_t>()[500] = -5; });
  broken([](csr_view<double> a) { a.offsets.as<std::int32_t>()[1000] -= 1; });
}

TEST_F(cuda_validation, broken_padding) {
  const auto gpu = context::cuda();
  const auto check = [&](auto a, index_t at, std::int32_t column) {
    SCOPED_TRACE("column " + std::to_string(column) + " at place " + std::to_string(at));
    a.mutable_view().columns.template as<std::int32_t>()[static_cast<std::size_t>(at)] = column;
    expect_same_report(gpu, a);
  };
  const convert_options free{.slice = 8, .sort_window = 24, .padding_limit = 0};
  const auto a = cases::as_csr<double>(cases::named("tall"), narrow);
  const auto ell = convert<ell_matrix<double>>(a, free);
  const auto sellp = convert<sellp_matrix<double>>(a, free);
  for (const std::int32_t column : {-1, -2, 3, 9, 1000})
    for (const index_t at : {0, 1, 2, 3, 4, 700, 5001, 5002, 5003, 9000}) {
      check(ell, at, column);
      check(sellp, at, column);
    }
  auto order = sellp, slices = sellp;
  order.mutable_view().row_order.as<std::int32_t>()[10] = 4999;
  expect_same_report(gpu, order);
  slices.mutable_view().slice_offsets.as<std::int32_t>()[10] = 1;
  expect_same_report(gpu, slices);
}

TEST_F(cuda_validation, requirements) {
  const auto gpu = context::cuda();
  const auto untidy =
      copy_to(gpu, cases::as_csr<double>(cases::named("unsorted_duplicates"), narrow));
  EXPECT_NO_THROW(validate(gpu, untidy));
  EXPECT_THROW(validate(gpu, untidy, {.sorted = true}), error);
  EXPECT_THROW(validate(gpu, untidy, {.unique = true}), error);
  EXPECT_THROW(validate(untidy), error) << "without the context of the device";
}

}  // namespace
}  // namespace gossamer
