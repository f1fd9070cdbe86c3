// Generated matrices: each rank makes its rows, where the generator can.
#include <algorithm>

#include "gossamer/mpi/distributed_files.hpp"

namespace gossamer::mpi {
namespace {

bool makes_rows(std::string_view kind) {
  const auto& all = generate::recipes();
  return std::any_of(all.begin(), all.end(), [&](const generate::recipe& known) {
    return known.kind == kind && known.by_rows;
  });
}

}  // namespace

template <real_scalar T>
distributed_csr<T> generated(const context& where, const communicator& ranks, std::string_view kind,
                             const std::vector<std::string>& settings, const distribution& how) {
  if (!makes_rows(kind)) {
    const auto whole = agreed(ranks, [&] {
      return ranks.rank() == 0 ? generate::by_name<T>(where, kind, settings) : csr_matrix<T>();
    });
    return scatter<T>(where, ranks, whole.view(), how);
  }
  const auto mine = agreed(ranks, [&] {
    return generate::by_name<T>(where, kind, settings, {ranks.rank(), ranks.size()});
  });
  const bool again = how.rows || how.balance == balance::nonzeros;
  distributed_csr<T> first(where, ranks, mine.view(), again ? std::nullopt : how.columns);
  return again ? redistribute(where, first, how) : std::move(first);
}

template distributed_csr<float> generated(const context&, const communicator&, std::string_view,
                                          const std::vector<std::string>&, const distribution&);
template distributed_csr<double> generated(const context&, const communicator&, std::string_view,
                                           const std::vector<std::string>&, const distribution&);

}  // namespace gossamer::mpi
