// The functions of a kernel with two phases (two_phases.hpp) that also supports semirings, masks
// and filters (masked_rows.hpp): the options of the product decide between the two drivers.
#pragma once

#include "kernels/spgemm/frame/two_phases.hpp"
#include "kernels/spgemm/masked/masked_rows.hpp"

namespace gossamer {

template <template <class, class> class Maker, row_accumulator In>
struct row_kernel {
  static state prepare(const problem& p, const operands& o, const context& where) {
    return p.plain() || o.counted ? prepare_rows<Maker>(p, o, where)
                                  : prepare_masked(In, p, o, where);
  }
  static void run(const state& prepared, const operands& o, const context& where) {
    prepared.spgemm.masked ? run_masked(prepared, o, where) : run_rows<Maker>(prepared, o, where);
  }
  static csr_result multiply_once_masked(const problem& p, const operands& o,
                                         const context& where) {
    return gossamer::multiply_once_masked(In, p, o, where);
  }
};

}  // namespace gossamer
