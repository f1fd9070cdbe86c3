// Products over every semiring, under masks, filtered, and with an addend: every kernel that
// supports them against a plain evaluation of the definition from triplets, bitwise the same for
// any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "conformance/oracle.hpp"
#include "conformance/placed.hpp"
#include "conformance/suite.hpp"

namespace gossamer::conformance {

namespace {

/// Everything a product is asked for.
struct product_variant {
  semiring over = semiring::plus_times;
  bool masked = false, complemented = false;
  filter keep = {};
  bool drop_zeros = false;
};

template <class T>
T joined(semiring over, T sum, T product) {
  switch (over) {
    case semiring::min_plus:
    case semiring::min_first:
    case semiring::min_second:
    case semiring::min_times:
      if (std::isnan(sum) || std::isnan(product)) return std::numeric_limits<T>::quiet_NaN();
      return std::min(sum, product);
    case semiring::max_plus:
    case semiring::max_first:
    case semiring::max_second:
    case semiring::max_times:
    case semiring::max_min:
      if (std::isnan(sum) || std::isnan(product)) return std::numeric_limits<T>::quiet_NaN();
      return std::max(sum, product);
    case semiring::any_pair: return T{1};
    case semiring::or_and: return sum != T{0} || product != T{0} ? T{1} : T{0};
    default: return sum + product;
  }
}

template <class T>
T paired(semiring over, T a, T b) {
  switch (over) {
    case semiring::min_plus:
    case semiring::max_plus: return a + b;
    case semiring::or_and: return a != T{0} && b != T{0} ? T{1} : T{0};
    case semiring::plus_pair:
    case semiring::any_pair: return T{1};
    case semiring::plus_first:
    case semiring::min_first:
    case semiring::max_first: return a;
    case semiring::plus_second:
    case semiring::min_second:
    case semiring::max_second: return b;
    case semiring::max_min:
      if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
      return std::min(a, b);
    default: return a * b;
  }
}

/// The places of a mask, as a table.
struct admitted_places {
  index_t columns = 0;
  std::vector<char> table;

  admitted_places(const cases::matrix_case& mask)
      : columns(mask.shape.cols), table(static_cast<std::size_t>(mask.shape.rows * columns)) {
    for (const auto& e : mask.entries)
      table[static_cast<std::size_t>(e.row * columns + e.column)] = 1;
  }
  bool contains(index_t row, index_t column) const {
    return table[static_cast<std::size_t>(row * columns + column)] != 0;
  }
};

/// Sums in the order of the multiplications, in T: bitwise the result of a deterministic kernel.
template <class T>
sparse_rows<T> product(const rows_of_triplets& a, const rows_of_triplets& b,
                       const admitted_places& mask, const product_variant& asked) {
  sparse_rows<T> c;
  row_of_places<T> row(mask.columns);
  for (index_t i = 0; i < static_cast<index_t>(a.size()); ++i) {
    for (const auto& x : a[static_cast<std::size_t>(i)])
      for (const auto& y : b[static_cast<std::size_t>(x.column)]) {
        if (asked.masked && mask.contains(i, y.column) == asked.complemented) continue;
        const T one = paired(asked.over, static_cast<T>(x.value), static_cast<T>(y.value));
        const auto [sum, fresh] = row.at(y.column);
        sum = fresh ? one : joined(asked.over, sum, one);
      }
    c.push_back(row.finished());
  }
  return c;
}

template <class T>
void apply_filter(sparse_row<T>& row, const product_variant& asked) {
  std::erase_if(row, [&](const auto& e) {
    return (asked.drop_zeros && e.second == T{0}) ||
           static_cast<double>(std::abs(e.second)) < asked.keep.magnitude;
  });
  if (asked.keep.largest == 0 || static_cast<index_t>(row.size()) <= asked.keep.largest) return;
  const auto rank = [](const std::pair<index_t, T>& e) {
    return std::isnan(e.second) ? std::numeric_limits<double>::infinity()
                                : static_cast<double>(std::abs(e.second));
  };
  std::stable_sort(row.begin(), row.end(), [&](const auto& x, const auto& y) {
    if (std::isnan(x.second) != std::isnan(y.second)) return std::isnan(x.second);
    return rank(x) > rank(y);
  });
  row.resize(static_cast<std::size_t>(asked.keep.largest));
  std::sort(row.begin(), row.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
}

template <class T>
void check_equal(const csr_view<const T>& c, const sparse_rows<T>& wanted) {
  ASSERT_EQ(c.shape.rows, static_cast<index_t>(wanted.size()));
  for (index_t i = 0; i < c.shape.rows; ++i) {
    const auto& row = wanted[static_cast<std::size_t>(i)];
    ASSERT_EQ(c.offsets[i + 1] - c.offsets[i], static_cast<index_t>(row.size())) << "row " << i;
    index_t p = c.offsets[i];
    for (const auto& [column, value] : row) {
      if (c.columns[p] != column)
        FAIL() << "row " << i << " has column " << c.columns[p] << ", not " << column;
      if (c.values[p] != value && !(std::isnan(c.values[p]) && std::isnan(value)))
        FAIL() << "row " << i << ", column " << column << ": " << c.values[p] << ", not " << value;
      ++p;
    }
  }
  ASSERT_EQ(c.nnz(), c.shape.rows > 0 ? c.offsets[c.shape.rows] : 0);
}

template <class T>
bool same_bits(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  if (a.nnz() != b.nnz()) return false;
  for (index_t p = 0; p < a.nnz(); ++p)
    if (a.column_indices()[p] != b.column_indices()[p]) return false;
  return a.nnz() == 0 ||
         std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()) == 0;
}

/// About a third of all places, some twice, unsorted; every fifth row has none.
cases::matrix_case mask_of(extents shape) {
  cases::matrix_case drawn{"mask", shape, {}, false};
  for (index_t i = 0; i < shape.rows; ++i) {
    if (i % 5 == 3) continue;
    for (index_t k = shape.cols; k-- > 0;)
      if (const index_t j = (k * 7 + i) % std::max<index_t>(shape.cols, 1);
          (j * 2654435761 + i * 40503) % 97 < 32) {
        drawn.entries.push_back({i, j, 0});
        if (j % 11 == 0) drawn.entries.push_back({i, j, 0});
      }
  }
  return drawn;
}

std::vector<product_variant> all_variants() {
  std::vector<product_variant> list;
  for (const auto over : {semiring::plus_times, semiring::min_plus, semiring::max_plus,
                          semiring::or_and, semiring::plus_pair}) {
    if (over != semiring::plus_times) list.push_back({.over = over});
    list.push_back({.over = over, .masked = true});
    list.push_back({.over = over, .masked = true, .complemented = true});
    list.push_back({.over = over,
                    .masked = true,
                    .complemented = over == semiring::max_plus,
                    .keep = {.magnitude = 0.25, .largest = 3},
                    .drop_zeros = true});
  }
  // The rare ones share their code: one variant of each, every other one masked.
  for (auto over = static_cast<int>(semiring::any_pair);
       over <= static_cast<int>(semiring::max_min); ++over)
    list.push_back({.over = static_cast<semiring>(over), .masked = over % 2 == 0});
  list.push_back({.keep = {.magnitude = 0.3}});
  list.push_back({.keep = {.largest = 2}});
  list.push_back({.drop_zeros = true});
  return list;
}

std::string describe(const product_variant& asked) {
  return std::string(name(asked.over)) + (asked.masked ? " masked" : "") +
         (asked.complemented ? " complemented" : "") + (asked.keep != filter{} ? " filtered" : "") +
         (asked.drop_zeros ? " without zeros" : "");
}

template <class T>
struct product_under_test {
  expression<T> a, b;
  extents shape;
  rows_of_triplets a_rows, b_rows;
  pattern mask;
  admitted_places admitted;
  std::vector<int> teams;  // besides one thread; small products get no other
};

template <class T>
void share_work(const kernel& tested, product_under_test<T>& of) {
  index_t products = 0;
  for (const auto& row : of.a_rows)
    for (const auto& e : row)
      products += static_cast<index_t>(of.b_rows[static_cast<std::size_t>(e.column)].size());
  if (path_of(tested).backend == "openmp") of.teams = {2};
  if (path_of(tested).backend == "openmp" && products > 20'000) of.teams = {2, 3, 4};
}

template <class T>
void check_variant(const subject& s, const product_under_test<T>& of,
                   const product_variant& asked) {
  options how{.algorithm = std::string(s.tested->id),
              .drop_zeros = asked.drop_zeros,
              .semiring = asked.over,
              .keep = asked.keep};
  if (asked.masked) how.mask = asked.complemented ? complement(of.mask) : of.mask;
  auto wanted = product<T>(of.a_rows, of.b_rows, of.admitted, asked);
  const auto structure = wanted;
  for (auto& row : wanted) apply_filter(row, asked);
  const auto product_by = [&](int threads) {
    const auto where = context_for(*s.tested, threads);
    return fetched(where, multiply(where, of.a, of.b, how));
  };
  const auto found = product_by(1);
  check_equal<T>(found.view(), wanted);
  if (testing::Test::HasFailure()) return;
  for (const int threads : of.teams)
    ASSERT_TRUE(same_bits(found, product_by(threads)))
        << "other bits with " << threads << " threads";
  how.memory_limit = index_t{1} << 40;  // the other code path: count first, then write
  ASSERT_TRUE(same_bits(found, product_by(2)));
  how.memory_limit = 0;
  if (how.drop_zeros || how.keep != filter{}) {
    EXPECT_THROW(multiply_compute(context_for(*s.tested, 2), of.a, of.b, how), error);
    return;
  }
  const auto where = context_for(*s.tested, 2);
  const auto prepared = multiply_compute(where, of.a, of.b, how);
  csr_matrix<T> c(prepared.result_shape(), prepared.result_nnz(),
                  {index_width::i64, index_width::i64}, where.memory());
  multiply_fill(prepared, of.a, of.b, c);
  multiply_fill(prepared, of.a, of.b, c);
  check_equal<T>(fetched(where, std::move(c)).view(), structure);
}

/// alpha A B + beta Z with Z the transposed mask, filtered.
template <class T>
void check_addend(const subject& s, const product_under_test<T>& of) {
  auto other = mask_of(transposed(of.shape));
  for (auto& e : other.entries) e.value = static_cast<double>(e.row - e.column) / 8;
  const auto z = cases::as_csr<T>(other, all_widths[1]);
  const product_variant asked{.keep = {.magnitude = 0.1, .largest = 5}};
  auto wanted = product<T>(of.a_rows, of.b_rows, of.admitted, {});
  for (auto& e : other.entries) std::swap(e.row, e.column);
  const auto z_rows = by_rows(other.entries, of.shape.rows);
  row_of_places<T> sum(of.shape.cols), added(of.shape.cols);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (const auto& [column, value] : wanted[i]) sum.at(column).value = T{2} * value;
    for (const auto& e : z_rows[i]) added.at(e.column).value += static_cast<T>(e.value);
    for (const auto& [column, value] : added.finished()) sum.at(column).value += T{-0.5} * value;
    wanted[i] = sum.finished();
    apply_filter(wanted[i], asked);
  }
  const options how{.algorithm = std::string(s.tested->id), .keep = asked.keep};
  const placed z_at(context_for(*s.tested, 1), z);
  const auto left = scaled(T{2}, of.a);
  const auto right = scaled(T{-0.5}, transposed(z_at.matrix()));
  const auto sum_by = [&](int threads) {
    const auto where = context_for(*s.tested, threads);
    return fetched(where, multiply(where, left, of.b, right, how));
  };
  const auto found = sum_by(1);
  check_equal<T>(found.view(), wanted);
  for (const int threads : of.teams) ASSERT_TRUE(same_bits(found, sum_by(threads)));
}

}  // namespace

template <class T>
void check_masked(const subject& s) {
  const auto& c = *s.matrix;
  const auto product_variant = all_variants();
  std::size_t ran = 0;
  for (const bool a_transposed : {false, true})
    for (const bool b_transposed : {false, true}) {
      const extents a = a_transposed ? transposed(c.shape) : c.shape;
      const extents b = b_transposed ? transposed(c.shape) : c.shape;
      const extents shape{a.rows, b.cols};
      if (a.cols != b.rows || shape.rows * shape.cols > largest_table) continue;
      const bool large = shape.rows * shape.cols > 80'000;
      const auto mask = mask_of(shape);
      for (const auto w : tested(narrow_and_wide)) {
        const auto csr = cases::as_csr<T>(c, w);
        const auto mask_csr =  // its value type is no matter
            cases::as_csr<float>(mask, w == all_widths[0] ? all_widths[2] : all_widths[0]);
        const auto where = context_for(*s.tested, 1);
        const placed at(where, csr);
        const placed mask_at(where, mask_csr);
        product_under_test<T> of{.a = a_transposed ? transposed(at.matrix()) : express(at.matrix()),
                                 .b = b_transposed ? transposed(at.matrix()) : express(at.matrix()),
                                 .shape = shape,
                                 .a_rows = by_rows(rounded<T>(c, a_transposed), a.rows),
                                 .b_rows = by_rows(rounded<T>(c, b_transposed), b.rows),
                                 .mask = pattern_of(mask_at.matrix()),
                                 .admitted = admitted_places(mask)};
        share_work(*s.tested, of);
        // All variants for plain operands; a different fifth of them for each of the rest.
        const bool some = large || a_transposed || b_transposed || w != all_widths[0];
        for (std::size_t k = some ? ran % 5 : 0; k < product_variant.size(); k += some ? 5 : 1) {
          SCOPED_TRACE(describe(product_variant[k]));
          check_variant<T>(s, of, product_variant[k]);
          if (testing::Test::HasFailure()) return;
        }
        check_addend<T>(s, of);
        if (testing::Test::HasFailure()) return;
        ++ran;
        if (large) break;
      }
    }
  EXPECT_GT(ran, 0u);
}

template void check_masked<float>(const subject&);
template void check_masked<double>(const subject&);

}  // namespace gossamer::conformance
