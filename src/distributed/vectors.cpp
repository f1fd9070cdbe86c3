// Sums over vectors in blocks.
#include "base/text.hpp"
#include "distributed/calls.hpp"

namespace gossamer::mpi {

double sum(const communicator& ranks, double mine) { return sum_of(ranks, mine); }

template <real_scalar T>
double dot(const communicator& ranks, std::span<const T> x, std::span<const T> y) {
  double mine = 0;
  std::exception_ptr failure;
  if (x.size() != y.size())
    failure = std::make_exception_ptr(
        fail(error_kind::bad_argument,
             "blocks of {} and {} elements are multiplied; expected as many in both", x.size(),
             y.size()));
  else
    for (std::size_t i = 0; i < x.size(); ++i)
      mine += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  // One reduction for both: how many failed, and the sum.
  double both[2] = {failure ? 1.0 : 0.0, mine}, all[2] = {0, 0};
  check(MPI_Allreduce(both, all, 2, MPI_DOUBLE, MPI_SUM, ranks.impl().comm), "MPI_Allreduce");
  if (all[0] > 0) detail::settle(ranks, failure);
  return all[1];
}

template double dot(const communicator&, std::span<const float>, std::span<const float>);
template double dot(const communicator&, std::span<const double>, std::span<const double>);

}  // namespace gossamer::mpi
