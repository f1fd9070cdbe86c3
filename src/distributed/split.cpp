// Rows with global columns become two parts.
#include "distributed/split.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/prefix_sums.hpp"
#include "formats/typed.hpp"

namespace gossamer::mpi {
namespace {

constexpr index_t grain = 4096;  // rows; below it a second thread costs more than it saves

/// Offsets of both parts, nonzeros counted per row and added up.
struct part_offsets {
  buffer<index_t> own, off;
  part_offsets(const context& where, index_t rows)
      : own(rows + 1, where.memory()), off(rows + 1, where.memory()) {}
};

/// Global columns outside of [first, last), each once.
template <class Rows>
buffer<index_t> halo_of(const context& where, const Rows& rows, const part_offsets& counted,
                        index_t first, index_t last) {
  buffer<index_t> all(counted.off[rows.rows], where.memory());
  parallel_ranges(where.threads(), rows.rows, grain, [&](index_t begin, index_t end) {
    index_t at = counted.off[begin];
    for (auto k = rows.offsets[begin]; k < rows.offsets[end]; ++k)
      if (rows.columns[k] < first || rows.columns[k] >= last) all[at++] = rows.columns[k];
  });
  std::sort(all.data(), all.data() + all.size());
  const index_t* const end = std::unique(all.data(), all.data() + all.size());
  buffer<index_t> halo(end - all.data(), where.memory());
  std::copy(std::as_const(all).data(), end, halo.data());
  return halo;
}

/// Positions of columns in the halo. Rows are sorted: a search starts where the last one ended.
class finder {
 public:
  explicit finder(std::span<const index_t> halo) : halo_(halo), at_(halo.begin()) {}
  index_t operator()(index_t column) {
    if (at_ == halo_.end() || *at_ > column) at_ = halo_.begin();
    at_ = std::lower_bound(at_, halo_.end(), column);
    return at_ - halo_.begin();
  }

 private:
  std::span<const index_t> halo_;
  std::span<const index_t>::iterator at_;
};

template <class Rows, scalar T>
void fill_parts(const context& where, const Rows& rows, index_t first, index_t last,
                split_rows<T>& parts) {
  const auto own = parts.own.mutable_view(), off = parts.off.mutable_view();
  gossamer::detail::with_widths(own.columns.width(), own.offsets.width(), [&]<class I, class O>() {
    gossamer::detail::with_widths(
        off.columns.width(), off.offsets.width(), [&]<class J, class P>() {
          I* const own_columns = static_cast<I*>(own.columns.data());
          J* const off_columns = static_cast<J*>(off.columns.data());
          const O* const own_offsets = static_cast<const O*>(own.offsets.data());
          const P* const off_offsets = static_cast<const P*>(off.offsets.data());
          parallel_ranges(where.threads(), rows.rows, grain, [&](index_t begin, index_t end) {
            index_t here = own_offsets[begin], there = off_offsets[begin];
            finder position(parts.halo.span());
            for (auto k = rows.offsets[begin]; k < rows.offsets[end]; ++k) {
              const index_t column = rows.columns[k];
              if (column >= first && column < last) {
                own_columns[here] = static_cast<I>(column - first);
                own.values[here++] = rows.values[k];
              } else {
                off_columns[there] = static_cast<J>(position(column));
                off.values[there++] = rows.values[k];
              }
            }
          });
        });
  });
}

template <real_scalar T>
csr_matrix<T> part_with(const context& where, extents shape, const buffer<index_t>& offsets) {
  const index_t nnz = offsets[shape.rows];
  csr_matrix<T> part(shape, nnz, narrowest(shape, nnz), where.memory());
  const auto view = part.mutable_view();
  if (view.offsets.width() == index_width::i32)
    std::copy_n(offsets.data(), shape.rows + 1, static_cast<std::int32_t*>(view.offsets.data()));
  else
    std::copy_n(offsets.data(), shape.rows + 1, static_cast<std::int64_t*>(view.offsets.data()));
  return part;
}

}  // namespace

template <real_scalar T>
split_rows<T> split(const context& where, const csr_view<const T>& a, index_t first, index_t last) {
  return typed(a, [&](const auto& rows) {
    part_offsets counts(where, rows.rows);
    parallel_ranges(where.threads(), rows.rows, grain, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        index_t inside = 0;
        for (auto k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
          inside += rows.columns[k] >= first && rows.columns[k] < last ? 1 : 0;
        counts.own[i] = inside;
        counts.off[i] = rows.offsets[i + 1] - rows.offsets[i] - inside;
      }
    });
    prefix_sums(where.threads(), counts.own.span());
    prefix_sums(where.threads(), counts.off.span());
    split_rows<T> parts;
    parts.halo = halo_of(where, rows, counts, first, last);
    parts.own = part_with<T>(where, {rows.rows, last - first}, counts.own);
    parts.off = part_with<T>(where, {rows.rows, parts.halo.size()}, counts.off);
    fill_parts(where, rows, first, last, parts);
    return parts;
  });
}

template split_rows<float> split(const context&, const csr_view<const float>&, index_t, index_t);
template split_rows<double> split(const context&, const csr_view<const double>&, index_t, index_t);

}  // namespace gossamer::mpi
