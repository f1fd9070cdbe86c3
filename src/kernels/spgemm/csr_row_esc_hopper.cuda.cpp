// C = alpha A B by row-wise expansion, sorting and contraction, as csr_row_esc.cuda.cpp has it,
// with limits for the registers and the shared memory of a Hopper GPU: up to 64 multiplications by
// a thread, 512 by a warp, 12,288 by a block.
#include "kernels/spgemm/cuda/row_esc/row_esc_product.hpp"

namespace gossamer {

namespace {

constexpr device::row_esc_preset preset{.id = "spgemm/csr/row_esc_hopper/cuda",
                                        .limits = {.thread = 64, .warp = 512, .block = 12'288}};

csr_result multiply_once(const problem& p, const operands& o, const context& where) {
  return device::multiply_row_esc(preset, p, o, where);
}

state prepare(const problem& p, const operands& o, const context& where) {
  return device::prepare_row_esc(preset, p, o, where);
}

verdict consider(const problem& p, const machine&) { return device::consider_row_esc(p); }

}  // namespace

extern const kernel spgemm_csr_row_esc_hopper_cuda;
const kernel spgemm_csr_row_esc_hopper_cuda{
    .id = preset.id,
    .summary = "row_esc with larger groups, for the shared memory of Hopper",
    .reference = "docs/kernels/spgemm-row-esc.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = device::run_row_esc,
    .parameters = device::row_esc_parameters,
    .spgemm = {.multiply_once = multiply_once}};

}  // namespace gossamer
