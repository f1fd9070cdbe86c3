// Small problems and their products by the plainest means: what every peer is compared with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/race/contestant.hpp"

namespace gossamer::bench {

/// A CSR matrix with its values in both types; the values are exact in float.
struct matrix {
  index_t rows = 0, cols = 0;
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<float> singles;
  std::vector<double> doubles;
  csr_arrays arrays(value_type) const;
};

struct problem_case {
  std::string name;
  matrix a, b;
};

/// Empty, 1x1, rectangular with empty rows and columns, random, and a power law.
const std::vector<problem_case>& problem_cases();

/// Pseudo-random numbers in [-1, 1), exact in float, never zero.
double number_at(std::uint64_t seed, std::uint64_t i);

/// One entry of a product: its value, and how far a sum in any order may be from it per epsilon.
struct expected {
  double value = 0, bound = 0;
};

/// a x (a.cols x columns, row-major).
std::vector<expected> dense_product(const matrix& a, const std::vector<double>& x, index_t columns);
/// a b, by rows: column -> entry; nonzeros that cancel are kept.
std::vector<std::map<std::int32_t, expected>> sparse_product(const matrix& a, const matrix& b);

}  // namespace gossamer::bench
