// What the tests of the generators share: matrices as maps, structure checks, thread counts.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/generate.hpp"

namespace gossamer::generate {

inline context one_thread() { return context::openmp(1); }

template <scalar T>
std::map<std::pair<index_t, index_t>, T> entries(const csr_matrix<T>& a) {
  std::map<std::pair<index_t, index_t>, T> found;
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p)
      found[{i, a.column_indices()[p]}] = a.values()[static_cast<std::size_t>(p)];
  return found;
}

template <scalar T>
index_t row_length(const csr_matrix<T>& a, index_t i) {
  return a.row_offsets()[i + 1] - a.row_offsets()[i];
}

/// Offsets start at 0, rise, and end at nnz; columns are in range and strictly ascending.
template <scalar T>
void expect_sorted_rows(const csr_matrix<T>& a) {
  ASSERT_EQ(a.row_offsets().size(), a.rows() + 1);
  EXPECT_EQ(a.row_offsets()[0], 0);
  ASSERT_EQ(a.row_offsets()[a.rows()], a.nnz());
  for (index_t i = 0; i < a.rows(); ++i) {
    ASSERT_LE(a.row_offsets()[i], a.row_offsets()[i + 1]) << "row " << i;
    index_t previous = -1;
    for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p) {
      ASSERT_GT(a.column_indices()[p], previous) << "row " << i;
      previous = a.column_indices()[p];
    }
    ASSERT_LT(previous, a.cols()) << "row " << i;
  }
}

template <scalar T>
void expect_values_in_unit_interval(const csr_matrix<T>& a) {
  for (const T v : a.values()) {
    ASSERT_GT(v, T{0});
    ASSERT_LE(v, T{1});
  }
}

template <scalar T>
void expect_symmetric(const csr_matrix<T>& a) {
  const auto found = entries(a);
  for (const auto& [place, value] : found) {
    const auto mirror = found.find({place.second, place.first});
    ASSERT_NE(mirror, found.end()) << place.first << ", " << place.second;
    ASSERT_EQ(mirror->second, value) << place.first << ", " << place.second;
  }
}

/// x' A x for a random x.
inline double energy(const csr_matrix<double>& a, std::uint64_t seed) {
  std::vector<double> x(static_cast<std::size_t>(a.cols()));
  fill_random<double>(one_thread(), x, seed);
  double sum = 0;
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p)
      sum += x[static_cast<std::size_t>(i)] * a.values()[static_cast<std::size_t>(p)] *
             x[static_cast<std::size_t>(a.column_indices()[p])];
  return sum;
}

template <scalar T>
bool same_bits(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  if (a.shape() != b.shape() || a.nnz() != b.nnz() || a.index_widths() != b.index_widths())
    return false;
  const auto same = [](const index_view& x, const index_view& y) {
    return std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size() * bytes(x.width()))) ==
           0;
  };
  return same(a.row_offsets(), b.row_offsets()) &&
         (a.nnz() == 0 ||
          (same(a.column_indices(), b.column_indices()) &&
           std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()) == 0));
}

/// The error a call throws, as "kind: text"; "" when it throws none.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
    return "";
  } catch (const error& e) {
    return std::string(name(e.kind())) + ": " + e.what();
  }
}

/// Every fragment occurs in the text.
inline void expect_mentions(const std::string& text, const std::vector<std::string>& fragments) {
  for (const auto& fragment : fragments)
    EXPECT_NE(text.find(fragment), std::string::npos) << "'" << fragment << "' in: " << text;
}

}  // namespace gossamer::generate
