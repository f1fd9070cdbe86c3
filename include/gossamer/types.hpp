// The vocabulary of the library: sizes, value types, index widths, formats.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

namespace gossamer {

/// Sizes, dimensions and counts at the API are always 64 bit; only *stored* indices may be narrow.
using index_t = std::int64_t;

enum class value_type : std::uint8_t { f32, f64 };
enum class index_width : std::uint8_t { i32, i64 };
enum class format : std::uint8_t { csr, csc, coo, ell, sellp, hyb, dense };
enum class layout : std::uint8_t { row_major, column_major };
enum class memory : std::uint8_t { host, device };
enum class operation : std::uint8_t { spmv, spmm, spgemm };
/// What a sparse product adds and multiplies with; docs/semirings-and-masks.md.
enum class semiring : std::uint8_t {
  plus_times,  ///< ordinary arithmetic
  min_plus,    ///< least sum: shortest paths
  max_plus,    ///< greatest sum: longest paths
  or_and,      ///< 1 where a pair of nonzeros meets, else 0: reachability
  plus_pair    ///< how many pairs of entries meet, whatever their values: counting
};

std::string_view name(value_type);
std::string_view name(index_width);
std::string_view name(format);
std::string_view name(layout);
std::string_view name(memory);
std::string_view name(operation);
std::string_view name(semiring);

struct extents {
  index_t rows = 0;
  index_t cols = 0;
  friend bool operator==(const extents&, const extents&) = default;
};

constexpr extents transposed(extents shape) { return {shape.cols, shape.rows}; }

/// Which entries of a sparse matrix are worth keeping. Of a row, first those of small magnitude go,
/// then all but the `largest`.
struct filter {
  double magnitude = 0;  ///< entries with |c| < magnitude go; NaN stays
  index_t largest = 0;   ///< so many of greatest magnitude stay in each row (NaN is greatest, of
                         ///< equals the one of the smaller column); 0: all
  friend bool operator==(const filter&, const filter&) = default;
};

/// Widths of the two index arrays of a compressed format. Three pairs exist: 32/32, 32/64, 64/64
/// (indices/offsets); 64-bit indices with 32-bit offsets serve nobody and are refused.
struct widths {
  index_width indices = index_width::i32;
  index_width offsets = index_width::i32;
  friend bool operator==(const widths&, const widths&) = default;
};

/// Narrowest width that holds every value in [0, largest].
constexpr index_width narrowest(index_t largest) {
  return largest <= std::numeric_limits<std::int32_t>::max() ? index_width::i32 : index_width::i64;
}

/// Narrowest pair for a matrix: indices must hold the larger dimension, offsets the entry count.
constexpr widths narrowest(extents shape, index_t nnz) {
  const auto indices = narrowest(shape.rows > shape.cols ? shape.rows : shape.cols);
  return {indices, indices == index_width::i64 ? index_width::i64 : narrowest(nnz)};
}

constexpr index_t bytes(index_width width) { return width == index_width::i32 ? 4 : 8; }
constexpr index_t bytes(value_type type) { return type == value_type::f32 ? 4 : 8; }

template <class T>
concept scalar = std::same_as<T, float> || std::same_as<T, double>;

template <class I>
concept stored_index = std::same_as<I, std::int32_t> || std::same_as<I, std::int64_t>;

template <scalar T>
constexpr value_type value_type_of = std::same_as<T, float> ? value_type::f32 : value_type::f64;

template <stored_index I>
constexpr index_width width_of = sizeof(I) == 4 ? index_width::i32 : index_width::i64;

}  // namespace gossamer
