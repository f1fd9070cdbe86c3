// SELL-P times a row-major dense block on a GPU (formats of Anzt et al. 2020; Anzt, Tomov and
// Dongarra 2015 multiply SELL-P by blocks): a group of lanes per row, along the columns of B. The
// rows of a slice are neighbours in memory and are computed by neighbouring groups, which share
// the lines of A. A row stops at its first padding.
#include "backends/cuda/launch.cuh"
#include "kernels/spmm/cuda/group_rows.cuh"
#include "kernels/spmm/cuda/row_major.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/sellp/slices/cuda";
using namespace device;
constexpr index_t most_column_tiles = 65535;

/// SELL-P with columns of type I.
template <class T, class I>
struct slices_ref {
  index_t rows, slice;
  offset_reader slice_offsets;
  const I *columns, *row_order;
  const T* values;
};

template <class G, class T, class I>
__global__ void __launch_bounds__(group_block, G::blocks)
    by_slices(slices_ref<T, I> a, dense_rows<T> d) {
  const int lane = static_cast<int>(threadIdx.x) % G::L;
  const index_t position = static_cast<index_t>(blockIdx.x) * G::groups + threadIdx.x / G::L;
  if (position >= a.rows) return;
  const index_t slice = position / a.slice, tile = blockIdx.y;
  const lane_columns<T, G> b(d, tile, lane);
  index_t place = a.slice_offsets[slice] * a.slice + position % a.slice;
  const index_t end = a.slice_offsets[slice + 1] * a.slice;
  group_sums<T, G> sums;
  sums.clear();
  for (bool more = true; more && place < end; place += in_round * a.slice) {
    nonzero_round<T, I> now;
    pack<T, G::W> part[in_round][G::V];
    bool inside[in_round];
#pragma unroll
    for (int u = 0; u < in_round; ++u) {
      const bool stored = place + u * a.slice < end;
      now.column[u] = stored ? __ldg(a.columns + place + u * a.slice) : static_cast<I>(padding);
      now.value[u] = stored ? __ldg(a.values + place + u * a.slice) : T{0};
    }
#pragma unroll
    for (int u = 0; u < in_round; ++u) {
      more = more && now.column[u] != static_cast<I>(padding);
      inside[u] = more;
      if (more) b.load(part[u], now.column[u]);
    }
#pragma unroll
    for (int u = 0; u < in_round; ++u)
      if (inside[u]) sums.add(now.value[u], part[u]);
  }
  store_row(sums, d, a.row_order ? static_cast<index_t>(a.row_order[position]) : position, tile,
            lane);
}

template <class G, class T, class I>
void launch(const slices_ref<T, I>& a, dense_rows<T> d, const context& where) {
  const auto blocks = static_cast<unsigned>((a.rows + G::groups - 1) / G::groups);
  while (d.columns > 0) {
    const index_t tiles = std::min((d.columns + G::columns - 1) / G::columns, most_column_tiles);
    by_slices<G>
        <<<dim3(blocks, static_cast<unsigned>(tiles)), group_block, 0, cuda::stream_of(where)>>>(a,
                                                                                                 d);
    d.b += tiles * G::columns;
    d.c += tiles * G::columns;
    d.columns -= tiles * G::columns;
  }
}

/// Wide loads where rows are aligned and short enough steps apart; single elements elsewhere.
template <class T, class I>
void multiply(const slices_ref<T, I>& a, const dense_rows<T>& d, const context& where) {
  constexpr int W = 16 / sizeof(T);
  const bool packs = d.columns % W == 0 && alignment_of(d) == 16;
  const bool wide = sizeof(I) == 8 || is_wide(0, d);
  const auto go = [&]<int Pack, int L, int V, bool Wide>() {
    launch<group_of<Pack, L, V, 1, 3, reading::one_row, Wide>>(a, d, where);
  };
  if (wide) return go.template operator()<1, 32, 2, true>();
  if (!packs)
    return d.columns <= 8 ? go.template operator()<1, 8, 1, false>()
                          : go.template operator()<1, 32, 2, false>();
  if (d.columns <= 2 * W) return go.template operator()<W, 2, 1, false>();
  if (d.columns <= 8 * W) return go.template operator()<W, 8, 1, false>();
  go.template operator()<W, 32, 1, false>();
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& view = std::get<sellp_view<const T>>(e.view);
        const dense_rows<T> d(dense_arguments<T>(o));
        if (view.shape.rows == 0 || d.columns == 0) return;
        const auto go = [&]<class I>() {
          const bool ordered = view.row_order.size() > 0;
          multiply(
              slices_ref<T, I>{view.shape.rows, view.slice, offset_reader(view.slice_offsets),
                               static_cast<const I*>(view.columns.data()),
                               ordered ? static_cast<const I*>(view.row_order.data()) : nullptr,
                               view.values},
              d, where);
        };
        if (view.columns.width() == index_width::i32)
          go.template operator()<std::int32_t>();
        else
          go.template operator()<std::int64_t>();
        cuda::launch_check(id, view.shape, view.nnz());
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::sellp) return {.because = "takes SELL-P"};
  if (p.a.transposed) return {.because = "takes A as it is, not transposed"};
  if (!by_rows(p)) return {.because = "takes row-major B and C"};
  return {.possible = true,
          .run_seconds =
              costs::device_part(costs::device_dense_product(p, m), costs::device_dense_slices),
          .because = "a group of lanes per row, along the columns of B"};
}

}  // namespace

extern const kernel spmm_sellp_slices_cuda;
const kernel spmm_sellp_slices_cuda{
    .id = id,
    .summary = "a group of lanes per row, each slice as wide as its longest row",
    .reference = "Anzt et al. 2020 (SELL-P); Anzt, Tomov, Dongarra 2015 (SpMM)",
    .deterministic = true,
    .consider = consider,
    .run = run};

}  // namespace gossamer
