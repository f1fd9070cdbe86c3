#include "bench/subjects/factors.hpp"

#include "formats/value_types.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::bench {

namespace {

index_t index_bytes(const index_view& indices) { return indices.size() * bytes(indices.width()); }

template <class T>
index_t view_bytes(const csr_view<const T>& v) {
  return index_bytes(v.offsets) + index_bytes(v.columns) + v.nnz() * index_t{sizeof(T)};
}
template <class T>
index_t view_bytes(const csc_view<const T>& v) {
  return index_bytes(v.offsets) + index_bytes(v.rows) + v.nnz() * index_t{sizeof(T)};
}
template <class T>
index_t view_bytes(const coo_view<const T>& v) {
  return index_bytes(v.rows) + index_bytes(v.columns) + v.nnz() * index_t{sizeof(T)};
}
template <class T>
index_t view_bytes(const ell_view<const T>& v) {
  return index_bytes(v.columns) + v.columns.size() * index_t{sizeof(T)};
}
template <class T>
index_t view_bytes(const sellp_view<const T>& v) {
  return index_bytes(v.slice_offsets) + index_bytes(v.columns) + index_bytes(v.row_order) +
         v.columns.size() * index_t{sizeof(T)};
}
template <class T>
index_t view_bytes(const hyb_view<const T>& v) {
  return view_bytes<T>(v.ell) + view_bytes<T>(v.coo);
}
template <class T>
index_t view_bytes(const dense_view<const T>& v) {
  return v.nnz() * index_t{sizeof(T)};
}

}  // namespace

template <scalar T>
any_matrix<T> in_format(const context& where, const csr_matrix<T>& a, format wanted,
                        const convert_options& how) {
  switch (wanted) {
    case format::csr: return a;
    case format::csc: return convert<csc_matrix<T>>(where, a, how);
    case format::coo: return convert<coo_matrix<T>>(where, a, how);
    case format::ell: return convert<ell_matrix<T>>(where, a, how);
    case format::sellp: return convert<sellp_matrix<T>>(where, a, how);
    case format::hyb: return convert<hyb_matrix<T>>(where, a, how);
    case format::dense: return convert<dense_matrix<T>>(where, a, how);
  }
  return a;
}

template <scalar T>
index_t stored_bytes(const any_view<const T>& view) {
  return std::visit([](const auto& v) { return view_bytes<T>(v); }, view);
}

template <scalar T>
dense_matrix<T> random_block(const context& where, extents shape, std::uint64_t seed) {
  dense_matrix<T> block(shape.rows, shape.cols,
                        shape.cols == 1 ? layout::column_major : layout::row_major);
  generate::fill_random<T>(where, block.values(), seed);
  return block;
}

#define GOSSAMER_INSTANTIATE(T)                                                  \
  template any_matrix<T> in_format(const context&, const csr_matrix<T>&, format, \
                                   const convert_options&);                      \
  template index_t stored_bytes<T>(const any_view<const T>&);                    \
  template dense_matrix<T> random_block(const context&, extents, std::uint64_t);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bench
