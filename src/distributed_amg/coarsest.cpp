// Small levels on every rank: agglomeration to all, so that nothing is sent but one vector a cycle.
#include <algorithm>

#include "distributed/products/packed_rows.hpp"
#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {

template <amg::real T>
csr_matrix<T> gather_to_all(const context& where, const distributed_csr<T>& a) {
  const auto& ranks = a.ranks();
  csr_matrix<T> mine;
  buffer<std::int32_t> lengths;
  std::vector<rows_out<T, std::int32_t>> out;
  std::vector<rows_in> in;
  agreed(ranks, [&] {
    mine = local_rows(where, a);
    const auto rows = mine.view();
    lengths = buffer<std::int32_t>(mine.rows(), where.memory());
    for (index_t i = 0; i < mine.rows(); ++i)
      lengths[i] = static_cast<std::int32_t>(rows.offsets[i + 1] - rows.offsets[i]);
    // Few rows: columns are 32 bit wide.
    const auto columns = rows.columns.template as<std::int32_t>();
    for (int r = 0; r < ranks.size(); ++r) {
      out.push_back({r, {lengths.span(), columns, rows.values}});
      in.push_back({r, a.row_partition().count(r)});
    }
  });
  auto all = exchange_packed<T, std::int32_t>(where, ranks, out, in);
  return agreed(ranks, [&] { return std::move(all).matrix(where, a.shape().cols); });
}

template <amg::real T>
void gather_to_all(const communicator& ranks, const partition& blocks, std::span<const T> mine,
                   std::vector<T>& all) {
  auto& on = ranks.impl();
  std::vector<int> counts, first;
  agreed(ranks, [&] {
    for (int r = 0; r < ranks.size(); ++r) {
      counts.push_back(static_cast<int>(blocks.count(r)));
      first.push_back(static_cast<int>(blocks.first(r)));
    }
    all.resize(static_cast<std::size_t>(blocks.size()));
  });
  check(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), type_of<T>(), all.data(),
                       counts.data(), first.data(), type_of<T>(), on.comm),
        "MPI_Allgatherv");
  on.sent = on.sent + traffic{on.size - 1, static_cast<index_t>(mine.size_bytes()) * (on.size - 1)};
}

template <amg::real T>
void gather_levels(typename amg_hierarchy<T>::implementation& all, const std::vector<T>& vector,
                   double threshold) {
  const auto& a = *all.levels.back()->a;
  auto& to = all.gathered;
  to.rows = a.row_partition();
  to.a = gather_to_all(all.where, a);
  gather_to_all<T>(all.ranks, to.rows, vector, to.candidates);
  agreed(all.ranks, [&] {
    auto how = all.how.setup;
    how.strength = threshold;
    how.levels = std::max(1, how.levels - static_cast<int>(all.levels.size()) + 1);
    const dense_view<const T> candidates(to.candidates.data(),
                                         static_cast<index_t>(to.candidates.size()), memory::host);
    to.levels.emplace(all.where, to.a, how, candidates);
    to.b.resize(to.candidates.size());
    to.x.resize(to.candidates.size());
  });
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                                      \
  template csr_matrix<T> gather_to_all(const context&, const distributed_csr<T>&);       \
  template void gather_to_all(const communicator&, const partition&, std::span<const T>, \
                              std::vector<T>&);                                          \
  template void gather_levels<T>(amg_hierarchy<T>::implementation&, const std::vector<T>&, double);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
