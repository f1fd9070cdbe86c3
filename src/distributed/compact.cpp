// The two parts of the local rows in one piece again.
#include <algorithm>

#include "base/parallel.hpp"
#include "formats/typed.hpp"
#include "gossamer/distributed.hpp"

namespace gossamer::mpi {
namespace {

/// Joins the parts; own_name and off_name give the new column of an old one, and ascend.
template <real_scalar T, class Own, class Off>
csr_matrix<T> joined(const context& where, const distributed_csr<T>& a, index_t columns,
                     const Own& own_name, const Off& off_name) {
  const extents shape{a.local_rows(), columns};
  csr_matrix<T> rows(shape, a.local_nnz(), narrowest(shape, a.local_nnz()), where.memory());
  const auto out = rows.mutable_view();
  const auto own = a.own(), off = a.off();
  gossamer::detail::with_widths(out.columns.width(), out.offsets.width(), [&]<class I, class O>() {
    O* const offsets = static_cast<O*>(out.offsets.data());
    I* const to = static_cast<I*>(out.columns.data());
    if (shape.rows == 0) offsets[0] = 0;
    parallel_ranges(where.threads(), shape.rows, 4096, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        index_t k = own.offsets[i], m = off.offsets[i], at = k + m;
        offsets[i] = static_cast<O>(at);
        const index_t own_end = own.offsets[i + 1], off_end = off.offsets[i + 1];
        while (k < own_end || m < off_end) {
          const index_t here = k < own_end ? own_name(own.columns[k]) : columns;
          const index_t there = m < off_end ? off_name(off.columns[m]) : columns;
          to[at] = static_cast<I>(std::min(here, there));
          out.values[at++] = here < there ? own.values[k++] : off.values[m++];
        }
        offsets[i + 1] = static_cast<O>(at);
      }
    });
  });
  return rows;
}

/// Positions in the joined list of the own columns that have nonzeros, and of the halo.
template <real_scalar T>
struct numbering {
  std::vector<index_t> columns, own, off;

  explicit numbering(const distributed_csr<T>& a)
      : own(static_cast<std::size_t>(a.local_columns()), 0), off(a.halo().size()) {
    const auto mine = a.own();
    for (index_t k = 0; k < mine.nnz(); ++k) own[static_cast<std::size_t>(mine.columns[k])] = 1;
    const auto halo = a.halo();
    const index_t first = a.first_column();
    std::size_t m = 0;
    const auto take_halo = [&](std::size_t end) {
      for (; m < end; ++m) {
        off[m] = static_cast<index_t>(columns.size());
        columns.push_back(halo[m]);
      }
    };
    const auto before = std::lower_bound(halo.begin(), halo.end(), first) - halo.begin();
    take_halo(static_cast<std::size_t>(before));
    for (std::size_t j = 0; j < own.size(); ++j) {
      if (own[j] == 0) continue;
      own[j] = static_cast<index_t>(columns.size());
      columns.push_back(first + static_cast<index_t>(j));
    }
    take_halo(halo.size());
  }
};

}  // namespace

template <real_scalar T>
compact_rows<T> compact(const context& where, const distributed_csr<T>& a) {
  numbering<T> names(a);
  auto rows = joined(
      where, a, static_cast<index_t>(names.columns.size()),
      [&](index_t j) { return names.own[static_cast<std::size_t>(j)]; },
      [&](index_t j) { return names.off[static_cast<std::size_t>(j)]; });
  return {std::move(rows), std::move(names.columns)};
}

template <real_scalar T>
csr_matrix<T> local_rows(const context& where, const distributed_csr<T>& a) {
  const auto halo = a.halo();
  const index_t first = a.first_column();
  return joined(
      where, a, a.shape().cols, [&](index_t j) { return first + j; },
      [&](index_t j) { return halo[static_cast<std::size_t>(j)]; });
}

template compact_rows<float> compact(const context&, const distributed_csr<float>&);
template compact_rows<double> compact(const context&, const distributed_csr<double>&);
template csr_matrix<float> local_rows(const context&, const distributed_csr<float>&);
template csr_matrix<double> local_rows(const context&, const distributed_csr<double>&);

}  // namespace gossamer::mpi
