// One line of a body. Nearly every line of nearly every file is plain, and the quick parsers read
// those without looking twice; whatever they decline goes to the careful ones, which also know the
// oddities of the format and can say what is wrong.
#pragma once

#include <fast_float/fast_float.h>

#include "io/build_csr.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace gossamer::io::matrix_market {

/// What is wrong with a line; where it is, the caller knows.
struct line_problem {
  std::string text;
};

/// Careful: signs, Fortran's exponents, trailing comments. Throws line_problem.
struct plain_entry {
  index_t row = 0, column = 0;  ///< from 0
  std::string_view value;       ///< empty in a pattern
  std::string_view imaginary;   ///< complex only
};
plain_entry careful_entry(std::string_view line, const header& head);
template <real_scalar T>
T careful_value(std::string_view word, field_kind field);
/// The value of an array file, or its two parts.
struct plain_value {
  std::string_view value, imaginary;
};
plain_value careful_single(std::string_view line, const header& head);

/// The value that the words of a line stand for.
template <scalar T>
T careful_parts(std::string_view value, std::string_view imaginary, field_kind field) {
  if constexpr (complex_scalar<T>)
    return {careful_value<real_of<T>>(value, field), careful_value<real_of<T>>(imaginary, field)};
  else
    return careful_value<T>(value, field);
}

/// Digits at `at`, moved past them. Lines end in '\n', which stops the loop.
inline bool quick_index(const char*& at, std::uint64_t& index) {
  const char* const first = at;
  std::uint64_t value = 0;
  for (unsigned digit; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at)
    value = value * 10 + digit;
  index = value;
  return at - first > 0 && at - first <= 18;  // 18 digits always fit
}

inline void quick_blanks(const char*& at) {
  while (is_blank(*at)) ++at;
}

template <scalar T, field_kind Field>
bool quick_value(const char*& at, const char* end, T& value) {
  if constexpr (complex_scalar<T>) {
    real_of<T> real, imaginary;
    if (!quick_value<real_of<T>, field_kind::real>(at, end, real) || !is_blank(*at)) return false;
    quick_blanks(at);
    if (!quick_value<real_of<T>, field_kind::real>(at, end, imaginary)) return false;
    value = {real, imaginary};
    return true;
  } else if constexpr (Field == field_kind::integer || Field == field_kind::natural) {
    const bool negative = Field == field_kind::integer && *at == '-';
    at += negative;
    std::uint64_t digits = 0;
    if (!quick_index(at, digits)) return false;
    const auto number = static_cast<std::int64_t>(digits);
    value = static_cast<T>(negative ? -number : number);
    return true;
  } else {
    const auto [stop, problem] = fast_float::from_chars(at, end, value);
    at = stop;
    return problem == std::errc();
  }
}

inline bool quick_line_end(const char*& at) {
  quick_blanks(at);
  return *at++ == '\n';
}

/// "row column value", in a pattern "row column", and of complex values "row column real
/// imaginary".
template <stored_index I, scalar T, field_kind Field>
struct coordinate_line {
  using item = entry<I, T>;
  static constexpr index_t least_bytes = 4;  // "1 1\n"
  const header& head;
  std::uint64_t rows = static_cast<std::uint64_t>(head.shape.rows);
  std::uint64_t cols = static_cast<std::uint64_t>(head.shape.cols);
  bool skew = head.symmetry == symmetry_kind::skew_symmetric;

  bool quick(const char*& at, const char* end, item& out) const {
    std::uint64_t row, column;
    quick_blanks(at);
    if (!quick_index(at, row) || !is_blank(*at)) return false;
    quick_blanks(at);
    if (!quick_index(at, column)) return false;
    if (row - 1 >= rows || column - 1 >= cols || (skew && row == column)) return false;
    out.row = static_cast<I>(row - 1);
    out.column = static_cast<I>(column - 1);
    if constexpr (Field == field_kind::pattern) {
      out.value = T{1};
    } else {
      if (!is_blank(*at)) return false;
      quick_blanks(at);
      if (!quick_value<T, Field>(at, end, out.value)) return false;
    }
    return quick_line_end(at);
  }

  item careful(std::string_view line) const {
    const auto found = careful_entry(line, head);
    return {static_cast<I>(found.row), static_cast<I>(found.column),
            Field == field_kind::pattern ? T{1}
                                         : careful_parts<T>(found.value, found.imaginary, Field)};
  }
};

/// "value" or "real imaginary"
template <scalar T, field_kind Field>
struct array_line {
  using item = T;
  static constexpr index_t least_bytes = 2;  // "0\n"
  const header& head;

  bool quick(const char*& at, const char* end, item& out) const {
    quick_blanks(at);
    return quick_value<T, Field>(at, end, out) && quick_line_end(at);
  }
  item careful(std::string_view line) const {
    const auto found = careful_single(line, head);
    return careful_parts<T>(found.value, found.imaginary, Field);
  }
};

}  // namespace gossamer::io::matrix_market
