// How fast a product on a device could be at most: flat passes over its operands, raced beside the
// kernels, but compared with nobody.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bench/race/contestant.hpp"
#include "bench/race/race.hpp"
#include "bench/records/json.hpp"
#include "bench/subjects/factors.hpp"

namespace gossamer::bench {

/// The ways to share the entries of A (flat_pass.hpp); they hold one copy of the operands on the
/// device. None where the product is not y = A x with A as it is, or needs 64-bit indices.
template <scalar T>
std::vector<std::unique_ptr<contestant>> flat_passes(const context& where, const factors<T>& of);

/// The fastest of them: its times.
json describe_ceiling(std::span<const lane> passes);

}  // namespace gossamer::bench
