#include "kernels/spmv/cuda/copies/slices.cuh"

#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "formats/typed.hpp"

namespace gossamer::device {

namespace {

constexpr index_t nearest = 65535;  ///< smaller distances fit 16 bits, with one value left for
                                    ///< padding

/// Finds the longest row and the span of columns of each slice.
template <int Rows, class A>
__global__ void __launch_bounds__(cuda::block_size)
    measure(A a, const std::uint32_t* order, index_t rows, index_t count, index_t* widths,
            index_t* bases, unsigned long long* widest_span) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  for (index_t slice = cuda::first_element() / warp_size; slice < count;
       slice += cuda::element_stride() / warp_size) {
    index_t length = 0, low = a.cols, high = -1;
    for (int r = 0; r < Rows; ++r) {
      const index_t position = (slice * warp_size + lane) * Rows + r;
      if (position >= rows) break;
      const index_t row = order ? order[position] : position;
      const auto first = static_cast<index_t>(a.offsets[row]);
      const auto last = static_cast<index_t>(a.offsets[row + 1]);
      length = max(length, last - first);
      for (index_t p = first; p < last; ++p) {
        low = min(low, static_cast<index_t>(a.columns[p]));
        high = max(high, static_cast<index_t>(a.columns[p]));
      }
    }
#pragma unroll
    for (int step = warp_size / 2; step > 0; step /= 2) {
      length = max(length, __shfl_xor_sync(whole_warp, length, step));
      low = min(low, __shfl_xor_sync(whole_warp, low, step));
      high = max(high, __shfl_xor_sync(whole_warp, high, step));
    }
    if (lane != 0) continue;
    widths[slice] = length * warp_size * Rows;
    bases[slice] = high < 0 ? 0 : low;
    if (high >= low) atomicMax(widest_span, static_cast<unsigned long long>(high - low));
  }
}

/// One thread per row, in the order in which lanes will read them.
template <int Rows, class A, class V, class C>
__global__ void __launch_bounds__(cuda::block_size)
    fill(A a, slice_ref<V, C> s, C* columns, V* values) {
  constexpr int step = Rows * warp_size;
  for (index_t position = cuda::first_element(); position < s.count * step;
       position += cuda::element_stride()) {
    const index_t slice = position / step;
    const index_t base = sizeof(C) == 2 ? s.bases[slice] : 0;
    index_t p = 0, last = 0;
    if (position < s.rows) {
      const index_t row = s.order ? s.order[position] : position;
      p = static_cast<index_t>(a.offsets[row]);
      last = static_cast<index_t>(a.offsets[row + 1]);
    }
    for (index_t place = s.offsets[slice] + position % step; place < s.offsets[slice + 1];
         place += step, ++p) {
      columns[place] = p < last ? static_cast<C>(a.columns[p] - base) : s.none;
      values[place] = p < last ? static_cast<V>(a.values[p]) : V{0};
    }
  }
}

/// Rows are sorted within windows of this many: neighbours in y stay close. Not
/// measured against other sizes.
constexpr index_t window = 2048;

/// Lists the rows of up to `longest` nonzeros in matrix order, then the others.
template <class A>
buffer<std::uint32_t> short_rows_first(const context& where, const A& a, index_t longest) {
  buffer<std::uint32_t> keys(a.rows, where.memory());
  std::uint32_t* const key = keys.data();
  cuda::for_each(where, a.rows, "rows that are too long", [=] __device__(index_t row) {
    key[row] =
        static_cast<index_t>(a.offsets[row + 1]) - static_cast<index_t>(a.offsets[row]) > longest;
  });
  return std::move(cuda::order_of(where, std::move(keys), 1).from);
}

/// Sorts the first `count` rows of `rows` by length within windows, the longest first.
template <class A>
buffer<std::uint32_t> by_length(const context& where, const A& a, const std::uint32_t* rows,
                                index_t count, index_t longest) {
  int bits = 1;
  while ((index_t{1} << bits) <= longest) ++bits;
  buffer<std::uint32_t> keys(count, where.memory());
  std::uint32_t* const key = keys.data();
  cuda::for_each(where, count, "the lengths of rows", [=] __device__(index_t i) {
    const auto length = static_cast<index_t>(a.offsets[rows[i] + index_t{1}]) -
                        static_cast<index_t>(a.offsets[rows[i]]);
    key[i] = static_cast<std::uint32_t>((i / window << bits) + longest - length);
  });
  int all_bits = bits;
  while (all_bits < 32 && (index_t{1} << all_bits) < (count / window + 1) << bits) ++all_bits;
  auto order = std::move(cuda::order_of(where, std::move(keys), all_bits).from);
  std::uint32_t* const place = order.data();
  cuda::for_each(where, count, "the order of rows",
                 [=] __device__(index_t i) { place[i] = rows[place[i]]; });
  return order;
}

struct measured {
  index_t places = 0, span = 0;
};

template <int Rows, class A>
measured lay_out(const context& where, const A& a, slices& sliced) {
  constexpr int step = Rows * warp_size;
  const index_t count = (sliced.rows + step - 1) / step;
  sliced.offsets = buffer<index_t>(count + 1, where.memory());
  sliced.bases = buffer<index_t>(count, where.memory());
  buffer<unsigned long long> span(1, where.memory());
  cuda::check(cudaMemsetAsync(span.data(), 0, sizeof(unsigned long long), cuda::stream_of(where)),
              "clearing the span of {} slices", count_text(count));
  measure<Rows><<<cuda::blocks_for(count * warp_size, where.device()), cuda::block_size, 0,
                  cuda::stream_of(where)>>>(a, sliced.ordered ? sliced.order.data() : nullptr,
                                            sliced.rows, count, sliced.offsets.data(),
                                            sliced.bases.data(), span.data());
  cuda::check(cudaGetLastError(), "measuring {} slices", count_text(count));
  measured seen;
  seen.places = cuda::exclusive_sums(where, sliced.offsets);
  unsigned long long widest = 0;
  cuda::copy_bytes(where, &widest, span.data(), sizeof widest, cuda::direction::to_host);
  seen.span = static_cast<index_t>(widest);
  return seen;
}

template <int Rows, class A, class V, class C>
void copy_entries(const context& where, const A& a, const slices& sliced, C* columns, V* values) {
  const slice_ref<V, C> s{sliced.ordered ? sliced.order.data() : nullptr,
                          sliced.offsets.data(),
                          sliced.bases.data(),
                          nullptr,
                          nullptr,
                          sliced.rows,
                          sliced.count()};
  fill<Rows><<<cuda::blocks_for(sliced.count() * warp_size * Rows, where.device()),
               cuda::block_size, 0, cuda::stream_of(where)>>>(a, s, columns, values);
  cuda::check(cudaGetLastError(), "filling {} slices", count_text(sliced.count()));
}

}  // namespace

index_t slices::bytes() const {
  return longer.bytes() + order.size() * 4 +
         (offsets.size() + bases.size()) * index_t{sizeof(index_t)} + entries.bytes();
}

template <scalar T>
slices make_slices(const context& where, const csr_view<const T>& view, index_t longest) {
  slices sliced;
  sliced.longer =
      find_long_rows(where, view.offsets, {.of_short = longest, .for_a_group = longest});
  sliced.rows = sliced.longer.short_rows;
  if (sliced.rows == 0) return sliced;
  typed(view, [&]<class I, class O>(const csr_ref<const T, I, O>& a) {
    constexpr int rows = rows_a_lane<T>;
    measured seen;
    if (sliced.rows == a.rows) seen = lay_out<rows>(where, a, sliced);
    // In matrix order rows need no list, and neighbours stay together.
    if (sliced.rows < a.rows || 10 * seen.places > 11 * a.nnz() + 10 * rows_a_slice<T>) {
      const auto short_ones = short_rows_first(where, a, longest);
      sliced.order = by_length(where, a, short_ones.data(), sliced.rows, longest);
      sliced.ordered = true;
      seen = lay_out<rows>(where, a, sliced);
    }
    sliced.entries =
        room_for<T>(where, seen.places, width_of<I>,
                    {.near = seen.span < nearest, .single = are_floats(where, a.values, a.nnz())});
    with_stored<T, I>(sliced.entries, [&](auto* columns, auto* values) {
      copy_entries<rows>(where, a, sliced, columns, values);
    });
  });
  return sliced;
}

template slices make_slices(const context&, const csr_view<const float>&, index_t);
template slices make_slices(const context&, const csr_view<const double>&, index_t);

}  // namespace gossamer::device
