// From the semiring of the options to its type.
#pragma once

#include "gossamer/semirings.hpp"

namespace gossamer {

/// Calls f.template operator()<semirings::...>() for the semiring. Complex values T have one.
template <class T = double, class F>
decltype(auto) with_semiring(semiring which, F&& f) {
  if constexpr (real_scalar<T>) {
    switch (which) {
      case semiring::min_plus: return f.template operator()<semirings::min_plus>();
      case semiring::max_plus: return f.template operator()<semirings::max_plus>();
      case semiring::or_and: return f.template operator()<semirings::or_and>();
      case semiring::plus_pair: return f.template operator()<semirings::plus_pair>();
      case semiring::any_pair: return f.template operator()<semirings::any_pair>();
      case semiring::plus_first: return f.template operator()<semirings::plus_first>();
      case semiring::plus_second: return f.template operator()<semirings::plus_second>();
      case semiring::min_first: return f.template operator()<semirings::min_first>();
      case semiring::min_second: return f.template operator()<semirings::min_second>();
      case semiring::max_first: return f.template operator()<semirings::max_first>();
      case semiring::max_second: return f.template operator()<semirings::max_second>();
      case semiring::min_times: return f.template operator()<semirings::min_times>();
      case semiring::max_times: return f.template operator()<semirings::max_times>();
      case semiring::max_min: return f.template operator()<semirings::max_min>();
      case semiring::plus_times: break;
    }
  }
  return f.template operator()<semirings::plus_times>();
}

}  // namespace gossamer
