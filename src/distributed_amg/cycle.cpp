// One V cycle over distributed levels; amg/cycle.cpp with products that exchange halos.
#include <algorithm>

#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {
namespace {

template <amg::real T>
dense_view<const T> seen(const T* x, index_t n) {
  return {x, n, memory::host};
}
template <amg::real T>
dense_view<T> written(T* x, index_t n) {
  return {x, n, memory::host};
}

/// Smooths from x, or from zero. Afterwards residual is b - A x only if `wanted`.
template <amg::real T>
void smooth(const context& where, distributed_level<T>& on, const T* b, T* x, amg::start from,
            bool wanted) {
  const T* right = from == amg::start::from_zero ? b : on.residual.data();
  for (std::size_t s = 0; s < on.steps.size(); ++s) {
    amg::smooth_step<T>(where, on.a->local_rows(), static_cast<T>(on.steps[s].keep),
                        static_cast<T>(on.steps[s].weight),
                        {on.inverse_diagonal.data(), right, on.direction.data(), x}, from);
    if (s + 1 < on.steps.size() || wanted)
      subtract_product(on, static_cast<const T*>(on.direction.data()), right, on.residual.data());
    right = on.residual.data();
    from = amg::start::from_x;
  }
}

/// All of b to every rank, a cycle of one process, the own block of x.
template <amg::real T>
void solve_gathered(const communicator& ranks, const gathered_levels<T>& on, const T* b, T* x) {
  const int me = ranks.rank();
  const auto mine = static_cast<std::size_t>(on.rows.count(me));
  gather_to_all<T>(ranks, on.rows, {b, mine}, on.b);
  const index_t n = on.rows.size();
  on.levels->apply(seen<T>(on.b.data(), n), written<T>(on.x.data(), n));
  std::copy_n(on.x.data() + on.rows.first(me), mine, x);
}

}  // namespace

template <amg::real T>
void subtract_product(distributed_level<T>& on, const T* x, const T* z, T* y) {
  const index_t n = on.a->local_rows();
  if (y != z) std::copy_n(z, n, y);
  multiply<T>(*on.times_a, T{-1}, seen(x, n), T{1}, written(y, n));
}

template <amg::real T>
void run_cycle(typename amg_hierarchy<T>::implementation& all, std::size_t depth, const T* b,
               T* x) {
  auto& fine = *all.levels[depth];
  if (depth + 1 == all.levels.size()) {
    if (all.gathered.levels) return solve_gathered(all.ranks, all.gathered, b, x);
    return smooth(all.where, fine, b, x, amg::start::from_zero, false);
  }
  auto& coarse = *all.levels[depth + 1];
  const index_t n = fine.a->local_rows(), m = coarse.a->local_rows();
  smooth(all.where, fine, b, x, amg::start::from_zero, true);
  multiply<T>(*fine.times_r, T{1}, seen<T>(fine.residual.data(), n), T{0},
              written<T>(coarse.b.data(), m));
  run_cycle<T>(all, depth + 1, coarse.b.data(), coarse.x.data());
  multiply<T>(*fine.times_p, T{1}, seen<T>(coarse.x.data(), m), T{1}, written(x, n));
  subtract_product(fine, static_cast<const T*>(x), b, fine.residual.data());
  smooth(all.where, fine, b, x, amg::start::from_x, false);
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                              \
  template void subtract_product(distributed_level<T>&, const T*, const T*, T*); \
  template void run_cycle<T>(amg_hierarchy<T>::implementation&, std::size_t, const T*, T*);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
