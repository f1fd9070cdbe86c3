// Compressed rows as stored in a file: validated, then brought into the order that readers promise.
#pragma once

#include <string>

#include "io/build_csr.hpp"

namespace gossamer::io {

/// Throws error(bad_input) naming the file, the row and the first violation.
template <scalar T>
void require_sound(const csr_view<const T>& a, const std::string& file, int threads);

enum class orientation { as_is, transposed };
/// The same matrix with rows sorted and duplicates added; the operand must be valid.
template <scalar T>
csr_matrix<T> rebuilt(const csr_view<const T>& a, orientation wanted, const read_options& how);

/// Validates, sorts rows and adds duplicates; returns the matrix unchanged if nothing is to do.
template <scalar T>
csr_matrix<T> checked(csr_matrix<T> matrix, const std::string& file, const read_options& how);

}  // namespace gossamer::io
