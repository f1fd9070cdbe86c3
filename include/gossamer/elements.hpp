// Looking at matrices in host memory: their nonzeros one by one, single elements, and as text. For
// convenience, not for speed.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <iterator>
#include <string>

#include "gossamer/operand.hpp"

namespace gossamer {

struct spy_options;

/// A stored element of a matrix.
template <scalar T>
struct nonzero {
  index_t row = 0, column = 0;
  T value = 0;
  friend bool operator==(const nonzero&, const nonzero&) = default;
};

namespace detail {
/// Throws error(bad_argument) for device memory.
void require_on_host(extents shape, memory where);
template <scalar T>
T element(const expression<T>& a, index_t i, index_t j);
template <scalar T>
std::ostream& print(std::ostream&, const expression<T>& a);
template <scalar T>
std::string picture(const expression<T>& a, const spy_options& how);

/// Arrays that hold triplets. Majors are rows, or columns for CSC: nonzero p has major index
/// majors[p] or, where majors is empty, the one whose offsets enclose p.
template <scalar T>
struct listed {
  index_view offsets, majors, minors;
  const T* values = nullptr;
  bool by_columns = false;
};
}  // namespace detail

/// The nonzeros of a matrix in their order of storage, to be iterated over. Borrows its arrays.
template <scalar T>
class nonzero_range {
 public:
  class iterator {
   public:
    using value_type = nonzero<T>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;

    iterator() = default;
    iterator(const detail::listed<T>& from, index_t position) : from_(from), position_(position) {
      find_major();
    }
    nonzero<T> operator*() const {
      const index_t major = from_.majors.size() > 0 ? from_.majors[position_] : major_;
      const index_t minor = from_.minors[position_];
      const T value = from_.values[position_];
      if (from_.by_columns) return {minor, major, value};
      return {major, minor, value};
    }
    iterator& operator++() {
      ++position_;
      find_major();
      return *this;
    }
    iterator operator++(int) {
      auto before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) {
      return a.position_ == b.position_;
    }

   private:
    void find_major() {
      if (from_.majors.size() > 0 || position_ >= from_.minors.size()) return;
      while (from_.offsets[major_ + 1] <= position_) ++major_;
    }
    detail::listed<T> from_;
    index_t position_ = 0, major_ = 0;
  };

  explicit nonzero_range(const detail::listed<T>& from) : from_(from) {}
  iterator begin() const { return {from_, 0}; }
  iterator end() const { return {from_, size()}; }
  index_t size() const { return from_.minors.size(); }

 private:
  detail::listed<T> from_;
};

/// for (const auto [i, j, v] : nonzeros(A)): every stored element of a CSR, CSC or COO matrix, in
/// order of storage; duplicates and stored zeros come one by one. Convert other formats first. A
/// must be valid and outlive the range; throws error(bad_argument) for device memory.
template <class T>
nonzero_range<std::remove_const_t<T>> nonzeros(const csr_view<T>& a) {
  detail::require_on_host(a.shape, a.where);
  return nonzero_range<std::remove_const_t<T>>({a.offsets, {}, a.columns, a.values, false});
}
template <class T>
nonzero_range<std::remove_const_t<T>> nonzeros(const csc_view<T>& a) {
  detail::require_on_host(a.shape, a.where);
  return nonzero_range<std::remove_const_t<T>>({a.offsets, {}, a.rows, a.values, true});
}
template <class T>
nonzero_range<std::remove_const_t<T>> nonzeros(const coo_view<T>& a) {
  detail::require_on_host(a.shape, a.where);
  return nonzero_range<std::remove_const_t<T>>({{}, a.rows, a.columns, a.values, false});
}
template <owner_type A>
requires requires(const A& a) { nonzeros(a.view()); }
nonzero_range<value_of<A>> nonzeros(const A& a) { return nonzeros(a.view()); }
template <owner_type A>
void nonzeros(const A&&) = delete;  // the range would outlive what it borrows

/// Matrices that list their nonzeros: owners and views of CSR, CSC and COO.
template <class A>
concept listable = requires(const A& a) {
  nonzeros(a);
  a.nnz();
};
/// for (const auto [i, j, v] : A), the same as over nonzeros(A).
template <listable A>
auto begin(const A& a) {
  return nonzeros(a).begin();
}
template <listable A>
auto end(const A& a) {
  return nonzeros(a).end();
}

/// Element (i, j) of a matrix of any format, perhaps scaled and transposed: 0 where nothing is
/// stored; duplicates are added. Searches row i (CSC: column j), for COO, HYB and SELL-P with
/// permuted rows everything. Throws error(bad_argument) for indices out of range and device memory.
template <multipliable A>
value_of<A> value_at(const A& a, index_t i, index_t j) {
  return detail::element<value_of<A>>(express(a), i, j);
}

/// Owners of matrices, of every format.
template <class A>
concept matrix_owner = owner_type<A> && multipliable<A> && requires(const A& a) {
  { a.shape() } -> std::convertible_to<extents>;
};

/// A line that names format, value type, shape, number of nonzeros and index widths; for matrices
/// of at most 16 x 16 in host memory also the elements, with a dot where nothing is stored. No line
/// break at the end.
template <matrix_owner A>
std::ostream& operator<<(std::ostream& out, const A& a) {
  return detail::print<value_of<A>>(out, express(a));
}

/// Size of a picture in characters; each has 2 x 4 dots in Unicode (braille), one in ASCII.
struct spy_options {
  index_t width = 64;   ///< at most so many columns
  index_t height = 24;  ///< at most so many lines
  bool unicode = true;  ///< false: ' ' nothing, '.' few, ':' some, '#' at least half of the places
};
/// A picture of where the nonzeros of a matrix are, for a terminal: lines, each with a line break.
/// A small matrix has a dot per element. Any format in host memory, perhaps transposed. O(nnz).
template <multipliable A>
std::string spy(const A& a, const spy_options& how = {}) {
  return detail::picture<value_of<A>>(express(a), how);
}

}  // namespace gossamer
