#include "kernels/catalog.hpp"

#include <array>
#include <vector>

namespace gossamer {

extern const kernel spmv_any_serial_reference;
extern const kernel spmv_csr_rows_openmp;
extern const kernel spmv_csr_merge_openmp;
extern const kernel spmv_csr_sell_openmp;
extern const kernel spmv_csr_bins_openmp;
extern const kernel spmv_coo_segments_openmp;
extern const kernel spmv_csc_sell_openmp;
extern const kernel spmv_ell_rows_openmp;
extern const kernel spmv_sellp_slices_openmp;
extern const kernel spmv_hyb_split_openmp;
extern const kernel spmv_any_scatter_openmp;
extern const kernel spmv_any_owner_openmp;
extern const kernel spmm_any_serial_reference;
extern const kernel spmm_csr_rows_openmp;
extern const kernel spmm_any_columns_openmp;
extern const kernel spgemm_csr_serial_reference;
extern const kernel spgemm_csr_hash_openmp;
extern const kernel spgemm_csr_hashvec_openmp;
extern const kernel spgemm_csr_spa_openmp;
extern const kernel spgemm_csr_heap_openmp;
extern const kernel spgemm_csr_lean_openmp;
extern const kernel spgemm_csr_adaptive_openmp;
extern const kernel spgemm_csr_pb_openmp;

namespace {

catalogue host_kernels() {
  static constexpr std::array list{
      &spmv_any_serial_reference,   &spmv_csr_rows_openmp,       &spmv_csr_merge_openmp,
      &spmv_csr_sell_openmp,        &spmv_csr_bins_openmp,       &spmv_coo_segments_openmp,
      &spmv_csc_sell_openmp,        &spmv_ell_rows_openmp,       &spmv_sellp_slices_openmp,
      &spmv_hyb_split_openmp,       &spmv_any_scatter_openmp,    &spmv_any_owner_openmp,
      &spmm_any_serial_reference,   &spmm_csr_rows_openmp,       &spmm_any_columns_openmp,
      &spgemm_csr_serial_reference, &spgemm_csr_hash_openmp,     &spgemm_csr_hashvec_openmp,
      &spgemm_csr_spa_openmp,       &spgemm_csr_heap_openmp,     &spgemm_csr_lean_openmp,
      &spgemm_csr_pb_openmp,        &spgemm_csr_adaptive_openmp,
  };
  return list;
}

}  // namespace

catalogue all_kernels() {
  static const auto list = [] {
    std::vector<const kernel*> all(host_kernels().begin(), host_kernels().end());
    all.insert(all.end(), cuda_kernels().begin(), cuda_kernels().end());
    return all;
  }();
  return list;
}

std::vector<kernel_info> kernels() {
  std::vector<kernel_info> list;
  for (const auto* k : all_kernels()) {
    const auto backend_name = path_of(*k).backend;
    const auto which = backend_name == "cuda"     ? backend::cuda
                       : backend_name == "openmp" ? backend::openmp
                                                  : backend::reference;
    auto why_not = why_not_available(which);
    const bool usable = why_not.empty();
    list.push_back({std::string(k->id), std::string(k->summary), std::string(k->reference),
                    k->deterministic, usable, std::move(why_not)});
  }
  return list;
}

}  // namespace gossamer
