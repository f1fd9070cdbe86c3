// 1D products.
#include "distributed/products/row_product.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "distributed/products/local_product.hpp"
#include "formats/typed.hpp"
#include "gossamer/structure.hpp"

namespace gossamer::mpi {
namespace {

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

/// Multiplications before each row of A.
template <real_scalar T>
buffer<index_t> work_before(const context& where, const csr_view<const T>& a,
                            std::span<const index_t> lengths) {
  buffer<index_t> work(a.shape.rows + 1, where.memory());
  work[0] = 0;
  typed(a, [&](const auto& rows) {
    for (index_t i = 0; i < rows.rows; ++i) {
      index_t sum = work[i];
      for (auto k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k)
        sum += lengths[at(rows.columns[k])];
      work[i + 1] = sum;
    }
  });
  return work;
}

/// The columns that rows [first, last) have, ascending.
template <real_scalar T>
std::vector<index_t> columns_of(const csr_view<const T>& a, index_t first, index_t last) {
  std::vector<char> seen(at(a.shape.cols), 0);
  for (index_t k = a.offsets[first]; k < a.offsets[last]; ++k) seen[at(a.columns[k])] = 1;
  std::vector<index_t> columns;
  for (index_t j = 0; j < a.shape.cols; ++j)
    if (seen[at(j)] != 0) columns.push_back(j);
  return columns;
}

/// One product under a limit: attempts with more and more rounds.
template <real_scalar T>
class rounds_of_rows {
 public:
  rounds_of_rows(const budget& within, const distributed_csr<T>& b, const row_problem<T>& on,
                 const spgemm_options& how)
      : within_(within), b_(b), on_(on), how_(how) {}

  distributed_csr<T> run(index_t& rounds) {
    const auto& ranks = on_.needed->ranks();
    const index_t most =
        std::max<index_t>(greatest_of(ranks, on_.a.rows.rows()), 1);  // a row a round
    rounds = std::min(greatest_of(ranks, first_guess()), most);
    for (;; rounds = std::min(2 * rounds, most)) {
      try {
        return attempt(rounds);
      } catch (const agreed_error& e) {
        const bool helps = greatest_of(ranks, more_rounds_help(rounds) ? 1 : 0) != 0;
        if (e.kind() != error_kind::memory_limit) throw;
        if (rounds == most || !helps)
          throw agreed_error(
              e.kind(),
              formatted("{} (a 1D product in {} rounds of rows; more ranks hold less "
                        "each)",
                        e.what(), count_text(rounds)),
              e.rank());
      }
    }
  }

 private:
  /// Bytes of the rows that this rank receives, and sends, if all are fetched at once.
  index_t fetched_bytes() const {
    const index_t nonzero = bytes(narrowest(b_.shape().cols)) + static_cast<index_t>(sizeof(T));
    return (on_.needed->wanted_nnz() + on_.needed->asked_nnz()) * nonzero;
  }
  /// Rounds whose rows of B take half of what is left; the other half is for C and the kernel.
  index_t first_guess() const {
    if (!within_.limited()) return 1;
    const index_t half = std::max<index_t>(within_.left() / 2, 1);
    return std::max<index_t>((fetched_bytes() + half - 1) / half, 1);
  }
  /// Whether what rounds make smaller, fetched rows and the kernel's memory, may have been an
  /// eighth of the limit when the attempt failed; otherwise C itself is too large.
  bool more_rounds_help(index_t rounds) const {
    const index_t work = on_.work[on_.a.rows.rows()] * static_cast<index_t>(sizeof(T) + 4);
    return within_.limited() && (fetched_bytes() + work) / rounds >= within_.limit() / 8;
  }

  distributed_csr<T> attempt(index_t rounds) {
    const auto& ranks = on_.needed->ranks();
    std::vector<csr_matrix<T>> blocks;
    agreed(ranks, [&] { blocks.reserve(at(rounds)); });
    const index_t rows = on_.a.rows.rows();
    for (index_t round = 0; round < rounds; ++round) {
      const auto mine =
          part_of_work(rows, round, rounds, [&](index_t i) { return on_.work[i] + i; });
      blocks.push_back(compute(mine, rounds > 1));
    }
    const auto c = agreed(ranks, [&] { return stack_rows(within_.where(), std::move(blocks)); });
    return {within_.where(), ranks, c.view(), b_.column_partition()};
  }

  csr_matrix<T> compute(range rows, bool chosen_only) {
    const auto& ranks = on_.needed->ranks();
    const auto a = on_.a.rows.view();
    std::optional<std::vector<index_t>> chosen;
    if (chosen_only) chosen = agreed(ranks, [&] { return columns_of(a, rows.begin, rows.end); });
    const auto fetched = fetch_rows(within_.where(), b_, *on_.needed, chosen);
    return agreed(ranks, [&] {
      const row_range<T> part(within_.where(), a, rows.begin, rows.end);
      if (!how_.local.mask)
        return multiply_local<T>(within_, {part.view(), fetched.view(), {}}, how_);
      const pattern_rows mask(within_.where(), *how_.local.mask, rows.begin, rows.end);
      return multiply_local<T>(within_, {part.view(), fetched.view(), mask.view()}, how_);
    });
  }

  const budget& within_;
  const distributed_csr<T>& b_;
  const row_problem<T>& on_;
  const spgemm_options& how_;
};

}  // namespace

template <real_scalar T>
row_problem<T> describe_rows(const budget& within, const distributed_csr<T>& a,
                             const distributed_csr<T>& b) {
  const auto& ranks = a.ranks();
  row_problem<T> on;
  buffer<index_t> lengths;
  agreed(ranks, [&] {
    on.a = compact(within.where(), a);
    lengths = row_lengths(within.where(), b);
  });
  on.needed.emplace(within.where(), ranks, b.row_partition(), on.a.columns, lengths);
  agreed(ranks,
         [&] { on.work = work_before(within.where(), on.a.rows.view(), on.needed->lengths()); });
  return on;
}

template <real_scalar T>
distributed_csr<T> multiply_rows(const budget& within, const distributed_csr<T>& b,
                                 const row_problem<T>& on, const spgemm_options& how,
                                 index_t& rounds) {
  return rounds_of_rows<T>(within, b, on, how).run(rounds);
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                                       \
  template row_problem<T> describe_rows(const budget&, const distributed_csr<T>&,         \
                                        const distributed_csr<T>&);                       \
  template distributed_csr<T> multiply_rows(const budget&, const distributed_csr<T>&,     \
                                            const row_problem<T>&, const spgemm_options&, \
                                            index_t&);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
