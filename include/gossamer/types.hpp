// Basic types of the library: sizes, value types, index widths, formats, semirings.
#pragma once

#include <compare>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

namespace gossamer {

/// Sizes, dimensions and counts at the API are always 64 bit; only *stored* indices may be narrow.
using index_t = std::int64_t;

/// Type of the stored values: float, double, std::complex<float>, std::complex<double>. The order
/// is that of `each_value`.
enum class value_type : std::uint8_t { f32, f64, c64, c128 };
/// Width of the stored indices.
enum class index_width : std::uint8_t { i32, i64 };
/// Storage formats; docs/formats-in-memory.md describes each.
enum class format : std::uint8_t { csr, csc, coo, ell, sellp, hyb, dense };
/// Order of a dense matrix in memory.
enum class layout : std::uint8_t { row_major, column_major };
/// Whether an array is in host memory or in the memory of a device.
enum class memory : std::uint8_t { host, device };
/// Sparse times vector, sparse times dense matrix, sparse times sparse.
enum class operation : std::uint8_t { spmv, spmm, spgemm };
/// The addition and multiplication of a sparse product; docs/semirings-and-masks.md.
enum class semiring : std::uint8_t {
  plus_times,   ///< ordinary arithmetic
  min_plus,     ///< minimum of sums: shortest paths
  max_plus,     ///< maximum of sums: longest paths
  or_and,       ///< 1 where two nonzero values meet, else 0: reachability
  plus_pair,    ///< number of pairs of stored elements that meet, whatever their values: counting
  any_pair,     ///< 1 where stored elements meet, whatever their values: structure
  plus_first,   ///< sum of the values of A that meet something in B
  plus_second,  ///< sum of the values of B that meet something in A
  min_first,    ///< least value of A that meets something in B: parents in breadth-first search
  min_second,   ///< the same of B
  max_first,    ///< greatest value of A that meets something in B
  max_second,   ///< the same of B
  min_times,    ///< minimum of products
  max_times,    ///< maximum of products: most probable paths
  max_min       ///< maximum of minima: widest paths
};

/// Names as the command line, records and error texts print them: "f64", "csr", "spgemm", ...
std::string_view name(value_type);
std::string_view name(index_width);
std::string_view name(format);
std::string_view name(layout);
std::string_view name(memory);
std::string_view name(operation);
std::string_view name(semiring);

/// Numbers of rows and columns of a matrix.
struct extents {
  index_t rows = 0;
  index_t cols = 0;
  friend bool operator==(const extents&, const extents&) = default;
};

/// Shape of the transpose.
constexpr extents transposed(extents shape) { return {shape.cols, shape.rows}; }

/// Selects which nonzeros of a sparse matrix to keep. In each row, those of small magnitude are
/// dropped first, then all but the `largest` ones.
struct filter {
  double magnitude = 0;  ///< nonzeros with |c| < magnitude are dropped; NaN is kept
  index_t largest = 0;   ///< at most this many nonzeros per row are kept, those of greatest
                         ///< magnitude (NaN ranks greatest, ties go to the smaller column); 0: all
  friend bool operator==(const filter&, const filter&) = default;
};

/// Widths of the two index arrays of a compressed format. Three pairs exist: 32/32, 32/64, 64/64
/// (indices/offsets); 64-bit indices with 32-bit offsets are refused.
struct widths {
  index_width indices = index_width::i32;
  index_width offsets = index_width::i32;
  friend bool operator==(const widths&, const widths&) = default;
};

/// Returns the narrowest width that holds every value in [0, largest].
constexpr index_width narrowest(index_t largest) {
  return largest <= std::numeric_limits<std::int32_t>::max() ? index_width::i32 : index_width::i64;
}

/// Returns the narrowest pair for a matrix: indices must hold the larger dimension, offsets the
/// number of nonzeros.
constexpr widths narrowest(extents shape, index_t nnz) {
  const auto indices = narrowest(shape.rows > shape.cols ? shape.rows : shape.cols);
  return {indices, indices == index_width::i64 ? index_width::i64 : narrowest(nnz)};
}

/// Bytes of one stored index or value.
constexpr index_t bytes(index_width width) { return width == index_width::i32 ? 4 : 8; }
constexpr index_t bytes(value_type type) {
  return type == value_type::f32 ? 4 : type == value_type::c128 ? 16 : 8;
}

/// Real value types.
template <class T>
concept real_scalar = std::same_as<T, float> || std::same_as<T, double>;

/// Complex value types. Products of two complex numbers are (ac - bd) + (ad + bc)i in all of the
/// library, as in NumPy: an infinity times a complex number may be NaN.
template <class T>
concept complex_scalar =
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

/// Value types that matrices may have. Every kernel takes the real ones; `kernel::values` says
/// which take complex ones.
template <class T>
concept scalar = real_scalar<T> || complex_scalar<T>;

namespace detail {
template <class T>
struct real_of_impl {
  using type = T;
};
template <class T>
struct real_of_impl<std::complex<T>> {
  using type = T;
};
}  // namespace detail
/// The type of the parts of T: float for float and for std::complex<float>.
template <scalar T>
using real_of = typename detail::real_of_impl<T>::type;

/// One alternative for each value type, X::of<T>, in the order of value_type. This is the list of
/// value types: what crosses the library's boundary is made of it.
template <class X>
using each_value = std::variant<typename X::template of<float>, typename X::template of<double>,
                                typename X::template of<std::complex<float>>,
                                typename X::template of<std::complex<double>>>;

/// Any signed integer of 4 or 8 bytes: int, long, long long, std::ptrdiff_t.
template <class I>
concept index_integer = std::signed_integral<I> &&(sizeof(I) == 4 || sizeof(I) == 8);

/// Index types that the library computes with; others of the same width are read as these.
template <class I>
concept stored_index = std::same_as<I, std::int32_t> || std::same_as<I, std::int64_t>;

/// The value_type of T, and the index_width of I.
template <scalar T>
constexpr value_type value_type_of = std::same_as<T, float>    ? value_type::f32
                                     : std::same_as<T, double> ? value_type::f64
                                     : sizeof(T) == 8          ? value_type::c64
                                                               : value_type::c128;

/// Whether a value type is complex.
constexpr bool is_complex(value_type type) {
  return type == value_type::c64 || type == value_type::c128;
}

template <index_integer I>
constexpr index_width width_of = sizeof(I) == 4 ? index_width::i32 : index_width::i64;

}  // namespace gossamer
