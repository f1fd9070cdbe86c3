// From triplets to rows, against a plain implementation.
#include "io/build_csr.hpp"

#include <map>
#include <random>

#include "unit/io/io_testing.hpp"

namespace gossamer::testing {
namespace {

template <class I>
std::vector<io::entry_block<I, double>> in_blocks(const std::vector<io::entry<I, double>>& all) {
  std::vector<io::entry_block<I, double>> blocks;
  for (std::size_t at = 0, size = 1; at < all.size(); at += size, size = size * 3 + 1) {
    const auto part = std::span(all).subspan(at, std::min(size, all.size() - at));
    blocks.push_back({buffer<io::entry<I, double>>(part), static_cast<index_t>(part.size())});
  }
  return blocks;
}

template <class I>
triplets<double> plainly(const std::vector<io::entry<I, double>>& all, io::mirror mirrored) {
  std::map<std::pair<index_t, index_t>, double> sums;
  const auto add = [&](index_t i, index_t j, double x) {
    const auto [place, fresh] = sums.try_emplace({i, j}, x);
    if (!fresh) place->second += x;
  };
  for (const auto& e : all) {
    add(e.row, e.column, e.value);
    if (mirrored != io::mirror::none && e.row != e.column)
      add(e.column, e.row, mirrored == io::mirror::same ? e.value : -e.value);
  }
  triplets<double> result;
  for (const auto& [place, x] : sums) result.emplace_back(place.first, place.second, x);
  return result;
}

template <class I>
void compare(index_t n, index_t count, io::mirror mirrored) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n + count));
  std::vector<io::entry<I, double>> all;
  for (index_t k = 0; k < count; ++k)
    all.push_back(
        {static_cast<I>(random() % static_cast<std::uint64_t>(n)),
         static_cast<I>(random() % static_cast<std::uint64_t>(n)),
         std::ldexp(static_cast<double>(random() % 1000), static_cast<int>(random() % 80))});
  const auto wanted = plainly(all, mirrored);
  for (const int threads : {1, 2, 7}) {
    read_options how;
    how.threads = threads;
    const auto result = io::build_csr(extents{n, n}, in_blocks(all), mirrored, how);
    EXPECT_TRUE(entries_of(result) == wanted)
        << n << " rows, " << count << " entries, " << threads << " threads";
  }
}

TEST(build_csr, agrees_with_a_map_bit_for_bit) {
  for (const auto mirrored : {io::mirror::none, io::mirror::same, io::mirror::negated}) {
    compare<std::int32_t>(1, 5, mirrored);
    compare<std::int32_t>(30, 500, mirrored);        // nearly all duplicates
    compare<std::int32_t>(5000, 60000, mirrored);    // several bands, few duplicates
    compare<std::int32_t>(100000, 40000, mirrored);  // many empty rows
  }
  compare<std::int64_t>(700, 50000, io::mirror::none);
}

TEST(build_csr, nothing_at_all) {
  using block = io::entry_block<std::int32_t, float>;
  EXPECT_EQ(io::build_csr(extents{0, 0}, std::vector<block>(), io::mirror::none, {}).nnz(), 0);
  const auto empty_rows = io::build_csr(extents{5, 2}, std::vector<block>(2), io::mirror::same, {});
  EXPECT_EQ(empty_rows.row_offsets()[5], 0);
}

}  // namespace
}  // namespace gossamer::testing
