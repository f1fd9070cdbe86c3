// C = alpha A B by row-wise expansion, sorting and contraction, the adaptive algorithm of Dalton,
// Bell and Olson 2015 with their limits: rows are ordered by their multiplications; up to 32 are
// sorted by a thread, up to 736 by a warp, up to 6144 by a block, and more in device memory. Local
// sorts move keys of a column and the number of the multiplication where these fit 32 bits; sums
// are segmented scans; rows are computed in the order of their work and then moved to that of C.
// docs/kernels/spgemm-row-esc.md says where this differs from the paper.
#include "kernels/spgemm/cuda/row_esc/row_esc_product.hpp"

namespace gossamer {

namespace {

constexpr device::row_esc_preset preset{.id = "spgemm/csr/row_esc/cuda",
                                        .limits = {.thread = 32, .warp = 736, .block = 6144}};

csr_result multiply_once(const problem& p, const operands& o, const context& where) {
  return device::multiply_row_esc(preset, p, o, where);
}

state prepare(const problem& p, const operands& o, const context& where) {
  return device::prepare_row_esc(preset, p, o, where);
}

verdict consider(const problem& p, const machine&) { return device::consider_row_esc(p); }

}  // namespace

extern const kernel spgemm_csr_row_esc_cuda;
const kernel spgemm_csr_row_esc_cuda{
    .id = preset.id,
    .summary = "rows by work, each expanded, sorted and contracted by a thread, warp or block",
    .reference = "Dalton, Bell, Olson 2015 (row-wise ESC)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = device::run_row_esc,
    .parameters = device::row_esc_parameters,
    .spgemm = {.multiply_once = multiply_once}};

}  // namespace gossamer
