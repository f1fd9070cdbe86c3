// Parameters of kernels as text: values, and what is said about mistakes.
#include "plan/tuning.hpp"

#include <gtest/gtest.h>

#include "gossamer/error.hpp"

namespace gossamer {

namespace {

std::string message_of(auto&& f) {
  try {
    f();
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_argument);
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(Tuning, ValuesAndDefaults) {
  const tuning given("bins=12,balance=even", "some/kernel", "bins,local_bytes,balance");
  EXPECT_EQ(given.number("bins", 3, 1), 12);
  EXPECT_EQ(given.number("local_bytes", 512, 1), 512);
  EXPECT_EQ(given.word("balance", {"flop", "even"}), "even");
  EXPECT_EQ(tuning("", "some/kernel", "balance").word("balance", {"flop", "even"}), "flop");
}

TEST(Tuning, MistakesAreNamed) {
  const auto parse = [](std::string_view text) { return tuning(text, "some/kernel", "bins,sort"); };
  EXPECT_EQ(message_of([&] { parse("bin=3"); }),
            "some/kernel has no parameter 'bin'; it has bins,sort");
  EXPECT_NE(message_of([&] { parse("bins"); }).find("bins=value"), std::string::npos);
  EXPECT_NE(message_of([&] { parse("bins=3,bins=4"); }).find("twice"), std::string::npos);
  EXPECT_NE(message_of([&] { parse("bins=-3").number("bins", 1, 1); }).find("'-3'"),
            std::string::npos);
  EXPECT_NE(message_of([&] { parse("bins=3x").number("bins", 1, 1); }).find("'3x'"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              parse("sort=no").word("sort", {"stable", "flag"});
            }).find("stable, flag"),
            std::string::npos);
  EXPECT_NE(message_of([] { tuning("bins=3", "plain/kernel", ""); }).find("no parameters"),
            std::string::npos);
}

}  // namespace

}  // namespace gossamer
