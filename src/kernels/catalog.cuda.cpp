// The kernels of the CUDA backend, in the order people should read them.
#include <array>

#include "kernels/catalog.hpp"

namespace gossamer {

extern const kernel spmv_csr_classical_cuda;

catalogue cuda_kernels() {
  static constexpr std::array list{&spmv_csr_classical_cuda};
  return list;
}

}  // namespace gossamer
