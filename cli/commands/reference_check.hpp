// --check for products that are more than A B: against the reference backend, entry by entry.
#pragma once

#include "bench/race/yardstick.hpp"
#include "gossamer/plan.hpp"

namespace gossamer::cli {

/// The pattern must be the reference's. Values over other semirings than plus_times are the same;
/// sums of n products may differ by (n + 3) eps sum|a||b|, like the products of bench/yardstick.
template <scalar T>
bench::judgement judge_by_reference(const bench::factors<T>& of,
                                    const std::optional<expression<T>>& addend, const options& how,
                                    const csr_matrix<T>& found);

}  // namespace gossamer::cli
