// Checks every index of a matrix and records the first violation. Parts of the matrix are checked
// in parallel; their findings are joined in order, so the first violation reported is the same for
// any number of threads.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/typed.hpp"

namespace gossamer {

/// The first violation of each kind, as text; empty when there is none.
struct finding {
  std::string broken;     ///< the matrix cannot be used
  std::string unsorted;   ///< it can, but is not in order
  std::string duplicate;  ///< it can, but something is there twice

  /// Keeps its own findings, and takes missing ones from a later part.
  void join(finding&& later) {
    if (broken.empty()) broken = std::move(later.broken);
    if (unsorted.empty()) unsorted = std::move(later.unsorted);
    if (duplicate.empty()) duplicate = std::move(later.duplicate);
  }
};

/// Calls look(begin, end, finding&) over parts of [0, n).
template <class Look>
finding inspect_parts(int threads, index_t n, Look&& look) {
  constexpr index_t grain = 1024;
  const index_t parts = std::clamp<index_t>(n / grain, 1, threads);
  std::vector<finding> found(static_cast<std::size_t>(parts));
  parallel_chunks(threads, parts, [&](index_t part) {
    const auto [begin, end] = part_of(n, part, parts);
    look(begin, end, found[part]);
  });
  for (index_t part = 1; part < parts; ++part) found[0].join(std::move(found[part]));
  return std::move(found[0]);
}

/// Names of a format's lines (rows; columns for CSC) and of the indices in them.
struct line_names {
  std::string_view line = "row", index = "column";
};

/// Checks lines one after the other, reusing its scratch copy.
class line_inspector {
 public:
  line_inspector(line_names names, index_t limit, finding& found)
      : names_(names), limit_(limit), found_(found) {}

  /// Checks one line; index(k) is its k-th index, k in [0, length). Returns false when the line is
  /// broken.
  template <class Index>
  bool operator()(index_t line, index_t length, Index&& index) {
    bool ascending = true;
    for (index_t k = 0; k < length; ++k) {
      const index_t here = index(k);
      if (here < 0 || here >= limit_) return out_of_range(line, k, here);
      if (k == 0) continue;
      const index_t before = index(k - 1);
      if (here == before) note_duplicate(line, here);
      if (here < before) {
        if (ascending && found_.unsorted.empty()) note_unsorted(line, k, here, before);
        ascending = false;
      }
    }
    if (!ascending && found_.duplicate.empty()) look_for_duplicates(line, length, index);
    return true;
  }

 private:
  bool out_of_range(index_t line, index_t k, index_t here) {
    found_.broken = formatted("{} {}, entry {}: {} {} is not in [0, {})", names_.line, line, k,
                              names_.index, here, limit_);
    return false;
  }
  void note_unsorted(index_t line, index_t k, index_t here, index_t before) {
    found_.unsorted = formatted("{} {}, entry {}: {} {} comes after {} {}", names_.line, line, k,
                                names_.index, here, names_.index, before);
  }
  void note_duplicate(index_t line, index_t here) {
    if (found_.duplicate.empty())
      found_.duplicate =
          formatted("{} {}: {} {} is stored more than once", names_.line, line, names_.index, here);
  }
  template <class Index>
  void look_for_duplicates(index_t line, index_t length, Index&& index) {
    scratch_.resize(static_cast<std::size_t>(length));
    for (index_t k = 0; k < length; ++k) scratch_[k] = index(k);
    std::sort(scratch_.begin(), scratch_.end());
    const auto twice = std::adjacent_find(scratch_.begin(), scratch_.end());
    if (twice != scratch_.end()) note_duplicate(line, *twice);
  }

  line_names names_;
  index_t limit_;
  finding& found_;
  std::vector<index_t> scratch_;
};

/// Offsets start at 0, never fall, and end at `expected`; `line` names what they belong to.
inline std::string offsets_problem(int threads, index_view offsets, index_t expected,
                                   std::string_view line) {
  const index_t lines = offsets.size() - 1;
  if (lines < 0) return {};
  if (offsets[0] != 0) return formatted("the offsets start at {}, expected 0", offsets[0]);
  auto found = inspect_parts(threads, lines, [&](index_t begin, index_t end, finding& part) {
    for (index_t i = begin; i < end; ++i)
      if (offsets[i + 1] < offsets[i]) {
        part.broken =
            formatted("{} {}: the offsets fall from {} to {}", line, i, offsets[i], offsets[i + 1]);
        return;
      }
  });
  if (!found.broken.empty()) return found.broken;
  if (offsets[lines] != expected)
    return formatted("the offsets end at {}, but {} entries are stored", offsets[lines], expected);
  return {};
}

/// Checks the contents of a host view whose sizes are right.
template <class T>
finding inspect(int threads, const csr_view<const T>& a);
template <class T>
finding inspect(int threads, const csc_view<const T>& a);
template <class T>
finding inspect(int threads, const coo_view<const T>& a);
template <class T>
finding inspect(int threads, const ell_view<const T>& a);
template <class T>
finding inspect(int threads, const sellp_view<const T>& a);
template <class T>
finding inspect(int threads, const hyb_view<const T>& a);

}  // namespace gossamer
