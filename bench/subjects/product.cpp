#include "bench/subjects/product.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "formats/value_types.hpp"
#include "gossamer/analysis.hpp"
#include "gossamer/copy.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::bench {

template <scalar T>
void fill_nan(std::span<T> values) {
  constexpr index_t grain = 1 << 16;
  parallel_ranges(context::best().threads(), std::ssize(values), grain,
                  [&](index_t begin, index_t end) {
                    std::fill(values.begin() + begin, values.begin() + end,
                              T{std::numeric_limits<real_of<T>>::quiet_NaN()});
                  });
}

template <scalar T>
prepared_product<T>::prepared_product(const context& where, const factors<T>& of,
                                      expression<T> left, const options& how, halves sparse,
                                      std::optional<expression<T>> addend)
    : where_(where), of_(&of), left_(left), how_(how), addend_(addend) {
  prepare(sparse);
}

template <scalar T>
void prepared_product<T>::prepare(halves sparse) {
  const bool on_device = where_.backend() == backend::cuda;
  if (on_device) move_left();
  if (of_->product == operation::spgemm) {
    if (on_device) move_sparse();
    if (can_be_planned(sparse)) plan_ = multiply_compute(where_, left_, right(), how_);
    return;
  }
  if (on_device) return move_dense();
  result_ = dense_matrix<T>(of_->left_shape().rows, of_->dense.cols(), of_->dense.order());
  plan_ = multiply_inspect(where_, left_, of_->dense, std::get<dense_matrix<T>>(result_), how_);
}

template <scalar T>
bool prepared_product<T>::can_be_planned(halves sparse) const {
  return sparse == halves::separate && !addend_ && !how_.drop_zeros && how_.keep == filter{};
}

template <scalar T>
void prepared_product<T>::move_left() {
  if (std::visit([](const auto& v) { return v.where == memory::device; }, left_.view)) return;
  moved_left_ =
      std::visit([&](const auto& v) -> any_matrix<T> { return copy_to(where_, v); }, left_.view);
  left_.view = express_any(moved_left_).view;
}

template <scalar T>
void prepared_product<T>::move_dense() {
  const extents shape{of_->left_shape().rows, of_->dense.cols()};
  moved_.emplace(moved_block{copy_to(where_, of_->dense),
                             dense_matrix<T>(shape, of_->dense.order(), where_.memory())});
  plan_ = multiply_inspect(where_, left_, moved_->right, moved_->result, how_);
}

template <scalar T>
void prepared_product<T>::move_sparse() {
  rows_.emplace();
  rows_->right = copy_to(where_, of_->sparse());
  if (how_.mask) {
    // A mask has no values; any will do.
    const pattern& given = *how_.mask;
    const vector<T> unread(given.nnz(), host_memory());
    const csr_view<const T> rows(given.shape, given.offsets, given.columns, unread.data());
    rows_->mask = copy_to(where_, rows);
    how_.mask =
        given.complemented ? complement(pattern_of(*rows_->mask)) : pattern_of(*rows_->mask);
  }
  if (addend_) {
    rows_->addend = copy_to(where_, std::get<csr_view<const T>>(addend_->view));
    addend_->view = std::as_const(*rows_->addend).view();
  }
}

template <scalar T>
const csr_matrix<T>& prepared_product<T>::right() const {
  return rows_ ? *rows_->right : of_->sparse();
}

template <scalar T>
void prepared_product<T>::fetch() {
  if (rows_ && sparse_) result_ = copy_to_host(where_, *sparse_);
  if (!moved_) return;
  const auto [rows, cols] = moved_->result.shape();
  result_ = dense_matrix<T>(rows, cols, moved_->result.order());
  fetch(std::get<dense_matrix<T>>(result_).mutable_view());
}

template <scalar T>
void prepared_product<T>::fetch(const dense_view<T>& to) {
  const auto& from = moved_ ? moved_->result : std::get<dense_matrix<T>>(result_);
  copy_into(where_, from, to);
}

template <scalar T>
void prepared_product<T>::run() {
  if (moved_) return multiply(*plan_, left_, moved_->right, moved_->result);
  if (!plan_) {
    why_ = run_explained();
    return;
  }
  if (of_->product != operation::spgemm)
    return multiply(*plan_, left_, of_->dense, std::get<dense_matrix<T>>(result_));
  const auto fill = [&](auto& c) { multiply_fill(*plan_, left_, right(), c); };
  const auto fresh = [&] {
    const extents shape = plan_->result_shape();
    const index_t nnz = plan_->result_nnz();
    return csr_matrix<T>(shape, nnz, narrowest(shape, nnz), where_.memory());
  };
  if (rows_) {
    if (!sparse_) sparse_ = fresh();
    return fill(*sparse_);
  }
  if (!std::holds_alternative<csr_matrix<T>>(result_)) result_ = fresh();
  fill(std::get<csr_matrix<T>>(result_));
}

template <scalar T>
void prepared_product<T>::run_whole() {
  if (of_->product != operation::spgemm) return run();
  forget();  // the previous result's memory goes first
  keep_result(addend_ ? multiply(where_, left_, right(), *addend_, how_)
                      : multiply(where_, left_, right(), how_));
}

template <scalar T>
explanation prepared_product<T>::run_explained() {
  forget();
  explanation why;
  keep_result(addend_ ? multiply(where_, left_, right(), *addend_, how_, why)
                      : multiply(where_, left_, right(), how_, why));
  return why;
}

template <scalar T>
void prepared_product<T>::keep_result(csr_matrix<T> c) {
  if (rows_)
    sparse_ = std::move(c);
  else
    result_ = std::move(c);
}

template <scalar T>
void prepared_product<T>::poison() {
  if (moved_) {  // all bits set are a NaN
    const auto to = moved_->result.mutable_view();
    return where_.memory()->set(to.values, 0xff, static_cast<std::size_t>(to.nnz()) * sizeof(T));
  }
  if (auto* dense = std::get_if<dense_matrix<T>>(&result_)) fill_nan(dense->values());
}

template <scalar T>
void prepared_product<T>::forget() {
  if (of_->product != operation::spgemm) return;
  result_ = dense_matrix<T>();
  sparse_.reset();
}

template <scalar T>
least_work prepared_product<T>::work() const {
  const index_t left_bytes = stored_bytes<T>(left_.view);
  const auto held = [](const auto& m) { return stored_bytes<T>(any_view<const T>(m.view())); };
  const index_t result_bytes = moved_ ? held(moved_->result) : std::visit(held, result_);
  if (of_->product == operation::spgemm) {
    const auto counted = rows_ ? of_->left() : left_;  // multiplications are counted on the host
    const index_t products =
        count_products(rows_ ? context::best() : where_, counted, of_->sparse());
    return {2.0 * static_cast<double>(products), left_bytes + held(of_->sparse()) + result_bytes};
  }
  const index_t entries = std::visit([](const auto& v) { return v.nnz(); }, left_.view);
  return {2.0 * static_cast<double>(entries) * static_cast<double>(of_->dense.cols()),
          left_bytes + held(of_->dense) + result_bytes};
}

#define GOSSAMER_INSTANTIATE(T)         \
  template void fill_nan(std::span<T>); \
  template class prepared_product<T>;
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bench
