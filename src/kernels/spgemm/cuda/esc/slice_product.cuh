// One slice of rows of C by expansion, sorting and contraction: all multiplications are written
// out, sorted by column and then by row (both sorts are stable and take no more bits than the shape
// needs), and each run of equal places is added up in the order of its multiplications.
#pragma once

#include "backends/cuda/indices.cuh"
#include "kernels/spgemm/cuda/esc/row_slices.hpp"
#include "kernels/spgemm/cuda/esc/sort_pairs.hpp"

namespace gossamer::device {

/// The operands of a product by rows, and the multiplications before each row and nonzero of A.
template <class T>
struct esc_factors {
  cuda::index_reader a_columns, b_offsets, b_columns;
  const T* a_values;
  const T* b_values;
  const index_t* before_entry;
  const index_t* before_row;
  bool conjugate_a = false, conjugate_b = false;  ///< complex values only

  esc_factors(const csr_view<const T>& a, const csr_view<const T>& b, const row_products& products)
      : a_columns(a.columns),
        b_offsets(b.offsets),
        b_columns(b.columns),
        a_values(a.values),
        b_values(b.values),
        before_entry(products.before_entry.data()),
        before_row(products.before_row.data()) {}
};

/// Where the rows of a product of listed rows go: row i, with nonzeros from offsets[i] on, to
/// places[list[i]].
struct listed_places {
  const index_t* list = nullptr;  ///< null: rows follow one another
  const index_t* places = nullptr;
  const index_t* offsets = nullptr;
};

/// The workspace of slices of up to `products` multiplications, and the steps on it. Key holds
/// columns: std::uint32_t or std::uint64_t.
template <class T, class Key>
class slice_workspace {
 public:
  slice_workspace(const context& where, index_t products);

  static index_t bytes_for(const context& where, index_t products);
  /// The most multiplications, up to `most`, of a workspace within these bytes; 0 when there is
  /// none.
  static index_t products_within(const context& where, index_t bytes, index_t most);

  /// Writes the multiplications of a slice out; without values when only sizes are asked for.
  enum class wanted { structure, values };
  void expand(const context&, const esc_factors<T>&, row_cut first, row_cut last, wanted);
  /// Sorts them by column and row, and numbers the nonzeros of C among them.
  void sort(const context&, row_cut first, row_cut last, index_t columns);
  /// offsets[i + 1] of every row i of the slice, from offsets[first.row].
  void count(const context&, row_cut first, row_cut last, index_t* offsets) const;
  /// Writes the nonzeros of C, from position *base (0 when null) on, or where `rows` says.
  struct output {
    index_span columns;
    T* values;
    const index_t* base;
    T alpha;
    listed_places rows = {};
  };
  void contract(const context&, row_cut first, row_cut last, const output& to) const;

 private:
  scratch_memory scratch() { return {scratch_.data(), static_cast<index_t>(scratch_.size())}; }

  buffer<Key> columns_, keys_[2];
  buffer<std::uint32_t> rows_;  ///< of the multiplications; then which begin a nonzero of C
  buffer<std::uint32_t> places_[2];
  buffer<T> values_;
  buffer<std::byte> scratch_;

  // Where the last sort left its results.
  const std::uint32_t* sorted_rows_ = nullptr;
  const Key* sorted_columns_ = nullptr;
  const std::uint32_t* order_ = nullptr;   ///< the multiplication at each sorted place
  const std::uint32_t* number_ = nullptr;  ///< nonzeros of C before each place, and all of them
};

extern template class slice_workspace<float, std::uint32_t>;
extern template class slice_workspace<float, std::uint64_t>;
extern template class slice_workspace<double, std::uint32_t>;
extern template class slice_workspace<double, std::uint64_t>;
extern template class slice_workspace<std::complex<float>, std::uint32_t>;
extern template class slice_workspace<std::complex<float>, std::uint64_t>;
extern template class slice_workspace<std::complex<double>, std::uint32_t>;
extern template class slice_workspace<std::complex<double>, std::uint64_t>;

}  // namespace gossamer::device
