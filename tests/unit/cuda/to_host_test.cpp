// Products on a device whose result goes to the host slice by slice.
#include "base/counting_memory.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_to_host : public on_gpu {
 protected:
  /// A has 3 MB and A A some 50: what a conversion or a kernel needs to begin with is far less.
  static csr_matrix<double> square() {
    return generate::erdos_renyi<double>(context::openmp(), 14, 16, 3);
  }
};

std::vector<std::string> sparse_algorithms() {
  std::vector<std::string> found{""};
  for (const auto& k : kernels())
    if (k.id.starts_with("spgemm/") && k.id.ends_with("/cuda")) found.push_back(k.id);
  return found;
}

index_t result_bytes(const csr_matrix<double>& c) { return c.nnz() * 12 + (c.rows() + 1) * 4; }

template <class A, class B>
void expect_slices(const context& gpu, const A& a, const B& b, options how) {
  SCOPED_TRACE(how.algorithm);
  const auto wanted = copy_to_host(gpu, multiply(gpu, a, b, how));
  expect_same(multiply_to_host(gpu, a, b, how), wanted);
  for (const index_t part : {2, 3}) {
    SCOPED_TRACE(part);
    how.memory_limit = result_bytes(wanted) / part;
    const auto counted = std::make_shared<counting_memory>(gpu.memory());
    const auto where = gpu.with_memory(counted);
    EXPECT_THROW(multiply(where, a, b, how), error) << "C fits, so this test shows nothing";
    counted->restart();
    expect_same(multiply_to_host(where, a, b, how), wanted);
    EXPECT_LE(counted->peak(), how.memory_limit);
    EXPECT_EQ(counted->held(), 0);
  }
}

TEST_F(cuda_to_host, slices_are_the_whole_product) {
  const auto gpu = context::cuda();
  const auto a = copy_to(gpu, square());
  for (const auto& algorithm : sparse_algorithms())
    expect_slices(gpu, scaled(-0.5, a), a, {.algorithm = algorithm});
}

/// Rows of a transposed CSR are not contiguous: they are copied once.
TEST_F(cuda_to_host, transposed_operands) {
  const auto gpu = context::cuda();
  const auto a = copy_to(gpu, square());
  for (const auto& algorithm : sparse_algorithms()) {
    expect_slices(gpu, transposed(a), a, {.algorithm = algorithm});
    expect_slices(gpu, a, scaled(3.0, transposed(a)), {.algorithm = algorithm});
  }
}

TEST_F(cuda_to_host, masks_and_filters) {
  const auto gpu = context::cuda();
  const auto host = square();
  const auto a = copy_to(gpu, host), mask = copy_to(gpu, multiply(context::openmp(), host, host));
  expect_slices(gpu, a, a, {.mask = pattern_of(mask.view())});
  expect_slices(gpu, a, a,
                {.semiring = semiring::min_plus, .mask = complement(pattern_of(a.view()))});
  expect_slices(gpu, a, a, {.keep = {.magnitude = 0.2}});
}

TEST_F(cuda_to_host, a_row_that_does_not_fit_is_refused) {
  const auto gpu = context::cuda();
  const auto a = copy_to(gpu, square());
  try {
    multiply_to_host(gpu, a, a, {.memory_limit = 10});
    FAIL() << "ten bytes were enough";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::memory_limit) << e.what();
  }
}

TEST_F(cuda_to_host, empty_matrices) {
  const auto gpu = context::cuda();
  for (const extents shape : {extents{0, 0}, extents{0, 3}, extents{3, 0}}) {
    const auto a = copy_to(gpu, csr_matrix<float>(shape, 0));
    const auto b = copy_to(gpu, csr_matrix<float>({shape.cols, 5}, 0));
    const auto c = multiply_to_host(gpu, a, b);
    EXPECT_EQ(c.shape(), (extents{shape.rows, 5}));
    EXPECT_EQ(c.nnz(), 0);
  }
}

}  // namespace
}  // namespace gossamer
