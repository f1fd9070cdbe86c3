// Bytes each format would take, computed from the row lengths alone.
#pragma once

#include <span>
#include <vector>

#include "gossamer/analysis.hpp"

namespace gossamer::analysis {

/// csr csc coo ell sellp hyb dense, with the narrowest safe index widths.
std::vector<format_bytes> format_sizes(const context& where, extents shape, value_type values,
                                       std::span<const index_t> row_lengths);

/// Bytes of a CSR matrix with the narrowest safe index widths; saturates.
index_t csr_bytes(extents shape, index_t nnz, value_type values);

}  // namespace gossamer::analysis
