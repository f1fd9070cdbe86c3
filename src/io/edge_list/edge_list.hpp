// Edge lists, as those of the SNAP collection: a line per edge, "from to" or "from to weight", with
// nodes counted from 0 and comments after '#'.
#pragma once

#include "io/common.hpp"

namespace gossamer::io::edge_list {

/// Text that begins with a comment of '#', or with a digit.
bool looks_like_edges(std::string_view bytes);

/// Reads all of it: the number of nodes is written nowhere else.
file_info describe(const named_bytes& text);

/// The matrix of the edges: square, as many rows as the greatest node says; an edge without a
/// weight is 1, and edges that are listed twice add up.
template <scalar T>
csr_matrix<T> parse(const named_bytes& text, const read_options& how);

}  // namespace gossamer::io::edge_list
