// The pattern of op(A) without its values, for counting multiplications and symmetry. CSR and CSC
// are both lines of indices here; only the meaning of a line differs.
#pragma once

#include <optional>
#include <string_view>

#include "analysis/chunks.hpp"
#include "formats/typed.hpp"
#include "gossamer/context.hpp"
#include "gossamer/operand.hpp"

namespace gossamer::analysis {

enum class line_kind : std::uint8_t { rows, columns };

/// A borrowed compressed pattern of a matrix of `shape` (the shape of op(A), after transposition).
struct pattern {
  extents shape;
  line_kind lines = line_kind::rows;
  index_view offsets;  ///< line_count() + 1
  index_view indices;  ///< nnz, each in [0, line_width())

  index_t nnz() const { return indices.size(); }
  index_t line_count() const { return lines == line_kind::rows ? shape.rows : shape.cols; }
  index_t line_width() const { return lines == line_kind::rows ? shape.cols : shape.rows; }
};

/// The same with its index types resolved.
template <class I, class O>
struct lines_ref {
  using index = I;
  index_t count = 0, width = 0;
  const O* offsets = nullptr;
  const I* indices = nullptr;
  index_t nnz() const { return count > 0 ? static_cast<index_t>(offsets[count]) : 0; }
  index_t length(index_t line) const {
    return static_cast<index_t>(offsets[line + 1]) - static_cast<index_t>(offsets[line]);
  }
};

/// Calls f(lines_ref<I, O>) for the widths of the pattern.
template <class F>
decltype(auto) typed(const pattern& p, F&& f) {
  return gossamer::detail::with_widths(
      p.indices.width(), p.offsets.width(), [&]<class I, class O>() -> decltype(auto) {
        return f(lines_ref<I, O>{p.line_count(), p.line_width(),
                                 gossamer::detail::raw<O>(p.offsets),
                                 gossamer::detail::raw<I>(p.indices)});
      });
}

/// The pattern of a CSR or CSC operand on the host. Other formats and device memory throw
/// error(bad_argument) that names the operand and the way out.
pattern pattern_of(const operand& a, std::string_view operand_name);

/// Throws error(bad_argument) unless A's columns match B's rows.
void require_product_shapes(extents a, extents b);

/// A pattern that owns its arrays.
struct owned_pattern {
  extents shape;
  line_kind lines = line_kind::rows;
  index_buffer offsets, indices;
  pattern view() const { return {shape, lines, offsets.view(), indices.view()}; }
};

/// Converts rows to columns or columns to rows; indices ascend in every line whatever the order of
/// the input, duplicates stay. O(nnz + lines) time and memory, parallel, bitwise reproducible for
/// any number of threads. Applied twice it sorts.
owned_pattern switch_lines(const context& where, const pattern& p);

/// How often each index in [0, line_width()) occurs: the lengths of the other kind of lines.
buffer<index_t> index_counts(const context& where, const pattern& p);

/// The lengths of the lines.
buffer<index_t> line_lengths(const context& where, const pattern& p);

/// A pattern by rows: the given one if it is that already, else its switched copy.
class row_pattern {
 public:
  row_pattern(const context& where, const pattern& p) : given_(p) {
    if (p.lines == line_kind::columns) made_ = switch_lines(where, p);
  }
  pattern view() const { return made_ ? made_->view() : given_; }

 private:
  pattern given_;
  std::optional<owned_pattern> made_;
};

}  // namespace gossamer::analysis
