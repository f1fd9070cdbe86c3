// Plans of products: routes of the halo, buffers, messages, plans of the local parts.
#include "distributed/product_plan.hpp"

#include "base/text.hpp"
#include "distributed/partitions.hpp"

namespace gossamer::mpi {
namespace {

index_t size_as_index(const auto& range) { return static_cast<index_t>(range.size()); }

void require_plannable(const context& where, const product_options& how) {
  if (where.backend() == backend::cuda)
    throw error(error_kind::not_available,
                "distributed products run on the host; pass context::openmp()");
  if (how.columns < 1)
    throw fail(error_kind::bad_argument,
               "a plan for {} columns of x was asked for; expected 1 or more", how.columns);
}

}  // namespace

template <scalar T>
boundary_rows<T>::boundary_rows(const context& where, const csr_view<const T>& all) {
  for (index_t i = 0; i < all.shape.rows; ++i)
    if (all.offsets[i] != all.offsets[i + 1]) rows.push_back(i);
  const index_t count = size_as_index(rows);
  const extents shape{count, all.shape.cols};
  offsets = index_buffer(count + 1, all.offsets.width(), where.memory());
  const auto fill = [&]<stored_index O>(O*) {
    const auto to = offsets.view().template as<O>();
    for (index_t i = 0; i < count; ++i)
      to[static_cast<std::size_t>(i)] =
          static_cast<O>(all.offsets[rows[static_cast<std::size_t>(i)]]);
    to.back() = static_cast<O>(all.nnz());
  };
  if (all.offsets.width() == index_width::i32)
    fill(static_cast<std::int32_t*>(nullptr));
  else
    fill(static_cast<std::int64_t*>(nullptr));
  part = csr_view<const T>(shape, std::as_const(offsets).view(), all.columns, all.values);
}

template <scalar T>
product_plan<T>::implementation::implementation(const context& on, const distributed_csr<T>& matrix,
                                                const product_options& options)
    : where(on), a(&matrix), how(options), edge(agreed(matrix.ranks(), [&] {
        require_plannable(on, options);
        return boundary_rows<T>(on, matrix.off());
      })) {
  const auto& ranks = a->ranks();
  require_alike(ranks, how.columns, "the number of columns of x");
  require_alike(ranks, how.transposed ? 1 : 0, "product_options::transposed");
  require_alike(ranks, static_cast<index_t>(how.agree), "product_options::agree");
  routes = halo_routes::of(ranks, a->column_partition(), a->halo());
  agreed(ranks, [&] {
    inside_ = buffer<T>(size_as_index(routes.wanted) * columns(), where.memory());
    outside_ = buffer<T>(routes.halo * columns(), where.memory());
    boundary_ = buffer<T>(size_as_index(edge.rows) * columns(), where.memory());
    // Elements that a failing rank sends all the same must be numbers that somebody set.
    inside_.set(0);
    outside_.set(0);
    messages = std::make_unique<halo_messages>(
        ranks, routes,
        how.transposed ? halo_messages::direction::backward : halo_messages::direction::forward,
        reinterpret_cast<std::byte*>(inside_.data()), reinterpret_cast<std::byte*>(outside_.data()),
        static_cast<index_t>(sizeof(T)) * columns());
    // Local plans are made for blocks like the caller's; the library takes any layout in a call.
    const auto own_part = a->own();
    const index_t x_rows = how.transposed ? own_part.shape.rows : own_part.shape.cols;
    const index_t y_rows = how.transposed ? own_part.shape.cols : own_part.shape.rows;
    const auto block = [&](buffer<T>& in, index_t rows) {
      in = buffer<T>(rows * columns(), where.memory());
      in.set(0);
      return rows_of(in);
    };
    buffer<T> x, y;
    const auto from = block(x, x_rows), to = block(y, y_rows);
    if (own_part.nnz() > 0)
      own = how.transposed ? multiply_inspect(where, transposed(own_part), from, to, how.local)
                           : multiply_inspect(where, own_part, from, to, how.local);
    if (edge.part.nnz() > 0)
      off = how.transposed
                ? multiply_inspect(where, transposed(edge.part), boundary(), outside(), how.local)
                : multiply_inspect(where, edge.part, outside(), boundary(), how.local);
  });
}

template <scalar T>
product_plan<T>::product_plan(const context& where, const distributed_csr<T>& a,
                              const product_options& how)
    : impl_(std::make_unique<implementation>(where, a, how)) {}
template <scalar T>
product_plan<T>::product_plan(product_plan&&) noexcept = default;
template <scalar T>
product_plan<T>& product_plan<T>::operator=(product_plan&&) noexcept = default;
template <scalar T>
product_plan<T>::~product_plan() = default;

template <scalar T>
traffic product_plan<T>::sent_per_call() const {
  return impl_->messages->per_call();
}
template <scalar T>
int product_plan<T>::sends_to() const {
  return static_cast<int>((impl_->how.transposed ? impl_->routes.from : impl_->routes.to).size());
}
template <scalar T>
int product_plan<T>::receives_from() const {
  return static_cast<int>((impl_->how.transposed ? impl_->routes.to : impl_->routes.from).size());
}
template <scalar T>
std::string product_plan<T>::own_kernel() const {
  return impl_->own ? impl_->own->kernel() : "none";
}
template <scalar T>
std::string product_plan<T>::off_kernel() const {
  return impl_->off ? impl_->off->kernel() : "none";
}
template <scalar T>
const product_times& product_plan<T>::latest() const {
  return impl_->latest;
}

template struct boundary_rows<float>;
template struct boundary_rows<double>;
template class product_plan<float>;
template class product_plan<double>;

}  // namespace gossamer::mpi
