// Turns an exception into an error line, a hint and an exit code.
#pragma once

#include <stdexcept>
#include <string>

#include "cli/output/exit_codes.hpp"

namespace gossamer::cli {

/// The arguments are invalid; `hint` is the way out ("" points at --help).
class usage_error : public std::runtime_error {
 public:
  explicit usage_error(const std::string& text, std::string hint = {})
      : std::runtime_error(text), hint_(std::move(hint)) {}
  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
};

/// A command that was left out of this build; `hint` says how it is built.
class not_built_error : public std::runtime_error {
 public:
  not_built_error(const std::string& text, std::string hint)
      : std::runtime_error(text), hint_(std::move(hint)) {}
  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
};

struct failure {
  exit_code code = exit_code::internal;
  std::string kind, text, hint;
};

/// Call inside a catch block. `command` ("gossamer multiply") is named in hints.
failure describe_current_exception(const std::string& command);

/// On stderr for people; with `as_json` also as one object on stdout.
struct failure_style {
  bool as_json = false;
};
exit_code report_failure(const failure& what, failure_style style);

}  // namespace gossamer::cli
