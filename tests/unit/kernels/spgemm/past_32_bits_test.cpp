// The pieces of sparse products with counts past 2^31, without the memory of such a product.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "analysis/format_sizes.hpp"
#include "base/prefix_sums.hpp"
#include "kernels/spgemm/frame/row_store.hpp"
#include "kernels/spgemm/frame/sparse_result.hpp"
#include "kernels/spgemm/pb/pb_bins.hpp"

namespace gossamer {
namespace {

constexpr index_t beyond = (index_t{1} << 31) + 5;

TEST(past_32_bits, prefix_sums) {
  for (const int threads : {1, 3}) {
    std::vector<index_t> counts(10'001, beyond);
    prefix_sums(threads, counts);
    for (index_t i = 0; i <= 10'000; ++i)
      ASSERT_EQ(counts[static_cast<std::size_t>(i)], i * beyond) << threads;
  }
}

TEST(past_32_bits, offsets_are_written_in_full) {
  const std::vector<index_t> offsets{0, beyond, beyond, 3 * beyond};
  std::vector<std::int64_t> wide(4);
  write_offsets(csr_view<float>({3, 9}, {wide.data(), 4}, {}, nullptr), offsets.data(), 2);
  EXPECT_TRUE(std::ranges::equal(wide, offsets));
}

TEST(past_32_bits, sizes_of_results) {
  EXPECT_EQ(analysis::csr_bytes({10, 10}, beyond, value_type::f32), beyond * 8 + 11 * 8);
  EXPECT_EQ(analysis::csr_bytes({beyond, 10}, beyond, value_type::f64),
            beyond * 16 + (beyond + 1) * 8);
  EXPECT_EQ(analysis::csr_bytes({10, 10}, index_t{1} << 62, value_type::f64),
            std::numeric_limits<index_t>::max());  // stops, does not wrap
}

TEST(past_32_bits, bins_of_propagation_blocking) {
  // A row of 2^31 + 5 products among small ones: keys must have room for its places.
  std::vector<index_t> products{0};
  for (int i = 0; i < 64; ++i) products.push_back(products.back() + (i == 40 ? beyond : 1000));
  problem p;
  p.result = {64, 100};
  const auto whole = lay_out_bins(p, products, pb_settings("bins=8"), products.back());
  ASSERT_EQ(whole.slices.size(), 1u);
  EXPECT_EQ(whole.largest_slice, beyond + 63'000);
  EXPECT_GE(whole.largest_bin, beyond);
  EXPECT_TRUE(whole.wide);
  const auto cut = lay_out_bins(p, products, pb_settings(""), 100'000);
  EXPECT_EQ(cut.slices.back().rows.end, 64);
  EXPECT_EQ(cut.largest_slice, beyond);
  EXPECT_TRUE(cut.wide);
}

TEST(past_32_bits, slices_have_no_more_entries_of_a_than_products) {
  // Rows of A without products: only their nonzeros can end a slice.
  const std::vector<index_t> products(101, 0);
  std::vector<std::int64_t> entries(101);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<index_t>(i) * beyond;
  problem p;
  p.result = {100, 100};
  const auto cut = lay_out_bins(p, products, pb_settings(""), 10 * beyond, {entries.data(), 101});
  EXPECT_EQ(cut.slices.size(), 10u);
  for (const auto& slice : cut.slices) EXPECT_EQ(slice.rows.end - slice.rows.begin, 10);
}

/// Address space that becomes memory where it is written.
template <class T>
struct reserved {
  void* data;
  std::size_t bytes;
  explicit reserved(index_t count) : bytes(static_cast<std::size_t>(count) * sizeof(T)) {
    data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
  }
  ~reserved() {
    if (good()) munmap(data, bytes);
  }
  bool good() const { return data != MAP_FAILED; }
  T* begin() { return static_cast<T*>(data); }
};

TEST(past_32_bits, finished_rows_are_copied_to_their_place) {
  reserved<std::int32_t> columns(beyond + 3);
  reserved<float> values(beyond + 3);
  if (!columns.good() || !values.good()) GTEST_SKIP() << "17 GB of address space were refused";
  std::vector<row_writer<std::int32_t, float>> writers;
  writers.emplace_back(host_memory());
  const auto place = writers[0].reserve(1, 3);
  for (int k = 0; k < 3; ++k) place.columns[k] = k + 7, place.values[k] = 0.5f;
  const std::vector<index_t> offsets{0, beyond, beyond + 3};
  copy_segments(writers, offsets.data(), columns.begin(), values.begin(), 2);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(columns.begin()[beyond + k], k + 7);
    EXPECT_EQ(values.begin()[beyond + k], 0.5f);
  }
  EXPECT_EQ(columns.begin()[beyond - (index_t{1} << 31)], 0);
}

}  // namespace
}  // namespace gossamer
