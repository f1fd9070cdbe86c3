// What a look at a few rows of CSR shows. A product takes this sample once, when it is described;
// predictions and tables both rest on it.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::analysis {

/// How well a processor can predict where rows end, from a few hundred rows in runs of neighbours.
struct length_sample {
  index_t rows = 0;        ///< rows in the sample; 0 when none was taken
  index_t alike = 0;       ///< rows as long as the one before
  index_t predicted = 0;   ///< rows as long as what followed the same two lengths last time
  index_t short_rows = 0;  ///< rows of at most one vector of 64 bytes
};

/// How some groups of rows would be stored one row per vector lane (SELL).
struct lane_sample {
  index_t groups = 0;            ///< groups of 8 or 16 rows; 0 when no sample was taken
  index_t entries = 0;           ///< their nonzeros, long rows left out
  index_t straight = 0;          ///< slots whose lanes use consecutive elements of x
  index_t gathered = 0;          ///< other slots
  index_t gathered_entries = 0;  ///< nonzeros in these
  index_t wide = 0;              ///< groups whose gathered columns span more than 16 bits
  bool sorted = false;           ///< rows would have to be sorted by length to fill the lanes
  double alone = 0;              ///< share of the nonzeros in rows that lie along all lanes
};

struct row_sample {
  /// A row of at least this many nonzeros is known to exist. Found by probing the offsets on the
  /// host: every row with nnz / 64 nonzeros or more is hit. 0 on a device.
  index_t probed_length = 0;
  /// The longest row, found by reading all offsets on a device. 0 on the host.
  index_t longest_on_device = 0;
  /// Different cache lines of x that consecutive nonzeros touch, per nonzero. 0 when not sampled.
  double x_lines = 0;
  double alike_rows = 1;  ///< share of rows as long as the next, sampled with x_lines on the host
  bool float_values = false;  ///< the doubles sampled with x_lines on the host all fit into floats
  length_sample lengths;
  lane_sample lanes;  ///< on the host, when asked for

  /// A length that some row has at least, wherever A is.
  index_t at_least() const {
    return probed_length > longest_on_device ? probed_length : longest_on_device;
  }
};

/// What is sampled beyond the longest row.
struct sampled_facts {
  bool lengths = false;  ///< row_sample::lengths; on the host, about a microsecond
  bool columns =
      false;  ///< x_lines, alike_rows, float_values: tens of microseconds, worth it for a plan
  bool lanes = false;  ///< row_sample::lanes: tens of microseconds, where a plan may copy A
};

/// Rows of this many nonzeros on average are long: a mispredicted end costs them little, and
/// `lengths` is not sampled.
inline constexpr index_t long_mean = 20;
/// `columns` are not sampled below so many nonzeros.
inline constexpr index_t least_sampled = 1 << 17;

/// For float and double, on the host or a device of the context.
template <class T>
row_sample sample_rows(const context& where, const csr_view<const T>& a,
                       const sampled_facts& asked);

/// The lanes alone, for A on the host.
template <class T>
lane_sample sample_lanes(const csr_view<const T>& a);

/// The lengths alone; `short_rows` counts rows of at most `short_length` nonzeros.
length_sample sample_lengths(index_view offsets, index_t short_length);

}  // namespace gossamer::analysis
