#include "cli/output/failure.hpp"

#include <new>

#include "base/text.hpp"
#include "cli/output/report.hpp"
#include "gossamer/error.hpp"

namespace gossamer::cli {

namespace {

exit_code code_of(error_kind kind) {
  switch (kind) {
    case error_kind::bad_argument: return exit_code::bad_usage;
    case error_kind::not_available: return exit_code::not_available;
    case error_kind::bad_input:
    case error_kind::io_failure: return exit_code::bad_input;
    case error_kind::overflow:
    case error_kind::out_of_memory:
    case error_kind::memory_limit: return exit_code::out_of_memory;
    case error_kind::device_failure: return exit_code::internal;
  }
  return exit_code::internal;
}

/// What helps depends on the command: kernels and algorithms are of no use to a conversion.
std::string hint_for(error_kind kind, const std::string& command) {
  const bool multiplies = command == "gossamer multiply" || command == "gossamer info" ||
                          command.starts_with("gossamer bench");
  switch (kind) {
    case error_kind::bad_argument: return formatted("'{} --help' shows what is possible", command);
    case error_kind::not_available:
      return multiplies ? "'gossamer info --kernels' lists what this build and machine can run; "
                          "--on best takes what is here"
                        : "";
    case error_kind::out_of_memory:
    case error_kind::memory_limit:
      return multiplies ? "'gossamer info FILE --why spgemm' tells what each algorithm needs" : "";
    default: return {};
  }
}

}  // namespace

failure describe_current_exception(const std::string& command) {
  try {
    throw;
  } catch (const usage_error& e) {
    return {exit_code::bad_usage, "bad usage", e.what(),
            e.hint().empty() ? formatted("'{} --help' shows what is possible", command) : e.hint()};
  } catch (const not_built_error& e) {
    return {exit_code::not_available, std::string(name(error_kind::not_available)), e.what(),
            e.hint()};
  } catch (const error& e) {
    return {code_of(e.kind()), std::string(name(e.kind())), e.what(), hint_for(e.kind(), command)};
  } catch (const std::bad_alloc&) {
    return {
        exit_code::out_of_memory, "out of memory", "the system has no more memory for this", {}};
  } catch (const std::exception& e) {
    return {exit_code::internal, "internal error", formatted("internal error: {}", e.what()),
            "please report this, with the command line and the file"};
  }
}

namespace {

/// Where stdout takes no more, the failure that is reported may be just that: the code remains.
void print_failure_object(const failure& what) {
  try {
    print_json({{"error",
                 {{"kind", what.kind},
                  {"text", what.text},
                  {"hint", what.hint},
                  {"exit_code", static_cast<int>(what.code)}}}});
    flush_output();
  } catch (const error&) {
  }
}

}  // namespace

exit_code report_failure(const failure& what, failure_style style) {
  const painter err = painter::for_stderr();
  print_error("{} {}\n", err.bad("gossamer: error:"), what.text);
  if (!what.hint.empty()) print_error("{} {}\n", err.faint("gossamer: hint:"), what.hint);
  if (style.as_json) print_failure_object(what);
  return what.code;
}

}  // namespace gossamer::cli
