// Computes one row of C in an accumulator, over a semiring and through a mask gate.
#pragma once

#include <optional>

#include "kernels/spgemm/accumulators/bitmap_spa.hpp"
#include "kernels/spgemm/accumulators/hash_table.hpp"
#include "kernels/spgemm/accumulators/spa.hpp"
#include "kernels/spgemm/masked/masked_rows.hpp"

namespace gossamer {

namespace detail {

/// A semiring as a distinct type, so that its instantiations are not merged with those of the
/// kernels. Accumulators compiled here are inlined less than in the kernels' own files, and the
/// linker must not pick these copies (the hash kernel lost a quarter of its speed that way).
template <class Semiring>
struct unmerged_copy : Semiring {};

/// Adapts hash_table to the accumulator interface.
template <class I, class T, class Semiring>
class hash_accumulator {
 public:
  hash_accumulator(index_t, const std::shared_ptr<memory_resource>& source) : table_(source) {}
  void reserve(index_t most) { table_.reserve(most); }
  template <class Rows, class Gate>
  void add(const Rows& b, index_t row, T factor, const Gate& gate) {
    const index_t first = b.begin(row);
    table_.add(
        b.columns_from(first), b.end(row) - first,
        [&](index_t q) { return Semiring::multiply(factor, b.value(first + q)); }, gate);
  }
  template <class Rows, class Gate>
  void mark(const Rows& b, index_t row, const Gate& gate) {
    const index_t first = b.begin(row);
    table_.touch(b.columns_from(first), b.end(row) - first, gate);
  }
  index_t take(I* columns, T* values, T alpha) {
    const index_t entries = table_.count();
    table_.take(columns, values, alpha);
    return entries;
  }
  index_t count() {
    const index_t entries = table_.count();
    table_.forget();
    return entries;
  }

 private:
  hash_table<I, T, Semiring> table_;
};

template <class Accumulator, class I, class T>
class accumulated_row final : public masked_row<I, T> {
 public:
  accumulated_row(const masked_operands<I, T>& of, const std::shared_ptr<memory_resource>& source)
      : of_(of), sums_(of.columns, source) {
    if (of.mask) gate_.emplace(*of.mask, source);
  }

  index_t count(index_t row, index_t most) override {
    visit(row, most,
          [this](index_t, index_t from, const auto& gate) { sums_.mark(of_.b, from, gate); });
    return sums_.count();
  }
  index_t make(index_t row, index_t most, I* columns, T* values) override {
    visit(row, most, [this](index_t k, index_t from, const auto& gate) {
      sums_.add(of_.b, from, conjugated_if(of_.conjugate_a, of_.a.value(k)), gate);
    });
    const index_t entries = sums_.take(columns, values, of_.alpha);
    if constexpr (complex_scalar<T>)
      if (of_.conjugate_result)
        for (index_t k = 0; k < entries; ++k) values[k] = conjugated_if(true, values[k]);
    return entries;
  }

 private:
  /// Calls f(nonzero of A, row of B, gate) for a row of A.
  template <class F>
  void visit(index_t row, index_t most, F&& f) {
    if constexpr (requires { sums_.reserve(most); }) sums_.reserve(most);
    const auto each = [&](const auto& gate) {
      const index_t end = of_.a.end(row);
      for (index_t k = of_.a.begin(row); k < end; ++k) {
        prefetch_rows(of_.a, of_.b, k, of_.a_entries);
        f(k, of_.a.column(k), gate);
      }
    };
    if (!gate_) return each(open_gate{});
    gate_->open(row);
    each(*gate_);
    gate_->close(row);
  }

  masked_operands<I, T> of_;
  Accumulator sums_;
  std::optional<mask_gate> gate_;
};

}  // namespace detail

template <template <class> class Semiring, class I, class T>
std::unique_ptr<masked_row<I, T>> make_masked_row(const masked_operands<I, T>& of,
                                                  const std::shared_ptr<memory_resource>& source) {
  const auto create = [&]<class Accumulator>() -> std::unique_ptr<masked_row<I, T>> {
    return std::make_unique<detail::accumulated_row<Accumulator, I, T>>(of, source);
  };
  using over = detail::unmerged_copy<Semiring<T>>;
  if constexpr (semirings::is_rare<over>)
    return create.template operator()<detail::hash_accumulator<I, T, over>>();
  else if (of.in == row_accumulator::hash)
    return create.template operator()<detail::hash_accumulator<I, T, over>>();
  if constexpr (real_scalar<T> && !semirings::is_rare<over>)
    if (of.in == row_accumulator::spa) return create.template operator()<spa<I, T, over>>();
  if constexpr (!semirings::is_rare<over>)
    return create.template operator()<bitmap_spa<I, T, over>>();
}

}  // namespace gossamer
