// The matrices every kernel must get right, as plain triplets: nothing of the library is used to
// make them, so nothing of the library is trusted.
#pragma once

#include <string>
#include <vector>

#include "gossamer/matrix.hpp"

namespace gossamer::cases {

struct triplet {
  index_t row = 0, column = 0;
  double value = 0;
};

/// Entries in storage order of the CSR form: by rows, but columns in any order, duplicates kept.
struct matrix_case {
  std::string name;
  extents shape;
  std::vector<triplet> entries;
  bool wild = false;  ///< holds NaN, Inf, or values whose products overflow float
};

const std::vector<matrix_case>& all();
/// Looks one up by name; throws std::out_of_range.
const matrix_case& named(const std::string& name);

/// The case as CSR with these widths, nonzeros in their order.
template <scalar T>
csr_matrix<T> as_csr(const matrix_case&, widths);

/// Small pseudo-random numbers in [-1, 1) that are exact in float; the same on every machine.
double value_at(std::uint64_t seed, index_t i);

}  // namespace gossamer::cases
