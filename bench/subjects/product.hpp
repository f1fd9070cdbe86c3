// One product under one plan: prepared once, run as often as wanted, measured from outside.
#pragma once

#include <optional>
#include <span>

#include "bench/race/yardstick.hpp"
#include "gossamer/plan.hpp"

namespace gossamer::bench {

/// The minimum cost of a product: multiplications and additions, and the bytes of every operand
/// read once and of the result written once.
struct least_work {
  double flop = 0;
  index_t bytes = 0;
};

/// Sparse products: symbolic and numeric phase separately, or in one call.
enum class halves { separate, together };

/// On all cores: results are gigabytes.
template <scalar T>
void fill_nan(std::span<T> values);

template <scalar T>
class prepared_product {
 public:
  /// Dense right factors: chooses and prepares. Sparse ones, halves separate: the symbolic half.
  /// `left` is of.left(), perhaps in another format. Borrows both: they must outlive this.
  /// Sparse products that are filtered or added to have no halves.
  /// Under a CUDA context the factors are moved to the device first, `left` unless it is there, and
  /// so are a mask and an addend; the result stays there until it is fetched.
  prepared_product(const context& where, const factors<T>& of, expression<T> left,
                   const options& how, halves sparse = halves::separate,
                   std::optional<expression<T>> addend = {});

  /// The explanation of the plan; without a plan, of the last run().
  const explanation& explain() const { return plan_ ? plan_->explain() : why_; }
  /// Whether there is a plan; else every run is a whole product.
  bool planned() const { return plan_.has_value(); }
  /// Runs with the plan; a sparse result is filled (the numeric phase), in place once it is
  /// allocated.
  void run();
  /// Runs like a single call: sparse products with both phases, dense ones as run().
  void run_whole();
  /// Runs a sparse product as run_whole() does, and returns its explanation.
  explanation run_explained();
  /// Returns when the last run is done: on a device, run() only queues it.
  void wait() const { where_.synchronise(); }
  /// Copies the result from the device, for result() and work(); does nothing on the host.
  void fetch();
  /// Copies a dense result from where it is into `to`, on the host.
  void fetch(const dense_view<T>& to);
  /// Dense results: fills with NaN, so that elements that are not written are detected.
  void poison();
  /// Sparse results: freed.
  void forget();
  const product_result<T>& result() const { return result_; }
  least_work work() const;

 private:
  void prepare(halves sparse);
  /// Brings op(A) to the device, unless it is there.
  void move_left();
  void move_dense();
  void move_sparse();
  /// Whether the product has a symbolic phase of its own.
  bool can_be_planned(halves sparse) const;
  /// A sparse right factor where the context wants it.
  const csr_matrix<T>& right() const;
  void keep_result(csr_matrix<T> c);

  context where_;
  const factors<T>* of_;
  expression<T> left_;
  options how_;
  std::optional<expression<T>> addend_;
  product_result<T> result_;
  std::optional<plan> plan_;
  explanation why_;  // where there is no plan to ask

  /// Operands on a device.
  any_matrix<T> moved_left_;
  struct moved_block {
    dense_matrix<T> right, result;
  };
  std::optional<moved_block> moved_;
  struct moved_rows {
    std::optional<csr_matrix<T>> right, mask, addend;
  };
  std::optional<moved_rows> rows_;
  std::optional<csr_matrix<T>> sparse_;  ///< a sparse result that was not fetched
};

}  // namespace gossamer::bench
