// Transposed products on a device: every format is supported, and a plan keeps what pays.
#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_transposed : public on_gpu {
 protected:
  const csr_matrix<double> a = some_matrix();
  const std::vector<double> x = some_vector(a.rows());

  std::vector<double> wanted() const {
    std::vector<double> y(static_cast<std::size_t>(a.cols()));
    multiply(context::reference(), transposed(a), x, y);
    return y;
  }
};

TEST_F(cuda_transposed, padded_formats) {
  const auto gpu = context::cuda();
  const auto moved_x = copy_to(gpu, x);
  const auto check = [&](const auto& matrix) {
    const auto moved = copy_to(gpu, matrix);
    vector<double> y(gpu, a.cols());
    multiply(gpu, transposed(moved), moved_x, y);
    expect_close(copy_to_host(gpu, y), wanted());
  };
  check(convert<ell_matrix<double>>(a, {.padding_limit = 0}));
  check(convert<sellp_matrix<double>>(a));
  check(convert<hyb_matrix<double>>(a));
}

TEST_F(cuda_transposed, a_plan_for_many_calls_keeps_rows) {
  const auto gpu = context::cuda();
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x);
  vector<double> y(gpu, a.cols());
  const auto prepared = multiply_inspect(gpu, transposed(moved), moved_x, y,
                                         {.expected_calls = 100'000, .constant_values = true});
  EXPECT_EQ(prepared.kernel(), "spmv/any/converted/cuda") << prepared.explain().because;
  for (int run = 0; run < 2; ++run) {
    multiply(prepared, transposed(moved), moved_x, y);
    expect_close(copy_to_host(gpu, y), wanted());
  }
  const auto once = multiply_inspect(gpu, transposed(moved), moved_x, y);
  EXPECT_EQ(once.kernel(), "spmv/csc/scatter/cuda") << once.explain().because;
}

}  // namespace
}  // namespace gossamer
