// One multigrid cycle: smooth, restrict the residual, correct, smooth. Pre- and post-smoothing are
// the same polynomial of D^-1 A, so that the cycle is symmetric, as conjugate gradients need it.
#include "amg/levels.hpp"
#include "amg/vectors.hpp"

namespace gossamer::amg {

namespace {

template <class T>
dense_view<const T> seen(const T* x, index_t n, const context& where) {
  return {x, n, where.memory()->where()};
}
template <class T>
dense_view<T> written(T* x, index_t n, const context& where) {
  return {x, n, where.memory()->where()};
}

/// Smooths from x, or from zero. Afterwards residual is b - A x only if `wanted`.
enum class residual_after : std::uint8_t { wanted, not_wanted };

template <real T>
void smooth(const level<T>& on, const context& where, const T* b, T* x, start from,
            residual_after after) {
  const index_t n = on.a.shape.rows;
  T* const residual = on.residual.data();
  T* const direction = on.direction.data();
  const T* right = from == start::from_zero ? b : residual;
  for (std::size_t s = 0; s < on.steps.size(); ++s) {
    smooth_step<T>(where, n, static_cast<T>(on.steps[s].keep), static_cast<T>(on.steps[s].weight),
                   {on.inverse_diagonal.data(), right, direction, x}, from);
    if (s + 1 < on.steps.size() || after == residual_after::wanted)
      subtract_product(on, where, direction, right, residual);
    right = residual;
    from = start::from_x;
  }
}

}  // namespace

template <real T>
void product(const level<T>& on, const context& where, const T* x, T* y) {
  const index_t n = on.a.shape.rows;
  multiply(*on.times_a, on.a, seen(x, n, where), written(y, n, where));
}

template <real T>
void subtract_product(const level<T>& on, const context& where, const T* x, const T* z, T* y) {
  const index_t n = on.a.shape.rows;
  multiply(*on.times_a, scaled(T{-1}, on.a), seen(x, n, where), seen(z, n, where),
           written(y, n, where));
}

template <real T>
void run_cycle(const typename hierarchy<T>::implementation& all, int depth, const T* b, T* x) {
  const auto& where = all.where;
  const auto& fine = all.levels[static_cast<std::size_t>(depth)];
  const index_t n = fine.a.shape.rows;
  if (depth + 1 == static_cast<int>(all.levels.size())) {
    if (all.times_inverse)
      multiply(*all.times_inverse, all.inverse, seen(b, n, where), written(x, n, where));
    else
      smooth(fine, where, b, x, start::from_zero, residual_after::not_wanted);
    return;
  }
  const auto& coarse = all.levels[static_cast<std::size_t>(depth) + 1];
  smooth(fine, where, b, x, start::from_zero, residual_after::wanted);
  multiply(*fine.times_r, fine.r, fine.residual, coarse.b);
  run_cycle<T>(all, depth + 1, coarse.b.data(), coarse.x.data());
  if (all.how.cycle == cycle::w && depth + 2 < static_cast<int>(all.levels.size())) {
    const index_t size = coarse.a.shape.rows;
    subtract_product(coarse, where, static_cast<const T*>(coarse.x.data()),
                     static_cast<const T*>(coarse.b.data()), coarse.second_b.data());
    run_cycle<T>(all, depth + 1, coarse.second_b.data(), coarse.second_x.data());
    combine<T>(where, size, T{1}, coarse.second_x.data(), T{1}, coarse.x.data());
  }
  multiply(*fine.times_p, fine.p, coarse.x, seen<T>(x, n, where), written(x, n, where));
  subtract_product(fine, where, static_cast<const T*>(x), b, fine.residual.data());
  smooth(fine, where, b, x, start::from_x, residual_after::not_wanted);
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                                        \
  template void product(const level<T>&, const context&, const T*, T*);                    \
  template void subtract_product(const level<T>&, const context&, const T*, const T*, T*); \
  template void run_cycle<T>(const hierarchy<T>::implementation&, int, const T*, T*);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg
