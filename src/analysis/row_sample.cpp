#include "analysis/row_sample.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/probe.hpp"
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/lost_bits.hpp"
#include "base/parallel.hpp"
#include "formats/typed.hpp"
#include "formats/value_types.hpp"

namespace gossamer::analysis {

namespace {

constexpr index_t run_length = 4096, runs = 8;

/// Elements of x in a cache line.
template <class T>
constexpr index_t per_line = 64 / sizeof(T);

/// Different cache lines of x in runs of column indices from all over the matrix, per nonzero.
double lines_of_x(index_view columns, index_t elements) {
  std::vector<index_t> lines(run_length);
  index_t different = 0;
  for (index_t r = 0; r < runs; ++r) {
    const index_t first = (columns.size() - run_length) / runs * r;
    for (index_t k = 0; k < run_length; ++k)
      lines[static_cast<std::size_t>(k)] = columns[first + k] / elements;
    std::sort(lines.begin(), lines.end());
    different += std::unique(lines.begin(), lines.end()) - lines.begin();
    lines.resize(run_length);
  }
  return static_cast<double>(different) / static_cast<double>(run_length * runs);
}

/// The share of rows that are as long as the next one.
double alike_rows(index_view offsets) {
  constexpr index_t probes = 512;
  const index_t rows = offsets.size() - 1;
  if (rows < 2) return 1;
  index_t alike = 0;
  for (index_t k = 0; k < probes; ++k) {
    const index_t i = k * (rows - 1) / probes;
    alike += offsets[i + 1] - offsets[i] == offsets[i + 2] - offsets[i + 1] ? 1 : 0;
  }
  return static_cast<double>(alike) / probes;
}

/// Whether floats hold a few hundred values exactly: then they hold all, if it is a stencil or a
/// count.
bool look_like_floats(const double* values, index_t count) {
  constexpr index_t probes = 512;
  std::uint64_t lost = 0;
  for (index_t k = 0; k < probes; ++k) lost |= lost_bits(values[k * (count - 1) / probes]);
  return lost == 0;
}
template <class T>
bool look_like_floats(const T*, index_t) {
  return false;  // floats are, and no kernel narrows complex values
}

template <class O>
length_sample sample(const O* offsets, index_t rows, index_t short_length) {
  constexpr index_t run = 32, most_runs = 16, remembered = 512;
  const index_t parts = std::clamp<index_t>(rows / run, 1, most_runs);
  std::array<index_t, remembered> followed{};  // by a length; one more than that, 0: not seen yet
  length_sample seen;
  for (index_t r = 0; r < parts; ++r) {
    // Not where parts begin: in a power law, rows of round numbers are the long ones.
    const auto [from, end] = part_of(rows, r, parts);
    const index_t begin = from + std::max<index_t>(end - from - run, 0) * (r + 1) / (parts + 1);
    const auto length = [offsets](index_t i) -> index_t { return offsets[i + 1] - offsets[i]; };
    for (index_t i = begin + 2; i < std::min(end, begin + run); ++i) {
      const index_t now = length(i), before = length(i - 1);
      auto& known = followed[static_cast<std::size_t>((31 * before + length(i - 2)) % remembered)];
      ++seen.rows;
      seen.alike += now == before ? 1 : 0;
      seen.predicted += known == now + 1 ? 1 : 0;
      seen.short_rows += now <= short_length ? 1 : 0;
      known = now + 1;
    }
  }
  return seen;
}

}  // namespace

length_sample sample_lengths(index_view offsets, index_t short_length) {
  using gossamer::detail::raw;
  const index_t rows = offsets.size() - 1;
  return offsets.width() == index_width::i32
             ? sample(raw<std::int32_t>(offsets), rows, short_length)
             : sample(raw<std::int64_t>(offsets), rows, short_length);
}

/// Device arrays: all rows and the runs are looked at by one launch, since a few would take as
/// long.
template <class T>
row_sample sample_on_device(const context& where, const csr_view<const T>& a, bool with_columns) {
  const cuda::column_runs sampled{a.columns, with_columns ? runs : 0, run_length, per_line<T>};
  const auto found = cuda::look_at_rows(where, a.offsets, sampled);
  row_sample seen;
  seen.longest_on_device = found.longest;
  seen.x_lines = static_cast<double>(found.lines_of_x) / static_cast<double>(run_length * runs);
  return seen;
}

template <class T>
row_sample sample_rows(const context& where, const csr_view<const T>& a,
                       const sampled_facts& asked) {
  const bool with_columns = asked.columns && a.nnz() >= least_sampled;
  if (a.where == memory::device) return sample_on_device(where, a, with_columns);
  row_sample seen;
  seen.probed_length = probe_rows(a.offsets, 64).at_least;
  if (asked.lengths && a.nnz() < long_mean * a.shape.rows)
    seen.lengths = sample_lengths(a.offsets, per_line<T>);
  if constexpr (real_scalar<T>)  // lanes are those of `sell`, which takes real values
    if (asked.lanes) {
      seen.lanes = sample_lanes(a);
      seen.float_values = a.nnz() > 0 && look_like_floats(a.values, a.nnz());
    }
  if (!with_columns) return seen;
  seen.x_lines = lines_of_x(a.columns, per_line<T>);
  seen.alike_rows = alike_rows(a.offsets);
  seen.float_values = look_like_floats(a.values, a.nnz());
  return seen;
}

#define GOSSAMER_INSTANTIATE(T) \
  template row_sample sample_rows(const context&, const csr_view<const T>&, const sampled_facts&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::analysis
