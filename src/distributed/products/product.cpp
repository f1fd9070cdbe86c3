// C = alpha A B of distributed matrices: check, choose, run, report.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "distributed/partitions.hpp"
#include "distributed/products/choice.hpp"
#include "distributed/products/grid_product.hpp"
#include "distributed/products/row_product.hpp"

namespace gossamer::mpi {
namespace {

void require_host(const context& where) {
  if (where.backend() == backend::cuda)
    throw fail(error_kind::not_available,
               "distributed sparse products run on the host; pass context::openmp()");
}

void require_mask(const options& how, extents local) {
  if (!how.mask) return;
  if (how.mask->where != memory::host || how.mask->shape != local)
    throw fail(error_kind::bad_argument,
               "the mask of this rank is {} in {} memory; expected {} on the host: its rows of C "
               "and all columns",
               shape_text(how.mask->shape), name(how.mask->where), shape_text(local));
}

constexpr std::array<std::string_view, 4> known = {"auto", "1d", "2d", "3d"};

void require_algorithm(const spgemm_options& how) {
  if (std::find(known.begin(), known.end(), how.algorithm) == known.end())
    throw fail(error_kind::bad_argument, "there is no distributed algorithm \"{}\"; expected {}",
               how.algorithm, joined(known, ", "));
  if (how.layers < 0 || how.layers == 1)
    throw fail(error_kind::bad_argument, "layers is {}; expected 2 or more, or 0 to choose",
               how.layers);
}

/// What a rank alone can find wrong, agreed on by all of them.
template <real_scalar T>
void require_product(const context& where, const distributed_csr<T>& a, const distributed_csr<T>& b,
                     const spgemm_options& how) {
  agreed(a.ranks(), [&] {
    if (!a.ranks().same_ranks(b.ranks()))
      throw fail(error_kind::bad_argument,
                 "A is on {} ranks and B on {} others; expected the same ranks in the same order",
                 a.ranks().size(), b.ranks().size());
    if (a.shape().cols != b.shape().rows)
      throw fail(error_kind::bad_argument,
                 "A is {} and B is {}; expected as many columns of A as "
                 "rows of B",
                 shape_text(a.shape()), shape_text(b.shape()));
    require_host(where);
    require_algorithm(how);
    require_mask(how.local, {a.local_rows(), b.shape().cols});
    if (how.alpha != 1 && how.local.semiring != semiring::plus_times)
      throw fail(error_kind::bad_argument, "alpha is {} over {}; only plus_times takes a scale",
                 how.alpha, name(how.local.semiring));
    if (how.local.memory_limit < 0)
      throw fail(error_kind::bad_argument, "the memory limit is {}; expected 0, none, or more",
                 how.local.memory_limit);
  });
}

/// Ranks that were asked for different things would wait for each other.
void require_same_options(const communicator& ranks, const spgemm_options& how) {
  const auto number = std::find(known.begin(), known.end(), how.algorithm) - known.begin();
  require_alike(ranks, number, "the number of the algorithm (auto, 1d, 2d, 3d)");
  require_alike(ranks, how.layers, "the number of layers");
  require_alike(ranks, static_cast<index_t>(how.local.semiring), "the number of the semiring");
  require_alike(ranks, how.local.mask ? 1 : 0, "the number of masks");
}

/// Bytes that this rank sends in a 1D product: its questions, and answers and rows for others.
index_t sent_by_rows(const row_requests& of, index_t nonzero) {
  const auto me = static_cast<std::size_t>(of.ranks().rank());
  const index_t first = of.wanted_offsets()[me], last = of.wanted_offsets()[me + 1];
  index_t own_nnz = 0;
  for (index_t i = first; i < last; ++i) own_nnz += of.lengths()[static_cast<std::size_t>(i)];
  const auto rows = static_cast<index_t>(of.wanted().size() + of.asked().size());
  return (rows - 2 * (last - first)) * static_cast<index_t>(sizeof(index_t)) +
         (of.asked_nnz() - own_nnz) * nonzero;
}

/// Sums over all ranks of what the choice rests on.
template <real_scalar T>
product_facts facts_of(const distributed_csr<T>& a, const distributed_csr<T>& b,
                       const row_problem<T>& on, int layers) {
  const auto& ranks = a.ranks();
  product_facts facts{.ranks = ranks.size(),
                      .a = a.shape(),
                      .b = b.shape(),
                      .a_nnz = a.nnz(),
                      .b_nnz = b.nnz(),
                      .value = static_cast<index_t>(sizeof(T))};
  const index_t nonzero = bytes(narrowest(b.shape().cols)) + facts.value;
  const auto offsets = on.needed->wanted_offsets();
  const auto me = static_cast<std::size_t>(ranks.rank());
  index_t mine = 0;
  for (std::size_t i = 0; i < on.needed->wanted().size(); ++i) {
    const auto row = static_cast<index_t>(i);
    if (row >= offsets[me] && row < offsets[me + 1]) continue;
    mine += 2 * static_cast<index_t>(sizeof(index_t)) + on.needed->lengths()[i] * nonzero;
  }
  facts.row_bytes = sum_of(ranks, mine);
  facts.row_most = greatest_of(ranks, sent_by_rows(*on.needed, nonzero));
  for (int step = 0, count = 1; step < 5; ++step, count *= 2) {
    double expected = 0;
    for (index_t i = 0; i < a.local_rows(); ++i)
      expected += expected_nonzeros(on.work[i + 1] - on.work[i], b.shape().cols,
                                    step > 0 && layers > 0 ? layers : count);
    facts.c_nnz[step] = sum_of(ranks, expected);
  }
  return facts;
}

/// What runs, and why.
struct decision {
  predicted_traffic way;
  std::string because;
};

decision only(const std::string& algorithm, const process_grid& grid, const std::string& because) {
  return {{.algorithm = algorithm, .grid = grid}, because};
}

/// What needs no estimate: one rank, or everything said.
std::optional<decision> decided(const communicator& ranks, const spgemm_options& how) {
  if (how.algorithm == "auto" && ranks.size() == 1)
    return only("1d", {}, "one rank has all rows of B");
  if (how.algorithm == "1d") return only("1d", {}, "it was asked for");
  if (how.algorithm == "2d")
    return only("2d", process_grid::near_square(ranks.size()), "it was asked for");
  if (how.algorithm == "3d" && how.layers > 0)
    return only("3d", process_grid::near_square(ranks.size(), how.layers), "it was asked for");
  return {};
}

decision chosen(const std::vector<predicted_traffic>& all, const spgemm_options& how) {
  const auto& best = cheapest(all, how.algorithm);
  std::string others;
  for (const auto& way : all)
    if (way.algorithm != best.algorithm)
      others += formatted("{}{} about {}", others.empty() ? "" : ", ", way.algorithm,
                          bytes_text(way.most_bytes));
  return {best, formatted("its busiest rank sends the fewest bytes, about {} ({})",
                          bytes_text(best.most_bytes), others.empty() ? "the only one" : others)};
}

void complete(const communicator& ranks, spgemm_report& report) {
  report.sent_by_all = {sum_of(ranks, report.sent.messages), sum_of(ranks, report.sent.bytes)};
  report.most_bytes = greatest_of(ranks, report.sent.bytes);
}

}  // namespace

template <real_scalar T>
distributed_csr<T> multiply(const context& where, const distributed_csr<T>& a,
                            const distributed_csr<T>& b, const spgemm_options& how,
                            spgemm_report* why) {
  require_product(where, a, b, how);
  const auto& ranks = a.ranks();
  require_same_options(ranks, how);
  const traffic before = ranks.sent();
  spgemm_report report;
  const budget within(where.with_threads(how.local.threads), how.local.memory_limit);
  auto run = agreed(ranks, [&] { return decided(ranks, how); });
  std::optional<row_problem<T>> by_rows;
  if (!run || run->way.algorithm == "1d") {
    by_rows.emplace(describe_rows(within, a, b));
    report.multiplications = sum_of(ranks, by_rows->work[a.local_rows()]);
  }
  if (!run) {
    const auto facts = facts_of(a, b, *by_rows, how.layers);
    report.considered = agreed(ranks, [&] { return estimate_traffic(facts, how); });
    run = agreed(ranks, [&] { return chosen(report.considered, how); });
  }
  report.algorithm = run->way.algorithm;
  report.grid = run->way.grid;
  report.because = run->because;
  if (report.algorithm != "1d") by_rows.reset();
  auto c = by_rows ? multiply_rows(within, b, *by_rows, how, report.rounds)
                   : multiply_on_grid(within, a, b, report.grid, how, report.rounds);
  report.sent = ranks.sent() - before;
  report.nnz = c.nnz();
  complete(ranks, report);
  if (why != nullptr) *why = std::move(report);
  return c;
}

template distributed_csr<float> multiply(const context&, const distributed_csr<float>&,
                                         const distributed_csr<float>&, const spgemm_options&,
                                         spgemm_report*);
template distributed_csr<double> multiply(const context&, const distributed_csr<double>&,
                                          const distributed_csr<double>&, const spgemm_options&,
                                          spgemm_report*);

}  // namespace gossamer::mpi
