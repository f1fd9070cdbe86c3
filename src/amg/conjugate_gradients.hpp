// Conjugate gradients (Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1) over
// anything that multiplies, preconditions and adds: one process, or many.
#pragma once

#include <cmath>

#include "amg/watch.hpp"

namespace gossamer::amg {

/// Solves from s.x, until `seen` says that it is over. descend() moves x by a step along p and r
/// along q, and returns the square of |r|.
template <class System>
void conjugate_gradients_of(const System& s, watch& seen) {
  auto r = s.make_vector(), z = s.make_vector(), p = s.make_vector(), q = s.make_vector();
  s.residual(r.data());
  double rz = 0;
  if (seen.over(std::sqrt(s.dot(r.data(), r.data())))) return;
  for (bool first = true;; first = false) {
    s.precondition(r.data(), z.data());
    const double next = s.dot(r.data(), z.data());
    if (!(next > 0))
      return seen.end(std::isfinite(next) ? outcome::indefinite : outcome::broke_down);
    s.combine(1, z.data(), first ? 0 : next / rz, p.data());
    rz = next;
    s.multiply(p.data(), q.data());
    const double curvature = s.dot(p.data(), q.data());
    if (!(curvature > 0))
      return seen.end(std::isfinite(curvature) ? outcome::indefinite : outcome::broke_down);
    const double square = s.descend(rz / curvature, p.data(), r.data(), q.data());
    if (seen.over(std::sqrt(square))) return;
  }
}

}  // namespace gossamer::amg
