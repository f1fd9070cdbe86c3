// What the plug-ins share: the choice of the value type, a dense output, handing out CSR arrays.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "bench/peers/peer.hpp"

namespace gossamer::bench {

/// The `make` of an entry that takes both value types.
template <template <class> class Contestant>
std::unique_ptr<contestant> make_any(const race_problem& problem) {
  if (problem.type == value_type::f32) return std::make_unique<Contestant<float>>(problem);
  return std::make_unique<Contestant<double>>(problem);
}

template <class T>
const T* values_of(const csr_arrays& matrix) {
  return static_cast<const T*>(matrix.values);
}

template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

/// A contestant that writes y or C into a plain row-major array.
template <class T>
class dense_contestant : public contestant {
 public:
  explicit dense_contestant(const race_problem& problem)
      : problem_(problem), output_(static_cast<std::size_t>(problem.a.rows * problem.columns)) {}
  void poison() override { std::fill(output_.begin(), output_.end(), not_a_number<T>); }
  using contestant::answer;
  void answer(const dense_answer& out) override {
    std::copy(output_.begin(), output_.end(), static_cast<T*>(out.values));
  }

 protected:
  const T* input() const { return static_cast<const T*>(problem_.x); }

  race_problem problem_;
  std::vector<T> output_;
};

/// Copies a CSR result, whatever the peer's index types are.
template <class Offset, class Column, class T>
void hand_out(index_t rows, const Offset* offsets, const Column* columns, const T* values,
              sparse_answer& out) {
  const auto nnz = rows > 0 ? static_cast<std::size_t>(offsets[rows]) : 0;
  out.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
  if (rows > 0) std::copy(offsets, offsets + rows + 1, out.offsets.begin());
  out.columns.resize(nnz);
  std::transform(columns, columns + nnz, out.columns.begin(),
                 [](Column column) { return static_cast<std::int32_t>(column); });
  out.values.assign(values, values + nnz);
}

}  // namespace gossamer::bench
