// Operands where a kernel's context wants them, and results back on the host.
#pragma once

#include <optional>

#include "conformance/suite.hpp"

namespace gossamer::conformance {

inline bool on_device(const context& where) { return where.backend() == backend::cuda; }

/// A matrix as the context takes it: the host's own, or a copy on the device. Borrows.
template <class T>
class placed {
 public:
  placed(const context& where, const csr_matrix<T>& a) : host_(&a) {
    if (on_device(where)) copy_.emplace(copy_to(where, a));
  }
  const csr_matrix<T>& matrix() const { return copy_ ? *copy_ : *host_; }

 private:
  const csr_matrix<T>* host_;
  std::optional<csr_matrix<T>> copy_;
};

/// A result on the host.
template <class T>
csr_matrix<T> fetched(const context& where, csr_matrix<T> c) {
  return on_device(where) ? copy_to_host(where, c) : std::move(c);
}

}  // namespace gossamer::conformance
