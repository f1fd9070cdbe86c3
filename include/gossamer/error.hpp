// The one exception type of the library. Its kind says what went wrong; its text names the operand,
// its size, what was expected and the way out.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace gossamer {

/// What went wrong, for programs that react to it. The command line turns kinds into exit codes.
enum class error_kind {
  bad_argument,   ///< the call itself makes no sense: shapes, aliasing, unknown names
  bad_input,      ///< a file or matrix is broken
  not_available,  ///< this build, machine or kernel cannot do it
  overflow,       ///< a count does not fit the index width asked for
  out_of_memory,  ///< the system refused memory
  memory_limit,   ///< the caller's limit would be exceeded
  io_failure,     ///< the file system refused
  device_failure  ///< a device refused a call or failed in one
};

/// Name of the kind, as printed by the command line.
std::string_view name(error_kind);

/// Every error the library reports is thrown as this type.
class error : public std::runtime_error {
 public:
  error(error_kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  error_kind kind() const noexcept { return kind_; }

 private:
  error_kind kind_;
};

}  // namespace gossamer
