// An error of a kind whose text has these parts.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "gossamer/error.hpp"

namespace gossamer {

struct expectation {
  error_kind kind;
  std::vector<std::string> parts;
};

inline void expect_error(const std::function<void()>& wrong, const expectation& wanted) {
  try {
    wrong();
    FAIL() << "no error";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), wanted.kind) << e.what();
    for (const auto& part : wanted.parts)
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part << " in: " << e.what();
  }
}

}  // namespace gossamer
