// The set-up: levels from the finest to the coarsest.
#include <chrono>
#include <cmath>

#include "amg/coarsest.hpp"
#include "amg/levels.hpp"
#include "amg/rows.hpp"
#include "amg/vectors.hpp"
#include "base/text.hpp"
#include "gossamer/convert.hpp"

namespace gossamer::amg {

namespace {

/// A level that keeps more than this share of the rows is not worth its cost.
constexpr double least_coarsening = 0.8;
/// Larger coarsest levels are smoothed: elimination takes n^3 operations.
constexpr index_t most_direct = 1000;
/// Sweeps on a coarsest level that is too large to be solved directly.
constexpr int coarsest_sweeps = 8;

template <real T>
csr_matrix<T> with_narrow_columns(const csr_view<const T>& a) {
  csr_matrix<T> narrow(a.shape, a.nnz());
  const auto to = narrow.mutable_view();
  const auto columns = to.columns.template as<std::int32_t>();
  for (index_t p = 0; p < a.nnz(); ++p)
    columns[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(a.columns[p]);
  std::copy(a.values, a.values + a.nnz(), to.values);
  const auto copy = [&](auto offsets) {
    using offset = typename decltype(offsets)::value_type;
    for (index_t i = 0; i <= a.shape.rows; ++i)
      offsets[static_cast<std::size_t>(i)] = static_cast<offset>(a.offsets[i]);
  };
  if (to.offsets.width() == index_width::i32)
    copy(to.offsets.template as<std::int32_t>());
  else
    copy(to.offsets.template as<std::int64_t>());
  return narrow;
}

template <real T>
void require_matrix(const csr_view<const T>& a, const setup_options& how,
                    const near_null_space<T>& candidates) {
  const auto bad = [](const std::string& text) { return error(error_kind::bad_argument, text); };
  if (a.where != memory::host)
    throw bad(
        "A is in device memory; a hierarchy is built from a host matrix (copy_to_host) and "
        "copies it to the device of its context");
  if (a.shape.rows != a.shape.cols || a.shape.rows == 0)
    throw fail(error_kind::bad_input,
               "A is {}; a linear system needs a square matrix with at least one row",
               shape_text(a.shape));
  if (a.shape.rows > std::numeric_limits<std::int32_t>::max() - 2)
    throw fail(error_kind::overflow, "A is {}; the solver takes fewer than 2^31 rows",
               shape_text(a.shape));
  if (how.block_size < 1 || a.shape.rows % how.block_size != 0)
    throw fail(error_kind::bad_argument,
               "block_size is {} and A has {} rows; nodes have equally many rows", how.block_size,
               count_text(a.shape.rows));
  if (candidates.shape.cols != 0 && candidates.shape.rows != a.shape.rows)
    throw fail(error_kind::bad_argument,
               "the near-null-space vectors are {}; A ({}) needs {} rows of them",
               shape_text(candidates.shape), shape_text(a.shape), count_text(a.shape.rows));
  if (!(how.strength >= 0) || how.strength >= 1 || how.levels < 1 || how.coarsest < 1 ||
      how.sweeps < 1 || !(how.ratio > 1) || !(how.omega >= 0) || how.omega >= 2)
    throw bad(
        "setup_options: 0 <= strength < 1, levels, coarsest and sweeps from 1, ratio above 1, "
        "0 <= omega < 2");
}

/// The vectors, row-major. Without any: one constant vector for each unknown of a node.
template <real T>
std::pair<index_t, buffer<T>> candidates_of(const near_null_space<T>& given, index_t rows,
                                            index_t block) {
  const index_t k = given.shape.cols > 0 ? given.shape.cols : block;
  buffer<T> vectors(rows * k);
  for (index_t i = 0; i < rows; ++i)
    for (index_t c = 0; c < k; ++c)
      vectors[i * k + c] =
          given.shape.cols > 0 ? given(i, c) : static_cast<T>(i % block == c ? 1 : 0);
  for (const T value : vectors.span())
    if (!std::isfinite(value))
      throw fail(error_kind::bad_argument, "a near-null-space vector has the value {}", value);
  return {k, std::move(vectors)};
}

/// Places A where the products run, and makes its rows ascend without duplicates.
template <real T>
level<T> finest_level(typename hierarchy<T>::implementation& all, const csr_view<const T>& given) {
  level<T> finest;
  finest.host = given;
  if (given.columns.width() != index_width::i32) {
    finest.copied = with_narrow_columns<T>(given);
    finest.host = finest.copied;
  }
  if (!has_plain_rows<T>(all.threads, finest.host)) {
    finest.copied = sum_duplicates<T>(context::openmp(all.threads), finest.host);
    finest.host = finest.copied;
  }
  finest.a = finest.host;
  if (all.on_device()) {
    finest.held = copy_to(all.where, finest.host);
    finest.a = finest.held;
  }
  finest.block = all.how.block_size;
  return finest;
}

/// P of a level: on the host in one pass, on a device as a product of two matrices.
template <real T>
void prolong(typename hierarchy<T>::implementation& all, level<T>& fine, laps& lap) {
  const double bound = std::min(fine.strong.facts.spectrum, fine.spectrum);
  const smoothing_step<T> by{fine.strong.smoothing, fine.strong.facts.diagonal.data(),
                             static_cast<T>(all.how.omega / bound), fine.block};
  if (!all.on_device()) {
    fine.p = smooth_prolongator<T>(all.threads, by, fine.nodes, fine.t);
    lap.add(all.stats.times.prolongator);
    return;
  }
  const auto t = tentative_matrix<T>(all.threads, fine.nodes, fine.block, fine.t);
  lap.add(all.stats.times.prolongator);
  fine.tentative_there = copy_to(all.where, t);
  fine.smoothing = copy_to(all.where, by.a);
  const auto diagonal = copy_to(all.where, fine.strong.facts.diagonal.span());
  lap.add(all.stats.times.copies);
  cuda::smoother_values<T>(all.where, fine.smoothing, diagonal.data(), by.weight,
                           fine.smoothing.values().data());
  fine.p = multiply(all.where, fine.smoothing, fine.tentative_there, product_options(all.where));
  lap.add(all.stats.times.prolongator);
}

/// The matrix of the next level by two products.
template <real T>
level<T> coarsen(typename hierarchy<T>::implementation& all, level<T>& fine, laps& lap) {
  auto& times = all.stats.times;
  prolong(all, fine, lap);
  fine.r = transpose<T>(all.where, fine.p);
  lap.add(times.transpose);
  const auto how = product_options(all.where);
  level<T> coarse;
  if (all.how.product == galerkin::right_first) {
    fine.between = multiply(all.where, fine.a, fine.p, how);
    lap.add(times.first_product);
    coarse.held = multiply(all.where, fine.r, fine.between, how);
  } else {
    fine.between = multiply(all.where, fine.r, fine.a, how);
    lap.add(times.first_product);
    coarse.held = multiply(all.where, fine.between, fine.p, how);
  }
  lap.add(times.second_product);
  coarse.a = coarse.host = coarse.held;
  coarse.block = fine.t.k;
  mend_coarse(all, fine, coarse, lap);
  return coarse;
}

}  // namespace

template <real T>
void mend_coarse(typename hierarchy<T>::implementation& all, const level<T>& fine, level<T>& coarse,
                 laps& lap) {
  auto mutable_a = coarse.held.mutable_view();
  if (fine.t.dependent > 0 && all.on_device()) {
    cuda::mend_diagonal<T>(all.where, mutable_a);
  } else if (fine.t.dependent > 0) {
    const row_reader<T> rows(coarse.held.view());
    for (index_t i = 0; i < rows.rows; ++i)
      for (index_t p = rows.begin(i); p < rows.end(i); ++p)
        if (rows.columns[p] == i && mutable_a.values[p] == T{0}) mutable_a.values[p] = T{1};
  }
  if (!all.on_device()) return;
  coarse.copied = copy_to_host(all.where, coarse.held);
  coarse.host = coarse.copied;
  lap.add(all.stats.times.copies);
}

options product_options(const context& where) {
  if (where.backend() == backend::openmp) return {.algorithm = "adaptive", .deterministic = true};
  return {.deterministic = true};
}

double now() {
  using clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}
laps::laps(const context& where) : where_(where), before_(now()) {}
void laps::add(double& phase) {
  where_.synchronise();
  const double then = now();
  phase += then - before_;
  before_ = then;
}

template <real T>
void finish_matrix(typename hierarchy<T>::implementation& all, level<T>& on) {
  const index_t n = on.a.shape.rows;
  buffer<T> inverse(n);
  const T* const diagonal = on.strong.facts.diagonal.data();
  parallel_ranges(all.threads, n, row_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) inverse[i] = T{1} / diagonal[i];
  });
  on.inverse_diagonal = copy_to(all.where, inverse.span());
  vector<T> x(n, all.where.memory()), y(n, all.where.memory());
  on.times_a = multiply_inspect(
      all.where, on.a, x, y, {.expected_calls = all.how.expected_calls, .constant_values = true});
  on.spectrum = bound_spectrum(all.where, on, on.strong.facts.spectrum);
  on.steps = smoother_steps(all.how, on.spectrum, all.how.sweeps);
}

template <real T>
void finish_transfer(typename hierarchy<T>::implementation& all, level<T>& fine) {
  const index_t n = fine.a.shape.rows, coarse = fine.p.cols();
  vector<T> x(n, all.where.memory()), y(coarse, all.where.memory());
  const options how{.expected_calls = all.how.expected_calls, .constant_values = true};
  fine.times_p = multiply_inspect(all.where, fine.p, y, x, how);
  fine.times_r = multiply_inspect(all.where, fine.r, x, y, how);
}

template <real T>
void finish_coarsest(typename hierarchy<T>::implementation& all) {
  auto& last = all.levels.back();
  const index_t n = last.a.shape.rows;
  if (n > most_direct) {
    last.steps = smoother_steps(all.how, last.spectrum, std::max(coarsest_sweeps, all.how.sweeps));
    all.stats.coarsest = formatted("smoothed: {} rows are too many for elimination", count_text(n));
    return;
  }
  auto found = invert<T>(last.host, all.how.symmetric);
  all.stats.coarsest =
      found.rank == n ? "direct" : formatted("direct, of rank {} of {}", found.rank, n);
  all.inverse = all.on_device() ? copy_to(all.where, found.matrix) : std::move(found.matrix);
  vector<T> x(n, all.where.memory()), y(n, all.where.memory());
  all.times_inverse =
      multiply_inspect(all.where, all.inverse, x, y, {.expected_calls = all.how.expected_calls});
}

namespace {

template <real T>
void allocate_vectors(typename hierarchy<T>::implementation& all) {
  for (std::size_t l = 0; l < all.levels.size(); ++l) {
    auto& on = all.levels[l];
    const auto make = [&] { return vector<T>(on.a.shape.rows, all.where.memory()); };
    on.residual = make();
    on.direction = make();
    if (l == 0) continue;
    on.x = make();
    on.b = make();
    if (all.how.cycle != cycle::w) continue;
    on.second_x = make();
    on.second_b = make();
  }
}

template <real T>
void describe_levels(typename hierarchy<T>::implementation& all) {
  all.stats.levels.clear();
  for (const auto& on : all.levels)
    all.stats.levels.push_back({.rows = on.a.shape.rows,
                                .nnz = on.a.nnz(),
                                .aggregates = on.nodes.count,
                                .prolongator_nnz = on.p.nnz(),
                                .weak = on.strong.weak,
                                .spectrum = on.spectrum,
                                .kernel = on.times_a->kernel()});
}

}  // namespace

template <real T>
void build_levels(typename hierarchy<T>::implementation& all, const csr_view<const T>& a,
                  const near_null_space<T>& candidates) {
  require_matrix(a, all.how, candidates);
  const double begun = now();
  laps lap(all.where);
  auto& times = all.stats.times;
  auto [k, vectors] = candidates_of(candidates, a.shape.rows, all.how.block_size);
  all.levels.push_back(finest_level<T>(all, a));
  double threshold = all.how.strength;
  for (;; threshold /= 2) {
    auto& fine = all.levels.back();
    const int depth = static_cast<int>(all.levels.size());
    fine.strong.facts = look_at_rows<T>(all.threads, fine.host, all.how, depth - 1);
    lap.add(times.strength);
    finish_matrix(all, fine);
    lap.add(times.plans);
    if (fine.a.shape.rows <= all.how.coarsest || depth == all.how.levels) break;
    fine.strong = connect<T>(all.threads, fine.host, std::move(fine.strong.facts), all.how,
                             threshold, fine.block);
    lap.add(times.strength);
    fine.nodes = aggregate<T>(all.threads, fine.strong.graph, all.how.seed);
    lap.add(times.aggregation);
    if (fine.nodes.count == 0 || static_cast<double>(fine.nodes.count * k) >
                                     least_coarsening * static_cast<double>(fine.a.shape.rows)) {
      fine.nodes = {};
      break;
    }
    fine.t = make_tentative<T>(all.threads, fine.nodes, fine.block, k, vectors);
    vectors = std::move(fine.t.coarse);
    lap.add(times.prolongator);
    auto coarse = coarsen(all, fine, lap);
    finish_transfer(all, fine);
    lap.add(times.plans);
    all.levels.push_back(std::move(coarse));
  }
  finish_coarsest<T>(all);
  lap.add(times.coarsest);
  allocate_vectors<T>(all);
  describe_levels<T>(all);
  lap.add(times.plans);
  times.total = now() - begun;
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                                            \
  template void mend_coarse(hierarchy<T>::implementation&, const level<T>&, level<T>&, laps&); \
  template void finish_matrix(hierarchy<T>::implementation&, level<T>&);                       \
  template void finish_transfer(hierarchy<T>::implementation&, level<T>&);                     \
  template void finish_coarsest<T>(hierarchy<T>::implementation&);                             \
  template void build_levels(hierarchy<T>::implementation&, const csr_view<const T>&,          \
                             const near_null_space<T>&);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg
