// Krylov methods over one interface: products with A, cycles, vector operations.
#pragma once

#include "amg/levels.hpp"
#include "amg/vectors.hpp"

namespace gossamer::amg {

/// The system of a solve: vectors in the memory of the context.
template <real T>
struct linear_system {
  const typename hierarchy<T>::implementation& all;
  const T* b;
  T* x;

  const context& where() const { return all.where; }
  const level<T>& finest() const { return all.levels.front(); }
  index_t size() const { return finest().a.shape.rows; }
  vector<T> make_vector() const { return vector<T>(size(), all.where.memory()); }
  void multiply(const T* from, T* to) const { product(finest(), where(), from, to); }
  /// r = b - A x
  void residual(T* r) const { subtract_product(finest(), where(), static_cast<const T*>(x), b, r); }
  void precondition(const T* from, T* to) const { run_cycle<T>(all, 0, from, to); }
  double dot(const T* left, const T* right) const {
    return gossamer::amg::dot<T>(where(), size(), left, right);
  }
  /// to = factor * from + keep * to
  void combine(double factor, const T* from, double keep, T* to) const {
    gossamer::amg::combine<T>(where(), size(), static_cast<T>(factor), from, static_cast<T>(keep),
                              to);
  }
};

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

template <real T>
void conjugate_gradients(const linear_system<T>&, watch&);
template <real T>
void stabilised_biconjugate_gradients(const linear_system<T>&, watch&);
template <real T>
void minimal_residuals(const linear_system<T>&, watch&, int restart);

}  // namespace gossamer::amg
