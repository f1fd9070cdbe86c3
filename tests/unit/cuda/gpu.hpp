// A test that needs a device.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "cases/cases.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {

class on_gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (available(backend::cuda)) return;
    if (std::getenv("GOSSAMER_REQUIRE_GPU")) FAIL() << why_not_available(backend::cuda);
    GTEST_SKIP() << why_not_available(backend::cuda);
  }
};

inline constexpr widths narrow{index_width::i32, index_width::i32};

/// The power-law case and an x for it.
inline csr_matrix<double> some_matrix() {
  return cases::as_csr<double>(cases::named("power_law"), narrow);
}
inline std::vector<double> some_vector(index_t n, std::uint64_t seed = 7) {
  std::vector<double> values(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = cases::value_at(seed, i);
  return values;
}

/// A x on the host, serially.
inline std::vector<double> reference_product(const csr_matrix<double>& a,
                                             const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows()));
  multiply(context::reference(), a, x, y);
  return y;
}

inline void expect_close(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], 1e-11 * (1 + std::abs(wanted[i]))) << "row " << i;
}

}  // namespace gossamer
