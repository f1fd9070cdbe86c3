// The part of a distributed product that one rank computes.
#include "distributed/products/local_product.hpp"

#include <algorithm>

#include "formats/typed.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::mpi {
namespace {

/// The distinct columns, ascending.
buffer<index_t> distinct(const context& where, index_view columns) {
  buffer<index_t> all(columns.size(), where.memory());
  for (index_t k = 0; k < all.size(); ++k) all[k] = columns[k];
  std::sort(all.data(), all.data() + all.size());
  const index_t* const end = std::unique(all.data(), all.data() + all.size());
  buffer<index_t> once(end - all.data(), where.memory());
  std::copy(std::as_const(all).data(), end, once.data());
  return once;
}

/// Position of a column in the ascending list, or -1.
index_t position(const buffer<index_t>& list, index_t column) {
  const auto found = std::lower_bound(list.data(), list.data() + list.size(), column);
  return found != list.data() + list.size() && *found == column ? found - list.data() : -1;
}

/// A copy with columns numbered by the list; order is kept.
template <real_scalar T>
csr_matrix<T> renumbered(const context& where, const csr_view<const T>& b,
                         const buffer<index_t>& list) {
  const extents shape{b.shape.rows, list.size()};
  csr_matrix<T> narrow(shape, b.nnz(), narrowest(shape, b.nnz()), where.memory());
  const auto to = narrow.mutable_view();
  gossamer::detail::with_widths(to.columns.width(), to.offsets.width(), [&]<class I, class O>() {
    for (index_t i = 0; i <= shape.rows; ++i)
      static_cast<O*>(to.offsets.data())[i] = static_cast<O>(b.offsets[i]);
    for (index_t k = 0; k < b.nnz(); ++k)
      static_cast<I*>(to.columns.data())[k] = static_cast<I>(position(list, b.columns[k]));
  });
  std::copy_n(b.values, b.nnz(), to.values);
  return narrow;
}

/// A mask with columns numbered by the list; other columns have no products and are left out.
struct renumbered_mask {
  std::vector<index_t> offsets{0}, columns;
  pattern view;
  renumbered_mask(const pattern& of, const buffer<index_t>& list) : view(of) {
    for (index_t i = 0; i < of.shape.rows; ++i) {
      for (index_t k = of.offsets[i]; k < of.offsets[i + 1]; ++k)
        if (const index_t column = position(list, of.columns[k]); column >= 0)
          columns.push_back(column);
      offsets.push_back(static_cast<index_t>(columns.size()));
    }
    view.shape.cols = list.size();
    view.offsets = {offsets.data(), static_cast<index_t>(offsets.size())};
    view.columns = {columns.data(), static_cast<index_t>(columns.size())};
  }
};

/// A copy with the columns of the list in the place of their numbers.
template <real_scalar T>
csr_matrix<T> with_columns(const context& where, const csr_matrix<T>& c,
                           const buffer<index_t>& list, index_t columns) {
  const extents shape{c.rows(), columns};
  csr_matrix<T> wide(shape, c.nnz(), narrowest(shape, c.nnz()), where.memory());
  const auto to = wide.mutable_view();
  const auto from = c.view();
  gossamer::detail::with_widths(to.columns.width(), to.offsets.width(), [&]<class I, class O>() {
    for (index_t i = 0; i <= shape.rows; ++i)
      static_cast<O*>(to.offsets.data())[i] = static_cast<O>(from.offsets[i]);
    for (index_t k = 0; k < from.nnz(); ++k)
      static_cast<I*>(to.columns.data())[k] = static_cast<I>(list[from.columns[k]]);
  });
  std::copy_n(from.values, from.nnz(), to.values);
  return wide;
}

template <real_scalar T>
csr_matrix<T> product(const budget& within, const local_operands<T>& on,
                      const spgemm_options& how) {
  auto local = within.within(how.local);
  local.mask = on.mask;
  if (how.alpha == 1) return gossamer::multiply(within.where(), on.a, on.b, local);
  return gossamer::multiply(within.where(), scaled(static_cast<T>(how.alpha), on.a), on.b, local);
}

/// Dense accumulators have an element per column: more columns than that many times the nonzeros
/// are numbered anew.
constexpr index_t columns_per_nonzero = 4;

}  // namespace

template <real_scalar T>
csr_matrix<T> multiply_local(const budget& within, const local_operands<T>& on,
                             const spgemm_options& how) {
  if (on.b.shape.cols / columns_per_nonzero <= std::max<index_t>(on.b.nnz(), 1024))
    return product(within, on, how);
  const auto& where = within.where();
  const auto list = distinct(where, on.b.columns);
  csr_matrix<T> c;
  {
    const auto b = renumbered(where, on.b, list);
    std::optional<renumbered_mask> mask;
    if (on.mask) mask.emplace(*on.mask, list);
    c = product<T>(within, {on.a, b.view(), mask ? std::optional(mask->view) : std::nullopt}, how);
  }
  return with_columns(where, c, list, on.b.shape.cols);
}

pattern_rows::pattern_rows(const context& where, const pattern& of, index_t first, index_t last)
    : offsets_(last - first + 1, where.memory()), rows_(of) {
  const index_t begin = of.offsets[first], end = of.offsets[last];
  for (index_t i = first; i <= last; ++i) offsets_[i - first] = of.offsets[i] - begin;
  const index_t width = bytes(of.columns.width());
  rows_.shape.rows = last - first;
  rows_.offsets = index_view(offsets_.data(), offsets_.size());
  rows_.columns = index_view(static_cast<const std::byte*>(of.columns.data()) + begin * width,
                             end - begin, of.columns.width());
}

template <real_scalar T>
csr_matrix<T> stack_rows(const context& where, std::vector<csr_matrix<T>> blocks) {
  if (blocks.size() == 1) return std::move(blocks.front());
  extents shape{0, blocks.front().cols()};
  index_t nnz = 0;
  for (const auto& block : blocks) {
    shape.rows += block.rows();
    nnz += block.nnz();
  }
  csr_matrix<T> all(shape, nnz, narrowest(shape, nnz), where.memory());
  const auto to = all.mutable_view();
  index_t row = 0, at = 0;
  gossamer::detail::with_widths(to.columns.width(), to.offsets.width(), [&]<class I, class O>() {
    O* const offsets = static_cast<O*>(to.offsets.data());
    I* const columns = static_cast<I*>(to.columns.data());
    offsets[0] = 0;
    for (auto& block : blocks) {
      typed(block.view(), [&](const auto& b) {
        for (index_t i = 0; i < b.rows; ++i)
          offsets[++row] = static_cast<O>(at + static_cast<index_t>(b.offsets[i + 1]));
        std::transform(b.columns, b.columns + b.nnz(), columns + at,
                       [](auto j) { return static_cast<I>(j); });
        std::copy_n(b.values, b.nnz(), to.values + at);
        at += b.nnz();
      });
      block = csr_matrix<T>();
    }
  });
  return all;
}

#define GOSSAMER_MPI_INSTANTIATE(T)                                              \
  template csr_matrix<T> multiply_local(const budget&, const local_operands<T>&, \
                                        const spgemm_options&);                  \
  template csr_matrix<T> stack_rows(const context&, std::vector<csr_matrix<T>>);
GOSSAMER_MPI_INSTANTIATE(float)
GOSSAMER_MPI_INSTANTIATE(double)
#undef GOSSAMER_MPI_INSTANTIATE

}  // namespace gossamer::mpi
