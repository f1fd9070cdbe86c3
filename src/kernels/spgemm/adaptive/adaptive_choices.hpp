// Choices of spgemm/csr/adaptive for a product: how many threads have a dense accumulator, and from
// which length on rows are sorted or shared by all threads.
#pragma once

#include <string_view>

#include "kernels/spgemm/adaptive/contiguous_columns.hpp"

namespace gossamer::adaptive {

inline constexpr std::string_view id = "spgemm/csr/adaptive/openmp";
inline constexpr std::string_view parameters = "sorted,long";

/// Bytes of one thread's dense accumulator.
index_t accumulator_bytes(const problem&);

/// Threads, so few that their dense accumulators take less than 40 MB or C; as a rule C has 12
/// bytes for every four multiplications. 0 where the result is so wide that not even one does.
int dense_team(const problem&);

/// Nearly every column has a word of a bitmap to itself.
bool scattered(row_spread);

/// Multiplications of a row up to which it is sorted: sorting beats a bitmap where columns are
/// scattered, and for very short rows.
index_t longest_sorted(const problem&, row_spread);

/// Multiplications of a row above which all threads sum it together: half of one thread's share.
/// Filters need whole rows.
index_t longest_alone(const problem&, int team);

}  // namespace gossamer::adaptive
