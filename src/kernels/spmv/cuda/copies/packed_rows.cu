#include "kernels/spmv/cuda/copies/packed_rows.cuh"

#include <array>

#include "backends/cuda/indices.cuh"
#include "backends/cuda/primitives.hpp"
#include "backends/cuda/runtime.hpp"
#include "formats/typed.hpp"

namespace gossamer::device {

namespace {

/// Classes of rows with equal group size and depth. Numbered by length: 0 to 6 for rows of one
/// thread, then three depths (4, 5, 6) for each group size, and one more for rows that are too
/// long.
constexpr int solo_classes = pack_depth + 1, depths = 3, groups = 8;
constexpr int classes = solo_classes + depths * groups;
constexpr int class_bits = 5;
static_assert(classes < 1 << class_bits && row_threads == 1 << groups);

__host__ __device__ constexpr int lanes_log_of(index_t length) {
  int log = 0;
  while (pack_depth << log < length) ++log;
  return log;
}
__host__ __device__ constexpr int class_of(index_t length) {
  if (length > longest_packed) return classes;
  if (length <= pack_depth) return static_cast<int>(length);
  const int log = lanes_log_of(length);
  const auto depth = static_cast<int>((length + (index_t{1} << log) - 1) >> log);
  return solo_classes + (log - 1) * depths + depth - (pack_depth - depths + 1);
}
static_assert(class_of(longest_packed) == classes - 1 && class_of(7) == solo_classes);

/// The longest rows come first: they take the most steps. Keys ascend in that order.
__host__ __device__ constexpr std::uint32_t key_of(int row_class) {
  return static_cast<std::uint32_t>(row_class == classes ? classes : classes - 1 - row_class);
}

/// The blocks of one class; `first` counts blocks, slots and positions before it.
struct class_layout {
  std::uint32_t first_block = 0, first_slot = 0, first_place = 0, rows = 0;
  std::uint8_t lanes_log = 0, depth = 0;
};
struct layout {
  std::array<class_layout, classes> of;  ///< by key
  index_t blocks = 0, slots = 0, places = 0;
};

/// Computes the layout from the begin of each key's rows.
layout lay_out(const std::array<index_t, classes + 1>& starts) {
  layout shape;
  for (int key = 0; key < classes; ++key) {
    const int row_class = classes - 1 - key;
    auto& mine = shape.of[static_cast<std::size_t>(key)];
    if (row_class < solo_classes) {
      mine.depth = static_cast<std::uint8_t>(row_class);
    } else {
      const int grouped = row_class - solo_classes;
      mine.lanes_log = static_cast<std::uint8_t>(1 + grouped / depths);
      mine.depth = static_cast<std::uint8_t>(pack_depth - depths + 1 + grouped % depths);
    }
    const auto at = static_cast<std::size_t>(key);
    mine.rows = static_cast<std::uint32_t>(starts[at + 1] - starts[at]);
    mine.first_slot = static_cast<std::uint32_t>(starts[at]);
    mine.first_block = static_cast<std::uint32_t>(shape.blocks);
    mine.first_place = static_cast<std::uint32_t>(shape.places);
    const index_t rows_a_block = row_threads >> mine.lanes_log;
    const index_t blocks = (mine.rows + rows_a_block - 1) / rows_a_block;
    shape.blocks += blocks;
    shape.places += blocks * mine.depth;
  }
  shape.slots = starts[classes];
  return shape;
}

__global__ void __launch_bounds__(cuda::block_size) describe(layout l, pack* packs) {
  for (index_t block = cuda::first_element(); block < l.blocks; block += cuda::element_stride()) {
    int key = classes - 1;
    while (l.of[key].first_block > block || l.of[key].rows == 0) --key;
    const class_layout& mine = l.of[key];
    const auto behind = static_cast<std::uint32_t>(block) - mine.first_block;
    const std::uint32_t rows = row_threads >> mine.lanes_log;
    packs[block] = {mine.first_place + behind * mine.depth, mine.first_slot + behind * rows,
                    static_cast<std::uint16_t>(min(rows, mine.rows - behind * rows)),
                    mine.lanes_log, mine.depth};
  }
}

/// Copies rows to the positions that multiply_pack reads: a block per pack, the same threads.
template <class A, class V, class C>
__global__ void __launch_bounds__(row_threads)
    fill(A a, packed_ref<V, C> to, std::uint16_t* lengths, C* columns, V* values) {
  const pack mine = to.packs[blockIdx.x];
  const int lanes = 1 << mine.lanes_log;
  const int lane = static_cast<int>(threadIdx.x) & (lanes - 1);
  const int row = static_cast<int>(threadIdx.x) >> mine.lanes_log;
  const index_t place = first_place(mine);
  index_t first = 0;
  int length = 0;
  if (row < mine.rows) {
    const index_t from = to.order[mine.slot + row];
    first = static_cast<index_t>(a.offsets[from]);
    length = static_cast<int>(a.offsets[from + 1] - a.offsets[from]);
    if (lane == 0) lengths[mine.slot + row] = static_cast<std::uint16_t>(length);
  }
  const int count = lane_entries(length, lane, mine.lanes_log);
  for (int k = 0; k < mine.depth; ++k) {  // padding is loaded, and not used
    const index_t p = first + lane + static_cast<index_t>(k) * lanes;
    columns[place + k * warp_size] = k < count ? static_cast<C>(a.columns[p]) : C{0};
    values[place + k * warp_size] = k < count ? static_cast<V>(a.values[p]) : V{0};
  }
}

/// Rows sorted by key, and the begin of each key.
struct sorted_rows {
  buffer<std::uint32_t> order;
  std::array<index_t, classes + 1> starts{};
};

template <class A>
sorted_rows sort_rows(const context& where, const A& a) {
  buffer<std::uint32_t> keys(a.rows, where.memory());
  std::uint32_t* const key = keys.data();
  cuda::for_each(where, a.rows, "the lengths of rows", [=] __device__(index_t row) {
    key[row] = key_of(
        class_of(static_cast<index_t>(a.offsets[row + 1]) - static_cast<index_t>(a.offsets[row])));
  });
  auto sorted = cuda::order_of(where, std::move(keys), class_bits);
  buffer<index_t> starts(classes + 1, where.memory());
  index_t* const start = starts.data();
  const std::uint32_t* const in_order = sorted.keys.data();
  const index_t rows = a.rows;
  cuda::for_each(where, classes + 1, "where lengths begin", [=] __device__(index_t k) {
    start[k] = cuda::first_not_below(in_order, rows, static_cast<std::uint32_t>(k));
  });
  sorted_rows result{std::move(sorted.from), {}};
  cuda::copy_bytes(where, result.starts.data(), starts.data(), sizeof result.starts,
                   cuda::direction::to_host);
  return result;
}

}  // namespace

template <scalar T>
packed_rows make_packed_rows(const context& where, const csr_view<const T>& view) {
  packed_rows packed;
  packed.longer =
      find_long_rows(where, view.offsets, {.of_short = longest_packed, .piece = block_step});
  typed(view, [&]<class I, class O>(const csr_ref<const T, I, O>& a) {
    if (a.rows == 0) return;
    auto sorted = sort_rows(where, a);
    const layout l = lay_out(sorted.starts);
    packed.order = std::move(sorted.order);
    if (l.blocks == 0) return;
    packed.packs = buffer<pack>(l.blocks, where.memory());
    packed.lengths = buffer<std::uint16_t>(l.slots, where.memory());
    const auto stream = cuda::stream_of(where);
    describe<<<cuda::blocks_for(l.blocks, where.device()), cuda::block_size, 0, stream>>>(
        l, packed.packs.data());
    cuda::check(cudaGetLastError(), "describing {} packs", count_text(l.blocks));
    packed.entries =
        room_for<T>(where, l.places * row_threads, width_of<I>,
                    {.near = a.cols <= 65536, .single = are_floats(where, a.values, a.nnz())});
    with_stored<T, I>(packed.entries, [&]<class C, class V>(C* columns, V* values) {
      const packed_ref<V, C> to{packed.packs.data(), packed.order.data(), nullptr, nullptr,
                                nullptr};
      fill<<<static_cast<unsigned>(l.blocks), row_threads, 0, stream>>>(
          a, to, packed.lengths.data(), columns, values);
    });
    cuda::check(cudaGetLastError(), "filling {} packs", count_text(l.blocks));
  });
  return packed;
}

template packed_rows make_packed_rows(const context&, const csr_view<const float>&);
template packed_rows make_packed_rows(const context&, const csr_view<const double>&);

}  // namespace gossamer::device
