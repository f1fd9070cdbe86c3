// Row offsets of either width through one type, so that kernels are compiled for the width of
// columns only. For kernels that read few offsets for each nonzero: every thread takes the same
// branch.
#pragma once

#include "gossamer/views.hpp"

namespace gossamer::device {

struct offset_reader {
  const void* data = nullptr;
  bool wide = false;
  explicit offset_reader(const index_view& view)
      : data(view.data()), wide(view.width() == index_width::i64) {}
  __device__ index_t operator[](index_t at) const {
    return wide ? static_cast<const std::int64_t*>(data)[at]
                : index_t{static_cast<const std::int32_t*>(data)[at]};
  }
};

/// CSR with columns of type I.
template <class T, class I>
struct csr_columns_ref {
  index_t rows = 0, cols = 0;
  offset_reader offsets;
  const I* columns = nullptr;
  T* values = nullptr;
};

/// f(csr_columns_ref) with the type that the columns of `view` have.
template <class T, class F>
void with_column_type(const csr_view<T>& view, F&& f) {
  const auto call = [&]<class I>() {
    f(csr_columns_ref<T, I>{view.shape.rows, view.shape.cols, offset_reader(view.offsets),
                            static_cast<const I*>(view.columns.data()), view.values});
  };
  if (view.columns.width() == index_width::i32)
    call.template operator()<std::int32_t>();
  else
    call.template operator()<std::int64_t>();
}

}  // namespace gossamer::device
