// What callers see of a hierarchy.
#include "amg/levels.hpp"
#include "base/text.hpp"

namespace gossamer::amg {

namespace {

double over_finest(const std::vector<level_info>& levels, index_t level_info::*count) {
  if (levels.empty() || levels.front().*count == 0) return 0;
  index_t sum = 0;
  for (const auto& l : levels) sum += l.*count;
  return static_cast<double>(sum) / static_cast<double>(levels.front().*count);
}

template <real T>
const level<T>& level_at(const typename hierarchy<T>::implementation& all, int number) {
  if (number < 0 || number >= static_cast<int>(all.levels.size()))
    throw fail(error_kind::bad_argument, "there is no level {}; the hierarchy has levels 0 to {}",
               number, all.levels.size() - 1);
  return all.levels[static_cast<std::size_t>(number)];
}

}  // namespace

double statistics::operator_complexity() const { return over_finest(levels, &level_info::nnz); }
double statistics::grid_complexity() const { return over_finest(levels, &level_info::rows); }

std::string_view name(smoother s) { return s == smoother::jacobi ? "jacobi" : "chebyshev"; }
std::string_view name(cycle c) { return c == cycle::v ? "V" : "W"; }
std::string_view name(galerkin g) { return g == galerkin::right_first ? "P'(AP)" : "(P'A)P"; }

template <real T>
hierarchy<T>::hierarchy(const gossamer::context& where, const csr_view<const T>& a,
                        const setup_options& how, const near_null_space<T>& candidates)
    : impl_(new implementation{.where = where,
                               .threads = where.backend() == backend::cuda
                                              ? gossamer::context::openmp().threads()
                                              : where.threads(),
                               .how = how}) {
  build_levels(*impl_, a, candidates);
}
template <real T>
hierarchy<T>::hierarchy(hierarchy&&) noexcept = default;
template <real T>
hierarchy<T>& hierarchy<T>::operator=(hierarchy&&) noexcept = default;
template <real T>
hierarchy<T>::~hierarchy() = default;

template <real T>
void hierarchy<T>::update(const csr_view<const T>& a) {
  update_levels(*impl_, a);
}

template <real T>
void hierarchy<T>::apply(const dense_view<const T>& b, const dense_view<T>& x) const {
  const auto& finest = impl_->levels.front();
  const auto place = impl_->where.memory()->where();
  const auto fits = [&](const auto& v) {
    return v.shape == extents{finest.a.shape.rows, 1} && v.row_step() == 1 && v.where == place;
  };
  if (!fits(b) || !fits(x))
    throw fail(
        error_kind::bad_argument,
        "a cycle of this hierarchy takes contiguous vectors of {} elements in {} memory; b is "
        "{} in {} memory, x is {} in {} memory",
        count_text(finest.a.shape.rows), name(place), shape_text(b.shape), name(b.where),
        shape_text(x.shape), name(x.where));
  run_cycle<T>(*impl_, 0, b.values, x.values);
}

template <real T>
const statistics& hierarchy<T>::stats() const {
  return impl_->stats;
}
template <real T>
const gossamer::context& hierarchy<T>::context() const {
  return impl_->where;
}
template <real T>
const setup_options& hierarchy<T>::options() const {
  return impl_->how;
}
template <real T>
int hierarchy<T>::levels() const {
  return static_cast<int>(impl_->levels.size());
}
template <real T>
csr_view<const T> hierarchy<T>::matrix(int level) const {
  return level_at<T>(*impl_, level).a;
}
template <real T>
csr_view<const T> hierarchy<T>::prolongator(int level) const {
  return level_at<T>(*impl_, level).p;
}
template <real T>
std::span<const std::int32_t> hierarchy<T>::aggregates(int level) const {
  return level_at<T>(*impl_, level).nodes.of.span();
}

template class hierarchy<float>;
template class hierarchy<double>;

}  // namespace gossamer::amg
