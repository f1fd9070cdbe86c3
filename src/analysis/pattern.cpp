#include "analysis/pattern.hpp"

#include <array>
#include <numeric>
#include <vector>

#include "base/text.hpp"
#include "formats/sizes.hpp"
#include "gossamer/validate.hpp"

namespace gossamer::analysis {

namespace {

void require_usable(const pattern& p, memory where, std::string_view operand_name) {
  if (where != memory::host)
    throw fail(error_kind::bad_argument,
               "{} ({}) lives in {} memory; analysis reads host memory: copy it to the host first",
               operand_name, shape_text(p.shape), name(where));
  const index_t expected = p.line_count() + 1;
  if (p.line_count() > 0 && p.offsets.size() != expected)
    throw fail(error_kind::bad_argument, "{} is {} and has {} offsets; expected {}", operand_name,
               shape_text(p.shape), p.offsets.size(), expected);
  if (p.offsets.size() > 0 && p.offsets.data() == nullptr)
    throw fail(error_kind::bad_argument, "the offsets of {} ({}) are a null pointer", operand_name,
               shape_text(p.shape));
  if (const auto problem = ends_problem(p.offsets, p.nnz(), "indices"); !problem.empty())
    throw fail(error_kind::bad_argument, "{} ({}): {}", operand_name, shape_text(p.shape), problem);
}

std::string_view type_text(value_type type) {
  constexpr std::array<std::string_view, 4> texts{"float", "double", "std::complex<float>",
                                                  "std::complex<double>"};
  return texts[static_cast<std::size_t>(type)];
}

template <class T>
pattern untransposed(const expression<T>& e, std::string_view operand_name) {
  if (validates_operands()) gossamer::detail::validate(e, {}, operand_name);
  if (const auto* csr = std::get_if<csr_view<const T>>(&e.view)) {
    const pattern p{csr->shape, line_kind::rows, csr->offsets, csr->columns};
    require_usable(p, csr->where, operand_name);
    return p;
  }
  if (const auto* csc = std::get_if<csc_view<const T>>(&e.view)) {
    const pattern p{csc->shape, line_kind::columns, csc->offsets, csc->rows};
    require_usable(p, csc->where, operand_name);
    return p;
  }
  const auto shape = std::visit([](const auto& view) { return view.shape; }, e.view);
  // The alternatives of any_view stand in the order of enum format.
  throw fail(error_kind::bad_argument,
             "{} ({}) is in the {} format; a product is analysed from CSR or CSC: convert it "
             "first, convert<csr_matrix<{}>>({})",
             operand_name, shape_text(shape), name(static_cast<format>(e.view.index())),
             type_text(value_type_of<T>), operand_name);
}

/// Pieces with a private counter per index. More pieces than this would make the counters larger
/// than a small multiple of the matrix itself.
index_t private_pieces(const context& where, index_t entries, index_t width) {
  constexpr double counters_per_entry = 4;
  constexpr index_t worth_splitting = 1 << 15;
  const double affordable = counters_per_entry * static_cast<double>(entries) /
                            static_cast<double>(std::max<index_t>(width, 1));
  const index_t pieces = std::min(entries / worth_splitting, index_t{where.threads()});
  return std::clamp<index_t>(pieces, 1, std::max<index_t>(1, static_cast<index_t>(affordable)));
}

/// Sets counts[piece * width + j] to how often j occurs among the nonzeros of that piece.
template <class C, class I, class O>
void count_pieces(const context& where, const lines_ref<I, O>& lines, index_t pieces, C* counts) {
  parallel_chunks(where.threads(), pieces, [&](index_t piece) {
    C* mine = counts + piece * lines.width;
    std::fill_n(mine, lines.width, C{0});
    const auto [begin, end] = part_of(lines.nnz(), piece, pieces);
    for (index_t e = begin; e < end; ++e) ++mine[lines.indices[e]];
  });
}

/// Sets offsets[j] to the number of nonzeros with an index below j; counts become the position of
/// each piece's first nonzero of index j. Two passes over blocks of indices with a short serial
/// scan between.
template <class C>
void places_from_counts(const context& where, index_t width, index_t pieces, C* counts,
                        C* offsets) {
  const blocks parts{width, 1 << 14};
  std::vector<C> starts(static_cast<std::size_t>(parts.count()) + 1, C{0});
  parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
    const auto [begin, end] = parts.of(block);
    C total = 0;
    for (index_t piece = 0; piece < pieces; ++piece)
      total = std::accumulate(counts + piece * width + begin, counts + piece * width + end, total);
    starts[static_cast<std::size_t>(block) + 1] = total;
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
    const auto [begin, end] = parts.of(block);
    C next = starts[static_cast<std::size_t>(block)];
    for (index_t j = begin; j < end; ++j) {
      offsets[j] = next;
      for (index_t piece = 0; piece < pieces; ++piece) {
        const C here = counts[piece * width + j];
        counts[piece * width + j] = next;
        next += here;
      }
    }
  });
  offsets[width] = starts.back();
}

/// Writes nonzero e of line i with index j to the next position of j: lines arrive in ascending
/// order.
template <class C, class J, class I, class O>
void place_entries(const context& where, const lines_ref<I, O>& lines, index_t pieces, C* places,
                   J* indices) {
  parallel_chunks(where.threads(), pieces, [&](index_t piece) {
    C* next = places + piece * lines.width;
    const auto [begin, end] = part_of(lines.nnz(), piece, pieces);
    if (begin == end) return;
    const O* after =
        std::upper_bound(lines.offsets, lines.offsets + lines.count + 1, static_cast<O>(begin));
    auto line = static_cast<index_t>(after - lines.offsets) - 1;
    for (index_t e = begin; e < end; ++e) {
      while (e >= static_cast<index_t>(lines.offsets[line + 1])) ++line;
      indices[next[lines.indices[e]]++] = static_cast<J>(line);
    }
  });
}

}  // namespace

pattern pattern_of(const operand& a, std::string_view operand_name) {
  return std::visit(
      [&](const auto& e) {
        pattern p = untransposed(e, operand_name);
        if (e.transposed) {
          p.shape = transposed(p.shape);
          p.lines = p.lines == line_kind::rows ? line_kind::columns : line_kind::rows;
        }
        return p;
      },
      a);
}

void require_product_shapes(extents a, extents b) {
  if (a.cols != b.rows)
    throw fail(error_kind::bad_argument,
               "A is {} and B is {}: A's columns must equal B's rows ({} ≠ {})", shape_text(a),
               shape_text(b), a.cols, b.rows);
}

owned_pattern switch_lines(const context& where, const pattern& p) {
  const auto source = workspace_of(where);
  owned_pattern result;
  result.shape = p.shape;
  result.lines = p.lines == line_kind::rows ? line_kind::columns : line_kind::rows;
  result.indices = index_buffer(p.nnz(), narrowest(p.line_count()), source);
  // A 64/32 pair does not exist (see widths), so wide indices bring wide offsets.
  result.offsets = index_buffer(
      p.line_width() + 1,
      result.indices.width() == index_width::i64 ? index_width::i64 : narrowest(p.nnz()), source);
  const index_t pieces = private_pieces(where, p.nnz(), p.line_width());
  typed(p, [&](const auto& lines) {
    gossamer::detail::with_widths(
        result.indices.width(), result.offsets.width(), [&]<class J, class C>() {
          buffer<C> places(pieces * lines.width, source);
          count_pieces(where, lines, pieces, places.data());
          places_from_counts(where, lines.width, pieces, places.data(),
                             result.offsets.view().template as<C>().data());
          place_entries(where, lines, pieces, places.data(),
                        result.indices.view().template as<J>().data());
        });
  });
  return result;
}

buffer<index_t> index_counts(const context& where, const pattern& p) {
  const auto source = workspace_of(where);
  const index_t width = p.line_width(), pieces = private_pieces(where, p.nnz(), width);
  buffer<index_t> counts(width, source);
  typed(p, [&](const auto& lines) {
    if (pieces == 1) return count_pieces(where, lines, 1, counts.data());
    buffer<index_t> partial(pieces * width, source);
    count_pieces(where, lines, pieces, partial.data());
    parallel_ranges(where.threads(), width, 1 << 14, [&](index_t begin, index_t end) {
      for (index_t j = begin; j < end; ++j) {
        counts[j] = 0;
        for (index_t piece = 0; piece < pieces; ++piece) counts[j] += partial[piece * width + j];
      }
    });
  });
  return counts;
}

buffer<index_t> line_lengths(const context& where, const pattern& p) {
  buffer<index_t> lengths(p.line_count(), workspace_of(where));
  typed(p, [&](const auto& lines) {
    parallel_ranges(where.threads(), lines.count, 1 << 14, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) lengths[i] = lines.length(i);
    });
  });
  return lengths;
}

}  // namespace gossamer::analysis
