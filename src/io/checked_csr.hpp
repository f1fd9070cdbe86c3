// Compressed rows as a file has them: checked, then brought into the order that readers promise.
#pragma once

#include <string>

#include "io/build_csr.hpp"

namespace gossamer::io {

/// Throws error(bad_input) naming the file, the row and the first offence.
template <scalar T>
void require_sound(const csr_view<const T>& a, const std::string& file, int threads);

enum class orientation { as_is, transposed };
/// The same entries, rows sorted and duplicates added up; the operand must be sound.
template <scalar T>
csr_matrix<T> rebuilt(const csr_view<const T>& a, orientation wanted, const read_options& how);

/// Sound, rows sorted, duplicates added up: as it is if it is so already.
template <scalar T>
csr_matrix<T> checked(csr_matrix<T> matrix, const std::string& file, const read_options& how);

}  // namespace gossamer::io
