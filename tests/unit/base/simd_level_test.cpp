// The level of vector instructions: reading GOSSAMER_SIMD, and what comes of it.
#include "base/simd_level.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "gossamer/error.hpp"
#include "gossamer/machine.hpp"

namespace gossamer {
namespace {

TEST(simd_level, every_name_is_read_back) {
  for (const auto level : {simd_level::portable, simd_level::avx2, simd_level::avx512})
    EXPECT_EQ(read_simd_cap(std::string(name(level)).c_str()), level);
  EXPECT_EQ(name(simd_level::avx2), "avx2");
}

TEST(simd_level, nothing_is_no_cap) {
  EXPECT_EQ(read_simd_cap(nullptr), std::nullopt);
  EXPECT_EQ(read_simd_cap(""), std::nullopt);
}

TEST(simd_level, an_unknown_name_is_refused_with_the_known_ones) {
  for (const char* const value : {"sse2", "AVX2", "avx", "avx512 ", "1"}) {
    try {
      read_simd_cap(value);
      FAIL() << value;
    } catch (const error& e) {
      const std::string text = e.what();
      EXPECT_EQ(e.kind(), error_kind::bad_argument);
      EXPECT_NE(text.find("GOSSAMER_SIMD is \"" + std::string(value) + "\""), std::string::npos);
      EXPECT_NE(text.find("portable, avx2 or avx512"), std::string::npos) << text;
    }
  }
}

TEST(simd_level, a_cap_only_lowers) {
  using enum simd_level;
  EXPECT_EQ((simd_support{avx512, std::nullopt}.used()), avx512);
  EXPECT_EQ((simd_support{avx512, avx2}.used()), avx2);
  EXPECT_EQ((simd_support{avx512, portable}.used()), portable);
  EXPECT_EQ((simd_support{avx2, avx512}.used()), avx2);
  EXPECT_EQ((simd_support{portable, avx512}.used()), portable);
}

TEST(simd_level, this_process_heeds_the_environment) {
  EXPECT_EQ(simd().cap, read_simd_cap(std::getenv("GOSSAMER_SIMD")));
  EXPECT_EQ(simd().processor, processor_simd());
  EXPECT_EQ(this_machine().simd, name(simd().used()));
  EXPECT_EQ(this_machine().simd_processor, name(simd().processor));
  EXPECT_EQ(this_machine().simd_cap, simd().cap ? name(*simd().cap) : "");
}

}  // namespace
}  // namespace gossamer
