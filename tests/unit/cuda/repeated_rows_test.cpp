// Sparse products that are large enough for patterns of repeated rows, and for rows by warps where
// rows of B come from all over it: the bits of the reference.
#include "random_matrices.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_repeated_rows : public on_gpu {};

/// A B by what is chosen, without patterns, and by a plan that is filled twice.
template <class T>
void check_product(const context& gpu, const csr_matrix<T>& a, const csr_matrix<T>& b) {
  const auto wanted = multiply(context::reference(), a, b);
  const auto moved_a = copy_to(gpu, a), moved_b = copy_to(gpu, b);
  for (const char* tuning : {"patterns=auto", "patterns=none", "phases=two"}) {
    SCOPED_TRACE(tuning);
    const options how{.algorithm = "adaptive", .tuning = tuning};
    expect_same(copy_to_host(gpu, multiply(gpu, moved_a, moved_b, how)), wanted);
  }
  const plan filled = multiply_compute(gpu, moved_a, moved_b, {.algorithm = "adaptive"});
  ASSERT_EQ(filled.result_nnz(), wanted.nnz());
  csr_matrix<T> c(filled.result_shape(), filled.result_nnz(),
                  narrowest(wanted.shape(), wanted.nnz()), gpu.memory());
  for (int call = 0; call < 2; ++call) {
    multiply_fill(filled, moved_a, moved_b, c);
    expect_same(copy_to_host(gpu, c), wanted);
  }
}

/// Values that differ, so that a term at the wrong place shows.
template <class T>
csr_matrix<T> with_random_values(csr_matrix<T> a) {
  const auto view = a.mutable_view();
  generate::fill_random<T>(context::openmp(), {view.values, static_cast<std::size_t>(a.nnz())});
  return a;
}

TEST_F(cuda_repeated_rows, meshes) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp();
  const auto flat = with_random_values(generate::poisson2d<double>(cpu, 280, 270));
  check_product(gpu, flat, flat);
  const auto nine = with_random_values(
      generate::poisson2d<float>(cpu, 260, 270, generate::stencil::finite_element));
  check_product(gpu, nine, nine);
  const auto solid = with_random_values(generate::poisson3d<double>(cpu, 41, 42, 43));
  check_product(gpu, solid, solid);
  const auto coarse = with_random_values(generate::aggregation<double>(cpu, 41, 42, 43, 3));
  check_product(gpu, solid, coarse);
  const auto full = with_random_values(
      generate::poisson3d<double>(cpu, 41, 42, 43, generate::stencil::finite_element));
  check_product(gpu, full, coarse);
}

/// A mesh in which some rows are others: they hash differently, or there are too many patterns.
template <class T>
csr_matrix<T> damaged_mesh(index_t every, std::uint32_t seed) {
  const auto mesh = generate::poisson2d<T>(context::openmp(), 270, 270);
  random_source draw(seed);
  std::vector<index_t> rows, cols;
  std::vector<T> values;
  for (const auto& [i, j, v] : nonzeros(mesh)) {
    if (i % every == 7 && j > i) continue;  // some rows lose nonzeros,
    rows.push_back(i);
    cols.push_back(i % every == 11 ? draw.number(0, mesh.cols() - 1) : j);  // some have random ones
    values.push_back(static_cast<T>(draw.value()));
  }
  return from_triplets(context::openmp(), mesh.shape(), rows, cols, values);
}

TEST_F(cuda_repeated_rows, meshes_with_other_rows_among_them) {
  const auto gpu = context::cuda();
  for (const index_t every : {70'000, 9'000, 150}) {
    SCOPED_TRACE(every);
    const auto a = damaged_mesh<double>(every, 20261118);
    check_product(gpu, a, a);
    if (HasFatalFailure()) return;
  }
}

TEST_F(cuda_repeated_rows, rows_that_select_rows_from_all_over) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp();
  for (const index_t per_row : {4, 6, 9}) {
    SCOPED_TRACE(per_row);
    const auto a = with_random_values(generate::erdos_renyi<double>(cpu, 17, per_row));
    check_product(gpu, a, a);
    if (HasFatalFailure()) return;
  }
}

TEST_F(cuda_repeated_rows, few_rows_that_add_many_short_ones) {
  const auto gpu = context::cuda();
  const auto cpu = context::openmp();
  const auto wide =
      with_random_values(generate::aspect<double>(cpu, 200, index_t{1} << 17, 200 * 700));
  const auto tall = transpose<double>(cpu, wide);
  check_product(gpu, wide, tall);
}

}  // namespace
}  // namespace gossamer
