// The set-up for new values of A. What depends on the structure alone stays: aggregates, patterns
// of the prolongators, symbolic phases of the products.
#include <cstring>

#include "amg/levels.hpp"
#include "amg/rows.hpp"
#include "amg/vectors.hpp"
#include "base/text.hpp"
#include "gossamer/convert.hpp"

namespace gossamer::amg {

namespace {

bool same_indices(const index_view& a, const index_view& b) {
  if (a.size() != b.size()) return false;
  if (a.width() == b.width())
    return a.data() == b.data() ||
           std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size() * bytes(a.width()))) ==
               0;
  for (index_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

template <real T>
void require_same_structure(const level<T>& finest, const csr_view<const T>& a) {
  if (a.shape == finest.host.shape && same_indices(a.offsets, finest.host.offsets) &&
      same_indices(a.columns, finest.host.columns))
    return;
  throw fail(error_kind::bad_input,
             "the structure of A ({}, {} nonzeros) is not that of the hierarchy ({}, {} nonzeros, "
             "sorted and without duplicates); build a new hierarchy",
             shape_text(a.shape), count_text(a.nnz()), shape_text(finest.host.shape),
             count_text(finest.host.nnz()));
}

/// Where the values of the transpose come from.
template <real T>
std::vector<index_t> transposed_order(const context& host, const csr_matrix<T>& p) {
  buffer<double> numbers(p.nnz());
  for (index_t i = 0; i < p.nnz(); ++i) numbers[i] = static_cast<double>(i);
  const auto numbered = transpose<double>(
      host, csr_view<const double>(p.shape(), p.row_offsets(), p.column_indices(), numbers.data()));
  std::vector<index_t> order(static_cast<std::size_t>(p.nnz()));
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<index_t>(numbered.values()[i]);
  return order;
}

/// New values of P and of its transpose on the host.
template <real T>
void prolong_again(typename hierarchy<T>::implementation& all, level<T>& fine,
                   const smoothing_step<T>& by, laps& lap) {
  resmooth_prolongator<T>(all.threads, by, fine.nodes, fine.t, fine.p);
  lap.add(all.stats.times.prolongator);
  if (fine.order.empty()) fine.order = transposed_order(context::openmp(all.threads), fine.p);
  const T* const from = fine.p.values().data();
  T* const to = fine.r.values().data();
  parallel_ranges(all.threads, fine.p.nnz(), row_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) to[i] = from[fine.order[static_cast<std::size_t>(i)]];
  });
  lap.add(all.stats.times.transpose);
}

/// The same on a device, where P is a product.
template <real T>
void prolong_again_there(typename hierarchy<T>::implementation& all, level<T>& fine,
                         const smoothing_step<T>& by, laps& lap) {
  const auto values = [](csr_matrix<T>& m) {
    return dense_view<T>(m.values().data(), m.nnz(), memory::device);
  };
  copy_into(all.where, dense_view<const T>(by.a.values, by.a.nnz(), memory::host),
            values(fine.smoothing));
  const auto diagonal = copy_to(all.where, fine.strong.facts.diagonal.span());
  lap.add(all.stats.times.copies);
  cuda::smoother_values<T>(all.where, fine.smoothing, diagonal.data(), by.weight,
                           fine.smoothing.values().data());
  if (!fine.smoothed)
    fine.smoothed = multiply_compute(all.where, fine.smoothing, fine.tentative_there,
                                     product_options(all.where));
  multiply_fill(*fine.smoothed, fine.smoothing, fine.tentative_there, fine.p);
  lap.add(all.stats.times.prolongator);
  auto turned = transpose<T>(all.where, fine.p);
  copy_into(all.where, dense_view<const T>(turned.values().data(), turned.nnz(), memory::device),
            values(fine.r));
  lap.add(all.stats.times.transpose);
}

template <real T>
void multiply_again(typename hierarchy<T>::implementation& all, level<T>& fine, level<T>& coarse,
                    laps& lap) {
  auto& times = all.stats.times;
  const auto how = product_options(all.where);
  if (all.how.product == galerkin::right_first) {
    if (!fine.first) fine.first = multiply_compute(all.where, fine.a, fine.p, how);
    multiply_fill(*fine.first, fine.a, fine.p, fine.between);
    lap.add(times.first_product);
    if (!fine.second) fine.second = multiply_compute(all.where, fine.r, fine.between, how);
    multiply_fill(*fine.second, fine.r, fine.between, coarse.held);
  } else {
    if (!fine.first) fine.first = multiply_compute(all.where, fine.r, fine.a, how);
    multiply_fill(*fine.first, fine.r, fine.a, fine.between);
    lap.add(times.first_product);
    if (!fine.second) fine.second = multiply_compute(all.where, fine.between, fine.p, how);
    multiply_fill(*fine.second, fine.between, fine.p, coarse.held);
  }
  lap.add(times.second_product);
  mend_coarse(all, fine, coarse, lap);
}

template <real T>
void update_level(typename hierarchy<T>::implementation& all, std::size_t l, laps& lap) {
  auto& times = all.stats.times;
  auto& fine = all.levels[l];
  if (l > 0)
    fine.strong.facts = look_at_rows<T>(all.threads, fine.host, all.how, static_cast<int>(l));
  lap.add(times.strength);
  finish_matrix(all, fine);
  lap.add(times.plans);
  if (l + 1 == all.levels.size()) return;
  if (fine.strong.filtered.nnz() > 0) {
    refilter<T>(all.threads, fine.host, fine.strong.filtered);
    fine.strong.facts = facts_of_filtered<T>(all.threads, fine.strong.filtered);
  } else {
    fine.strong.smoothing = fine.host;
  }
  lap.add(times.strength);
  const double bound = std::min(fine.strong.facts.spectrum, fine.spectrum);
  const smoothing_step<T> by{fine.strong.smoothing, fine.strong.facts.diagonal.data(),
                             static_cast<T>(all.how.omega / bound), fine.block};
  if (all.on_device())
    prolong_again_there(all, fine, by, lap);
  else
    prolong_again(all, fine, by, lap);
  multiply_again(all, fine, all.levels[l + 1], lap);
  finish_transfer(all, fine);
  all.stats.levels[l].spectrum = fine.spectrum;
  lap.add(times.plans);
}

}  // namespace

template <real T>
void update_levels(typename hierarchy<T>::implementation& all, const csr_view<const T>& given) {
  auto& finest = all.levels.front();
  require_same_structure(finest, given);
  csr_view<const T> a = given;
  if (given.columns.width() !=
      finest.host.columns.width()) {  // the level has a narrow copy of them
    a.offsets = finest.host.offsets;
    a.columns = finest.host.columns;
  }
  const double begun = now();
  laps lap(all.where);
  auto facts = look_at_rows<T>(all.threads, a, all.how, 0);  // refuses before anything changes
  all.stats.times = {};
  lap.add(all.stats.times.strength);
  finest.strong.facts = std::move(facts);
  finest.host = a;
  if (all.on_device()) {
    copy_into(all.where, dense_view<const T>(a.values, a.nnz(), memory::host),
              dense_view<T>(finest.held.values().data(), a.nnz(), memory::device));
    lap.add(all.stats.times.copies);
  } else {
    finest.a = a;
  }
  for (std::size_t l = 0; l < all.levels.size(); ++l) update_level<T>(all, l, lap);
  finish_coarsest<T>(all);
  lap.add(all.stats.times.coarsest);
  all.stats.times.total = now() - begun;
}

template void update_levels(hierarchy<float>::implementation&, const csr_view<const float>&);
template void update_levels(hierarchy<double>::implementation&, const csr_view<const double>&);

}  // namespace gossamer::amg
