// Strong connections: which unknowns a coarse level may represent together.
#pragma once

#include "gossamer/amg.hpp"

namespace gossamer::amg {

/// What one pass over a matrix finds.
template <real T>
struct row_facts {
  buffer<T> diagonal;
  double spectrum =
      0;  ///< Gershgorin's bound of |D^-1 A|: the largest sum of |a_ij / a_ii| of a row
};

/// Whether columns ascend strictly in every row and are in range, so that passes may trust them.
template <real T>
bool has_plain_rows(int threads, const csr_view<const T>& a);

/// Diagonal and spectrum. Throws error(bad_input) that names the first row without a usable
/// diagonal or with a value that is not finite; `level` is for the text.
template <real T>
row_facts<T> look_at_rows(int threads, const csr_view<const T>& a, const setup_options& how,
                          int level);

/// The connections of one level.
template <real T>
struct connections {
  csr_view<const T> smoothing;    ///< A, or A without weak connections: P is smoothed with it
  csr_view<const T> graph;        ///< strong connections of nodes, with the diagonal
  row_facts<T> facts;             ///< of `smoothing`
  index_t weak = 0;               ///< nonzeros of A, or of its graph of nodes, that are weak
  csr_matrix<T> filtered, nodes;  ///< what the views refer to unless it is A
};

/// Strong connections of A for a threshold; `block` rows are a node. For nodes of several rows the
/// measure is the norm of blocks, and P is smoothed with all of A. Takes the facts of A, which are
/// those of `smoothing` where nothing is weak.
template <real T>
connections<T> connect(int threads, const csr_view<const T>& a, row_facts<T> facts,
                       const setup_options& how, double threshold, index_t block);

/// The diagonal with the weak connections of its row, unless little would be left of it.
template <real T>
T lump(T diagonal, T weak) {
  const T sum = diagonal + weak;
  return sum * diagonal > diagonal * diagonal / 10 ? sum : diagonal;
}

/// New values for a filtered matrix: those of A, with what the filter dropped in the diagonal.
template <real T>
void refilter(int threads, const csr_view<const T>& a, csr_matrix<T>& filtered);

/// Facts of a matrix whose diagonal is taken as it is.
template <real T>
row_facts<T> facts_of_filtered(int threads, const csr_view<const T>& filtered);

}  // namespace gossamer::amg
