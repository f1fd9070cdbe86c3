// The expand phase of propagation blocking: outer products of columns of A and rows of B, written
// as tuples (key, value) to bins of rows. A tuple first goes to a small private bin of its thread;
// full private bins are written to memory in whole cache lines with streaming stores. Every share
// of the multiplications has an exact range in every bin, so tuples are in the order of the inner
// index for any number of threads.
#pragma once

#include <cstring>

#include "kernels/simd/stream_lines.hpp"
#include "kernels/spgemm/pb/pb_columns.hpp"

namespace gossamer {

/// The tuples of a slice. Bin b has a run of tuples for each share: run (b, s) begins at starts[b *
/// shares + s] and has counts[b * shares + s] tuples.
template <class K, class T>
struct pb_tuples {
  buffer<K> keys;
  buffer<T> values;
  std::vector<index_t> starts, counts;
  index_t shares = 1;
};

namespace detail {

/// Tuples are computed in chunks, beyond the end of a row of B if need be: a short loop of unknown
/// length costs more than the surplus.
inline constexpr index_t tuple_chunk = 8;

/// The private bins of one thread. A bin's slots follow its position in memory: tuple n is in slot
/// n % width, so one counter serves both. Beyond the slots there is space for a surplus.
template <class K, class T>
struct local_bins {
  index_t width, stride;
  buffer<K> keys;
  buffer<T> values;
  buffer<index_t> next;

  local_bins(index_t bins, index_t width, const std::shared_ptr<memory_resource>& source)
      : width(width),
        stride(width + 2 * tuple_chunk),
        keys(bins * stride, source),
        values(bins * stride, source),
        next(bins, source) {}

  void start(const pb_tuples<K, T>& out, index_t share) {
    for (index_t bin = 0; bin < next.size(); ++bin)
      next[bin] = out.starts[static_cast<std::size_t>(bin * out.shares + share)];
  }
  void flush(pb_tuples<K, T>& out) const {
    for (index_t bin = 0; bin < next.size(); ++bin) {
      const index_t left = next[bin] & (width - 1), at = next[bin] - left;
      std::copy_n(keys.data() + bin * stride, left, out.keys.data() + at);
      std::copy_n(values.data() + bin * stride, left, out.values.data() + at);
    }
  }
};

struct local_bin_size {
  index_t bins = 0, width = 0;
};

/// How nonzeros of A and columns of B become a bin and a key.
struct key_parts {
  int row_bits = 0, column_bits = 0;
};

/// Expands one share. Everything the loops use is copied to locals: the compiler must assume that
/// stores of tuples could change it otherwise.
template <class K, class T, class RowsB>
void expand_share(const pb_columns<K, T>& a, const RowsB b, pb_share share, key_parts parts,
                  local_bins<K, T>& local, pb_tuples<K, T>& out) {
  // Prefetch distances, in nonzeros of A and in rows of B; found by trial, without a record.
  constexpr index_t entries_ahead = 6, rows_ahead = 16;
  const index_t width = local.width, stride = local.stride, slots = width - 1;
  K* const local_keys = local.keys.data();
  T* const local_values = local.values.data();
  index_t* const next = local.next.data();
  K* const keys_out = out.keys.data();
  T* const values_out = out.values.data();
  const K* const places = a.places.data();
  const T* const factors = a.values.data();
  const index_t rows = a.offsets.size() - 1, readable = b.end(rows - 1);
  const index_t all = share.last - 1;
  const K row_mask = static_cast<K>((K{1} << parts.row_bits) - 1);

  for_each_column(a, share, [=](index_t k, index_t first, index_t last) {
    const index_t begin = b.begin(k), end = b.end(k);
    b.prefetch_row(std::min(k + rows_ahead, rows - 1));
    for (index_t p = first; p < last; ++p) {
      const auto soon =
          static_cast<index_t>(places[std::min(p + entries_ahead, all)] >> parts.row_bits);
      const index_t soon_at = soon * stride + (next[soon] & slots);
      __builtin_prefetch(local_keys + soon_at, 1);
      __builtin_prefetch(local_values + soon_at, 1);

      const K place = places[p];
      const auto bin = static_cast<index_t>(place >> parts.row_bits);
      const K row = static_cast<K>((place & row_mask) << parts.column_bits);
      const T factor = factors[p];
      K* const keys = local_keys + bin * stride;
      T* const values = local_values + bin * stride;
      index_t n = next[bin];
      for (index_t q = begin; q < end; q += tuple_chunk) {
        const index_t slot = n & slots, take = std::min(end - q, tuple_chunk);
        K made_keys[tuple_chunk];
        T made_values[tuple_chunk];
        const index_t make = q + tuple_chunk <= readable ? tuple_chunk : take;
        if (make == tuple_chunk) {
          for (index_t j = 0; j < tuple_chunk; ++j)
            made_keys[j] = row | static_cast<K>(b.column(q + j));
          for (index_t j = 0; j < tuple_chunk; ++j) made_values[j] = factor * b.value(q + j);
        } else {
          for (index_t j = 0; j < make; ++j) {
            made_keys[j] = row | static_cast<K>(b.column(q + j));
            made_values[j] = factor * b.value(q + j);
          }
          std::fill(made_keys + make, made_keys + tuple_chunk, K{0});
          std::fill(made_values + make, made_values + tuple_chunk, T{0});
        }
        std::memcpy(keys + slot, made_keys, sizeof made_keys);
        std::memcpy(values + slot, made_values, sizeof made_values);
        n += take;
        if (slot + take >= width) {
          const index_t at = (n & -width) - width;
          stream_lines(keys_out + at, keys, width * index_t{sizeof(K)});
          stream_lines(values_out + at, values, width * index_t{sizeof(T)});
          // Tuples beyond the last full slot begin the next round.
          std::memcpy(keys, keys + width, sizeof made_keys);
          std::memcpy(values, values + width, sizeof made_values);
        }
      }
      next[bin] = n;
    }
  });
}

}  // namespace detail

/// Exact positions for all tuples: counts by (bin, share), starts on whole cache lines.
template <class K, class T>
pb_tuples<K, T> place_tuples(const pb_columns<K, T>& a, const pb_slice& slice,
                             std::span<const pb_share> shares, index_view b_offsets, index_t width,
                             const context& where) {
  pb_tuples<K, T> out;
  out.shares = static_cast<index_t>(shares.size());
  const index_t bins = slice.bins();
  out.counts.resize(static_cast<std::size_t>(bins * out.shares));
  out.starts.resize(out.counts.size());
  parallel_chunks(where.threads(), out.shares, [&](index_t share) {
    buffer<index_t> mine(bins, where.memory());
    std::fill_n(mine.data(), bins, index_t{0});
    for_each_column(a, shares[static_cast<std::size_t>(share)],
                    [&](index_t k, index_t first, index_t last) {
                      const index_t length = b_offsets[k + 1] - b_offsets[k];
                      for (index_t p = first; p < last; ++p)
                        mine[static_cast<index_t>(a.places[p] >> slice.row_bits)] += length;
                    });
    for (index_t bin = 0; bin < bins; ++bin)
      out.counts[static_cast<std::size_t>(bin * out.shares + share)] = mine[bin];
  });
  index_t next = 0;
  for (std::size_t run = 0; run < out.counts.size(); ++run) {
    out.starts[run] = next;
    next += (out.counts[run] + width - 1) & -width;
  }
  out.keys = buffer<K>(next, where.memory());
  out.values = buffer<T>(next, where.memory());
  return out;
}

template <class K, class T, class RowsB>
void expand(const pb_columns<K, T>& a, const RowsB& b, std::span<const pb_share> shares,
            detail::key_parts parts, detail::local_bin_size size, int team, pb_tuples<K, T>& out,
            const context& where) {
  parallel_pieces(team, out.shares, [&](claimed_pieces own, int, int) {
    detail::local_bins<K, T> local(size.bins, size.width, where.memory());
    for (const index_t share : own) {
      local.start(out, share);
      detail::expand_share(a, b, shares[static_cast<std::size_t>(share)], parts, local, out);
      local.flush(out);
    }
    stream_fence();
  });
}

}  // namespace gossamer
