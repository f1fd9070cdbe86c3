#include "io/matrix_market/matrix_market_line.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace gossamer::io::matrix_market {

namespace {

bool is_integer(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// An index as people write it, checked against its dimension; returns it counted from 0.
index_t careful_index(std::string_view word, std::string_view what, index_t size) {
  if (!is_integer(word))
    throw line_problem{
        formatted("the {} is {}; expected a whole number from 1 to {}", what, shown(word), size)};
  if (word.starts_with('+')) word.remove_prefix(1);
  index_t index = 0;
  const auto problem = std::from_chars(word.data(), word.data() + word.size(), index).ec;
  if (problem != std::errc() || index < 1 || index > size)
    throw line_problem{
        formatted("the {} is {}; expected 1 to {}{}", what, shown(word), size,
                  index == 0 && problem == std::errc() ? " (indices count from 1)" : "")};
  return index - 1;
}

/// Fortran writes 1.5d0 and 1.5D+00 for what is 1.5e0 elsewhere.
std::string with_e_exponent(std::string_view word) {
  std::string changed(word);
  std::replace_if(
      changed.begin(), changed.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  return changed;
}

template <class T>
bool parse_number(std::string_view word, T& value) {
  const auto* const end = word.data() + word.size();
  const auto [stop, problem] = fast_float::from_chars(word.data(), end, value);
  // Beyond the largest value is infinity, below the smallest zero: as IEEE rounding has it.
  return stop == end && (problem == std::errc() || problem == std::errc::result_out_of_range);
}

}  // namespace

plain_entry careful_entry(std::string_view line, const header& head) {
  const bool pattern = head.field == field_kind::pattern;
  const bool complex = head.field == field_kind::complex;
  const auto whole = line;
  const auto row = next_word(line), column = next_word(line);
  const auto value = pattern ? std::string_view() : next_word(line);
  const auto imaginary = complex ? next_word(line) : std::string_view();
  if (column.empty() || (value.empty() && !pattern) || (imaginary.empty() && complex))
    throw line_problem{formatted("found {}; expected {}", shown(whole),
                                 pattern   ? "row and column"
                                 : complex ? "row, column, real and imaginary part"
                                           : "row, column and value")};
  plain_entry found;
  found.row = careful_index(row, "row", head.shape.rows);
  found.column = careful_index(column, "column", head.shape.cols);
  found.value = value;
  if (head.symmetry == symmetry_kind::skew_symmetric && found.row == found.column)
    throw line_problem{
        formatted("found the diagonal element ({0}, {0}); the diagonal of a skew-symmetric matrix "
                  "is zero and "
                  "not listed",
                  found.row + 1)};
  found.imaginary = imaginary;
  if (const auto extra = next_word(line); !extra.empty())
    throw line_problem{formatted("found {} after the {}; expected the end of the line",
                                 shown(extra),
                                 pattern ? "column (a pattern has no values)" : "value")};
  return found;
}

plain_value careful_single(std::string_view line, const header& head) {
  const bool complex = head.field == field_kind::complex;
  const auto whole = line;
  plain_value found{next_word(line), complex ? next_word(line) : std::string_view()};
  if (complex && found.imaginary.empty())
    throw line_problem{formatted("found {}; expected real and imaginary part", shown(whole))};
  if (const auto extra = next_word(line); !extra.empty())
    throw line_problem{
        formatted("found {} after the value; an array file has one value a line", shown(extra))};
  return found;
}

template <real_scalar T>
T careful_value(std::string_view word, field_kind field) {
  const auto whole = word;
  if ((field == field_kind::integer || field == field_kind::natural) && !is_integer(word))
    throw line_problem{
        formatted("the value is {}; expected a whole number, as the banner says "
                  "'integer' (if it is wrong, make it 'real')",
                  shown(word))};
  if (field == field_kind::natural && word.starts_with('-'))
    throw line_problem{
        formatted("the value is {}; expected 0 or more, as the banner says 'unsigned-integer' (if "
                  "it is wrong, make it 'integer')",
                  shown(word))};
  T value{};
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  if (parse_number(word, value)) return value;
  if (word.find_first_of("dD") != word.npos && word.find_first_of("eE") == word.npos &&
      parse_number(with_e_exponent(word), value))
    return value;
  throw line_problem{formatted("the value is {}; expected a number", shown(whole))};
}

template float careful_value<float>(std::string_view, field_kind);
template double careful_value<double>(std::string_view, field_kind);

}  // namespace gossamer::io::matrix_market
