#include "cases/cases.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>

namespace gossamer::cases {

namespace {

std::uint64_t hash(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15u + i + 0x632BE59BD9B4E019u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

matrix_case from(std::string name, extents shape,
                 const std::function<void(std::vector<triplet>&)>& fill) {
  matrix_case drawn{std::move(name), shape, {}, false};
  fill(drawn.entries);
  std::stable_sort(drawn.entries.begin(), drawn.entries.end(),
                   [](const triplet& a, const triplet& b) { return a.row < b.row; });
  return drawn;
}

/// Rows of the given lengths with distinct ascending random columns.
matrix_case random_rows(std::string name, extents shape,
                        const std::function<index_t(index_t)>& length, std::uint64_t seed) {
  return from(std::move(name), shape, [&](std::vector<triplet>& entries) {
    for (index_t i = 0; i < shape.rows; ++i) {
      std::set<index_t> columns;
      const index_t wanted = std::min(length(i), shape.cols);
      for (std::uint64_t k = 0; static_cast<index_t>(columns.size()) < wanted; ++k)
        columns.insert(static_cast<index_t>(hash(seed + 7919 * static_cast<std::uint64_t>(i), k) %
                                            static_cast<std::uint64_t>(shape.cols)));
      for (const index_t j : columns)
        entries.push_back({i, j, value_at(seed + 1, static_cast<index_t>(entries.size()))});
    }
  });
}

matrix_case banded(index_t n, index_t half) {
  return from("banded", {n, n}, [&](std::vector<triplet>& entries) {
    for (index_t i = 0; i < n; ++i)
      for (index_t j = std::max<index_t>(0, i - half); j <= std::min(n - 1, i + half); ++j)
        entries.push_back({i, j, value_at(11, i * n + j)});
  });
}

/// Columns descending or shuffled, every third entry stored twice, some thrice.
matrix_case unsorted_duplicates() {
  auto result = random_rows(
      "unsorted_duplicates", {60, 45}, [](index_t i) { return i % 9; }, 17);
  std::vector<triplet> entries;
  for (std::size_t k = 0; k < result.entries.size(); ++k)
    for (std::size_t copy = 0; copy < 1u + (k % 3 == 0) + (k % 7 == 0); ++copy)
      entries.push_back({result.entries[k].row, result.entries[k].column,
                         value_at(18, static_cast<index_t>(4 * k + copy))});
  std::stable_sort(entries.begin(), entries.end(), [](const triplet& a, const triplet& b) {
    return a.row != b.row ? a.row < b.row
                          : hash(3, static_cast<std::uint64_t>(a.column)) % 64 <
                                hash(3, static_cast<std::uint64_t>(b.column)) % 64;
  });
  result.entries = std::move(entries);
  return result;
}

/// NaN and Inf in A; rows without them must stay finite, also in padded formats.
matrix_case not_finite() {
  auto result = random_rows(
      "not_finite", {70, 70}, [](index_t i) { return 1 + i % 6; }, 23);
  result.wild = true;
  result.entries[5].value = std::numeric_limits<double>::infinity();
  result.entries[40].value = -std::numeric_limits<double>::infinity();
  result.entries[90].value = std::numeric_limits<double>::quiet_NaN();
  return result;
}

/// Columns that share a slot of every hash table of up to 64 slots, if its hash is the usual one
/// and has no key: multiples of the golden ratio whose fraction is small.
matrix_case colliding_columns() {
  return from("colliding_columns", {6, 1000}, [](auto& entries) {
    for (index_t i = 0; i < 6; ++i)
      for (index_t j = 0; j < 1000; ++j)
        if (static_cast<std::uint64_t>(j) * 0x9E3779B97F4A7C15u >> 58 == 0)
          entries.push_back({i, j, value_at(21, i * 1000 + j)});
  });
}

std::vector<matrix_case> build() {
  std::vector<matrix_case> list;
  const auto nothing = [](std::vector<triplet>&) {};
  list.push_back(from("empty", {0, 0}, nothing));
  list.push_back(from("no_rows", {0, 5}, nothing));
  list.push_back(from("no_columns", {5, 0}, nothing));
  list.push_back(from("no_entries", {9, 7}, nothing));
  list.push_back(from("one_by_one", {1, 1}, [](auto& e) { e.push_back({0, 0, -2.5}); }));
  list.push_back(from("one_zero", {1, 1}, [](auto& e) { e.push_back({0, 0, 0.0}); }));
  list.push_back(random_rows(
      "empty_rows", {130, 90}, [](index_t i) { return i % 3 == 1 ? 5 : 0; }, 2));
  list.push_back(random_rows(
      "last_rows_empty", {80, 80}, [](index_t i) { return i < 40 ? 3 : 0; }, 3));
  list.push_back(random_rows(
      "dense_row", {300, 300}, [](index_t i) { return i == 150 ? 300 : 2; }, 4));
  list.push_back(from("dense_column", {300, 40}, [](auto& e) {
    for (index_t i = 0; i < 300; ++i) {
      e.push_back({i, 17, value_at(5, i)});
      if (i % 5 == 0) e.push_back({i, 30, value_at(6, i)});
    }
  }));
  list.push_back(unsorted_duplicates());
  list.push_back(from("explicit_zeros", {50, 50}, [](auto& e) {
    for (index_t i = 0; i < 50; ++i)
      for (index_t j = i % 4; j < 50; j += 7)
        e.push_back({i, j, (i + j) % 3 == 0 ? 0.0 : value_at(8, i * 50 + j)});
  }));
  list.push_back(from("cancelling", {40, 40}, [](auto& e) {
    for (index_t i = 0; i < 40; ++i) {
      e.push_back({i, i, 1.0});
      if (i > 0) e.push_back({i, i - 1, -1.0});
    }
    for (index_t i = 0; i + 2 < 40; ++i) e.push_back({i, i + 2, i % 2 == 0 ? 1.0 : -1.0});
  }));
  list.push_back(random_rows(
      "power_law", {1000, 1000},
      [](index_t i) {
        return static_cast<index_t>(300.0 /
                                    std::pow(static_cast<double>(1 + (i * 37) % 1000), 0.7));
      },
      9));
  list.push_back(banded(400, 5));
  list.push_back(random_rows(
      "wide", {12, 3000}, [](index_t i) { return 100 + 150 * i; }, 12));
  list.push_back(random_rows(
      "tall", {5000, 9}, [](index_t i) { return i % 4; }, 13));
  list.push_back(random_rows(
      "one_row", {1, 40000}, [](index_t) { return 20000; }, 14));
  list.push_back(random_rows(
      "one_column", {400, 1}, [](index_t i) { return i % 2; }, 15));
  list.push_back(from("huge_values", {60, 60}, [](auto& e) {
    for (index_t i = 0; i < 60; ++i)
      for (index_t j = i % 5; j < 60; j += 11) e.push_back({i, j, value_at(16, i * 60 + j) * 1e17});
  }));
  list.push_back(from("tiny_values", {60, 60}, [](auto& e) {
    for (index_t i = 0; i < 60; ++i)
      for (index_t j = i % 5; j < 60; j += 11)
        e.push_back({i, j, value_at(16, i * 60 + j) * 1e-20});
  }));
  list.push_back(not_finite());
  list.push_back(colliding_columns());
  // Long enough for several chunks of every chunked kernel, with rows across the borders.
  list.push_back(random_rows(
      "many_chunks", {6000, 3000}, [](index_t i) { return i % 2000 == 1999 ? 3000 : i % 7; }, 20));
  return list;
}

}  // namespace

double value_at(std::uint64_t seed, index_t i) {
  const auto bits = hash(seed, static_cast<std::uint64_t>(i)) >> 44;  // 20 bits
  return (static_cast<double>(bits) + 0.5) / 524288.0 - 1.0;
}

const std::vector<matrix_case>& all() {
  static const std::vector<matrix_case> list = build();
  return list;
}

const matrix_case& named(const std::string& name) {
  for (const auto& c : all())
    if (c.name == name) return c;
  throw std::out_of_range("no case is called " + name);
}

template <scalar T>
csr_matrix<T> as_csr(const matrix_case& c, widths w) {
  const auto nnz = static_cast<index_t>(c.entries.size());
  csr_matrix<T> result(c.shape, nnz, w);
  const auto view = result.mutable_view();
  const auto set = [](const index_span& s, index_t at, index_t value) {
    if (s.width() == index_width::i32)
      s.as<std::int32_t>()[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(value);
    else
      s.as<std::int64_t>()[static_cast<std::size_t>(at)] = value;
  };
  index_t p = 0;
  for (index_t i = 0; i < c.shape.rows; ++i) {
    set(view.offsets, i, p);
    for (; p < nnz && c.entries[static_cast<std::size_t>(p)].row == i; ++p) {
      set(view.columns, p, c.entries[static_cast<std::size_t>(p)].column);
      view.values[p] = static_cast<T>(c.entries[static_cast<std::size_t>(p)].value);
    }
  }
  set(view.offsets, c.shape.rows, nnz);
  return result;
}

template csr_matrix<float> as_csr<float>(const matrix_case&, widths);
template csr_matrix<double> as_csr<double>(const matrix_case&, widths);

}  // namespace gossamer::cases
