#include "reference.hpp"

#include <algorithm>
#include <cmath>

namespace gossamer::bench {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t random_at(std::uint64_t seed, std::uint64_t i) {
  return mix(mix(seed + 0x9e3779b97f4a7c15ULL) + i * 0x9e3779b97f4a7c15ULL);
}

void add_row(matrix& m, std::vector<std::int32_t> columns) {
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (const std::int32_t column : columns) {
    const double value = number_at(static_cast<std::uint64_t>(m.rows) + 7, m.columns.size());
    m.columns.push_back(column);
    m.doubles.push_back(value);
    m.singles.push_back(static_cast<float>(value));
  }
  m.offsets.push_back(static_cast<std::int32_t>(m.columns.size()));
  ++m.rows;
}

matrix empty(index_t rows, index_t cols) {
  matrix m{.cols = cols};
  for (index_t row = 0; row < rows; ++row) add_row(m, {});
  return m;
}

matrix single() {
  matrix m{.cols = 1};
  add_row(m, {0});
  return m;
}

/// Uniform columns. Rows and columns with an index divisible by `empty_every` have no entry.
matrix uniform(index_t rows, index_t cols, std::uint64_t per_row, index_t empty_every) {
  matrix m{.cols = cols};
  const auto seed = static_cast<std::uint64_t>(rows * 1000 + cols);
  for (index_t row = 0; row < rows; ++row) {
    std::vector<std::int32_t> columns;
    for (std::uint64_t k = 0; k < per_row; ++k) {
      const std::uint64_t random = random_at(seed, static_cast<std::uint64_t>(row) * per_row + k);
      const auto column = static_cast<index_t>(random % static_cast<std::uint64_t>(cols));
      if (row % empty_every == 0 || column % empty_every == 0) continue;
      columns.push_back(static_cast<std::int32_t>(column));
    }
    add_row(m, columns);
  }
  return m;
}

/// Row r has about size / (r + 1) entries, and low columns are the most frequent.
matrix power_law(index_t size) {
  matrix m{.cols = size};
  for (index_t row = 0; row < size; ++row) {
    std::vector<std::int32_t> columns;
    const index_t degree = 2 + size / 4 / (row + 1);
    for (index_t k = 0; k < degree; ++k) {
      const auto at = static_cast<std::uint64_t>(row * size + k);
      const double u = std::fabs(number_at(99, at));
      columns.push_back(static_cast<std::int32_t>(u * u * u * static_cast<double>(size)));
    }
    add_row(m, columns);
  }
  return m;
}

void add(expected& sum, double left, double right) {
  sum.value += left * right;
  sum.bound += std::fabs(left * right);
}

}  // namespace

double number_at(std::uint64_t seed, std::uint64_t i) {
  const auto bits = static_cast<double>(random_at(seed, i) >> 44) + 0.5;  // 21 bits with the half
  return std::ldexp(bits, -19) - 1;
}

csr_arrays matrix::arrays(value_type type) const {
  const void* values = doubles.data();
  if (type == value_type::f32) values = singles.data();
  return {rows, cols, offsets.data(), columns.data(), values};
}

const std::vector<problem_case>& problem_cases() {
  constexpr index_t never = 1 << 30;
  static const std::vector<problem_case> cases = {
      {"empty", empty(3, 4), empty(4, 5)},
      {"1x1", single(), single()},
      {"gaps", uniform(61, 40, 4, 3), uniform(40, 83, 5, 4)},
      {"random", uniform(200, 150, 8, never), uniform(150, 180, 9, never)},
      {"power_law", power_law(2000), power_law(2000)}};
  return cases;
}

std::vector<expected> dense_product(const matrix& a, const std::vector<double>& x,
                                    index_t columns) {
  std::vector<expected> c(static_cast<std::size_t>(a.rows * columns));
  for (index_t row = 0; row < a.rows; ++row) {
    for (index_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      for (index_t j = 0; j < columns; ++j) {
        add(c[row * columns + j], a.doubles[k], x[a.columns[k] * columns + j]);
      }
    }
    const double terms = a.offsets[row + 1] - a.offsets[row] + 2;
    for (index_t j = 0; j < columns; ++j) c[row * columns + j].bound *= terms;
  }
  return c;
}

std::vector<std::map<std::int32_t, expected>> sparse_product(const matrix& a, const matrix& b) {
  std::vector<std::map<std::int32_t, expected>> c(static_cast<std::size_t>(a.rows));
  for (index_t row = 0; row < a.rows; ++row) {
    for (index_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      const std::int32_t inner = a.columns[k];
      for (index_t l = b.offsets[inner]; l < b.offsets[inner + 1]; ++l) {
        add(c[row][b.columns[l]], a.doubles[k], b.doubles[l]);
      }
    }
    const double terms = a.offsets[row + 1] - a.offsets[row] + 2;
    for (auto& [column, entry] : c[row]) entry.bound *= terms;
  }
  return c;
}

}  // namespace gossamer::bench
