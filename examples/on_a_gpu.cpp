// What docs/guide/cuda.md and docs/guide/memory-limits.md show. Without a device it says why, and
// that is all; with one it compares what the device computed with the host, exit code 1 when they
// differ.
#include <cmath>
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

namespace {

bool close(const std::vector<double>& found, const std::vector<double>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(std::abs(found[i] - wanted[i]) <= 1e-12 * (1 + std::abs(wanted[i])))) return false;
  return found.size() == wanted.size();
}

std::vector<double> there_and_back(const gs::csr_matrix<double>& A, const std::vector<double>& x) {
  // [cuda]
  auto gpu = gs::context::cuda(0);
  auto dA = gs::copy_to(gpu, A);
  auto dx = gs::copy_to(gpu, x);
  gs::vector<double> dy(gpu, A.rows());
  gs::multiply(gpu, dA, dx, dy);       // queued: the call returns at once
  auto y = gs::copy_to_host(gpu, dy);  // waits
  // [/cuda]
  return y;
}

std::vector<double> iterated(const gs::csr_matrix<double>& A, const std::vector<double>& x) {
  const auto gpu = gs::context::cuda();
  const auto dA = gs::copy_to(gpu, A);
  auto dx = gs::copy_to(gpu, x);
  gs::vector<double> dy(gpu, A.rows());
  // [cuda]
  gs::plan step = gs::multiply_inspect(gpu, dA, dx, dy, {.expected_calls = 20});
  for (int i = 0; i < 10; ++i) {
    gs::multiply(step, gs::scaled(0.125, dA), dx, dy);
    gs::multiply(step, gs::scaled(0.125, dA), dy, dx);
  }
  // [/cuda]
  return gs::copy_to_host(gpu, dx);
}

std::vector<double> iterated_on_host(const gs::csr_matrix<double>& A, std::vector<double> x) {
  const auto cpu = gs::context::best();
  std::vector<double> y(x.size());
  for (int i = 0; i < 10; ++i) {
    gs::multiply(cpu, gs::scaled(0.125, A), x, y);
    gs::multiply(cpu, gs::scaled(0.125, A), y, x);
  }
  return x;
}

/// Arrays that are on the device already, whoever put them there.
std::vector<double> borrowed(const gs::csr_matrix<double>& A, const std::vector<double>& x) {
  const auto gpu = gs::context::cuda();
  const auto dA = gs::copy_to(gpu, A);
  const auto dx = gs::copy_to(gpu, x);
  gs::vector<double> dy(gpu, A.rows());
  const double *values = dA.view().values, *x_values = dx.data();
  const auto* offsets = static_cast<const std::int32_t*>(dA.view().offsets.data());
  const auto* columns = static_cast<const std::int32_t*>(dA.view().columns.data());
  double* y_values = dy.data();
  const gs::extents shape = A.shape();
  const gs::index_t nnz = A.nnz();
  // [cuda]
  gs::csr_view<const double> V(values, offsets, columns, shape, nnz, gs::memory::device);
  gs::dense_view<const double> vx(x_values, shape.cols, gs::memory::device);
  gs::dense_view<double> vy(y_values, shape.rows, gs::memory::device);
  gs::multiply(gpu, V, vx, vy);
  // [/cuda]
  return gs::copy_to_host(gpu, dy);
}

bool squared(const gs::csr_matrix<double>& A) {
  const auto gpu = gs::context::cuda();
  const auto dA = gs::copy_to(gpu, A);
  // [cuda]
  auto dC = gs::multiply(gpu, dA, dA);                  // waits for the size of C, and allocates it
  gs::plan square = gs::multiply_compute(gpu, dA, dA);  // the structure of C
  auto shape = square.result_shape();
  auto nnz = square.result_nnz();
  gs::csr_matrix<double> dS(shape, nnz, gs::narrowest(shape, nnz), gpu.memory());
  gs::multiply_fill(square, dA, dA, dS);  // its values, again whenever those of A change
  auto S = gs::copy_to_host(gpu, dS);
  // [/cuda]
  const auto C = gs::multiply(gs::context::best(), A, A);
  const auto values = [](const gs::csr_matrix<double>& m) {
    return std::vector<double>(m.values().begin(), m.values().end());
  };
  return close(values(S), values(C)) && close(values(gs::copy_to_host(gpu, dC)), values(C));
}

/// C on the host, in slices where it does not fit the limit.
bool streamed(const gs::csr_matrix<double>& A) {
  const auto gpu = gs::context::cuda();
  const auto dA = gs::copy_to(gpu, A), dB = gs::copy_to(gpu, A);
  // [memory-limits]
  auto C = gs::multiply_to_host(gpu, dA, dB, {.memory_limit = 8'000'000});
  // [/memory-limits]
  return C.nnz() == gs::multiply(gs::context::best(), A, A).nnz();
}

}  // namespace

int main() {
  if (!gs::available(gs::backend::cuda)) {
    std::cout << "no device here: " << gs::why_not_available(gs::backend::cuda) << '\n';
    return 0;
  }
  const auto A = gs::generate::poisson2d<double>(gs::context::best(), 300, 300);
  std::vector<double> x(static_cast<std::size_t>(A.cols()), 1.0), y(x.size());
  gs::multiply(gs::context::best(), A, x, y);
  const bool right = close(there_and_back(A, x), y) && close(borrowed(A, x), y) &&
                     close(iterated(A, x), iterated_on_host(A, x)) && squared(A) && streamed(A);
  std::cout << (right ? "host and device agree\n" : "host and device differ\n");
  return right ? 0 : 1;
}
