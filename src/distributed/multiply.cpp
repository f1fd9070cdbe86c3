// Products with a plan: messages travel while the own part is multiplied. A rank that fails takes
// part in the exchange all the same, so that nobody waits for it, and the error is agreed on at the
// end.
#include <chrono>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "distributed/product_plan.hpp"

namespace gossamer::mpi {
namespace {

constexpr index_t grain = 8192;  // elements; below it a second thread costs more than it saves

/// Seconds since the last question.
class stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// to(k, :) = from(rows[k], :)
template <real_scalar T>
void take_rows(int threads, const dense_view<const T>& from, std::span<const index_t> rows,
               const dense_view<T>& to) {
  const auto count = static_cast<index_t>(rows.size());
  parallel_ranges(threads, count, grain, [&](index_t begin, index_t end) {
    if (from.shape.cols == 1) {
      for (index_t k = begin; k < end; ++k)
        to.values[k] = from.values[rows[static_cast<std::size_t>(k)] * from.row_step()];
      return;
    }
    for (index_t k = begin; k < end; ++k)
      for (index_t j = 0; j < from.shape.cols; ++j)
        to(k, j) = from(rows[static_cast<std::size_t>(k)], j);
  });
}

/// to(rows[k], :) += alpha from(k, :), in order: rows may repeat.
template <real_scalar T>
void add_rows(T alpha, const dense_view<const T>& from, std::span<const index_t> rows,
              const dense_view<T>& to) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (index_t j = 0; j < from.shape.cols; ++j)
      to(rows[k], j) += alpha * from(static_cast<index_t>(k), j);
}

void require_block(const char* name, extents found, extents wanted, memory where) {
  if (found == wanted && where == memory::host) return;
  if (where != memory::host)
    throw fail(error_kind::not_available, "the block of {} is on a device; copy it to the host",
               name);
  throw fail(
      error_kind::bad_argument,
      "the block of {} on this rank is {}; expected {}, rows of this rank x columns of the plan",
      name, shape_text(found), shape_text(wanted));
}

/// One call: the state that its steps share.
template <real_scalar T>
class call {
 public:
  call(typename product_plan<T>::implementation& p, T alpha, const dense_view<const T>& x, T beta,
       const dense_view<T>& y)
      : p_(p), alpha_(alpha), beta_(beta), x_(x), y_(y) {}

  void run() {
    stopwatch clock;
    attempt([&] { check_blocks(), before(); });
    p_.latest.pack = clock.lap();
    p_.messages->start();
    attempt([&] { own_part(); });
    p_.latest.own = clock.lap();
    p_.messages->wait();
    p_.latest.wait = clock.lap();
    attempt([&] { after(); });
    p_.latest.off = clock.lap();
    if (p_.how.agree == agreement::each_call)
      detail::settle(p_.a->ranks(), failure_);
    else if (failure_)
      std::rethrow_exception(failure_);
  }

 private:
  /// Runs a step unless one before failed; remembers the first failure.
  template <class Step>
  void attempt(Step&& step) {
    if (failure_) return;
    try {
      step();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  void check_blocks() const {
    const auto own = p_.a->own().shape;
    const bool turned = p_.how.transposed;
    require_block("x", x_.shape, {turned ? own.rows : own.cols, p_.columns()}, x_.where);
    require_block("y", y_.shape, {turned ? own.cols : own.rows, p_.columns()}, y_.where);
  }

  /// What has to be known before messages leave.
  void before() {
    if (!p_.how.transposed) {
      take_rows<T>(p_.where.threads(), x_, p_.routes.wanted, p_.inside());
    } else if (p_.off) {
      take_rows<T>(p_.where.threads(), x_, p_.edge.rows, p_.boundary());
      gossamer::multiply(*p_.off, transposed(p_.edge.part), p_.boundary(), p_.outside());
    }
  }

  void own_part() {
    const auto own = p_.a->own();
    if (!p_.own || alpha_ == T{0}) {
      scale_result();
    } else if (p_.how.transposed) {
      product(transposed(own));
    } else {
      product(own);
    }
  }
  template <class A>
  void product(const A& a) {
    if (beta_ == T{0} && alpha_ == T{1})
      gossamer::multiply(*p_.own, a, x_, y_);
    else if (beta_ == T{0})
      gossamer::multiply(*p_.own, scaled(alpha_, a), x_, y_);
    else
      gossamer::multiply(*p_.own, scaled(alpha_, a), x_, scaled(beta_, y_), y_);
  }
  /// y = beta y, where nothing of A is read.
  void scale_result() {
    for (index_t i = 0; i < y_.shape.rows; ++i)
      for (index_t j = 0; j < y_.shape.cols; ++j)
        y_(i, j) = beta_ == T{0} ? T{0} : beta_ * y_(i, j);
  }

  /// What messages brought.
  void after() {
    if (alpha_ == T{0}) return;
    if (p_.how.transposed) {
      add_rows<T>(alpha_, p_.inside(), p_.routes.wanted, y_);
    } else if (p_.off) {
      gossamer::multiply(*p_.off, p_.edge.part, p_.outside(), p_.boundary());
      add_rows<T>(alpha_, p_.boundary(), p_.edge.rows, y_);
    }
  }

  typename product_plan<T>::implementation& p_;
  T alpha_, beta_;
  dense_view<const T> x_;
  dense_view<T> y_;
  std::exception_ptr failure_;
};

}  // namespace

template <real_scalar T>
void multiply(product_plan<T>& plan, std::type_identity_t<T> alpha,
              const std::type_identity_t<dense_view<const T>>& x, std::type_identity_t<T> beta,
              const std::type_identity_t<dense_view<T>>& y) {
  call<T>(plan.impl(), alpha, x, beta, y).run();
}

template void multiply(product_plan<float>&, float, const dense_view<const float>&, float,
                       const dense_view<float>&);
template void multiply(product_plan<double>&, double, const dense_view<const double>&, double,
                       const dense_view<double>&);

}  // namespace gossamer::mpi
