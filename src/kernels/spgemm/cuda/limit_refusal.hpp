// The error of a product on a device that a memory limit does not allow.
#pragma once

#include <string_view>

#include "base/text.hpp"
#include "plan/problem.hpp"

namespace gossamer::device {

/// Throws error(memory_limit): `needed` bytes would do; `for_what` says what they are for ("C with
/// 7 nonzeros").
[[noreturn]] inline void refuse_limit(const problem& p, std::string_view for_what, index_t needed) {
  throw fail(error_kind::memory_limit,
             "{} cannot be computed on {} within {}: {} beyond A and B need {}; the smallest limit "
             "that would do is {} bytes",
             p.text(), name(p.backend), bytes_text(p.options.memory_limit), for_what,
             bytes_text(needed), needed);
}

}  // namespace gossamer::device
