// Dense blocks on a device: transposed A, dense times sparse, padded formats, plans whose values
// change, and layouts that a plan was not made for.
#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_blocks : public on_gpu {
 protected:
  const csr_matrix<double> a = some_matrix();

  /// rows x cols in a layout, with values of a seed.
  static dense_matrix<double> block(index_t rows, index_t cols, std::uint64_t seed,
                                    layout order = layout::row_major) {
    dense_matrix<double> b(rows, cols, order);
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < cols; ++j) b(i, j) = cases::value_at(seed, i * cols + j);
    return b;
  }
  static std::vector<double> elements(const dense_matrix<double>& c) {
    std::vector<double> all;
    for (index_t i = 0; i < c.rows(); ++i)
      for (index_t j = 0; j < c.cols(); ++j) all.push_back(c(i, j));
    return all;
  }
};

TEST_F(cuda_blocks, transposed_in_every_format) {
  const auto gpu = context::cuda();
  const auto b = block(a.rows(), 24, 5);
  dense_matrix<double> wanted(a.cols(), 24);
  multiply(context::reference(), transposed(a), b, wanted);
  const auto moved_b = copy_to(gpu, b);
  const auto check = [&](const auto& matrix, const options& how) {
    auto c = copy_to(gpu, dense_matrix<double>(a.cols(), 24));
    multiply(gpu, transposed(copy_to(gpu, matrix)), moved_b, c, how);
    expect_close(elements(copy_to_host(gpu, c)), elements(wanted));
  };
  for (const bool deterministic : {false, true}) {
    const options how{.deterministic = deterministic};
    check(a, how);
    check(convert<csc_matrix<double>>(a), how);
    check(convert<coo_matrix<double>>(a), how);
    check(convert<ell_matrix<double>>(a, {.padding_limit = 0}), how);
    check(convert<sellp_matrix<double>>(a), how);
    check(convert<hyb_matrix<double>>(a), how);
  }
}

TEST_F(cuda_blocks, deterministic_transposed_plans_take_new_values) {
  const auto gpu = context::cuda();
  const auto b = copy_to(gpu, block(a.rows(), 16, 5));
  auto c = copy_to(gpu, dense_matrix<double>(a.cols(), 16));
  auto host = a;
  const auto moved = copy_to(gpu, host);
  const auto prepared =
      multiply_inspect(gpu, transposed(moved), b, c, {.algorithm = "rows", .deterministic = true});
  EXPECT_EQ(prepared.kernel(), "spmm/csc/rows/cuda");
  for (int run = 0; run < 2; ++run) {
    const auto now = copy_to(gpu, host);
    multiply(prepared, transposed(now), b, c);
    dense_matrix<double> wanted(a.cols(), 16);
    multiply(context::reference(), transposed(host), block(a.rows(), 16, 5), wanted);
    expect_close(elements(copy_to_host(gpu, c)), elements(wanted));
    for (auto& v : host.values()) v *= 1.5;
  }
}

TEST_F(cuda_blocks, dense_times_sparse_in_every_layout) {
  const auto gpu = context::cuda();
  const auto moved = copy_to(gpu, a);
  for (const auto order : {layout::row_major, layout::column_major})
    for (const index_t rows : {1, 5, 32}) {
      const auto b = block(rows, a.rows(), 9, order);
      dense_matrix<double> wanted(rows, a.cols(), order);
      multiply(context::reference(), b, a, wanted);
      for (const bool deterministic : {false, true}) {
        auto c = copy_to(gpu, dense_matrix<double>(rows, a.cols(), order));
        multiply(gpu, copy_to(gpu, b), moved, c, {.deterministic = deterministic});
        expect_close(elements(copy_to_host(gpu, c)), elements(wanted));
      }
    }
}

TEST_F(cuda_blocks, a_plan_keeps_to_its_layouts) {
  const auto gpu = context::cuda();
  const auto moved = copy_to(gpu, a);
  const auto b = copy_to(gpu, block(a.cols(), 8, 5));
  const auto turned = copy_to(gpu, block(a.cols(), 8, 5, layout::column_major));
  auto c = copy_to(gpu, dense_matrix<double>(a.rows(), 8));
  const auto prepared = multiply_inspect(gpu, moved, b, c);
  multiply(prepared, moved, b, c);
  EXPECT_THROW(multiply(prepared, moved, turned, c), error);
}

TEST_F(cuda_blocks, strips_of_meshes_in_tiles) {
  const auto gpu = context::cuda();
  const auto cpu = context::reference();
  const auto boxes = generate::stencil::finite_element;
  // Lines that are no multiples of a strip, and enough rows for an order by tiles.
  for (const auto& mesh : {generate::poisson2d<double>(cpu, 101, 67, boxes),
                           generate::poisson3d<double>(cpu, 21, 19, 18, boxes)})
    for (const index_t columns : {16, 34, 64, 130}) {
      const auto b = block(mesh.cols(), columns, 3);
      dense_matrix<double> wanted(mesh.rows(), columns);
      multiply(cpu, mesh, b, wanted);
      auto c = copy_to(gpu, dense_matrix<double>(mesh.rows(), columns));
      multiply(gpu, copy_to(gpu, mesh), copy_to(gpu, b), c, {.algorithm = "strips"});
      expect_close(elements(copy_to_host(gpu, c)), elements(wanted));
    }
}

TEST_F(cuda_blocks, plans_of_many_calls_take_strips_for_meshes) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp();
  const auto boxes = generate::stencil::finite_element;
  const auto kernel_for = [&](const csr_matrix<float>& a) {
    const auto moved = copy_to(gpu, a);
    const auto b = copy_to(gpu, dense_matrix<float>(a.cols(), 64));
    auto c = copy_to(gpu, dense_matrix<float>(a.rows(), 64));
    const auto prepared = multiply_inspect(gpu, moved, b, c, {.expected_calls = 1000});
    return std::string(prepared.kernel());
  };
  EXPECT_EQ(kernel_for(generate::poisson3d<float>(cpu, 40, 40, 40, boxes)), "spmm/csr/strips/cuda");
  EXPECT_EQ(kernel_for(generate::erdos_renyi<float>(cpu, 15, 16)), "spmm/csr/groups/cuda");
}

}  // namespace
}  // namespace gossamer
