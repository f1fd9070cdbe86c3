// Sparse matrices as scipy.sparse.save_npz writes them, and dense ones as numpy.save does.
#pragma once

#include "io/common.hpp"

namespace gossamer::io::npz {

bool looks_like_zip(std::string_view bytes);
file_info describe(const named_bytes& file, const read_options& how);
template <scalar T>
csr_matrix<T> parse(const named_bytes& file, const read_options& how);
/// What scipy.sparse.load_npz reads back: format csr, deflated.
template <scalar T>
void write(const std::filesystem::path& path, const csr_view<const T>& a, const write_options& how);

}  // namespace gossamer::io::npz

namespace gossamer::io::npy {

file_info describe(const named_bytes& file);
/// Two dimensions, or one: a column.
template <scalar T>
dense_matrix<T> parse(const named_bytes& file, const read_options& how);
template <scalar T>
void write(const std::filesystem::path& path, const dense_view<const T>& a,
           const write_options& how);

}  // namespace gossamer::io::npy
