// Common parts of kernels that multiply by a copy of a CSR matrix, which the plan keeps on the
// device.
#pragma once

#include <memory>

#include "backends/cuda/device.hpp"
#include "kernels/common/cuda/row_classes.cuh"
#include "plan/kernel.hpp"

namespace gossamer::device {

/// Why no copy of A can be kept, or nothing.
inline std::string_view cannot_keep(const problem& p) {
  if (p.a.format != format::csr) return "takes CSR";
  if (!p.options.constant_values)
    return "keeps a copy of A's values; constant_values would allow it";
  if (p.a.shape.rows >= index_t{1} << 32) return "numbers rows by 32 bits";
  return {};
}

/// Calls make(A as a CSR view), which returns a struct that knows its bytes() and the rows it left
/// in CSR (`longer`).
template <class Make>
state keep_rows(const operands& o, const context& where, Make&& make) {
  const cuda::device_guard on(where);
  return visit_real(
      [&]<class T>(const expression<T>& e) {
        auto copy = make(std::get<csr_view<const T>>(e.view));
        auto sums = std::make_shared<partial_sums>(where, copy.longer.pieces);
        const index_t held = copy.bytes() + sums->bytes();
        return state{.tables = std::make_shared<decltype(copy)>(std::move(copy)),
                     .workspace = std::move(sums),
                     .bytes = held};
      },
      o.a);
}

}  // namespace gossamer::device
