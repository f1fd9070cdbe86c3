#include "backends/cuda/primitives.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "backends/cuda/indices.cuh"
#include "backends/cuda/launch.cuh"
#include "backends/cuda/runtime.hpp"

namespace gossamer::cuda {

namespace {

struct greater_of {
  template <class I>
  __host__ __device__ I operator()(const I& a, const I& b) const {
    return a < b ? b : a;
  }
};

/// CUB's two-call protocol: the first call without memory returns the size it needs.
template <class Call>
void with_room(const context& where, const char* what, index_t count, Call&& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), "{} of {} elements, its workspace", what, count_text(count));
  buffer<std::byte> room(std::max<index_t>(static_cast<index_t>(bytes), 1), where.memory());
  check(call(static_cast<void*>(room.data()), bytes), "{} of {} elements", what, count_text(count));
}

template <class I>
void running_maximum(const context& where, I* indices, index_t count) {
  with_room(where, "the running maximum", count, [&](void* room, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(room, bytes, indices, indices, greater_of{}, count,
                                          stream_of(where));
  });
}

}  // namespace

void queue_exclusive_sums(const context& where, buffer<index_t>& counts) {
  const device_guard on(where);
  const index_t count = counts.size();
  index_t* const data = counts.data();
  check(cudaMemsetAsync(data + count - 1, 0, sizeof(index_t), stream_of(where)),
        "the last of {} counts", count_text(count));
  with_room(where, "the sums", count, [&](void* room, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(room, bytes, data, data, count, stream_of(where));
  });
}

index_t exclusive_sums(const context& where, buffer<index_t>& counts) {
  queue_exclusive_sums(where, counts);
  index_t total = 0;
  copy_bytes(where, &total, counts.data() + counts.size() - 1, sizeof total, direction::to_host);
  return total;
}

template <class Key>
ordered<Key> order_of(const context& where, buffer<Key> keys, int bits) {
  const device_guard on(where);
  const index_t count = keys.size();
  ordered<Key> pairs{buffer<Key>(count, where.memory()), buffer<Key>(count, where.memory())};
  if (count == 0) return pairs;
  buffer<Key> places(count, where.memory());
  Key* const place = places.data();
  for_each(where, count, "numbering entries",
           [=] __device__(index_t i) { place[i] = static_cast<Key>(i); });
  with_room(where, "the order", count, [&](void* room, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(room, bytes, keys.data(), pairs.keys.data(),
                                           places.data(), pairs.from.data(), count, 0,
                                           std::max(bits, 1), stream_of(where));
  });
  return pairs;
}

void running_maximum(const context& where, index_span indices) {
  if (indices.size() == 0) return;
  const device_guard on(where);
  if (indices.width() == index_width::i32)
    running_maximum(where, static_cast<std::int32_t*>(indices.data()), indices.size());
  else
    running_maximum(where, static_cast<std::int64_t*>(indices.data()), indices.size());
}

void lines_of_entries(const context& where, index_view offsets, index_span lines) {
  if (lines.size() == 0) return;
  const device_guard on(where);
  check(cudaMemsetAsync(lines.data(), 0,
                        static_cast<std::size_t>(lines.size() * bytes(lines.width())),
                        stream_of(where)),
        "the lines of {} entries", count_text(lines.size()));
  const index_reader starts(offsets);
  const index_writer out(lines);
  // A nonempty line writes its number where its nonzeros begin; a running maximum fills the rest.
  for_each(where, offsets.size() - 1, "numbering lines", [=] __device__(index_t i) {
    const index_t begin = starts[i];
    if (begin < starts[i + 1]) out.set(begin, i);
  });
  running_maximum(where, lines);
}

void copy_indices(const context& where, index_view from, index_span to) {
  const device_guard on(where);
  const index_reader source(from);
  const index_writer out(to);
  for_each(where, from.size(), "copying indices",
           [=] __device__(index_t i) { out.set(i, source[i]); });
}

template ordered<std::uint32_t> order_of(const context&, buffer<std::uint32_t>, int);
template ordered<std::uint64_t> order_of(const context&, buffer<std::uint64_t>, int);

}  // namespace gossamer::cuda
