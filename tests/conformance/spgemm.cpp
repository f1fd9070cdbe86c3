// C = alpha op(A) op(B), both sparse: the exact structure, sorted, no duplicates, cancelled
// nonzeros kept; two phases; refilling after values changed; a changed structure noticed.
#include <gtest/gtest.h>

#include <cstring>

#include "base/counting_memory.hpp"
#include "conformance/oracle.hpp"
#include "conformance/placed.hpp"
#include "conformance/suite.hpp"

namespace gossamer::conformance {

namespace {

/// Which product of the case with itself: shapes must fit.
struct pairing {
  bool a_transposed, b_transposed;
  bool fits(extents s) const {
    return (a_transposed ? s.rows : s.cols) == (b_transposed ? s.cols : s.rows);
  }
};
constexpr pairing all_pairings[] = {{false, false}, {false, true}, {true, false}, {true, true}};

template <class T>
auto operand_of(const csr_matrix<T>& a, bool transposed) {
  return transposed ? gossamer::transposed(a) : express(a);
}

index_t products(const std::vector<cases::triplet>& a, const std::vector<cases::triplet>& b,
                 index_t inner) {
  std::vector<index_t> row_lengths(static_cast<std::size_t>(inner));
  for (const auto& e : b) ++row_lengths[static_cast<std::size_t>(e.row)];
  index_t sum = 0;
  for (const auto& e : a) sum += row_lengths[static_cast<std::size_t>(e.column)];
  return sum;
}

template <class T>
void check_result(const csr_view<const T>& c, const sparse_rows<judged_value>& wanted, T alpha) {
  ASSERT_EQ(c.shape.rows, static_cast<index_t>(wanted.size()));
  ASSERT_EQ(c.offsets[0], 0);
  for (index_t i = 0; i < c.shape.rows; ++i) {
    const auto& row = wanted[static_cast<std::size_t>(i)];
    ASSERT_EQ(c.offsets[i + 1] - c.offsets[i], static_cast<index_t>(row.size())) << "row " << i;
    index_t p = c.offsets[i];
    for (auto [column, sum] : row) {
      if (c.columns[p] != column)
        FAIL() << "row " << i << " has column " << c.columns[p] << ", not " << column;
      if (alpha == T{0}) sum.value = sum.magnitude = 0;
      sum.value *= alpha, sum.magnitude *= std::abs(alpha);
      if (!acceptable(c.values[p], sum))
        FAIL() << "row " << i << ", column " << column << ": " << c.values[p];
      ++p;
    }
  }
  EXPECT_EQ(c.nnz(), c.offsets[c.shape.rows]);
}

template <class T>
bool same_bits(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  if (a.nnz() != b.nnz() || a.index_widths() != b.index_widths()) return false;
  if (a.nnz() == 0) return true;
  const auto bytes_of = [](index_view v) {
    return static_cast<std::size_t>(v.size() * bytes(v.width()));
  };
  return std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()) == 0 &&
         std::memcmp(a.column_indices().data(), b.column_indices().data(),
                     bytes_of(a.column_indices())) == 0;
}

template <class T>
void check_two_phases(const subject& s, csr_matrix<T> a, const sparse_rows<judged_value>& wanted) {
  const auto where = context_for(*s.tested, 2);
  const options forced{.algorithm = std::string(s.tested->id)};
  const auto prepared = [&] {
    const placed at(where, a);
    return multiply_compute(where, at.matrix(), at.matrix(), forced);
  }();
  const auto filled = [&](widths w) {
    csr_matrix<T> c(prepared.result_shape(), prepared.result_nnz(), w, where.memory());
    const placed at(where, a);
    multiply_fill(prepared, at.matrix(), at.matrix(), c);
    return fetched(where, std::move(c));
  };
  const auto narrow = narrowest(prepared.result_shape(), prepared.result_nnz());
  check_result(filled(narrow).view(), wanted, T{1});
  for (T& v : a.values()) v *= 2;  // the structure stays, every sum grows by 4
  check_result(filled({index_width::i64, index_width::i64}).view(), wanted, T{4});
  if (a.nnz() > 0 && a.cols() > 1) {
    const auto columns = a.mutable_view().columns;
    const auto first = columns[0];
    const auto other = (first + 1) % a.cols();
    if (columns.width() == index_width::i32)
      columns.template as<std::int32_t>()[0] = static_cast<std::int32_t>(other);
    else
      columns.template as<std::int64_t>()[0] = other;
    EXPECT_THROW(filled(narrow), error) << "a changed structure went unnoticed";
  }
}

// ---- memory limits --------------------------------------------------------------------------

/// What an error(memory_limit) says would do; 0 when `call` gets through.
template <class F>
index_t told_to_need(F&& call) {
  try {
    call();
    return 0;
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::memory_limit) << e.what();
    const std::string text = e.what(), before = "the smallest limit that would do is ";
    const auto at = text.find(before);
    EXPECT_NE(at, text.npos) << text;
    return at == text.npos ? 0 : std::stoll(text.substr(at + before.size()));
  }
}

/// The limit an error names is enough, to the byte: bitwise the same result, never more memory than
/// the limit; one byte less is refused and nothing stays allocated.
template <class T, class A, class B>
void check_limits(const subject& s, const A& left, const B& right, const csr_matrix<T>& wanted) {
  const auto memory = std::make_shared<counting_memory>();
  const auto where = context_for(*s.tested, 2).with_memory(memory);
  const auto within = [&](index_t limit) {
    return options{.algorithm = std::string(s.tested->id), .memory_limit = limit};
  };
  const auto product = [&](index_t limit) {
    memory->restart();
    EXPECT_TRUE(same_bits(multiply(where, left, right, within(limit)), wanted)) << limit;
  };
  index_t least = 1;
  for (int tries = 0; tries < 3; ++tries) {  // first to count, then for C
    const index_t more = told_to_need([&] { product(least); });
    EXPECT_LE(memory->peak(), least);
    if (more == 0) break;
    ASSERT_GT(more, least);
    EXPECT_EQ(told_to_need([&] { product(more - 1); }), more);
    EXPECT_LE(memory->peak(), more - 1);
    EXPECT_EQ(memory->held(), 0);
    least = more;
  }
  for (const index_t limit : {least, least + 1000, 2 * least, least + 10'000'000}) {
    product(limit);
    EXPECT_LE(memory->peak(), limit);
    EXPECT_GT(memory->peak(), 0);
    EXPECT_EQ(memory->held(), 0);
  }
  memory->restart();
  {
    const auto prepared = multiply_compute(where, left, right, within(least));
    csr_matrix<T> c(prepared.result_shape(), prepared.result_nnz(), wanted.index_widths(), memory);
    multiply_fill(prepared, left, right, c);
    EXPECT_TRUE(same_bits(c, wanted));
  }
  EXPECT_LE(memory->peak(), least);
}

/// Asks for ever more until the call gets through, as its errors say: the limit that did.
template <class F>
index_t limit_that_does(const counting_memory& memory, F&& call) {
  index_t limit = 1;
  for (int tries = 0; tries < 5; ++tries) {
    const index_t more = told_to_need([&] { call(limit); });
    EXPECT_LE(memory.peak(), limit);
    EXPECT_EQ(memory.held(), 0) << "left behind after " << limit;
    if (more == 0) return limit;
    if (more <= limit) {
      ADD_FAILURE() << "a limit of " << limit << " was refused, and " << more << " said to do";
      return limit;
    }
    limit = more;
  }
  ADD_FAILURE() << "the limits that errors name never do";
  return limit;
}

/// On a device the limit that an error names is enough, but need not be the least. No call holds
/// more than its limit, results are bitwise the same, and nothing stays allocated.
template <class T, class A, class B>
void check_device_limits(const subject& s, const A& left, const B& right,
                         const csr_matrix<T>& wanted) {
  const auto plain = context_for(*s.tested, 2);
  const auto memory = std::make_shared<counting_memory>(plain.memory());
  const auto where = plain.with_memory(memory);
  const auto within = [&](index_t limit) {
    return options{.algorithm = std::string(s.tested->id), .memory_limit = limit};
  };
  const auto product = [&](index_t limit) {
    memory->restart();
    EXPECT_TRUE(same_bits(fetched(where, multiply(where, left, right, within(limit))), wanted))
        << limit;
  };
  const index_t least = limit_that_does(*memory, product);
  for (const index_t limit : {least, least + 1000, 2 * least, least + 10'000'000}) {
    product(limit);
    EXPECT_LE(memory->peak(), limit);
    EXPECT_GT(memory->peak(), 0);
    EXPECT_EQ(memory->held(), 0);
  }
  limit_that_does(*memory, [&](index_t limit) {
    memory->restart();
    const auto prepared = multiply_compute(where, left, right, within(limit));
    csr_matrix<T> c(prepared.result_shape(), prepared.result_nnz(), wanted.index_widths(), memory);
    multiply_fill(prepared, left, right, c);
    EXPECT_TRUE(same_bits(fetched(where, std::move(c)), wanted));
  });
}

}  // namespace

template <class T>
void check_spgemm(const subject& s) {
  const auto& c = *s.matrix;
  const options forced{.algorithm = std::string(s.tested->id)};
  int ran = 0;
  for (const auto pair : all_pairings) {
    if (!pair.fits(c.shape)) continue;
    const auto a = rounded<T>(c, pair.a_transposed), b = rounded<T>(c, pair.b_transposed);
    const auto b_shape = pair.b_transposed ? gossamer::transposed(c.shape) : c.shape;
    if (products(a, b, b_shape.rows) > 2'000'000)
      continue;  // a tall matrix times its transpose: all products
    ++ran;
    const auto rows = pair.a_transposed ? c.shape.cols : c.shape.rows;
    const auto wanted = product<T>(a, rows, b, b_shape);
    for (const auto w : tested(all_widths)) {
      SCOPED_TRACE(std::string(pair.a_transposed ? "A^T " : "A ") +
                   (pair.b_transposed ? "B^T" : "B"));
      const auto csr = cases::as_csr<T>(c, w);
      const auto where = context_for(*s.tested, 2);
      const placed at(where, csr);
      const auto left = scaled(T{-0.5}, operand_of(at.matrix(), pair.a_transposed));
      const auto right = operand_of(at.matrix(), pair.b_transposed);
      const auto found = fetched(where, multiply(where, left, right, forced));
      check_result(found.view(), wanted, T{-0.5});
      if (testing::Test::HasFailure()) return;
      for (const int threads : {1, 5}) {
        const auto again =
            fetched(where, multiply(context_for(*s.tested, threads), left, right, forced));
        EXPECT_TRUE(!s.tested->deterministic || same_bits(found, again))
            << "other bits with " << threads << " threads";
      }
      EXPECT_EQ(found.index_widths(), narrowest(found.shape(), found.nnz()));
      if (on_device(where))
        check_device_limits<T>(s, left, right, found);
      else
        check_limits<T>(s, left, right, found);
    }
  }
  EXPECT_GT(ran, 0);
  if (c.shape.rows == c.shape.cols) {
    const auto entries = rounded<T>(c, false);
    const auto wanted = product<T>(entries, c.shape.rows, entries, c.shape);
    const auto csr = cases::as_csr<T>(c, all_widths[0]);
    check_two_phases(s, csr, wanted);
    const auto where = context_for(*s.tested, 2);
    const placed at(where, csr);
    const auto zero =
        fetched(where, multiply(where, scaled(T{0}, at.matrix()), at.matrix(), forced));
    check_result(zero.view(), wanted, T{0});
  }
}

template void check_spgemm<float>(const subject&);
template void check_spgemm<double>(const subject&);

}  // namespace gossamer::conformance
