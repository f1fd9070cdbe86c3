// NVIDIA cuSPARSE: the generic API, every algorithm it offers for CSR, and sliced ELL.
#include "bench/peers/cusparse/products.hpp"
#include "bench/peers/peer.hpp"

namespace gossamer::bench {
namespace {

using contestant_ptr = std::unique_ptr<contestant>;

template <cusparseSpMVAlg_t algorithm>
contestant_ptr spmv(const race_problem& p) {
  return cusparse::make_spmv(p, algorithm);
}
template <cusparseSpMMAlg_t algorithm>
contestant_ptr spmm(const race_problem& p) {
  return cusparse::make_spmm(p, algorithm);
}
template <cusparseSpGEMMAlg_t algorithm>
contestant_ptr spgemm(const race_problem& p) {
  return cusparse::make_spgemm(p, algorithm);
}
template <cusparse::reuse_part part>
contestant_ptr spgemm_reuse(const race_problem& p) {
  return cusparse::make_spgemm_reuse(p, part);
}

entry dense_entry(const char* name, operation product, const char* how,
                  contestant_ptr (*make)(const race_problem&)) {
  return {.name = name, .product = product, .how = how, .threaded = false, .make = make};
}

void add_spmv(std::vector<entry>& all) {
  const auto add = [&](const char* name, const char* how,
                       contestant_ptr (*make)(const race_problem&)) {
    all.push_back(dense_entry(name, operation::spmv, how, make));
  };
  add("cusparse/csr-alg1", "cusparseSpMV, CSR_ALG1, after cusparseSpMV_preprocess",
      spmv<CUSPARSE_SPMV_CSR_ALG1>);
  add("cusparse/csr-alg2", "cusparseSpMV, CSR_ALG2", spmv<CUSPARSE_SPMV_CSR_ALG2>);
  add("cusparse/coo-alg1", "cusparseSpMV, COO_ALG1", spmv<CUSPARSE_SPMV_COO_ALG1>);
  add("cusparse/coo-alg2", "cusparseSpMV, COO_ALG2", spmv<CUSPARSE_SPMV_COO_ALG2>);
  add("cusparse/sell", "cusparseSpMV, SELL_ALG1, slices of 32 rows, rows in their order",
      spmv<CUSPARSE_SPMV_SELL_ALG1>);
}

void add_spmm(std::vector<entry>& all) {
  const auto add = [&](const char* name, const char* how,
                       contestant_ptr (*make)(const race_problem&)) {
    all.push_back(dense_entry(name, operation::spmm, how, make));
  };
  add("cusparse/csr-alg1", "cusparseSpMM, CSR_ALG1, after cusparseSpMM_preprocess",
      spmm<CUSPARSE_SPMM_CSR_ALG1>);
  add("cusparse/csr-alg2", "cusparseSpMM, CSR_ALG2, after cusparseSpMM_preprocess",
      spmm<CUSPARSE_SPMM_CSR_ALG2>);
  add("cusparse/csr-alg3", "cusparseSpMM, CSR_ALG3, after cusparseSpMM_preprocess",
      spmm<CUSPARSE_SPMM_CSR_ALG3>);
  add("cusparse/bsr", "cusparseSpMM, BSR_ALG1, blocks of 4 x 4 converted on the host",
      cusparse::make_spmm_bsr);
}

/// The manual promises no order of columns for cusparseSpGEMM. For the reuse route NVIDIA does
/// (github.com/NVIDIA/CUDALibrarySamples, issue 84).
void add_spgemm(std::vector<entry>& all) {
  const auto add = [&](const char* name, const char* how,
                       contestant_ptr (*make)(const race_problem&)) {
    auto one = dense_entry(name, operation::spgemm, how, make);
    one.sorted = false;
    all.push_back(one);
  };
  add("cusparse/default", "cusparseSpGEMM, DEFAULT, from workEstimation to copy",
      spgemm<CUSPARSE_SPGEMM_DEFAULT>);
  add("cusparse/alg1", "cusparseSpGEMM, ALG1, from workEstimation to copy",
      spgemm<CUSPARSE_SPGEMM_ALG1>);
  add("cusparse/alg2", "cusparseSpGEMM, ALG2, with estimateMemory, from workEstimation to copy",
      spgemm<CUSPARSE_SPGEMM_ALG2>);
  add("cusparse/alg3",
      "cusparseSpGEMM, ALG3, with estimateMemory in chunks of 0.2, from workEstimation to copy",
      spgemm<CUSPARSE_SPGEMM_ALG3>);

  auto values = dense_entry("cusparse/reuse", operation::spgemm,
                            "cusparseSpGEMMreuse_compute; workEstimation, nnz and copy before",
                            spgemm_reuse<cusparse::reuse_part::values>);
  values.mode = run_mode::numeric;
  all.push_back(values);
  all.push_back(dense_entry("cusparse/reuse-whole", operation::spgemm,
                            "cusparseSpGEMMreuse, from workEstimation to compute",
                            spgemm_reuse<cusparse::reuse_part::all>));
}

peer describe() {
  peer p;
  p.name = "cusparse";
  p.title = "NVIDIA cuSPARSE";
  p.version = cusparse::session::current().library_version();
  p.backend = "cuda";
  add_spmv(p.entries);
  add_spmm(p.entries);
  add_spgemm(p.entries);
  return p;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::peer& gossamer_peer() {
  static const auto described = gossamer::bench::describe();
  return described;
}
