#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "kernels/spgemm/cuda/esc/sort_pairs.hpp"

namespace gossamer::device {

namespace {

/// CUB's call: without memory it returns the bytes it needs.
template <class Key>
cudaError_t sort(void* memory, std::size_t& bytes, cub::DoubleBuffer<Key>& keys,
                 cub::DoubleBuffer<std::uint32_t>& places, index_t count, int bits,
                 cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, places,
                                         static_cast<std::uint32_t>(count), 0, bits, stream);
}

template <class Key>
std::size_t bytes_to_sort(index_t count) {
  cub::DoubleBuffer<Key> keys;
  cub::DoubleBuffer<std::uint32_t> places;
  std::size_t bytes = 0;
  cuda::check(sort(nullptr, bytes, keys, places, count, static_cast<int>(8 * sizeof(Key)), nullptr),
              "the workspace to sort {} pairs", count_text(count));
  return bytes;
}

std::size_t bytes_to_sum(index_t count) {
  std::size_t bytes = 0;
  const std::uint32_t* const counts = nullptr;
  std::uint32_t* const sums = nullptr;
  cuda::check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, sums,
                                            static_cast<std::uint32_t>(count)),
              "the workspace to sum {} numbers", count_text(count));
  return bytes;
}

}  // namespace

index_t sorting_bytes(const context& where, index_t count, index_t key_bytes) {
  const cuda::device_guard on(where);
  const std::size_t columns =
      key_bytes == 8 ? bytes_to_sort<std::uint64_t>(count) : bytes_to_sort<std::uint32_t>(count);
  const std::size_t rows = bytes_to_sort<std::uint32_t>(count);
  const std::size_t sums = bytes_to_sum(count + 1);
  return static_cast<index_t>(std::max({columns, rows, sums, std::size_t{1}}));
}

template <class Key>
void sort_pairs(const context& where, two_arrays<Key>& keys, two_arrays<std::uint32_t>& places,
                index_t count, int bits, scratch_memory scratch) {
  cub::DoubleBuffer<Key> both(keys.now, keys.other);
  cub::DoubleBuffer<std::uint32_t> both_places(places.now, places.other);
  auto bytes = static_cast<std::size_t>(scratch.bytes);
  cuda::check(sort(scratch.data, bytes, both, both_places, count, std::max(bits, 1),
                   cuda::stream_of(where)),
              "sorting {} pairs by {} bits", count_text(count), bits);
  keys = {both.Current(), both.Alternate()};
  places = {both_places.Current(), both_places.Alternate()};
}

void exclusive_sums(const context& where, const std::uint32_t* counts, std::uint32_t* sums,
                    index_t count, scratch_memory scratch) {
  auto bytes = static_cast<std::size_t>(scratch.bytes);
  cuda::check(
      cub::DeviceScan::ExclusiveSum(scratch.data, bytes, counts, sums,
                                    static_cast<std::uint32_t>(count), cuda::stream_of(where)),
      "the sums of {} numbers", count_text(count));
}

template void sort_pairs(const context&, two_arrays<std::uint32_t>&, two_arrays<std::uint32_t>&,
                         index_t, int, scratch_memory);
template void sort_pairs(const context&, two_arrays<std::uint64_t>&, two_arrays<std::uint32_t>&,
                         index_t, int, scratch_memory);

}  // namespace gossamer::device
