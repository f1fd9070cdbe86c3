#include "kernels/spgemm/cuda/device_rows.hpp"

#include "backends/cuda/indices.cuh"
#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "base/bits.hpp"

namespace gossamer::device {

namespace {

constexpr index_t most_narrow = index_t{1} << 31;

/// Bytes of a key of the sort, and of a place in the CSC arrays.
index_t key_bytes(extents shape, index_t nnz) {
  return std::max(nnz, shape.rows) < most_narrow ? 4 : 8;
}

template <class Key>
struct key_reader {
  const Key* keys;
  __device__ index_t operator[](index_t p) const { return static_cast<index_t>(keys[p]); }
};

template <class T, class Key>
void gather(const context& where, const T* values, const buffer<Key>& places, T* to) {
  const Key* const from = places.data();
  cuda::for_each(where, places.size(), "gathering values",
                 [=] __device__(index_t p) { to[p] = values[static_cast<index_t>(from[p])]; });
}

/// The structure of CSC by rows, and the place of each nonzero in the CSC arrays.
template <class Key>
struct converted_structure {
  index_buffer offsets, columns;
  buffer<Key> from;
};

/// A stable sort by rows keeps the columns of a row in the order of the CSC form.
template <class Key, class T>
converted_structure<Key> by_rows(const context& where, const csc_view<const T>& a) {
  const index_t nnz = a.nnz();
  const widths w = narrowest(a.shape, nnz);
  buffer<Key> keys(nnz, where.memory());
  const cuda::index_reader rows(a.rows);
  Key* const key = keys.data();
  cuda::for_each(where, nnz, "copying rows",
                 [=] __device__(index_t p) { key[p] = static_cast<Key>(rows[p]); });
  auto sorted = cuda::order_of(where, std::move(keys), bits_below(a.shape.rows));
  index_buffer offsets(a.shape.rows + 1, w.offsets, where.memory());
  const cuda::index_writer start(offsets.view());
  const key_reader<Key> row{sorted.keys.data()};
  cuda::for_each(where, a.shape.rows + 1, "finding where rows begin",
                 [=] __device__(index_t i) { start.set(i, cuda::first_not_below(row, nnz, i)); });
  index_buffer lines(nnz, w.indices, where.memory());
  cuda::lines_of_entries(where, a.offsets, lines.view());
  index_buffer columns(nnz, w.indices, where.memory());
  const cuda::index_writer column(columns.view());
  const cuda::index_reader line(std::as_const(lines).view());
  const Key* const from = sorted.from.data();
  cuda::for_each(where, nnz, "gathering columns",
                 [=] __device__(index_t p) { column.set(p, line[static_cast<index_t>(from[p])]); });
  return {std::move(offsets), std::move(columns), std::move(sorted.from)};
}

}  // namespace

template <class T>
device_rows<T>::device_rows(const context& where, const operand& o) {
  const auto* const a = std::get_if<csc_view<const T>>(&std::get<expression<T>>(o).view);
  if (!a) return;
  const cuda::device_guard on(where);
  const auto take = [&]<class Key>(converted_structure<Key> structure) {
    offsets_ = std::move(structure.offsets);
    columns_ = std::move(structure.columns);
    from_ = std::move(structure.from);
  };
  if (key_bytes(a->shape, a->nnz()) == 4)
    take(by_rows<std::uint32_t>(where, *a));
  else
    take(by_rows<std::uint64_t>(where, *a));
  values_ = buffer<T>(a->nnz(), where.memory());
}

template <class T>
csr_view<const T> device_rows<T>::view(const context& where, const operand& o) {
  const auto& any = std::get<expression<T>>(o).view;
  if (const auto* csr = std::get_if<csr_view<const T>>(&any)) return *csr;
  const auto& csc = std::get<csc_view<const T>>(any);
  const cuda::device_guard on(where);
  std::visit([&](const auto& from) { gather(where, csc.values, from, values_.data()); }, from_);
  return {csc.shape, std::as_const(offsets_).view(), std::as_const(columns_).view(), values_.data(),
          memory::device};
}

template <class T>
index_t device_rows<T>::bytes() const {
  const index_t places = std::visit(
      [](const auto& from) { return from.size() * static_cast<index_t>(sizeof(from[0])); }, from_);
  return offsets_.size() * gossamer::bytes(offsets_.width()) +
         columns_.size() * gossamer::bytes(columns_.width()) + places +
         values_.size() * index_t{sizeof(T)};
}

row_bytes device_row_bytes(const operand_facts& o) {
  if (o.format != format::csc) return {};
  const widths w = narrowest(o.shape, o.nnz);
  const index_t key = key_bytes(o.shape, o.nnz), index = bytes(w.indices);
  const index_t offsets = (o.shape.rows + 1) * bytes(w.offsets);
  const index_t held = offsets + o.nnz * (index + key + bytes(o.values));
  // Keys, sorted keys, numbers of the nonzeros before and after, and what the sort itself needs:
  // about as much as its keys and numbers. Then sorted keys, offsets, columns before and after.
  const index_t sorting = 6 * key * o.nnz + o.nnz / 2 + (1 << 20);
  const index_t gathering = offsets + o.nnz * (2 * key + 2 * index + bytes(o.values)) + (1 << 16);
  return {held, std::max({held, sorting, gathering})};
}

template class device_rows<float>;
template class device_rows<double>;
template class device_rows<std::complex<float>>;
template class device_rows<std::complex<double>>;

}  // namespace gossamer::device
