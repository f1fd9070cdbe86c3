#include "io/checked_csr.hpp"

#include <algorithm>

#include "formats/row_order.hpp"
#include "formats/typed.hpp"
#include "formats/value_types.hpp"

namespace gossamer::io {

namespace {

constexpr index_t grain = 1 << 14;

template <class T, class I, class O>
void check_offsets(const csr_ref<T, I, O>& a, index_t nnz, const std::string& file, int threads) {
  if (a.offsets[0] != 0 || a.offsets[a.rows] != nnz)
    throw fail(error_kind::bad_input,
               "{}: its row offsets go from {} to {}; expected 0 to {} (the "
               "number of entries)",
               file, a.offsets[0], a.offsets[a.rows], nnz);
  parallel_ranges(threads, a.rows, grain, [&](index_t begin, index_t end) {
    for (index_t row = begin; row < end; ++row)
      if (a.offsets[row] > a.offsets[row + 1])
        throw fail(error_kind::bad_input, "{}: row offset {} is {}, less than the one before ({})",
                   file, row + 1, a.offsets[row + 1], a.offsets[row]);
  });
}

template <class T, class I, class O>
void check_columns(const csr_ref<T, I, O>& a, index_t nnz, const std::string& file, int threads) {
  parallel_ranges(threads, nnz, grain, [&](index_t begin, index_t end) {
    for (index_t p = begin; p < end; ++p)
      if (a.columns[p] < 0 || a.columns[p] >= a.cols)
        throw fail(error_kind::bad_input, "{}: column index {} is {}; expected 0 to {}", file, p,
                   a.columns[p], a.cols - 1);
  });
}

template <class I, class T, class O>
entry_block<I, T> block_of(const csr_ref<const T, I, O>& a, range entries, orientation wanted) {
  entry_block<I, T> block{buffer<entry<I, T>>(entries.end - entries.begin),
                          entries.end - entries.begin};
  auto row = std::upper_bound(a.offsets, a.offsets + a.rows + 1, static_cast<O>(entries.begin)) -
             a.offsets - 1;
  auto* out = block.entries.data();
  for (index_t p = entries.begin; p < entries.end; ++p) {
    while (p >= a.offsets[row + 1]) ++row;
    const auto i = static_cast<I>(row);
    *out++ = wanted == orientation::as_is ? entry<I, T>{i, a.columns[p], a.values[p]}
                                          : entry<I, T>{a.columns[p], i, a.values[p]};
  }
  return block;
}

}  // namespace

template <scalar T>
void require_sound(const csr_view<const T>& a, const std::string& file, int threads) {
  typed(a, [&](const auto& ref) {
    check_offsets(ref, a.nnz(), file, threads);
    check_columns(ref, a.nnz(), file, threads);
  });
}

template <scalar T>
csr_matrix<T> rebuilt(const csr_view<const T>& a, orientation wanted, const read_options& how) {
  constexpr index_t block_size = 1 << 16;
  const auto shape = wanted == orientation::as_is ? a.shape : transposed(a.shape);
  return typed(a, [&]<class I, class O>(const csr_ref<const T, I, O>& ref) {
    std::vector<entry_block<I, T>> blocks(
        static_cast<std::size_t>((a.nnz() + block_size - 1) / block_size));
    parallel_chunks(threads_of(how.threads), static_cast<index_t>(blocks.size()), [&](index_t k) {
      const auto begin = k * block_size;
      blocks[static_cast<std::size_t>(k)] =
          block_of(ref, range{begin, std::min(begin + block_size, a.nnz())}, wanted);
    });
    return build_csr(shape, std::move(blocks), mirror::none, how);
  });
}

template <scalar T>
csr_matrix<T> checked(csr_matrix<T> matrix, const std::string& file, const read_options& how) {
  const int threads = threads_of(how.threads);
  require_sound(matrix.view(), file, threads);
  return rows_ascend(threads, matrix.view()) ? std::move(matrix)
                                             : rebuilt(matrix.view(), orientation::as_is, how);
}

#define GOSSAMER_INSTANTIATE(T)                                                               \
  template void require_sound(const csr_view<const T>&, const std::string&, int);             \
  template csr_matrix<T> rebuilt(const csr_view<const T>&, orientation, const read_options&); \
  template csr_matrix<T> checked(csr_matrix<T>, const std::string&, const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io
