// The set-up of a distributed hierarchy.
#include "base/text.hpp"
#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {
namespace {

/// As in one process: a level that keeps more than this share of the rows is not worth its cost,
/// and a coarsest level that is not solved directly is smoothed this often.
constexpr double least_coarsening = 0.8;
constexpr int coarsest_sweeps = 8;

template <amg::real T>
void require_matrix(const context& where, const distributed_csr<T>& a, const amg_options& how) {
  agreed(a.ranks(), [&] {
    if (where.backend() == backend::cuda)
      throw fail(error_kind::not_available,
                 "a distributed hierarchy is built on the host; pass context::openmp()");
    if (a.shape().rows != a.shape().cols || a.shape().rows == 0)
      throw fail(error_kind::bad_input,
                 "A is {}; a linear system needs a square matrix with at least one row",
                 shape_text(a.shape()));
    if (!(a.row_partition() == a.column_partition()))
      throw error(error_kind::bad_argument,
                  "the columns of A are partitioned differently from its rows; redistribute A with "
                  "one partition for both");
    if (how.setup.block_size != 1 || how.setup.cycle != amg::cycle::v)
      throw fail(error_kind::not_available,
                 "block_size is {} and the cycle {}; distributed hierarchies have 1 and V",
                 how.setup.block_size, name(how.setup.cycle));
    if (!how.setup.symmetric)
      throw error(error_kind::not_available,
                  "setup_options::symmetric is false; distributed hierarchies are for conjugate "
                  "gradients, which need a symmetric matrix");
    if (how.gather_below < 1 || how.gather_below > std::numeric_limits<std::int32_t>::max() - 2)
      throw fail(error_kind::bad_argument, "gather_below is {}; expected 1 to 2^31 - 3",
                 how.gather_below);
  });
}

/// Diagonal, smoother and plan of a level.
template <amg::real T>
void finish_matrix(typename amg_hierarchy<T>::implementation& all, distributed_level<T>& on) {
  const int depth = static_cast<int>(all.levels.size()) - 1;
  on.facts = facts_of(*on.a, all.how.setup.symmetric, depth);
  agreed(all.ranks, [&] {
    for (const T value : on.facts.diagonal) on.inverse_diagonal.push_back(T{1} / value);
    for (auto* v : {&on.x, &on.b, &on.residual, &on.direction})
      v->resize(static_cast<std::size_t>(on.a->local_rows()));
  });
  on.times_a.emplace(all.where, *on.a, product_options{.agree = agreement::none});
  on.spectrum = bound_spectrum(all.where, on);
  on.steps = amg::smoother_steps(all.how.setup, on.spectrum, all.how.setup.sweeps);
}

/// Coarse unknowns that no vector needs get a diagonal of one.
template <amg::real T>
void mend(distributed_csr<T>& a) {
  const auto own = a.own();
  for (index_t i = 0; i < a.local_rows(); ++i)
    for (index_t k = own.offsets[i]; k < own.offsets[i + 1]; ++k)
      if (T& value = a.own_values()[static_cast<std::size_t>(k)];
          own.columns[k] == i && value == T{0})
        value = T{1};
}

/// The next level, or nothing where the last one is coarse enough, or does not get coarser.
template <amg::real T>
std::unique_ptr<distributed_level<T>> coarsened(typename amg_hierarchy<T>::implementation& all,
                                                std::vector<T>& vector, double threshold) {
  auto& fine = *all.levels.back();
  const auto filtered = without_weak(all.where, *fine.a, fine.facts, threshold, fine.weak);
  const auto& graph = filtered ? *filtered : *fine.a;
  const auto nodes = aggregate(graph, all.how.setup.seed);
  const auto rows = static_cast<double>(fine.a->shape().rows);
  if (nodes.owners.size() == 0 ||
      static_cast<double>(nodes.owners.size()) > least_coarsening * rows)
    return nullptr;
  const auto facts = filtered ? facts_of(graph, false, 0) : fine.facts;
  const double weight = all.how.setup.omega / std::min(facts.spectrum, fine.spectrum);
  fine.aggregates = nodes.owners.size();
  fine.p.emplace(
      prolongator<T>(all.where, {graph, facts.diagonal, weight}, nodes, vector, all.how.products));
  fine.r.emplace(transpose(all.where, *fine.p));
  fine.times_p.emplace(all.where, *fine.p, product_options{.agree = agreement::none});
  fine.times_r.emplace(all.where, *fine.r, product_options{.agree = agreement::none});
  auto coarse = agreed(all.ranks, [] { return std::make_unique<distributed_level<T>>(); });
  coarse->held.emplace(triple_product(all.where, *fine.r, *fine.a, *fine.p, all.how.products));
  mend(*coarse->held);
  coarse->a = &*coarse->held;
  return coarse;
}

template <amg::real T>
void describe(typename amg_hierarchy<T>::implementation& all) {
  const bool shared = all.gathered.levels.has_value();
  for (std::size_t l = 0; l + (shared ? 1 : 0) < all.levels.size(); ++l) {
    const auto& on = *all.levels[l];
    all.infos.push_back({.rows = on.a->shape().rows,
                         .nnz = on.a->nnz(),
                         .aggregates = on.aggregates,
                         .prolongator_nnz = on.p ? on.p->nnz() : 0,
                         .weak = on.weak,
                         .spectrum = on.spectrum,
                         .kernel = on.times_a->own_kernel()});
  }
  if (!shared) return;
  const auto& rest = all.gathered.levels->stats().levels;
  all.infos.insert(all.infos.end(), rest.begin(), rest.end());
}

template <amg::real T>
void build(typename amg_hierarchy<T>::implementation& all, const distributed_csr<T>& a) {
  std::vector<T> vector;
  agreed(all.ranks, [&] {
    vector.assign(static_cast<std::size_t>(a.local_rows()), T{1});
    all.levels.push_back(std::make_unique<distributed_level<T>>());
  });
  all.levels.back()->a = &a;
  double threshold = all.how.setup.strength;
  for (;; threshold /= 2) {
    auto& fine = *all.levels.back();
    if (fine.a->shape().rows <= all.how.gather_below) {
      gather_levels<T>(all, vector, threshold);
      break;
    }
    finish_matrix(all, fine);
    if (static_cast<int>(all.levels.size()) == all.how.setup.levels) break;
    auto coarse = coarsened<T>(all, vector, threshold);
    if (!coarse) break;
    all.levels.push_back(std::move(coarse));
    auto& next = *all.levels.back();
    agreed(all.ranks, [&] {
      for (auto* v : {&next.x, &next.b}) v->resize(static_cast<std::size_t>(next.a->local_rows()));
    });
  }
  if (!all.gathered.levels)
    all.levels.back()->steps = amg::smoother_steps(all.how.setup, all.levels.back()->spectrum,
                                                   std::max(coarsest_sweeps, all.how.setup.sweeps));
  agreed(all.ranks, [&] { describe<T>(all); });
}

}  // namespace

template <amg::real T>
amg_hierarchy<T>::amg_hierarchy(const context& where, const distributed_csr<T>& a,
                                const amg_options& how)
    : impl_(new implementation{.where = where, .ranks = a.ranks(), .how = how}) {
  require_matrix(where, a, how);
  build(*impl_, a);
}
template <amg::real T>
amg_hierarchy<T>::amg_hierarchy(amg_hierarchy&&) noexcept = default;
template <amg::real T>
amg_hierarchy<T>& amg_hierarchy<T>::operator=(amg_hierarchy&&) noexcept = default;
template <amg::real T>
amg_hierarchy<T>::~amg_hierarchy() = default;

template <amg::real T>
const std::vector<amg::level_info>& amg_hierarchy<T>::levels() const {
  return impl_->infos;
}
template <amg::real T>
int amg_hierarchy<T>::distributed_levels() const {
  return static_cast<int>(impl_->levels.size()) - (impl_->gathered.levels ? 1 : 0);
}
template <amg::real T>
void amg_hierarchy<T>::apply(std::span<const T> b, std::span<T> x) const {
  const auto rows = static_cast<std::size_t>(impl_->levels.front()->a->local_rows());
  agreed(impl_->ranks, [&] {
    if (b.size() != rows || x.size() != rows)
      throw fail(error_kind::bad_argument, "b has {} elements here and x {}; expected {}, as rows",
                 b.size(), x.size(), rows);
  });
  run_cycle<T>(*impl_, 0, b.data(), x.data());
}

template class amg_hierarchy<float>;
template class amg_hierarchy<double>;

}  // namespace gossamer::mpi
