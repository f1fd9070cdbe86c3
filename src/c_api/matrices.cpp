// Matrices of the C interface: borrowed, assembled, read, converted, looked at.
#include <array>

#include "c_api/handles.hpp"
#include "formats/operand.hpp"

using namespace gossamer;
using namespace gossamer::c_api;

namespace {

index_view indices(const void* data, index_t count, int bytes, const char* name) {
  if (bytes != 4 && bytes != 8)
    throw fail(error_kind::bad_argument, "{} are said to have {} bytes; expected 4 or 8", name,
               bytes);
  return {data, count, bytes == 4 ? index_width::i32 : index_width::i64};
}

/// Calls f.operator()<T>() for the type.
template <class F>
decltype(auto) with_type(gossamer_type type, F&& f) {
  if (type < GOSSAMER_F32 || type > GOSSAMER_C128)
    throw fail(error_kind::bad_argument, "{} is not a type of values", static_cast<int>(type));
  return with_value_type(static_cast<value_type>(type), f);
}

template <template <class> class View>
gossamer_status borrow(gossamer_type type, extents shape, index_t lines, index_t nnz,
                       const void* offsets, int offset_bytes, const void* minor, int index_bytes,
                       const void* values, gossamer_matrix** out) {
  return guarded([&] {
    required(out, "out");
    require_valid(shape);
    const index_t starts = offsets == nullptr && lines == 0 ? 0 : lines + 1;
    with_type(type, [&]<class T>() {
      const View<const T> view(shape, indices(offsets, starts, offset_bytes, "offsets"),
                               indices(minor, nnz, index_bytes, "indices"),
                               static_cast<const T*>(values));
      auto handle = std::make_unique<gossamer_matrix>();
      handle->borrowed = express(view);
      detail::inspect_structure(handle->borrowed);  // sizes
      *out = handle.release();
    });
  });
}

/// The same expression over a copy in the memory of `target`.
template <class Copy>
void copy_matrix(const gossamer_matrix& from, gossamer_matrix** out, Copy&& copy) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        std::visit([&](const auto& view) { give(out, copy(view)); }, e.view);
      },
      from.view());
}

template <class F>
decltype(auto) with_view(const gossamer_matrix& from, F&& f) {
  return std::visit(
      [&]<class T>(const expression<T>& e) -> decltype(auto) { return std::visit(f, e.view); },
      from.view());
}

int bytes_of(index_view array) { return static_cast<int>(bytes(array.width())); }

}  // namespace

gossamer_status gossamer_borrow_csr(gossamer_type type, int64_t rows, int64_t cols, int64_t nnz,
                                    const void* offsets, int offset_bytes, const void* columns,
                                    int index_bytes, const void* values, gossamer_matrix** out) {
  return borrow<csr_view>(type, {rows, cols}, rows, nnz, offsets, offset_bytes, columns,
                          index_bytes, values, out);
}
gossamer_status gossamer_borrow_csc(gossamer_type type, int64_t rows, int64_t cols, int64_t nnz,
                                    const void* offsets, int offset_bytes, const void* row_indices,
                                    int index_bytes, const void* values, gossamer_matrix** out) {
  return borrow<csc_view>(type, {rows, cols}, cols, nnz, offsets, offset_bytes, row_indices,
                          index_bytes, values, out);
}

gossamer_status gossamer_from_triplets(gossamer_type type, int64_t rows, int64_t cols,
                                       int64_t count, const void* row_indices, const void* columns,
                                       int index_bytes, const void* values, gossamer_matrix** out) {
  return guarded([&] {
    required(out, "out");
    if (count < 0) throw fail(error_kind::bad_argument, "{} triplets were given", count);
    if (count > 0 && (row_indices == nullptr || columns == nullptr || values == nullptr))
      throw fail(error_kind::bad_argument, "an array of {} triplets is a null pointer", count);
    with_type(type, [&]<class T>() {
      give(out, detail::assembled<T>(
                    context::best(), {rows, cols}, indices(row_indices, count, index_bytes, "rows"),
                    indices(columns, count, index_bytes, "columns"),
                    {static_cast<const T*>(values), static_cast<std::size_t>(count)}));
    });
  });
}

gossamer_status gossamer_read(const char* path, gossamer_type type, gossamer_matrix** out) {
  return guarded([&] {
    required(path, "path"), required(out, "out");
    with_type(type, [&]<class T>() { give(out, read_sparse<T>(path)); });
  });
}

gossamer_status gossamer_write(const gossamer_matrix* matrix, const char* path) {
  return guarded([&] {
    required(path, "path");
    with_view(required(matrix, "matrix"), [&]<class View>(const View& view) {
      using T = typename View::value;
      if constexpr (std::same_as<View, csr_view<const T>>)
        write<T>(path, view);
      else
        throw fail(error_kind::bad_argument, "only CSR matrices can be written; convert it first");
    });
  });
}

gossamer_status gossamer_convert(const gossamer_context* context, gossamer_operand from,
                                 gossamer_format to, gossamer_matrix** out) {
  return guarded([&] {
    const auto& where = required(context, "context").where;
    required(out, "out");
    if (to < GOSSAMER_CSR || to > GOSSAMER_HYB)
      throw fail(error_kind::bad_argument, "{} is not a sparse format", static_cast<int>(to));
    std::visit(
        [&]<class T>(const expression<T>& e) {
          auto made = detail::convert_expression<T, T>(where, e, static_cast<format>(to), {});
          auto handle = std::make_unique<gossamer_matrix>();
          handle->held = std::move(made);
          *out = handle.release();
        },
        operand_of(from, "from"));
  });
}

gossamer_status gossamer_transpose(const gossamer_context* context, const gossamer_matrix* matrix,
                                   gossamer_matrix** out) {
  return gossamer_convert(context, {matrix, 1, GOSSAMER_TRANSPOSED, 0}, GOSSAMER_CSR, out);
}

gossamer_status gossamer_copy_to(const gossamer_context* context, const gossamer_matrix* matrix,
                                 gossamer_matrix** out) {
  return guarded([&] {
    const auto& where = required(context, "context").where;
    required(out, "out");
    copy_matrix(required(matrix, "matrix"), out,
                [&](const auto& view) { return copy_to(where, view); });
  });
}

gossamer_status gossamer_copy_to_host(const gossamer_context* context,
                                      const gossamer_matrix* matrix, gossamer_matrix** out) {
  return guarded([&] {
    const auto& where = required(context, "context").where;
    required(out, "out");
    copy_matrix(required(matrix, "matrix"), out,
                [&](const auto& view) { return copy_to_host(where, view); });
  });
}

gossamer_status gossamer_validate(const gossamer_context* context, const gossamer_matrix* matrix) {
  return guarded([&] {
    detail::validate(required(context, "context").where, required(matrix, "matrix").view(), {},
                     "the matrix");
  });
}

int64_t gossamer_rows(const gossamer_matrix* matrix) {
  return matrix ? with_view(*matrix, [](const auto& v) { return v.shape.rows; }) : 0;
}
int64_t gossamer_cols(const gossamer_matrix* matrix) {
  return matrix ? with_view(*matrix, [](const auto& v) { return v.shape.cols; }) : 0;
}
int64_t gossamer_nnz(const gossamer_matrix* matrix) {
  return matrix ? with_view(*matrix, [](const auto& v) { return v.nnz(); }) : 0;
}
gossamer_type gossamer_type_of(const gossamer_matrix* matrix) {
  if (matrix == nullptr) return GOSSAMER_F64;
  return static_cast<gossamer_type>(matrix->view().index());
}
gossamer_format gossamer_format_of(const gossamer_matrix* matrix) {
  if (matrix == nullptr) return GOSSAMER_CSR;
  return std::visit([](const auto& e) { return static_cast<gossamer_format>(e.view.index()); },
                    matrix->view());
}

gossamer_status gossamer_arrays_of(const gossamer_matrix* matrix, gossamer_arrays* out) {
  return guarded([&] {
    gossamer_arrays found{};
    with_view(required(matrix, "matrix"), [&](const auto& v) {
      if constexpr (requires { v.offsets, v.columns; })
        found = {v.offsets.data(),    nullptr, v.columns.data(), v.values, bytes_of(v.offsets),
                 bytes_of(v.columns), 0};
      else if constexpr (requires { v.offsets, v.rows; })
        found = {v.offsets.data(),    v.rows.data(),    nullptr, v.values,
                 bytes_of(v.offsets), bytes_of(v.rows), 0};
      else if constexpr (requires { v.rows, v.columns; })
        found = {nullptr, v.rows.data(), v.columns.data(), v.values, 0, bytes_of(v.columns), 0};
      else
        throw fail(error_kind::bad_argument,
                   "only CSR, CSC and COO have arrays of this kind; convert the matrix first");
      found.on_device = v.where == memory::device ? 1 : 0;
    });
    required(out, "out") = found;
  });
}

gossamer_status gossamer_values(gossamer_matrix* matrix, void** out) {
  return guarded([&] {
    required(out, "out");
    std::visit(
        [&]<class Held>(Held& any) {
          if constexpr (std::same_as<Held, std::monostate>)
            throw fail(error_kind::bad_argument,
                       "a borrowed matrix has the values of the caller; change them there");
          else
            std::visit(
                [&](auto& owner) {
                  if constexpr (requires { owner.values().data(); })
                    *out = owner.values().data();
                  else
                    throw fail(error_kind::bad_argument,
                               "HYB has two arrays of values; convert it");
                },
                any);
        },
        required(matrix, "matrix").held);
  });
}
