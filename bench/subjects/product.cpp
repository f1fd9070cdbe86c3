#include "bench/subjects/product.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "gossamer/analysis.hpp"
#include "gossamer/copy.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::bench {

template <scalar T>
prepared_product<T>::prepared_product(const context& where, const factors<T>& of,
                                      expression<T> left, const options& how, halves sparse,
                                      std::optional<expression<T>> addend)
    : where_(where), of_(&of), left_(left), how_(how), addend_(addend) {
  prepare(sparse);
}

template <scalar T>
void prepared_product<T>::prepare(halves sparse) {
  if (where_.backend() == backend::cuda) return move_over();
  if (of_->product != operation::spgemm) {
    result_ = dense_matrix<T>(of_->left_shape().rows, of_->dense.cols(), of_->dense.order());
    plan_ = multiply_inspect(where_, left_, of_->dense, std::get<dense_matrix<T>>(result_), how_);
  } else if (sparse == halves::separate && !addend_ && !how_.drop_zeros && how_.keep == filter{}) {
    plan_ = multiply_compute(where_, left_, of_->sparse(), how_);
  }
}

template <scalar T>
void prepared_product<T>::move_over() {
  if (of_->product == operation::spgemm)
    throw fail(error_kind::not_available,
               "products of two sparse matrices have no CUDA kernels yet; use openmp");
  const extents shape{of_->left_shape().rows, of_->dense.cols()};
  result_ = dense_matrix<T>(shape.rows, shape.cols, of_->dense.order());
  moved_.emplace(moved_operands{{},
                                copy_to(where_, of_->dense),
                                dense_matrix<T>(shape, of_->dense.order(), where_.memory())});
  const bool there =
      std::visit([](const auto& v) { return v.where == memory::device; }, left_.view);
  if (!there) {
    moved_->left =
        std::visit([&](const auto& v) -> any_matrix<T> { return copy_to(where_, v); }, left_.view);
    left_.view = express_any(moved_->left).view;
  }
  plan_ = multiply_inspect(where_, left_, moved_->right, moved_->result, how_);
}

template <scalar T>
void prepared_product<T>::fetch() {
  if (moved_) copy_into(where_, moved_->result, std::get<dense_matrix<T>>(result_));
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
  if (!std::holds_alternative<csr_matrix<T>>(result_))
    result_ = csr_matrix<T>(plan_->result_shape(), plan_->result_nnz());
  multiply_fill(*plan_, left_, of_->sparse(), std::get<csr_matrix<T>>(result_));
}

template <scalar T>
void prepared_product<T>::run_whole() {
  if (of_->product != operation::spgemm) return run();
  forget();  // the previous result's memory goes first
  result_ = addend_ ? multiply(where_, left_, of_->sparse(), *addend_, how_)
                    : multiply(where_, left_, of_->sparse(), how_);
}

template <scalar T>
explanation prepared_product<T>::run_explained() {
  forget();
  explanation why;
  result_ = addend_ ? multiply(where_, left_, of_->sparse(), *addend_, how_, why)
                    : multiply(where_, left_, of_->sparse(), how_, why);
  return why;
}

template <scalar T>
void prepared_product<T>::poison() {
  if (auto* dense = std::get_if<dense_matrix<T>>(&result_))
    std::fill(dense->values().begin(), dense->values().end(), std::numeric_limits<T>::quiet_NaN());
  if (moved_) copy_into(where_, std::get<dense_matrix<T>>(result_), moved_->result);
}

template <scalar T>
void prepared_product<T>::forget() {
  if (of_->product == operation::spgemm) result_ = dense_matrix<T>();
}

template <scalar T>
least_work prepared_product<T>::work() const {
  const index_t left_bytes = stored_bytes<T>(left_.view);
  const auto held = [](const auto& m) { return stored_bytes<T>(any_view<const T>(m.view())); };
  const index_t result_bytes = std::visit(held, result_);
  if (of_->product == operation::spgemm) {
    const index_t products = count_products(where_, left_, of_->sparse());
    return {2.0 * static_cast<double>(products), left_bytes + held(of_->sparse()) + result_bytes};
  }
  const index_t entries = std::visit([](const auto& v) { return v.nnz(); }, left_.view);
  return {2.0 * static_cast<double>(entries) * static_cast<double>(of_->dense.cols()),
          left_bytes + held(of_->dense) + result_bytes};
}

template class prepared_product<float>;
template class prepared_product<double>;

}  // namespace gossamer::bench
