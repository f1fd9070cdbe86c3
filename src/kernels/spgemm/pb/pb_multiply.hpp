// A product by propagation blocking, slice by slice: the phases one after the other, measured.
#pragma once

#include <algorithm>

#include "kernels/spgemm/frame/two_phases.hpp"
#include "kernels/spgemm/pb/pb_expand.hpp"
#include "kernels/spgemm/pb/pb_sort_compress.hpp"

namespace gossamer {

/// Measured seconds and bytes that must move, summed over slices.
struct pb_phases {
  phase symbolic{"symbolic"}, expand{"expand"}, sort{"sort"}, compress{"compress"},
      convert{"convert"};
  /// The phases that took place: preparing does not convert.
  std::vector<phase> list() const {
    std::vector<phase> took_place;
    for (const auto* one : {&symbolic, &expand, &sort, &compress, &convert})
      if (one->seconds > 0 || one->bytes > 0) took_place.push_back(*one);
    return took_place;
  }
  /// Appends the phases, for a call that asks for them.
  void report(std::vector<phase>* measured) const {
    if (!measured) return;
    for (auto& one : list()) {
      const auto at = std::find_if(measured->begin(), measured->end(),
                                   [&](const phase& p) { return p.name == one.name; });
      if (at == measured->end()) {
        measured->push_back(std::move(one));
      } else {
        at->seconds += one.seconds;
        at->bytes += one.bytes;
      }
    }
  }
};

/// The layout of a product, before any tuple is computed.
struct pb_plan {
  pb_settings settings;
  std::shared_ptr<const row_index> a, b;
  buffer<index_t> products;  // rows + 1
  buffer<index_t> offsets;   // rows + 1: nonzeros of C before each row; prepared plans only
  std::shared_ptr<const counted_rows> counted;  // has the offsets under a memory limit
  pb_layout layout;
  extents result;
  int team = 1;
};

/// A slice with compressed bins: bin k has counts[k] nonzeros at begins[k], keys ascending.
template <class K, class T>
struct pb_entries {
  const pb_slice* slice = nullptr;
  pb_tuples<K, T> tuples;
  std::vector<index_t> counts;
};

// ---- sort and compress ----------------------------------------------------------------------

/// Sorts and compresses every bin; stores nonzeros per row of C in `row_counts` unless null.
template <class K, class T>
void finish_bins(const pb_plan& plan, pb_entries<K, T>& entries, index_t* row_counts,
                 const context& where, pb_phases& phases) {
  const auto& slice = *entries.slice;
  const int column_bits = plan.layout.column_bits, bits = column_bits + slice.row_bits;
  entries.counts.resize(static_cast<std::size_t>(slice.bins()));
  std::vector<std::array<double, 2>> seconds(static_cast<std::size_t>(plan.team));
  parallel_pieces(plan.team, slice.bins(), [&](claimed_pieces own, int thread, int team) {
    bin_scratch<K, T> scratch{.memory = where.memory()};
    for (const index_t bin : own) {
      const index_t n = finish_bin(entries.tuples, bin, bits, plan.settings.flag_sort, scratch);
      entries.counts[static_cast<std::size_t>(bin)] = n;
      const auto at = static_cast<std::size_t>(bin);
      if (row_counts)
        count_rows(entries.tuples.keys.data() +
                       entries.tuples.starts[at * static_cast<std::size_t>(entries.tuples.shares)],
                   n, {slice.first_row[at], slice.first_row[at + 1]}, column_bits, row_counts);
    }
    seconds[static_cast<std::size_t>(thread)] = {scratch.sort_seconds / team,
                                                 scratch.compress_seconds / team};
  });
  for (const auto& [sorting, compressing] : seconds) {
    phases.sort.seconds += sorting;
    phases.compress.seconds += compressing;
  }
}

// ---- slices ---------------------------------------------------------------------------------

inline index_view offsets_of(const operand& o, const row_index* index) {
  if (index) return {index->offsets.data(), index->offsets.size()};
  return visit_real(
      []<class T>(const expression<T>& e) {
        return index_view(std::get<csr_view<const T>>(e.view).offsets);
      },
      o);
}

/// Number of shares: several per thread where the private bins are filled many times anyway.
inline index_t shares_for(const pb_slice& slice, index_t width, int team) {
  const index_t fillings = slice.products / (slice.bins() * width);
  return team * (fillings > 16 * index_t{team} ? index_t{4} : index_t{1});
}

template <class K, class T>
pb_entries<K, T> multiply_slice(const pb_plan& plan, const pb_slice& slice, const operands& o,
                                index_t* row_counts, const context& where, pb_phases& phases) {
  pb_entries<K, T> result{.slice = &slice};
  const auto b_offsets = offsets_of(o.b, plan.b.get());
  const index_t width = pb_local_tuples(plan.settings, index_t{sizeof(K) + sizeof(T)});
  auto start = pb_clock::now();
  pb_columns<K, T> columns;
  with_rows_of_a(erased_rows<T>(o.a, plan.a.get()), [&](const auto& a) {
    columns = collect_columns<K, T>(a, slice, b_offsets, plan.team, where);
  });
  const auto shares = divide_products(columns, b_offsets, shares_for(slice, width, plan.team));
  result.tuples = place_tuples(columns, slice, shares, b_offsets, width, where);
  phases.symbolic.seconds += seconds_since(start);

  start = pb_clock::now();
  with_rows_of_b(erased_rows<T>(o.b, plan.b.get()), [&](const auto& b) {
    expand(columns, b, shares, {slice.row_bits, plan.layout.column_bits}, {slice.bins(), width},
           plan.team, result.tuples, where);
  });
  phases.expand.seconds += seconds_since(start);
  finish_bins(plan, result, row_counts, where, phases);

  index_t entries = 0;
  for (const index_t n : result.counts) entries += n;
  const double tuple = sizeof(K) + sizeof(T), own = static_cast<double>(columns.values.size());
  const double inner = static_cast<double>(b_offsets.size());
  phases.symbolic.bytes += 2 * own * tuple + 3 * 8 * inner;
  phases.expand.bytes += tuple * (own + static_cast<double>(b_offsets[b_offsets.size() - 1]) +
                                  static_cast<double>(slice.products));
  phases.sort.bytes += tuple * static_cast<double>(slice.products);
  phases.compress.bytes += tuple * static_cast<double>(entries);
  return result;
}

template <class K, class T>
void convert_slice(const pb_plan& plan, const pb_entries<K, T>& result, const index_t* offsets,
                   const csr_view<T>& c, T alpha, pb_phases& phases) {
  const auto start = pb_clock::now();
  const K mask = static_cast<K>((K{1} << plan.layout.column_bits) - 1);
  const auto copy = [&]<class J>(J* columns) {
    parallel_chunks(plan.team, result.slice->bins(), [&](index_t bin) {
      const index_t from =
          result.tuples.starts[static_cast<std::size_t>(bin * result.tuples.shares)];
      const index_t to = offsets[result.slice->first_row[static_cast<std::size_t>(bin)]];
      for (index_t k = 0; k < result.counts[static_cast<std::size_t>(bin)]; ++k) {
        columns[to + k] = static_cast<J>(result.tuples.keys[from + k] & mask);
        c.values[to + k] = alpha * (T{0} + result.tuples.values[from + k]);  // -0 alone gives 0
      }
    });
  };
  c.columns.width() == index_width::i32 ? copy(static_cast<std::int32_t*>(c.columns.data()))
                                        : copy(static_cast<std::int64_t*>(c.columns.data()));
  index_t entries = 0;
  for (const index_t n : result.counts) entries += n;
  phases.convert.seconds += seconds_since(start);
  phases.convert.bytes += 2 * double{sizeof(K) + sizeof(T)} * static_cast<double>(entries);
}

}  // namespace gossamer
