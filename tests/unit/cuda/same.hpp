// Two matrices with the same arrays, bit by bit.
#pragma once

#include <cmath>
#include <cstring>

#include "gpu.hpp"

namespace gossamer {

inline void expect_same(const char* what, index_view a, index_view b) {
  ASSERT_EQ(a.size(), b.size()) << what;
  ASSERT_EQ(a.width(), b.width()) << what;
  for (index_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], b[i]) << what << " at " << i;
}

template <class T>
void expect_same(const char* what, std::span<const T> a, std::span<const T> b) {
  ASSERT_EQ(a.size(), b.size()) << what;
  // Padding has values too. Bits are compared, but those of a NaN are nobody's promise.
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != a[i] && b[i] != b[i]) continue;
    ASSERT_EQ(std::memcmp(&a[i], &b[i], sizeof(T)), 0)
        << what << " at " << i << ": " << a[i] << " and " << b[i];
  }
}

template <class T>
void expect_same(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  expect_same("offsets", a.row_offsets(), b.row_offsets());
  expect_same("columns", a.column_indices(), b.column_indices());
  expect_same<T>("values", a.values(), b.values());
}
template <class T>
void expect_same(const csc_matrix<T>& a, const csc_matrix<T>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  expect_same("offsets", a.column_offsets(), b.column_offsets());
  expect_same("rows", a.row_indices(), b.row_indices());
  expect_same<T>("values", a.values(), b.values());
}
template <class T>
void expect_same(const coo_matrix<T>& a, const coo_matrix<T>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  expect_same("rows", a.row_indices(), b.row_indices());
  expect_same("columns", a.column_indices(), b.column_indices());
  expect_same<T>("values", a.values(), b.values());
}
template <class T>
void expect_same(const ell_matrix<T>& a, const ell_matrix<T>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  ASSERT_EQ(a.nnz(), b.nnz());
  ASSERT_EQ(a.width(), b.width());
  ASSERT_EQ(a.stride(), b.stride());
  expect_same("columns", a.view().columns, b.view().columns);
  expect_same<T>("values", a.values(), b.values());
}
template <class T>
void expect_same(const sellp_matrix<T>& a, const sellp_matrix<T>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  ASSERT_EQ(a.nnz(), b.nnz());
  ASSERT_EQ(a.slice(), b.slice());
  expect_same("slice offsets", a.view().slice_offsets, b.view().slice_offsets);
  expect_same("row order", a.view().row_order, b.view().row_order);
  expect_same("columns", a.view().columns, b.view().columns);
  expect_same<T>("values", a.values(), b.values());
}
template <class T>
void expect_same(const hyb_matrix<T>& a, const hyb_matrix<T>& b) {
  expect_same(a.ell(), b.ell());
  expect_same(a.coo(), b.coo());
}
template <class T>
void expect_same(const dense_matrix<T>& a, const dense_matrix<T>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  ASSERT_EQ(a.order(), b.order());
  expect_same<T>("values", a.values(), b.values());
}

}  // namespace gossamer
