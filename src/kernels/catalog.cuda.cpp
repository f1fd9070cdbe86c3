// The kernels of the CUDA backend, in the order people should read them.
#include <array>

#include "kernels/catalog.hpp"

namespace gossamer {

extern const kernel spmv_csr_classical_cuda;
extern const kernel spmv_csr_load_balance_cuda;
extern const kernel spmv_csr_merge_cuda;
extern const kernel spmv_csr_adaptive_cuda;
extern const kernel spmv_csr_sliced_cuda;
extern const kernel spmv_csr_packed_cuda;
extern const kernel spmv_csr_vendor_cuda;
extern const kernel spmv_csc_scatter_cuda;
extern const kernel spmv_csc_rows_cuda;
extern const kernel spmv_coo_atomic_cuda;
extern const kernel spmv_coo_segments_cuda;
extern const kernel spmv_ell_rows_cuda;
extern const kernel spmv_sellp_slices_cuda;
extern const kernel spmv_hyb_split_cuda;
extern const kernel spmv_any_converted_cuda;
extern const kernel spmm_csr_panels_cuda;

catalogue cuda_kernels() {
  static constexpr std::array list{
      &spmv_csr_classical_cuda, &spmv_csr_load_balance_cuda, &spmv_csr_merge_cuda,
      &spmv_csr_adaptive_cuda,  &spmv_csr_sliced_cuda,       &spmv_csr_packed_cuda,
      &spmv_csr_vendor_cuda,    &spmv_csc_scatter_cuda,      &spmv_csc_rows_cuda,
      &spmv_coo_atomic_cuda,    &spmv_coo_segments_cuda,     &spmv_ell_rows_cuda,
      &spmv_sellp_slices_cuda,  &spmv_hyb_split_cuda,        &spmv_any_converted_cuda,
      &spmm_csr_panels_cuda};
  return list;
}

}  // namespace gossamer
