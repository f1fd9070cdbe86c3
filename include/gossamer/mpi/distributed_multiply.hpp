// Products of distributed matrices with vectors and dense matrices in blocks. A plan knows which
// elements of x travel from whom to whom; a call sends them while it multiplies what is local.
#pragma once

#include "gossamer/mpi/distributed_matrix.hpp"
#include "gossamer/plan.hpp"

namespace gossamer::mpi {

/// Whether ranks compare after each call that all of them succeeded.
enum class agreement : std::uint8_t {
  each_call,  ///< one small reduction a call; an error of one rank is thrown on all
  none        ///< an error is thrown where it happens; others may wait for that rank in vain
};

/// How products are planned.
struct product_options {
  /// y = A' x instead: x in blocks as rows are, y as columns are.
  bool transposed = false;
  /// Columns of x and y; more than one is SpMM.
  index_t columns = 1;
  agreement agree = agreement::each_call;
  /// Options of the local products. They are planned for expected_calls of it.
  gossamer::options local = {.expected_calls = 100};
};

/// What the latest call took on this rank, in seconds. What `wait` is short of the time of the
/// messages was overlapped with local work.
struct product_times {
  double pack = 0;  ///< elements gathered into messages and, transposed, the halo's products
  double own = 0;   ///< products with columns of this rank, while messages travel
  double wait = 0;  ///< until the last message was here
  double off = 0;   ///< products with columns of others and, transposed, sums of what they sent
  double total() const { return pack + own + wait + off; }
};

/// A prepared product of one distributed matrix with vectors or dense matrices: the messages
/// between ranks, kept by MPI from call to call, and a plan of the library for each of the two
/// local parts. The matrix must outlive the plan; its values may change unless
/// options::constant_values promises otherwise. One call at a time: it writes to buffers of its
/// own.
template <real_scalar T>
class product_plan {
 public:
  product_plan(const context& where, const distributed_csr<T>& a, const product_options& how = {});
  product_plan(const context&, distributed_csr<T>&&, const product_options& = {}) = delete;
  product_plan(product_plan&&) noexcept;
  product_plan& operator=(product_plan&&) noexcept;
  ~product_plan();

  /// What this rank sends in each call, computed from the structure: one message for each rank that
  /// needs elements from here, sizeof(T) bytes for each element and column. Not collective.
  traffic sent_per_call() const;
  /// Ranks that this one sends to, and receives from. Not collective.
  int sends_to() const;
  int receives_from() const;
  /// Kernels of the local products; "none" where there is nothing to multiply. Not collective.
  std::string own_kernel() const;
  std::string off_kernel() const;
  /// What the latest call took. Not collective.
  const product_times& latest() const;

  /// Internals of the library; not part of the interface.
  struct implementation;
  implementation& impl() { return *impl_; }

 private:
  std::unique_ptr<implementation> impl_;
};

/// Y = alpha op(A) X + beta Y. Each rank has its blocks: X local_columns() x columns and Y
/// local_rows() x columns, the other way round for a transposed product, in any layout on the host.
/// beta = 0 never reads Y.
template <real_scalar T>
void multiply(product_plan<T>& plan, std::type_identity_t<T> alpha,
              const std::type_identity_t<dense_view<const T>>& x, std::type_identity_t<T> beta,
              const std::type_identity_t<dense_view<T>>& y);

/// Y = op(A) X, with a plan.
template <real_scalar T, multipliable X, writable Y>
void multiply(product_plan<T>& plan, const X& x, Y&& y) {
  multiply<T>(plan, T{1}, std::get<dense_view<const T>>(express(x).view), T{0}, target(y));
}
/// y = alpha op(A) x + beta y, with a plan, for anything that is a vector.
template <real_scalar T, multipliable X, writable Y>
requires(!std::same_as<X, dense_view<const T>>) void multiply(product_plan<T>& plan,
                                                              std::type_identity_t<T> alpha,
                                                              const X& x,
                                                              std::type_identity_t<T> beta, Y&& y) {
  multiply<T>(plan, alpha, std::get<dense_view<const T>>(express(x).view), beta, target(y));
}
/// Y = A X once. Plans that are kept save the exchange of who needs what.
template <real_scalar T, multipliable X, writable Y>
void multiply(const context& where, const distributed_csr<T>& a, const X& x, Y&& y,
              product_options how = {}) {
  const auto from = std::get<dense_view<const T>>(express(x).view);
  how.columns = from.shape.cols;
  how.local.expected_calls = 1;
  product_plan<T> once(where, a, how);
  multiply<T>(once, T{1}, from, T{0}, target(y));
}

}  // namespace gossamer::mpi
