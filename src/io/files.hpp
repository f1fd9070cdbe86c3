// One entry point for the bytes of any file, used by the public readers and the fuzzers.
#pragma once

#include "io/common.hpp"

namespace gossamer::io {

/// By the first bytes: gzip, zip, .npy, .gsm; anything else is taken for Matrix Market.
file_kind kind_of(std::string_view bytes);

template <scalar T>
file_matrix<T> parse(const named_bytes& file, const read_options& how);
file_info inspect(const named_bytes& file);

}  // namespace gossamer::io
