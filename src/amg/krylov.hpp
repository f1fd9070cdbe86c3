// Krylov methods over one interface: products with A, cycles, vector operations.
#pragma once

#include "amg/levels.hpp"
#include "amg/vectors.hpp"
#include "amg/watch.hpp"

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
  /// x += step * p and r -= step * q; the square of |r|.
  double descend(double step, const T* p, T* r, const T* q) const {
    return gossamer::amg::descend<T>(where(), size(), static_cast<T>(step), {x, p, r, q});
  }
  /// to = factor * from + keep * to
  void combine(double factor, const T* from, double keep, T* to) const {
    gossamer::amg::combine<T>(where(), size(), static_cast<T>(factor), from, static_cast<T>(keep),
                              to);
  }
};

template <real T>
void conjugate_gradients(const linear_system<T>&, watch&);
template <real T>
void stabilised_biconjugate_gradients(const linear_system<T>&, watch&);
template <real T>
void minimal_residuals(const linear_system<T>&, watch&, int restart);

}  // namespace gossamer::amg
