#include "kernels/spmm/cuda/strips.cuh"

#include "backends/cuda/launch.cuh"
#include "kernels/spmm/cuda/strip_launch.cuh"

namespace gossamer::device {

namespace {

constexpr index_t most_column_tiles = 65535;

template <class G, class T>
void launch(const csr_stream<T, std::int32_t>& a, dense_rows<T> d, const strip_plan& plan,
            const context& where) {
  const strip_tables strips{plan.first.data(), plan.entries.data(), plan.order.data()};
  const index_t count = (a.rows + strip_rows - 1) / strip_rows;
  const auto blocks = static_cast<unsigned>((count + G::groups - 1) / G::groups);
  while (d.columns > 0) {
    const index_t tiles = std::min((d.columns + G::columns - 1) / G::columns, most_column_tiles);
    by_strips<G>
        <<<dim3(blocks, static_cast<unsigned>(tiles)), group_block, 0, cuda::stream_of(where)>>>(
            a, d, strips);
    d.b += tiles * G::columns;
    d.c += tiles * G::columns;
    d.columns -= tiles * G::columns;
  }
}

}  // namespace

template <class T>
bool multiply_strips(const csr_view<const T>& a, const dense_call<T>& call,
                     const strip_plan& strips, const context& where) {
  constexpr int W = 16 / sizeof(T);
  const dense_rows<T> d(call);
  if (d.columns % W != 0 || alignment_of(d) < 16 || is_wide(a.nnz(), d)) return false;
  const csr_stream<T, std::int32_t> stream{a.shape.rows,
                                           a.nnz(),
                                           offset_reader(a.offsets),
                                           static_cast<const std::int32_t*>(a.columns.data()),
                                           a.values,
                                           false};
  const auto go = [&]<int L, int V, int Blocks>() {
    launch<group_of<W, L, V, 1, Blocks, reading::one_row, false>>(stream, d, strips, where);
  };
  if (d.columns <= 8 * W)
    go.template operator()<8, 1, 4>();
  else if (d.columns <= 16 * W)
    go.template operator()<16, 1, 4>();
  else if (sizeof(T) == 4 || d.columns <= 32 * W)
    go.template operator()<32, 1, 4>();
  else
    go.template operator()<32, 2, 2>();
  return true;
}

template bool multiply_strips(const csr_view<const float>&, const dense_call<float>&,
                              const strip_plan&, const context&);
template bool multiply_strips(const csr_view<const double>&, const dense_call<double>&,
                              const strip_plan&, const context&);

}  // namespace gossamer::device
