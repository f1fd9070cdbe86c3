// The largest eigenvalue of D^-1 A over ranks.
#include <cmath>

#include "amg/lanczos.hpp"
#include "amg/priorities.hpp"
#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {
namespace {

/// Numbers in [-1, 1) that belong to global rows: any number of ranks begins alike.
template <amg::real T>
std::vector<T> random_block(index_t first, index_t count) {
  std::vector<T> values;
  for (index_t i = first; i < first + count; ++i)
    values.push_back(static_cast<T>(
        static_cast<double>(amg::mix(static_cast<std::uint64_t>(i)) >> 11) * 0x1p-52 - 1));
  return values;
}

/// Ten steps of conjugate gradients with the diagonal as preconditioner.
template <amg::real T>
double lanczos(const context& where, distributed_level<T>& on) {
  const auto& ranks = on.a->ranks();
  const index_t n = on.a->local_rows();
  std::vector<T> r, z, p, q, x;
  agreed(ranks, [&] {
    r = random_block<T>(on.a->first_row(), n);
    for (auto* v : {&z, &p, &q, &x}) v->assign(static_cast<std::size_t>(n), T{0});
  });
  const auto precondition = [&] {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = on.inverse_diagonal[i] * r[i];
    return dot(ranks, where, n, static_cast<const T*>(r.data()), static_cast<const T*>(z.data()));
  };
  amg::lanczos_matrix found;
  double rz = precondition();
  p = z;
  for (int step = 0; step < 10; ++step) {
    multiply(*on.times_a, p, q);
    const double pq =
        dot(ranks, where, n, static_cast<const T*>(p.data()), static_cast<const T*>(q.data()));
    const double alpha = rz / pq;
    if (!(pq > 0) || !std::isfinite(alpha) || !(alpha > 0)) break;
    amg::descend<T>(where, n, static_cast<T>(alpha), {x.data(), p.data(), r.data(), q.data()});
    const double next = precondition();
    found.add(alpha, next / rz);
    if (!(next > 1e-14 * rz)) break;
    amg::combine<T>(where, n, T{1}, z.data(), static_cast<T>(next / rz), p.data());
    rz = next;
  }
  return found.largest();
}

}  // namespace

template <amg::real T>
double dot(const communicator& ranks, const context& where, index_t n, const T* x, const T* y) {
  return sum_of(ranks, amg::dot<T>(where, n, x, y));
}

template <amg::real T>
double bound_spectrum(const context& where, distributed_level<T>& on) {
  if (amg::is_dominated(on.facts.spectrum)) return on.facts.spectrum;
  return amg::bounded_by(lanczos(where, on), on.facts.spectrum);
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                                      \
  template double dot(const communicator&, const context&, index_t, const T*, const T*); \
  template double bound_spectrum(const context&, distributed_level<T>&);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
