// When a solve is over, and words for how it ended.
#pragma once

#include "gossamer/amg.hpp"

namespace gossamer::amg {

/// Watches residuals: records them and says when a solve is over.
class watch {
 public:
  watch(const solve_options& how, double size_of_b, solve_result& into)
      : how_(how), size_of_b_(size_of_b), result_(into) {}
  /// Records |r| after an iteration (or before the first). True: the solve is over.
  bool over(double residual);
  /// Ends the solve for another reason.
  void end(outcome with) {
    result_.outcome = with;
    ended_ = true;
  }
  bool ended() const { return ended_; }

 private:
  const solve_options& how_;
  double size_of_b_;
  solve_result& result_;
  double best_ = 0;
  index_t since_best_ = 0;
  bool ended_ = false;
};

/// Why a solve ended, in one line, with the way out when it did not converge. `single`: in float.
std::string reason_of(const solve_result& r, const solve_options& how, bool single);
/// Throws error(bad_argument) for numbers out of range.
void require_options(const solve_options& how);

}  // namespace gossamer::amg
