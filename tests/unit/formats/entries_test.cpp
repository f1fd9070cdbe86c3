// for_each_entry is what every test and reference kernel relies on, so it is checked by hand:
//   1 . 2
//   . . .
//   3 4 5
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "formats/entries.hpp"

namespace gossamer {
namespace {

using entry = std::tuple<index_t, index_t, double>;
using entries = std::vector<entry>;
constexpr auto x = padding;

const entries by_rows{{0, 0, 1}, {0, 2, 2}, {2, 0, 3}, {2, 1, 4}, {2, 2, 5}};

template <class View>
entries collect(const View& a) {
  entries found;
  for_each_entry(a, [&](index_t i, index_t j, double value) { found.emplace_back(i, j, value); });
  return found;
}

template <class I>
index_view indices(const std::vector<I>& v) {
  return {v.data(), static_cast<index_t>(v.size())};
}

template <class Width>
class Entries : public testing::Test {
 public:
  using I = typename Width::first_type;
  using O = typename Width::second_type;
  template <class J>
  using list = std::vector<J>;
};
using all_widths =
    testing::Types<std::pair<std::int32_t, std::int32_t>, std::pair<std::int32_t, std::int64_t>,
                   std::pair<std::int64_t, std::int64_t>>;
TYPED_TEST_SUITE(Entries, all_widths);

TYPED_TEST(Entries, Csr) {
  const std::vector<typename TestFixture::O> offsets{0, 2, 2, 5};
  const std::vector<typename TestFixture::I> columns{0, 2, 0, 1, 2};
  const std::vector<double> values{1, 2, 3, 4, 5};
  EXPECT_EQ(
      collect(csr_view<const double>({3, 3}, indices(offsets), indices(columns), values.data())),
      by_rows);
}

TYPED_TEST(Entries, Csc) {
  const std::vector<typename TestFixture::O> offsets{0, 2, 3, 5};
  const std::vector<typename TestFixture::I> rows{0, 2, 2, 0, 2};
  const std::vector<double> values{1, 3, 4, 2, 5};
  EXPECT_EQ(collect(csc_view<const double>({3, 3}, indices(offsets), indices(rows), values.data())),
            (entries{{0, 0, 1}, {2, 0, 3}, {2, 1, 4}, {0, 2, 2}, {2, 2, 5}}));
}

TYPED_TEST(Entries, CooEllAndHyb) {
  using I = typename TestFixture::I;
  const std::vector<I> rows{2, 2}, columns{1, 2};
  const std::vector<double> values{4, 5};
  const coo_view<const double> coo({3, 3}, indices(rows), indices(columns), values.data());
  EXPECT_EQ(collect(coo), (entries{{2, 1, 4}, {2, 2, 5}}));
  // Stride 4 for 3 rows: the last place of each column belongs to nobody.
  const std::vector<I> places{0, x, 0, x, 2, x, x, x};
  const std::vector<double> stored{1, 9, 3, 9, 2, 9, 9, 9};
  const ell_view<const double> ell({3, 3}, 2, 4, indices(places), stored.data(), 3);
  EXPECT_EQ(collect(ell), (entries{{0, 0, 1}, {0, 2, 2}, {2, 0, 3}}));
  EXPECT_EQ(collect(hyb_view<const double>(ell, coo)), by_rows);
}

TYPED_TEST(Entries, SellpInAnOrderOfItsOwn) {
  using I = typename TestFixture::I;
  using O = typename TestFixture::O;
  const std::vector<O> slices{0, 3, 3};  // rows 2 and 0 in three places, row 1 in none
  const std::vector<I> columns{0, 0, 1, 2, 2, x}, order{2, 0, 1};
  const std::vector<double> values{3, 1, 4, 2, 5, 9};
  EXPECT_EQ(collect(sellp_view<const double>({3, 3}, 2, indices(slices), indices(columns),
                                             indices(order), values.data(), 5)),
            (entries{{2, 0, 3}, {2, 1, 4}, {2, 2, 5}, {0, 0, 1}, {0, 2, 2}}));
}

}  // namespace
}  // namespace gossamer
