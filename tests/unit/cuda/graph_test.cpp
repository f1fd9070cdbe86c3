// A planned product waits for nobody and allocates nothing: it can be captured in a CUDA graph.
#include "caller_stream.hpp"
#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_graphs : public on_gpu {};

/// Every kernel for CSR on this backend, and "" for the choice.
std::vector<std::string> algorithms() {
  std::vector<std::string> found{""};
  for (const auto& k : kernels())
    if (k.id.starts_with("spmv/csr/") && k.id.ends_with("/cuda")) found.push_back(k.id);
  return found;
}

TEST_F(cuda_graphs, a_planned_product_can_be_captured) {
  const caller_stream stream;
  const auto gpu = context::cuda().with_stream(stream.get());
  const auto a = some_matrix();
  const auto x = some_vector(a.cols()), other_x = some_vector(a.cols(), 9);
  const auto moved = copy_to(gpu, a);
  for (const auto& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm);
    auto moved_x = copy_to(gpu, x);
    vector<double> y(gpu, a.rows());
    const auto prepared =
        multiply_inspect(gpu, moved, moved_x, y,
                         {.algorithm = algorithm, .expected_calls = 100, .constant_values = true});
    gpu.synchronise();

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    // "Global" makes any call that could wait for the device, of any thread, an error.
    ASSERT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal), cudaSuccess);
    ASSERT_NO_THROW(multiply(prepared, moved, moved_x, y));
    ASSERT_NO_THROW(multiply(prepared, scaled(2.0, moved), moved_x, scaled(-1.0, y), y));
    ASSERT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    // y = A x, then y = 2 A x - y: again A x, for whatever x holds at the launch.
    for (const auto& now : {x, other_x}) {
      copy_into(gpu, now, moved_x);
      ASSERT_EQ(cudaGraphLaunch(ready, stream.get()), cudaSuccess);
      expect_close(copy_to_host(gpu, y), reference_product(a, now));
    }
    (void)cudaGraphExecDestroy(ready);
    (void)cudaGraphDestroy(graph);
  }
}

TEST_F(cuda_graphs, the_callers_stream_is_the_one_that_is_used) {
  const caller_stream stream;
  const auto gpu = context::cuda().with_stream(stream.get());
  EXPECT_EQ(gpu.stream(), stream.get());
  const auto a = some_matrix();
  const auto x = some_vector(a.cols());
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x);
  vector<double> y(gpu, a.rows());
  multiply(gpu, moved, moved_x, y);
  ASSERT_EQ(cudaStreamSynchronize(stream.get()), cudaSuccess);
  expect_close(copy_to_host(gpu, y), reference_product(a, x));
}

}  // namespace
}  // namespace gossamer
