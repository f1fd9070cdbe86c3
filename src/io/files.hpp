// One entry point for the bytes of any file, used by the public readers and the fuzzers.
#pragma once

#include "io/common.hpp"

namespace gossamer::io {

/// By the first bytes: gzip, zip, .npy, .gsm; anything else is taken for Matrix Market.
file_kind kind_of(std::string_view bytes);

/// What read(), read_sparse(), read_dense() and inspect_file() do once they have the bytes. A
/// refused allocation is an error(out_of_memory) here already.
template <scalar T>
file_matrix<T> parse(const named_bytes& file, const read_options& how);
template <scalar T>
csr_matrix<T> parse_sparse(const named_bytes& file, const read_options& how);
template <scalar T>
dense_matrix<T> parse_dense(const named_bytes& file, const read_options& how);
file_info inspect(const named_bytes& file, const read_options& how = {});

}  // namespace gossamer::io
