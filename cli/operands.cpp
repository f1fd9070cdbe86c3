#include "operands.hpp"

#include "base/text.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::cli {

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

read_options reading(const std::filesystem::path& file, const context& where, progress& ticker) {
  ticker.stage("reading " + file.string());
  return {.threads = where.threads(), .progress = ticker.callback()};
}

}  // namespace

template <scalar T>
any_matrix<T> in_format(const context& where, const csr_matrix<T>& a, format wanted) {
  switch (wanted) {
    case format::csr: return a;
    case format::csc: return convert<csc_matrix<T>>(where, a);
    case format::coo: return convert<coo_matrix<T>>(where, a);
    case format::ell: return convert<ell_matrix<T>>(where, a);
    case format::sellp: return convert<sellp_matrix<T>>(where, a);
    case format::hyb: return convert<hyb_matrix<T>>(where, a);
    case format::dense: return convert<dense_matrix<T>>(where, a);
  }
  return a;
}

template <scalar T>
index_t stored_bytes(const any_view<const T>& view) {
  return std::visit([](const auto& v) { return view_bytes<T>(v); }, view);
}

template <scalar T>
csr_matrix<T> load_sparse(const std::filesystem::path& file, const context& where,
                          progress& ticker) {
  return read_sparse<T>(file, reading(file, where, ticker));
}

template <scalar T>
dense_matrix<T> load_dense(const std::filesystem::path& file, const context& where,
                           progress& ticker) {
  return read_dense<T>(file, reading(file, where, ticker));
}

template <scalar T>
file_matrix<T> load_any(const std::filesystem::path& file, const context& where, progress& ticker) {
  return read<T>(file, reading(file, where, ticker));
}

template <scalar T>
dense_matrix<T> load_vector(const context& where, const vector_source& from, index_t size,
                            progress& ticker) {
  if (from.what == "ones" || from.what == "random") {
    dense_matrix<T> x(size, 1, layout::column_major);
    if (from.what == "random")
      generate::fill_random<T>(where, x.values(), from.seed);
    else
      std::fill(x.values().begin(), x.values().end(), T{1});
    return x;
  }
  dense_matrix<T> x = load_dense<T>(from.what, where, ticker);
  if (x.shape() != extents{size, 1})
    throw fail(error_kind::bad_input,
               "{} holds a {} matrix, but the vector of this product is {}: one column, one row "
               "per column of op(A)",
               from.what, shape_text(x.shape()), shape_text({size, 1}));
  return x;
}

template <scalar T>
dense_matrix<T> random_block(const context& where, extents shape, std::uint64_t seed) {
  dense_matrix<T> block(shape.rows, shape.cols);
  generate::fill_random<T>(where, block.values(), seed);
  return block;
}

void require_inner_match(const std::string& left, extents left_shape, const std::string& right,
                         extents right_shape) {
  if (left_shape.cols == right_shape.rows) return;
  throw fail(error_kind::bad_input,
             "{} is {} and {} is {}: the product needs as many rows on the right as columns on the "
             "left, but {} is not {}",
             left, shape_text(left_shape), right, shape_text(right_shape), right_shape.rows,
             left_shape.cols);
}

template any_matrix<float> in_format(const context&, const csr_matrix<float>&, format);
template any_matrix<double> in_format(const context&, const csr_matrix<double>&, format);
template index_t stored_bytes<float>(const any_view<const float>&);
template index_t stored_bytes<double>(const any_view<const double>&);
template csr_matrix<float> load_sparse(const std::filesystem::path&, const context&, progress&);
template csr_matrix<double> load_sparse(const std::filesystem::path&, const context&, progress&);
template dense_matrix<float> load_dense(const std::filesystem::path&, const context&, progress&);
template dense_matrix<double> load_dense(const std::filesystem::path&, const context&, progress&);
template file_matrix<float> load_any(const std::filesystem::path&, const context&, progress&);
template file_matrix<double> load_any(const std::filesystem::path&, const context&, progress&);
template dense_matrix<float> load_vector(const context&, const vector_source&, index_t, progress&);
template dense_matrix<double> load_vector(const context&, const vector_source&, index_t, progress&);
template dense_matrix<float> random_block(const context&, extents, std::uint64_t);
template dense_matrix<double> random_block(const context&, extents, std::uint64_t);

}  // namespace gossamer::cli
