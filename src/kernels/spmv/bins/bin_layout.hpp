// A matrix split into segments, bands of rows by blocks of columns, for products in two passes: the
// first reads segments block by block, so that its part of x stays in L2, and writes results band
// by band; the second adds them, with its part of y in L2. Rows and columns inside a segment are 16
// bits. Every result has a fixed position, so nothing depends on threads.
#pragma once

#include <array>

#include "base/parallel.hpp"
#include "formats/typed.hpp"

namespace gossamer {

template <class T>
struct bin_layout {
  int band_bits = 0, block_bits = 0;
  index_t bands = 0, blocks = 0;
  buffer<index_t> read_at;        ///< begin of segment block * bands + band, and the end
  buffer<index_t> write_at;       ///< begin of segment band * blocks + block, and the end
  buffer<std::uint16_t> columns;  ///< relative to the block, in order of reading
  buffer<T> values;               ///< in order of reading
  buffer<std::uint16_t> rows;     ///< relative to the band, in order of writing

  index_t bytes() const {
    return (read_at.size() + write_at.size()) * index_t{sizeof(index_t)} +
           values.size() * index_t{sizeof(T) + 2 * sizeof(std::uint16_t)};
  }
};

/// Blocks of x of 128 KB (doubles) and bands of y of 256 KB, wider where segments would have hardly
/// any nonzeros; none is wider than 16 bits.
struct bin_bits {
  int band = 15, block = 14;
};
constexpr index_t pieces(index_t n, int bits) { return n > 0 ? ((n - 1) >> bits) + 1 : 0; }
constexpr bin_bits bits_for(extents shape, index_t nnz) {
  constexpr index_t wanted =
      256;  // nonzeros per segment, to hide the cost of its start; not measured
  bin_bits bits;
  const auto too_fine = [&] {
    return pieces(shape.rows, bits.band) * pieces(shape.cols, bits.block) * wanted > nnz;
  };
  while (bits.block < 16 && too_fine()) ++bits.block;
  if (too_fine()) bits.band = 16;
  return bits;
}

namespace detail {

template <class T, class I, class O, class F>
void for_band(const csr_ref<const T, I, O>& a, int bits, index_t band, F&& f) {
  const index_t first = band << bits;
  const index_t end = std::min(a.rows, first + (index_t{1} << bits));
  for (index_t i = first; i < end; ++i)
    for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p) f(i - first, p);
}

/// Prefix sums of the segment sizes in order of reading and of writing.
template <class T>
void place_segments(bin_layout<T>& layout, const buffer<index_t>& sizes) {
  index_t read = 0, written = 0;
  for (index_t block = 0; block < layout.blocks; ++block)
    for (index_t band = 0; band < layout.bands; ++band) {
      layout.read_at[block * layout.bands + band] = read;
      read += sizes[band * layout.blocks + block];
    }
  for (index_t segment = 0; segment < sizes.size(); ++segment) {
    layout.write_at[segment] = written;
    written += sizes[segment];
  }
  layout.read_at[sizes.size()] = layout.write_at[sizes.size()] = read;
}

}  // namespace detail

template <class T, class I, class O>
bin_layout<T> binned(const csr_ref<const T, I, O>& a, bin_bits bits, int threads) {
  bin_layout<T> layout{.band_bits = bits.band,
                       .block_bits = bits.block,
                       .bands = pieces(a.rows, bits.band),
                       .blocks = pieces(a.cols, bits.block)};
  const index_t segments = layout.bands * layout.blocks;
  layout.read_at = buffer<index_t>(segments + 1);
  layout.write_at = buffer<index_t>(segments + 1);
  buffer<index_t> sizes(segments), next(segments);
  std::fill_n(sizes.data(), segments, index_t{0});
  parallel_chunks(threads, layout.bands, [&](index_t band) {
    index_t* mine = sizes.data() + band * layout.blocks;
    detail::for_band(a, bits.band, band,
                     [&](index_t, index_t p) { ++mine[index_t{a.columns[p]} >> bits.block]; });
  });
  detail::place_segments(layout, sizes);
  const index_t nnz = a.nnz();
  layout.columns = buffer<std::uint16_t>(nnz);
  layout.values = buffer<T>(nnz);
  layout.rows = buffer<std::uint16_t>(nnz);
  std::fill_n(next.data(), segments, index_t{0});
  const index_t inside = (index_t{1} << bits.block) - 1;
  parallel_chunks(threads, layout.bands, [&](index_t band) {
    detail::for_band(a, bits.band, band, [&](index_t row, index_t p) {
      const index_t block = index_t{a.columns[p]} >> bits.block;
      const index_t segment = band * layout.blocks + block, at = next[segment]++;
      const index_t read = layout.read_at[block * layout.bands + band] + at;
      layout.columns[read] = static_cast<std::uint16_t>(a.columns[p] & inside);
      layout.values[read] = a.values[p];
      layout.rows[layout.write_at[segment] + at] = static_cast<std::uint16_t>(row);
    });
  });
  return layout;
}

}  // namespace gossamer
