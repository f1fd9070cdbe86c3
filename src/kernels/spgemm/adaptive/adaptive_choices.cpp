#include "kernels/spgemm/adaptive/adaptive_choices.hpp"

#include <algorithm>
#include <limits>

#include "kernels/spgemm/accumulators/bitmap_spa.hpp"
#include "kernels/spgemm/frame/counted_rows.hpp"
#include "plan/tuning.hpp"

namespace gossamer::adaptive {

index_t accumulator_bytes(const problem& p) {
  return p.a.values == value_type::f32 ? bitmap_spa<index_t, float>::bytes_for(p.result.cols)
                                       : bitmap_spa<index_t, double>::bytes_for(p.result.cols);
}

int dense_team(const problem& p) {
  const index_t most = (index_t{40} << 20) + p.spgemm.flop / 4 * 12;
  const index_t fit = most / std::max<index_t>(accumulator_bytes(p), 1);
  return static_cast<int>(std::min<index_t>(team_for_products(p.spgemm.flop, p.threads), fit));
}

bool scattered(row_spread spread) { return spread.words >= 0.8; }

index_t longest_sorted(const problem& p, row_spread spread) {
  return tuning(p.options.tuning, id, parameters).number("sorted", scattered(spread) ? 512 : 16, 0);
}

index_t longest_alone(const problem& p, int team) {
  if (team == 1 || !p.kept().keeps_all()) return std::numeric_limits<index_t>::max();
  return tuning(p.options.tuning, id, parameters)
      .number("long", std::max<index_t>(p.spgemm.flop / (2 * team), index_t{1} << 20), 1);
}

}  // namespace gossamer::adaptive
