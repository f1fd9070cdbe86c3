// Constructors of this peer's contestants, one function per product and algorithm.
#pragma once

#include <memory>

#include "bench/peers/cusparse/device.hpp"

namespace gossamer::bench::cusparse {

/// The format follows from the algorithm: CSR, COO or sliced ELL.
std::unique_ptr<contestant> make_spmv(const race_problem&, cusparseSpMVAlg_t);
std::unique_ptr<contestant> make_spmm(const race_problem&, cusparseSpMMAlg_t);
/// A in blocks of 4 x 4; refuses a matrix whose nonzeros fill less than a quarter of them.
std::unique_ptr<contestant> make_spmm_bsr(const race_problem&);

/// cusparseSpGEMM: the whole product in one run.
std::unique_ptr<contestant> make_spgemm(const race_problem&, cusparseSpGEMMAlg_t);

/// cusparseSpGEMMreuse: the structure of C in prepare() and its values in run(), or all of it in
/// run().
enum class reuse_part { values, all };
std::unique_ptr<contestant> make_spgemm_reuse(const race_problem&, reuse_part);

}  // namespace gossamer::bench::cusparse
