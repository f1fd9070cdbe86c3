// What convert() is made of: every format into compressed rows, and compressed rows into every
// format. Host and device have a table of these functions each, and both give the same arrays.
#pragma once

#include <initializer_list>
#include <tuple>

#include "convert/arrays.hpp"
#include "gossamer/complex.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

/// alpha * a, not yet multiplied out.
template <scalar T>
struct scaled_rows {
  csr_view<const T> a;
  T alpha = 1;
};

/// The functions for one value type.
template <scalar T>
struct conversions {
  template <class Matrix>
  using from_rows = Matrix (*)(const context&, const scaled_rows<T>&, const convert_options&);

  /// alpha * view as the arrays of a CSR matrix. Nonzeros of a row keep their order (CSC: by
  /// column); duplicates stay; a dense matrix leaves its exact zeros behind, and keeps NaN.
  compressed<T> (*to_rows)(const context&, const any_view<const T>& view, T alpha);

  from_rows<coo_matrix<T>> to_coo;
  from_rows<ell_matrix<T>> to_ell;
  from_rows<sellp_matrix<T>> to_sellp;
  from_rows<hyb_matrix<T>> to_hyb;
  from_rows<dense_matrix<T>> to_dense;  ///< duplicates add up, in order

  /// The layout may change; zeros and NaN stay as they are.
  dense_matrix<T> (*copy_dense)(const context&, const dense_view<const T>&, T alpha, layout);
};

/// The conversions of all value types. From one type to another, values change by themselves
/// (values.cpp).
class conversion_table {
 public:
  /// Each of `entries` enters the functions of one file.
  explicit conversion_table(std::initializer_list<void (*)(conversion_table&)> entries) {
    for (const auto enter : entries) enter(*this);
  }
  template <scalar T>
  const conversions<T>& of() const {
    return std::get<conversions<T>>(all_);
  }
  /// Calls f(conversions<T>&) for every value type.
  template <class F>
  void for_each_type(F&& f) {
    std::apply([&](auto&... one) { (f(one), ...); }, all_);
  }

 private:
  std::tuple<conversions<float>, conversions<double>, conversions<std::complex<float>>,
             conversions<std::complex<double>>>
      all_{};
};

void enter_to_rows(conversion_table& table);  ///< to_rows.cpp
void enter_plain(conversion_table& table);    ///< plain.cpp
void enter_padded(conversion_table& table);   ///< padded.cpp

namespace cuda {
/// The conversions on a device. Throws error(not_available) in a build without CUDA.
const conversion_table& device_conversions();

void enter_to_rows(conversion_table& table);  ///< cuda/to_rows.cuda.cu
void enter_plain(conversion_table& table);    ///< cuda/plain.cuda.cu
void enter_padded(conversion_table& table);   ///< cuda/padded.cuda.cu
}  // namespace cuda

}  // namespace gossamer
