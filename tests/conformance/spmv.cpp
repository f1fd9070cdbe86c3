// y = alpha op(A) x + beta y: every format and width a kernel supports, transposed or not, poisoned
// outputs, operands unchanged, and bitwise reproducible where a kernel claims it.
#include <gtest/gtest.h>

#include <optional>

#include "conformance/oracle.hpp"
#include "conformance/suite.hpp"

namespace gossamer::conformance {

namespace {

struct factors {
  double alpha, beta;
};
constexpr factors all_factors[] = {{1, 0}, {-0.5, 0}, {1, 1}, {2, -0.25}, {0, 3}, {0, 0}};

template <class T>
std::vector<T> vector_of(index_t n, std::uint64_t seed) {
  std::vector<T> values(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<T>(cases::value_at(seed, i));
  return values;
}

/// The operands of a product, and what op(A) x is: the same for every format, width and factor.
template <class T>
struct trial {
  bool transposed;
  std::vector<T> x, y;
  std::vector<judged_value> sums;

  trial(const cases::matrix_case& c, bool transpose) : transposed(transpose) {
    const auto shape = transposed ? gossamer::transposed(c.shape) : c.shape;
    x = vector_of<T>(shape.cols, 101);
    if (c.wild && x.size() > 3) x[3] = std::numeric_limits<T>::infinity();
    y = vector_of<T>(shape.rows, 102);
    sums.resize(y.size());
    for (const auto& e : rounded<T>(c, transposed))
      sums[static_cast<std::size_t>(e.row)].add(static_cast<T>(e.value),
                                                x[static_cast<std::size_t>(e.column)]);
  }
  /// alpha op(A) x + beta y, judged per row. With alpha = 0, A contributes nothing, NaN or not.
  std::vector<judged_value> expected(factors f) const {
    auto rows = f.alpha != 0 ? sums : std::vector<judged_value>(y.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].value *= f.alpha, rows[i].magnitude *= std::abs(f.alpha);
      if (f.beta != 0) rows[i].add(static_cast<T>(f.beta), y[i]);
    }
    return rows;
  }
};

/// One call through the public API with the kernel forced by its id.
template <class A, class X, class Y>
void product(const context& where, const subject& s, const A& a, bool transposed, factors f,
             const X& x, Y& y) {
  using T = value_of<A>;
  const auto alpha = static_cast<T>(f.alpha), beta = static_cast<T>(f.beta);
  const auto scaled_a = transposed ? scaled(alpha, gossamer::transposed(a)) : scaled(alpha, a);
  const options how{.algorithm = std::string(s.tested->id)};
  if (f.beta != 0)
    multiply(where, scaled_a, x, scaled(beta, y), y, how);
  else
    multiply(where, scaled_a, x, y, how);
}

/// The same with host operands, which are moved for a device and back.
template <class T, class A>
std::vector<T> call(const subject& s, const A& a, const trial<T>& t, factors f, int threads) {
  const auto where = context_for(*s.tested, threads);
  const auto& x = t.x;
  auto y = t.y;
  if (f.beta == 0)
    std::fill(y.begin(), y.end(), std::numeric_limits<T>::quiet_NaN());  // must not be read
  if (where.backend() != backend::cuda) {
    product(where, s, a, t.transposed, f, x, y);
    return y;
  }
  const auto moved_a = copy_to(where, a);
  const auto moved_x = copy_to(where, x);
  auto moved_y = copy_to(where, y);
  product(where, s, moved_a, t.transposed, f, moved_x, moved_y);
  EXPECT_TRUE(same_bits(copy_to_host(where, moved_x), x)) << "x was changed";
  return copy_to_host(where, moved_y);
}

template <class T, class A>
bool takes(const subject& s, const A& a, const trial<T>& t) {
  try {
    call(s, a, t, {1, 0}, 1);
    return true;
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::not_available) << e.what();
    return false;
  }
}

template <class T, class A>
void check_products(const subject& s, const A& a, const trial<T>& t) {
  for (const auto f : all_factors) {
    const auto wanted = t.expected(f);
    const auto found = call(s, a, t, f, 2);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!acceptable(found[i], wanted[i]))
        FAIL() << "row " << i << ": " << found[i] << " instead of "
               << static_cast<double>(wanted[i].value) << " with alpha " << f.alpha << ", beta "
               << f.beta << (t.transposed ? ", transposed" : "");
  }
}

template <class T, class A>
void check_bits(const subject& s, const A& a, const trial<T>& t) {
  const auto once = call(s, a, t, {2, -0.25}, 1);
  for (const int threads : {1, 2, 5}) {
    const auto again = call(s, a, t, {2, -0.25}, threads);
    ASSERT_TRUE(same_bits(once, again)) << "other bits with " << threads << " threads";
  }
}

/// y + A x twice through one plan; `from` and `to` are how y gets to where the operands are.
template <class T, class A, class X, class Y, class To, class From>
void check_plan_on(const context& where, const subject& s, const A& a, const X& x, Y& out,
                   const std::vector<judged_value>& wanted, To&& to, From&& from) {
  const auto prepared = multiply_inspect(
      where, a, x, out,
      {.algorithm = std::string(s.tested->id), .expected_calls = 50, .constant_values = true});
  EXPECT_EQ(prepared.kernel(), s.tested->id);
  for (int repeat = 0; repeat < 2; ++repeat) {
    to(out);
    multiply(prepared, a, x, scaled(T{1}, out), out);
    const std::vector<T> found = from(out);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      ASSERT_TRUE(acceptable(found[i], wanted[i])) << "row " << i;
  }
}

/// A plan gives what a plain call gives, again and again.
template <class T, class A>
void check_plan(const subject& s, const A& a, const trial<T>& t) {
  const auto where = context_for(*s.tested, 2);
  const auto wanted = t.expected({1, 1});
  const auto &x = t.x, &y = t.y;
  if (where.backend() != backend::cuda) {
    auto out = y;
    return check_plan_on<T>(
        where, s, a, x, out, wanted, [&](auto& to) { to = y; },
        [](const auto& from) { return from; });
  }
  vector<T> out(where, static_cast<index_t>(y.size()));
  check_plan_on<T>(
      where, s, copy_to(where, a), copy_to(where, x), out, wanted,
      [&](auto& to) { copy_into(where, y, to); },
      [&](const auto& from) { return copy_to_host(where, from); });
}

/// make_plan(A) and then run(plan, A with new values), either of which may move A to a device.
template <class T, class A, class Make, class Run>
void check_new_values_on(A a, const trial<T>& t, Make&& make_plan, Run&& run) {
  std::optional<plan> prepared;
  try {
    prepared = make_plan(a);
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::not_available);
    EXPECT_NE(std::string(e.what()).find("constant_values"), std::string::npos) << e.what();
    return;
  }
  for (T& value : a.values()) value *= 2;
  const std::vector<T> found = run(*prepared, a);
  const auto wanted = t.expected({2, 0});
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_TRUE(acceptable(found[i], wanted[i])) << "row " << i << " has an old value";
}

/// Without a promise about A's values a plan reads the current ones, or refuses to be prepared.
template <class T, class A>
void check_new_values(const subject& s, const A& a, const trial<T>& t) {
  const auto where = context_for(*s.tested, 2);
  const auto& x = t.x;
  auto y = t.y;
  const options how{.algorithm = std::string(s.tested->id), .expected_calls = 50};
  if (where.backend() != backend::cuda)
    return check_new_values_on<T>(
        a, t, [&](const A& now) { return multiply_inspect(where, now, x, y, how); },
        [&](const plan& prepared, const A& now) {
          multiply(prepared, now, x, y);
          return y;
        });
  const auto moved_x = copy_to(where, x);
  auto moved_y = copy_to(where, y);
  check_new_values_on<T>(
      a, t,
      [&](const A& now) {
        return multiply_inspect(where, copy_to(where, now), moved_x, moved_y, how);
      },
      [&](const plan& prepared, const A& now) {
        multiply(prepared, copy_to(where, now), moved_x, moved_y);
        return copy_to_host(where, moved_y);
      });
}

}  // namespace

template <class T>
void check_spmv(const subject& s) {
  int ran = 0;
  const trial<T> trials[] = {{*s.matrix, false}, {*s.matrix, true}};
  for (const auto wanted : formats_of(*s.tested))
    for (const auto w : tested(all_widths))
      in_format<T>(*s.matrix, wanted, w, [&](const auto& a) {
        for (const auto& t : trials) {
          SCOPED_TRACE(std::string(name(wanted)) + (t.transposed ? " transposed" : ""));
          if (!takes(s, a, t)) continue;
          ++ran;
          check_products(s, a, t);
          if (s.tested->deterministic) check_bits(s, a, t);
          if (t.transposed) continue;
          check_plan(s, a, t);
          if constexpr (std::same_as<std::decay_t<decltype(a)>, csr_matrix<T>>)
            check_new_values(s, a, t);
        }
      });
  EXPECT_GT(ran, 0) << "the kernel took this case in no format at all";
}

template void check_spmv<float>(const subject&);
template void check_spmv<double>(const subject&);

}  // namespace gossamer::conformance
