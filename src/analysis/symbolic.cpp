#include "analysis/symbolic.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/hash_key.hpp"

namespace gossamer::analysis {

namespace {

/// A set of columns that counts its members. Short rows use a hash table, long ones one bit per
/// column, as soon as clearing the bits costs no more than the insertions. Both are allocated when
/// they are needed, so that memory grows with the rows and not with the columns.
template <class I>
class distinct_columns {
 public:
  distinct_columns(index_t columns, const std::shared_ptr<memory_resource>& source)
      : columns_(columns), words_((columns + 63) / 64), source_(source) {}

  /// Empties the set for at most `products` insertions.
  void start(index_t products) {
    count_ = 0;
    by_bits_ = words_ <= 2 * products;
    if (by_bits_) {
      if (bits_.size() < words_) bits_ = buffer<std::uint64_t>(words_, source_);
      std::memset(bits_.data(), 0, static_cast<std::size_t>(bits_.size()) * sizeof(std::uint64_t));
      return;
    }
    // Twice as many slots as insertions: never full.
    const auto size = std::bit_ceil(static_cast<std::uint64_t>(2 * products) + 2);
    if (static_cast<std::uint64_t>(table_.size()) < size) {
      table_ = {};  // frees the old table before the new one is allocated
      table_ = buffer<I>(static_cast<index_t>(size), source_);
    }
    mask_ = size - 1;
    hash_ = column_hash::of(size);
    std::memset(table_.data(), 0xff, size * sizeof(I));
  }

  void insert(const I* begin, const I* end) {
    if (by_bits_)
      insert_bits(begin, end);
    else
      insert_hashed(begin, end);
  }

  index_t count() const { return count_; }
  bool full() const { return count_ == columns_; }

 private:
  static constexpr I nobody = -1;

  void insert_bits(const I* begin, const I* end) {
    for (; begin != end; ++begin) {
      const auto column = static_cast<std::uint64_t>(*begin);
      std::uint64_t& word = bits_[static_cast<index_t>(column / 64)];
      const std::uint64_t bit = std::uint64_t{1} << column % 64;
      count_ += (word & bit) == 0;
      word |= bit;
    }
  }

  void insert_hashed(const I* begin, const I* end) {
    for (; begin != end; ++begin) {
      std::uint64_t slot = hash_(*begin);
      for (;; slot = (slot + 1) & mask_) {
        I& here = table_[static_cast<index_t>(slot)];
        if (here == *begin) break;
        if (here != nobody) continue;
        here = *begin;
        ++count_;
        break;
      }
    }
  }

  index_t columns_, words_, count_ = 0;
  bool by_bits_ = false;
  std::uint64_t mask_ = 0;
  column_hash hash_;
  std::shared_ptr<memory_resource> source_;
  buffer<std::uint64_t> bits_;
  buffer<I> table_;
};

template <class A, class B>
index_t count_row(const A& a, const B& b, index_t row, index_t products,
                  distinct_columns<typename B::index>& found) {
  if (products <= 1) return products;
  found.start(products);
  for (index_t p = a.offsets[row]; p < static_cast<index_t>(a.offsets[row + 1]); ++p) {
    const index_t k = a.indices[p];
    found.insert(b.indices + b.offsets[k], b.indices + b.offsets[k + 1]);
    if (found.full()) break;
  }
  return found.count();
}

/// Calls body(n, a, b, set) for n in [0, count), in batches that threads claim; every thread has a
/// set of its own.
template <class Body>
void for_each_counted(const context& where, const pattern& left, const pattern& right,
                      blocks batches, Body&& body) {
  const auto source = workspace_of(where);
  typed(left, [&](const auto& a) {
    typed(right, [&](const auto& b) {
      using index = typename std::remove_cvref_t<decltype(b)>::index;
      parallel_pieces(where.threads(), batches.count(), [&](claimed_pieces own, int, int) {
        distinct_columns<index> found(right.shape.cols, source);
        for (const index_t batch : own) {
          const auto [begin, end] = batches.of(batch);
          for (index_t n = begin; n < end; ++n) body(n, a, b, found);
        }
      });
    });
  });
}

/// Deviation over mean of the lengths of the rows of B that a row of A refers to.
template <class A, class B>
double length_spread(const A& a, const B& b, index_t row) {
  double sum = 0, squares = 0;
  for (index_t p = a.offsets[row]; p < static_cast<index_t>(a.offsets[row + 1]); ++p) {
    const auto length = static_cast<double>(b.length(a.indices[p]));
    sum += length;
    squares += length * length;
  }
  const auto n = static_cast<double>(a.length(row));
  const double mean = sum / n;
  return mean > 0 ? std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean : 0;
}

template <class A, class B>
part_of_row count_part(const A& a, const B& b, const strided_row& which,
                       distinct_columns<typename B::index>& found) {
  part_of_row part;
  const index_t begin = a.offsets[which.row], end = a.offsets[which.row + 1];
  for (index_t p = begin + which.start; p < end; p += which.stride) {
    part.products += b.length(a.indices[p]);
    ++part.entries;
  }
  found.start(part.products);
  for (index_t p = begin + which.start; p < end; p += which.stride) {
    const index_t k = a.indices[p];
    found.insert(b.indices + b.offsets[k], b.indices + b.offsets[k + 1]);
  }
  part.distinct = found.count();
  part.length_spread = length_spread(a, b, which.row);
  return part;
}

}  // namespace

std::vector<index_t> count_rows(const context& where, const pattern& a, const pattern& b,
                                std::span<const index_t> products, std::span<const index_t> rows) {
  std::vector<index_t> counts(rows.size());
  for_each_counted(where, a, b, {static_cast<index_t>(rows.size()), 1},
                   [&](index_t n, const auto& left, const auto& right, auto& found) {
                     const index_t row = rows[static_cast<std::size_t>(n)];
                     counts[static_cast<std::size_t>(n)] = count_row(
                         left, right, row, products[static_cast<std::size_t>(row)], found);
                   });
  return counts;
}

buffer<index_t> count_all_rows(const context& where, const pattern& a, const pattern& b,
                               std::span<const index_t> products) {
  buffer<index_t> counts(a.shape.rows, workspace_of(where));
  for_each_counted(where, a, b, {a.shape.rows, 64},
                   [&](index_t i, const auto& left, const auto& right, auto& found) {
                     counts[i] =
                         count_row(left, right, i, products[static_cast<std::size_t>(i)], found);
                   });
  return counts;
}

std::vector<part_of_row> count_parts(const context& where, const pattern& a, const pattern& b,
                                     std::span<const strided_row> rows) {
  std::vector<part_of_row> parts(rows.size());
  for_each_counted(where, a, b, {static_cast<index_t>(rows.size()), 1},
                   [&](index_t n, const auto& left, const auto& right, auto& found) {
                     const auto at = static_cast<std::size_t>(n);
                     parts[at] = count_part(left, right, rows[at], found);
                   });
  return parts;
}

}  // namespace gossamer::analysis
