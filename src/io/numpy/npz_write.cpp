#include "formats/value_types.hpp"
#include "io/numpy/npy.hpp"
#include "io/numpy/npz.hpp"
#include "io/numpy/zip.hpp"

namespace gossamer::io {

namespace {

void add_indices(zip_writer& archive, const std::string& name, index_view indices) {
  const index_t count = indices.size();
  const bool narrow = indices.width() == index_width::i32;
  archive.add(name, npy_heading(narrow ? "<i4" : "<i8", {&count, 1}, false),
              {static_cast<const char*>(indices.data()),
               static_cast<std::size_t>(count * bytes(indices.width()))});
}

}  // namespace

template <scalar T>
void npz::write(const std::filesystem::path& path, const csr_view<const T>& a,
                const write_options& how) {
  atomic_file file(path);
  zip_writer archive(file, how);
  add_indices(archive, "indices.npy", a.columns);
  add_indices(archive, "indptr.npy", a.offsets);
  archive.add("format.npy", npy_heading("|S3", {}, false), "csr");
  const index_t shape[] = {a.shape.rows, a.shape.cols}, two = 2, nnz = a.nnz();
  archive.add("shape.npy", npy_heading("<i8", {&two, 1}, false), bytes_of(shape, 2));
  archive.add("data.npy", npy_heading(npy_descr<T>(), {&nnz, 1}, false), bytes_of(a.values, nnz));
  archive.finish();
  file.commit();
}

template <scalar T>
void npy::write(const std::filesystem::path& path, const dense_view<const T>& a,
                const write_options& how) {
  constexpr index_t values_per_piece = 1 << 17;
  const bool by_columns = a.order == layout::column_major;
  const index_t shape[] = {a.shape.rows, a.shape.cols};
  const auto line = by_columns ? a.shape.rows : a.shape.cols;
  atomic_file file(path);
  file.write(npy_heading(npy_descr<T>(), shape, by_columns));
  in_order((a.nnz() + values_per_piece - 1) / values_per_piece, how,
           [&](index_t piece) {  // lines may be strided, so they are packed
             const auto begin = piece * values_per_piece;
             const auto end = std::min(begin + values_per_piece, a.nnz());
             std::string text;
             text.reserve(static_cast<std::size_t>(end - begin) * sizeof(T));
             for (auto k = begin; k < end;) {
               const auto count = std::min(line - k % line, end - k);
               text += bytes_of(a.values + k / line * a.stride + k % line, count);
               k += count;
             }
             return text;
           },
           [&](const std::string& text) { file.write(text); });
  file.commit();
}

#define GOSSAMER_INSTANTIATE(T)                                                      \
  template void npz::write(const std::filesystem::path&, const csr_view<const T>&,   \
                           const write_options&);                                    \
  template void npy::write(const std::filesystem::path&, const dense_view<const T>&, \
                           const write_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io
