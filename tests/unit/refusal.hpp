// The text of an error that a test expects.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gossamer/error.hpp"

namespace gossamer {

/// Runs work(), which must throw an error of this kind, and returns its text.
template <class Work>
std::string refusal(error_kind kind, Work&& work) {
  try {
    work();
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

}  // namespace gossamer
