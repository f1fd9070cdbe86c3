// Lower bounds on the time of a product on a device: streaming passes over its operands, measured
// together with the kernels but not ranked.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bench/race/contestant.hpp"
#include "bench/race/race.hpp"
#include "bench/records/json.hpp"
#include "bench/subjects/factors.hpp"

namespace gossamer::bench {

/// One contestant per order of sharing the nonzeros of A (flat_pass.hpp); they share one copy of
/// the operands on the device. None where the product is not y = A x with untransposed A, or needs
/// 64-bit indices.
template <scalar T>
std::vector<std::unique_ptr<contestant>> flat_passes(const context& where, const factors<T>& of);

/// The times of the fastest pass.
json describe_ceiling(std::span<const lane> passes);

}  // namespace gossamer::bench
