// Products of complex values: every kernel that takes them, every case, plain, transposed,
// conjugated and conjugate-transposed, with complex factors. Values are those of the case as real
// parts, with imaginary parts of their own. Judged like real ones, twice the roundings; where
// magnitudes are beyond the type, only whether a result is finite.
#include <gtest/gtest.h>

#include "base/counting_memory.hpp"
#include "conformance/oracle.hpp"
#include "conformance/placed.hpp"
#include "conformance/suite.hpp"

namespace gossamer::conformance {

namespace {

enum class op { plain, transposed, conjugated, adjoint };
constexpr op all_ops[] = {op::plain, op::transposed, op::conjugated, op::adjoint};

bool transposes(op o) { return o == op::transposed || o == op::adjoint; }
bool conjugates(op o) { return o == op::conjugated || o == op::adjoint; }
const char* text(op o) {
  constexpr const char* texts[] = {"A", "A^T", "conj(A)", "A^H"};
  return texts[static_cast<int>(o)];
}

template <class A>
auto applied(op o, const A& a) {
  auto e = express(a);
  if (conjugates(o)) e = conjugated(e);
  return transposes(o) ? transposed(e) : e;
}

extents shape_of(op o, extents shape) { return transposes(o) ? transposed(shape) : shape; }

struct judged {
  std::complex<long double> value = 0;
  long double magnitude = 0;
  index_t terms = 0;

  template <class T>
  void add(const T& a, const T& x) {
    const long double ar = a.real(), ai = a.imag(), xr = x.real(), xi = x.imag();
    value += std::complex<long double>(ar * xr - ai * xi, ar * xi + ai * xr);
    magnitude += (std::abs(ar) + std::abs(ai)) * (std::abs(xr) + std::abs(xi));  // no square roots
    ++terms;
  }
  template <class T>
  judged scaled(const T& alpha) const {
    judged result;
    result.add(alpha, T(static_cast<real_of<T>>(1)));
    result.value *= value;
    result.magnitude *= magnitude;
    result.terms += terms;
    return result;
  }
};

bool is_finite(const std::complex<long double>& x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

template <class T>
bool acceptable(const T& found, const judged& wanted) {
  using limits = std::numeric_limits<real_of<T>>;
  const std::complex<long double> there(found.real(), found.imag());
  if (!(wanted.magnitude < static_cast<long double>(limits::max()) / 4))
    return is_finite(wanted.value) || !is_finite(there);
  const long double bound =
      2 * static_cast<long double>(wanted.terms + 4) *
      (limits::epsilon() * wanted.magnitude + static_cast<long double>(limits::denorm_min()));
  return std::abs(there - wanted.value) <= bound;
}

template <class T>
struct entry {
  index_t row, column;
  T value;
};

/// op(A) as triplets.
template <class T>
std::vector<entry<T>> entries_of(const cases::matrix_case& c, op o) {
  using real = real_of<T>;
  std::vector<entry<T>> entries;
  for (const auto& e : c.entries) {
    const auto imaginary = static_cast<real>(cases::value_at(77, std::ssize(entries)));
    const T value{static_cast<real>(e.value), conjugates(o) ? -imaginary : imaginary};
    entries.push_back({e.row, e.column, value});
    if (transposes(o)) std::swap(entries.back().row, entries.back().column);
  }
  return entries;
}

template <class T>
csr_matrix<T> complex_csr(const cases::matrix_case& c, widths w) {
  const auto real = cases::as_csr<real_of<T>>(c, w);
  const auto entries = entries_of<T>(c, op::plain);
  csr_matrix<T> result(c.shape, real.nnz(), w);
  const auto out = result.mutable_view();
  const auto copy = [](index_view from, index_span to) {
    if (from.size() > 0)
      std::memcpy(to.data(), from.data(),
                  static_cast<std::size_t>(from.size() * bytes(from.width())));
  };
  copy(real.row_offsets(), out.offsets);
  copy(real.column_indices(), out.columns);
  for (std::size_t k = 0; k < entries.size(); ++k) out.values[k] = entries[k].value;
  return result;
}

template <class T, class F>
void in_complex_format(const cases::matrix_case& c, format wanted, widths w, F&& f) {
  const auto csr = complex_csr<T>(c, w);
  const convert_options free{.slice = 8, .sort_window = 16, .padding_limit = 0};
  switch (wanted) {
    case format::csr: return f(csr);
    case format::csc: return f(convert<csc_matrix<T>>(csr));
    case format::coo: return f(convert<coo_matrix<T>>(csr));
    case format::ell: return f(convert<ell_matrix<T>>(csr, free));
    case format::sellp: return f(convert<sellp_matrix<T>>(csr, free));
    case format::hyb: return f(convert<hyb_matrix<T>>(csr, free));
    case format::dense: return;
  }
}

template <class T>
dense_matrix<T> block_of(extents shape, layout order, std::uint64_t seed) {
  dense_matrix<T> block(shape.rows, shape.cols, order);
  index_t k = 0;
  for (T& value : block.values()) {
    value = {static_cast<real_of<T>>(cases::value_at(seed, k)),
             static_cast<real_of<T>>(cases::value_at(seed + 1, k))};
    ++k;
  }
  return block;
}

/// The factors alpha and beta of a call.
template <class T>
struct factors {
  T alpha = 1, beta = 0;
};

/// alpha op(A) B + beta C by the kernel; C is poisoned unless it is read.
template <class T, class A>
dense_matrix<T> call(const subject& s, const A& a, op o, const factors<T>& f,
                     const dense_matrix<T>& b, dense_matrix<T> c, int threads) {
  const auto where = context_for(*s.tested, threads);
  const options how{.algorithm = std::string(s.tested->id)};
  if (f.beta == T{0})
    for (T& value : c.values()) value = T{std::numeric_limits<real_of<T>>::quiet_NaN()};
  const auto multiplied = [&](const auto& left, const auto& right, auto& result) {
    const auto scaled_left = scaled(f.alpha, applied(o, left));
    if (f.beta == T{0})
      multiply(where, scaled_left, right, result, how);
    else
      multiply(where, scaled_left, right, scaled(f.beta, result), result, how);
  };
  if (!on_device(where)) {
    multiplied(a, b, c);
    return c;
  }
  const auto moved_a = copy_to(where, a);
  const auto moved_b = copy_to(where, b);
  auto moved_c = copy_to(where, c);
  multiplied(moved_a, moved_b, moved_c);
  return copy_to_host(where, moved_c);
}

template <class T, class A>
bool takes(const subject& s, const A& a, op o, const dense_matrix<T>& b, const dense_matrix<T>& c) {
  try {
    call<T>(s, a, o, {}, b, c, 1);
    return true;
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::not_available) << e.what();
    return false;
  }
}

/// One op in one format: values, and bits for any number of threads.
template <class T, class A>
void check_dense(const subject& s, const A& a, op o, const dense_matrix<T>& b,
                 const dense_matrix<T>& c) {
  const auto entries = entries_of<T>(*s.matrix, o);
  std::vector<judged> sums(static_cast<std::size_t>(c.rows() * c.cols()));
  for (const auto& e : entries)
    for (index_t j = 0; j < c.cols(); ++j)
      sums[static_cast<std::size_t>(e.row * c.cols() + j)].add(e.value, b(e.column, j));
  const factors<T> all[] = {{}, {T{2, -1}, T{0.5, 0.25}}, {T{0}, T{0, -2}}};
  for (const auto& f : all) {
    const auto found = call(s, a, o, f, b, c, 2);
    for (index_t i = 0; i < c.rows(); ++i)
      for (index_t j = 0; j < c.cols(); ++j) {
        auto wanted = f.alpha == T{0}
                          ? judged{}
                          : sums[static_cast<std::size_t>(i * c.cols() + j)].scaled(f.alpha);
        if (f.beta != T{0}) wanted.add(f.beta, c(i, j));
        if (!acceptable(found(i, j), wanted))
          FAIL() << text(o) << ", row " << i << ", column " << j << ": " << found(i, j)
                 << " with alpha " << f.alpha << ", beta " << f.beta;
      }
    if (!s.tested->deterministic) continue;
    const auto again = call(s, a, o, f, b, c, 5);
    EXPECT_TRUE(
        c.rows() * c.cols() == 0 ||
        std::memcmp(found.values().data(), again.values().data(), found.values().size_bytes()) == 0)
        << text(o) << ": other bits with other threads";
  }
}

template <class T>
void check_dense_products(const subject& s, index_t columns, layout order) {
  int ran = 0;
  for (const auto f : formats_of(*s.tested)) {
    const bool compressed = f == format::csr || f == format::csc;
    const auto list = tested(compressed ? std::span<const widths>(all_widths)
                                        : std::span<const widths>(all_widths).first(1));
    for (const auto w : list)
      in_complex_format<T>(*s.matrix, f, w, [&](const auto& a) {
        for (const op o : all_ops) {
          // What a format is has nothing to do with conjugates.
          if (f != format::csr && (o == op::transposed || o == op::conjugated)) continue;
          const auto shape = shape_of(o, s.matrix->shape);
          const auto b = block_of<T>({shape.cols, columns}, order, 101);
          const auto c = block_of<T>({shape.rows, columns}, order, 103);
          if (!takes<T>(s, a, o, b, c)) continue;
          ++ran;
          check_dense<T>(s, a, o, b, c);
          if (testing::Test::HasFailure()) return;
        }
      });
  }
  EXPECT_GT(ran, 0);
}

// ---- sparse results -------------------------------------------------------------------------

template <class T>
using judged_rows = std::vector<std::vector<std::pair<index_t, judged>>>;

template <class T>
judged_rows<T> product(const std::vector<entry<T>>& a, extents a_shape,
                       const std::vector<entry<T>>& b, extents b_shape) {
  std::vector<std::vector<entry<T>>> a_rows(static_cast<std::size_t>(a_shape.rows)),
      b_rows(static_cast<std::size_t>(b_shape.rows));
  for (const auto& e : a) a_rows[static_cast<std::size_t>(e.row)].push_back(e);
  for (const auto& e : b) b_rows[static_cast<std::size_t>(e.row)].push_back(e);
  judged_rows<T> result;
  row_of_places<judged> output(b_shape.cols);
  for (const auto& row : a_rows) {
    for (const auto& e : row)
      for (const auto& f : b_rows[static_cast<std::size_t>(e.column)])
        output.at(f.column).value.add(e.value, f.value);
    result.push_back(output.finished());
  }
  return result;
}

template <class T>
void check_result(const csr_matrix<T>& c, const judged_rows<T>& wanted, const T& alpha) {
  ASSERT_EQ(c.rows(), static_cast<index_t>(wanted.size()));
  for (index_t i = 0; i < c.rows(); ++i) {
    const auto& row = wanted[static_cast<std::size_t>(i)];
    index_t p = c.row_offsets()[i];
    ASSERT_EQ(c.row_offsets()[i + 1] - p, static_cast<index_t>(row.size())) << "row " << i;
    for (const auto& [column, sum] : row) {
      ASSERT_EQ(c.column_indices()[p], column) << "row " << i;
      const T found = c.values()[static_cast<std::size_t>(p++)];
      if (!acceptable(found, alpha == T{0} ? judged{} : sum.scaled(alpha)))
        FAIL() << "row " << i << ", column " << column << ": " << found;
    }
  }
}

template <class T>
bool same_bits(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  return a.nnz() == b.nnz() && same(a, b);
}

/// The limit that an error names is enough, and kept.
template <class T, class A, class B>
void check_limit(const subject& s, const A& left, const B& right, const csr_matrix<T>& wanted) {
  const auto plain = context_for(*s.tested, 2);
  const auto memory = std::make_shared<counting_memory>(plain.memory());
  const auto where = plain.with_memory(memory);
  index_t limit = 1;
  for (int tries = 0; tries < 5; ++tries) {
    memory->restart();
    try {
      auto found = multiply(where, left, right,
                            {.algorithm = std::string(s.tested->id), .memory_limit = limit});
      EXPECT_LE(memory->peak(), limit);
      EXPECT_TRUE(same_bits(fetched(where, std::move(found)), wanted));
      return;
    } catch (const error& e) {
      ASSERT_EQ(e.kind(), error_kind::memory_limit) << e.what();
      EXPECT_LE(memory->peak(), limit);
      const std::string message = e.what(), before = "the smallest limit that would do is ";
      const auto at = message.find(before);
      ASSERT_NE(at, message.npos) << message;
      limit = std::stoll(message.substr(at + before.size()));
    }
  }
  FAIL() << "the limits that errors name never do";
}

/// Under a mask: what A A' has at the places of the mask, and nothing else.
template <class T>
void check_mask(const subject& s, const csr_matrix<T>& a, const csr_matrix<T>& whole) {
  const auto where = context_for(*s.tested, 2);
  const placed at(where, a);
  const pattern mask = pattern_of(at.matrix().view());
  const auto found =
      fetched(where, multiply(where, at.matrix(), at.matrix(),
                              {.algorithm = std::string(s.tested->id), .mask = mask}));
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t p = found.row_offsets()[i]; p < found.row_offsets()[i + 1]; ++p) {
      const index_t j = found.column_indices()[p];
      const T here = found.values()[static_cast<std::size_t>(p)], there = value_at(whole, i, j);
      EXPECT_TRUE(std::memcmp(&here, &there, sizeof(T)) == 0 || !(here == here))
          << "row " << i << ", column " << j;
    }
  EXPECT_LE(found.nnz(), whole.nnz());
}

template <class T>
void check_pair(const subject& s, op left_op, op right_op, widths w) {
  const auto& c = *s.matrix;
  const auto a_shape = shape_of(left_op, c.shape), b_shape = shape_of(right_op, c.shape);
  if (a_shape.cols != b_shape.rows) return;
  SCOPED_TRACE(std::string(text(left_op)) + " times " + text(right_op));
  const auto a = complex_csr<T>(c, w);
  const auto where = context_for(*s.tested, 2);
  const placed at(where, a);
  const T alpha{-0.5, 2};
  const auto left = scaled(alpha, applied(left_op, at.matrix()));
  const auto right = applied(right_op, at.matrix());
  if (count_products(context::best(), applied(left_op, a), applied(right_op, a)) > 200'000) return;
  const auto wanted =
      product(entries_of<T>(c, left_op), a_shape, entries_of<T>(c, right_op), b_shape);
  const options forced{.algorithm = std::string(s.tested->id)};
  const auto found = fetched(where, multiply(where, left, right, forced));
  check_result(found, wanted, alpha);
  if (testing::Test::HasFailure()) return;
  for (const int threads : {1, 5})
    EXPECT_TRUE(!s.tested->deterministic ||
                same_bits(found, fetched(where, multiply(context_for(*s.tested, threads), left,
                                                         right, forced))))
        << "other bits with " << threads << " threads";
  const auto prepared = multiply_compute(where, left, right, forced);
  csr_matrix<T> filled(prepared.result_shape(), prepared.result_nnz(), {}, where.memory());
  multiply_fill(prepared, left, right, filled);
  check_result(fetched(where, std::move(filled)), wanted, alpha);
  check_limit<T>(s, left, right, found);
}

}  // namespace

template <class T>
void check_complex(const subject& s) {
  const auto operation = path_of(*s.tested).operation;
  if (operation == "spmv") return check_dense_products<T>(s, 1, layout::column_major);
  if (operation == "spmm") {
    check_dense_products<T>(s, 37, layout::row_major);
    return check_dense_products<T>(s, 3, layout::column_major);
  }
  for (const auto w : tested(all_widths))
    for (const op left : all_ops)
      for (const op right : all_ops) {
        // Widths and conjugates have nothing to do with one another.
        if (w == all_widths[0] || (left != op::conjugated && right == op::adjoint))
          check_pair<T>(s, left, right, w);
        if (testing::Test::HasFailure()) return;
      }
  if (s.matrix->shape.rows != s.matrix->shape.cols || !s.tested->spgemm.multiply_once_masked)
    return;
  const auto a = complex_csr<T>(*s.matrix, all_widths[0]);
  const auto where = context_for(*s.tested, 2);
  const placed at(where, a);
  check_mask(s, a,
             fetched(where, multiply(where, at.matrix(), at.matrix(),
                                     {.algorithm = std::string(s.tested->id)})));
}

template void check_complex<std::complex<float>>(const subject&);
template void check_complex<std::complex<double>>(const subject&);

}  // namespace gossamer::conformance
