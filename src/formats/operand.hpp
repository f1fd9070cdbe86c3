// Queries on the type-erased operands that cross the library boundary, and their normal form.
#pragma once

#include "gossamer/operand.hpp"

namespace gossamer {

/// Properties of an operand that need no access to its arrays.
struct operand_facts {
  gossamer::format format = format::csr;
  value_type values = value_type::f64;
  widths index;
  extents shape;            ///< of op(A)
  index_t nnz = 0;          ///< stored elements without padding
  index_t places = 0;       ///< stored positions, padding included
  bool transposed = false;  ///< only ELL, SELL-P and HYB in normal form
  bool conjugated = false;  ///< only complex values
  memory where = memory::host;
};
operand_facts facts(const operand&);

/// The same matrix with transposition moved into the view where that is free: a transposed CSR is a
/// CSC over the same arrays, COO swaps its index arrays, dense swaps its layout.
operand normal_form(const operand&);

/// The same, after checks that take no time: the arrays have the sizes that the shape implies, and
/// none that is needed is a null pointer. Throws error(bad_argument) that calls the operand `name`.
operand checked_form(const operand&, std::string_view name);

/// A compressed operand with its own indices and no values: what looks at structures only need not
/// be compiled for every value type.
operand structure_of(const operand&);

/// "A (f64 csr, 3 x 4, 7 entries)": how messages call an operand.
std::string describe(const operand_facts&, std::string_view name);

/// The view of type V inside an operand in normal form; a different one is an internal error.
template <class V>
const V& view_as(const operand& o) {
  return std::get<V>(std::get<expression<typename V::value>>(o).view);
}

/// The scale factor, in the operand's own type.
template <scalar T>
T alpha_of(const operand& o) {
  return std::get<expression<T>>(o).alpha;
}

/// Calls f(view) with the sparse or dense view inside, value type resolved.
template <scalar T, class F>
decltype(auto) visit_view(const operand& o, F&& f) {
  return std::visit(std::forward<F>(f), std::get<expression<T>>(o).view);
}

/// Calls f.operator()<T>() for the value type.
template <class F>
decltype(auto) with_value_type(value_type type, F&& f) {
  switch (type) {
    case value_type::f32: return f.template operator()<float>();
    case value_type::c64: return f.template operator()<std::complex<float>>();
    case value_type::c128: return f.template operator()<std::complex<double>>();
    case value_type::f64: break;
  }
  return f.template operator()<double>();
}

/// The same in kernels of real values only (kernel::values): nothing is compiled for others.
template <class F>
decltype(auto) with_real_type(value_type type, F&& f) {
  return type == value_type::f32 ? f.template operator()<float>() : f.template operator()<double>();
}

/// std::visit of an operand, a target or a result in kernels of real values only.
template <class F, class Variant>
decltype(auto) visit_real(F&& f, Variant&& v) {
  static_assert(static_cast<int>(value_type::f32) == 0 && static_cast<int>(value_type::f64) == 1);
  if (v.index() == 0) return f(std::get<0>(v));
  return f(std::get<1>(v));  // throws for others, which such a kernel never gets
}

/// The same in kernels of complex values only.
template <class F, class Variant>
decltype(auto) visit_complex(F&& f, Variant&& v) {
  static_assert(static_cast<int>(value_type::c64) == 2 && static_cast<int>(value_type::c128) == 3);
  if (v.index() == 2) return f(std::get<2>(v));
  return f(std::get<3>(v));
}

}  // namespace gossamer
