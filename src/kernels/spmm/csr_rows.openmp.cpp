// CSR times dense by rows (row split of Yang et al. 2018, on CPU threads): tiles of columns of a
// row of C stay in vector registers while the row of A is walked (spmm/rows/panel_rows.hpp). Rows
// are cut into pieces of equal work, and a row longer than a piece is shared by several: each
// leaves a partial row, which is added afterwards in order. Column-major operands are packed into
// row-major panels.
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/simd/stream_lines.hpp"
#include "kernels/spmm/operands/dense_arguments.hpp"
#include "kernels/spmm/rows/neighbour_rows.hpp"
#include "kernels/spmm/rows/panel_rows.hpp"
#include "kernels/spmm/rows/row_pieces.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

/// Multiplications of a piece: 20 to 100 us of work, so that claiming it costs nothing.
constexpr index_t piece_work = index_t{1} << 18;
constexpr index_t shortest_piece = 1024, longest_piece = 16384;
/// Columns that are packed at once where B or C is column-major.
constexpr index_t packed_columns = 32;
// What decides between variants, in L2s, shares of nonzeros and nonzeros; the measurements are in
// docs/kernels/spmm-cpu.md.

/// Rows of B are prefetched where B is larger, and the share of far columns is at least this: rows
/// of at most narrow_bytes, wider ones.
constexpr index_t prefetched_caches = 8, narrow_bytes = 128;
constexpr double far_narrow = 0.5, far_wide = 0.1;
/// Prefetch distance.
constexpr index_t prefetch_distance = 32;
/// C is written past the caches where it is larger, per thread.
constexpr index_t streamed_caches = 4;
/// Rows are compared where so many of the nonzeros are in repeated rows and the mean row is at
/// least so long; with rows of B of at most few_bytes only while A is in the caches, since walking
/// rows together upsets the hardware's prefetches of A.
constexpr double often_repeated = 0.25;
constexpr index_t least_repeated = 8, few_bytes = 256, few_caches = 8;

/// A partial row of a piece that ended inside the row.
template <class T>
struct partial_row {
  index_t row = -1;
  buffer<T> sums = {};
};

template <class T, class I>
panel_function<T, I> fastest_panel() {
  if constexpr (complex_scalar<T>)
    return select(complex_panel_functions<T, I>());
  else
    return select(panel_functions<T, I>());
}

/// Complex values are compiled for the narrowest indices only; any/columns takes the others.
template <class T, class I, class O>
constexpr bool compiled = real_scalar<T> || sizeof(I) + sizeof(O) == 8;

/// C = alpha A B + beta C for a panel of columns with a row-major B.
template <class T, class I, class O>
class panel_product {
 public:
  panel_product(const csr_ref<const T, I, O>& a, const dense_call<T>& d,
                const neighbour_sample& rows, int threads)
      : a_(a), c_(d.c), threads_(threads), multiply_(fastest_panel<T, I>()) {
    panel_ = {.alpha = d.alpha,
              .beta = d.beta,
              .b = d.b.values,
              .c = d.c.values,
              .b_stride = d.b.stride,
              .c_stride = d.c.stride,
              .columns = d.columns(),
              .conjugated = d.conjugated};
    const auto& here = this_machine();
    const auto bytes_of = [&](index_t rows) { return rows * panel_.columns * index_t{sizeof(T)}; };
    const double far = bytes_of(1) > narrow_bytes ? far_wide : far_narrow;
    if (bytes_of(a.cols) > prefetched_caches * here.l2 && rows.far >= far)
      panel_.prefetch = prefetch_distance;
    const index_t a_bytes = a.nnz() * index_t{sizeof(T) + sizeof(I)};
    panel_.repeats = rows.repeated >= often_repeated &&
                     (bytes_of(1) > few_bytes || a_bytes <= few_caches * here.l2);
    const bool aligned = reinterpret_cast<std::uintptr_t>(d.c.values) % 64 == 0 &&
                         d.c.stride * index_t{sizeof(T)} % 64 == 0;
    panel_.stream = d.beta == T{0} && aligned &&
                    bytes_of(a.rows) > std::min(here.l3, streamed_caches * here.l2 * threads);
  }

  void run() const {
    const index_t length = std::clamp(piece_work / std::max<index_t>(panel_.columns, 1),
                                      shortest_piece, longest_piece);
    const row_pieces<O> pieces(a_.offsets, a_.rows, length);
    if (pieces.count() == 1) return void(piece({0, 0}, {a_.rows, a_.nnz()}));
    std::vector<partial_row<T>> partial(static_cast<std::size_t>(pieces.count()));
    parallel_shares(threads_, pieces.count(), [&](index_t p) {
      partial[static_cast<std::size_t>(p)] = piece(pieces.begin(p), pieces.begin(p + 1));
    });
    for (const auto& part : partial)
      for (index_t k = 0; part.row >= 0 && k < panel_.columns; ++k)
        c_(part.row, k) += scaled_value(panel_.alpha, part.sums[k]);
  }

 private:
  partial_row<T> piece(merge_coordinate begin, merge_coordinate end) const {
    partial_row<T> rest;
    range whole{begin.row, end.row};
    if (begin.entry > a_.offsets[begin.row] && begin.row < end.row) {
      buffer<T> sums = sum_of(begin.entry, a_.offsets[begin.row + 1]);
      for (index_t k = 0; k < panel_.columns; ++k) {
        T& c = c_(begin.row, k);
        c = blend(panel_.alpha, sums[k], panel_.beta, c);
      }
      ++whole.begin;
    }
    rows(whole);
    const index_t from = std::max<index_t>(
        begin.entry, end.row < a_.rows ? index_t{a_.offsets[end.row]} : end.entry);
    if (from < end.entry) rest = {end.row, sum_of(from, end.entry)};
    if (panel_.stream) stream_fence();
    return rest;
  }

  /// The nonzeros begin .. end, which belong to one row, times B.
  buffer<T> sum_of(index_t begin, index_t end) const {
    buffer<T> sums(panel_.columns);
    const index_t ends[2] = {begin, end};
    auto part = panel_;
    part.alpha = 1, part.beta = 0, part.stream = false;
    part.c = sums.data(), part.c_stride = panel_.columns;
    multiply_({0, 1, ends, a_.columns, a_.values, a_.nnz() - 1}, part);
    return sums;
  }

  void rows(range whole) const {
    index_t offsets[panel_block + 1];
    const bool row_major = c_.order == layout::row_major;
    buffer<T> tile(row_major ? 0 : panel_block * panel_.columns);
    for (index_t first = whole.begin; first < whole.end; first += panel_block) {
      const index_t count = std::min(panel_block, whole.end - first);
      for (index_t r = 0; r <= count; ++r) offsets[r] = a_.offsets[first + r];
      const row_block<T, I> block{first, count, offsets, a_.columns, a_.values, a_.nnz() - 1};
      if (row_major) {
        multiply_(block, panel_);
      } else {
        auto here = panel_;
        here.alpha = 1, here.beta = 0, here.stream = false;
        here.c = tile.data(), here.c_stride = panel_.columns, here.first_row = first;
        multiply_(block, here);
        store_columns(tile, first, count);
      }
    }
  }

  /// A block of rows that was computed in a row-major tile, into a column-major C.
  void store_columns(const buffer<T>& tile, index_t first, index_t count) const {
    for (index_t k = 0; k < panel_.columns; ++k)
      for (index_t r = 0; r < count; ++r) {
        T& c = c_(first + r, k);
        c = blend(panel_.alpha, tile[r * panel_.columns + k], panel_.beta, c);
      }
  }

  csr_ref<const T, I, O> a_;
  dense_view<T> c_;
  int threads_;
  panel_function<T, I> multiply_;
  row_panel<T> panel_;
};

template <class T>
dense_view<T> columns_of(const dense_view<T>& v, index_t first, index_t count) {
  dense_view<T> part = v;
  part.values = v.values + first * v.col_step();
  part.shape.cols = count;
  return part;
}

/// B by rows, packed.
template <class T>
void pack(const dense_view<const T>& b, buffer<T>& to, int threads) {
  const index_t columns = b.shape.cols;
  parallel_ranges(threads, b.shape.rows, 1024, [&](index_t begin, index_t end) {
    for (index_t k = 0; k < columns; ++k)
      for (index_t j = begin; j < end; ++j) to[j * columns + k] = b(j, k);
  });
}

template <class T, class I, class O>
void multiply(const csr_ref<const T, I, O>& a, const dense_call<T>& d, const neighbour_sample& rows,
              const context& where) {
  const index_t n = d.columns();
  if (a.rows == 0 || n == 0) return;
  const int threads =
      costs::panel_threads(a.nnz(), static_cast<double>(n) * sizeof(T) / 8, where.threads());
  const bool packs = d.b.order != layout::row_major;
  if (!packs && d.c.order == layout::row_major) return panel_product(a, d, rows, threads).run();
  buffer<T> packed(packs ? a.cols * std::min(n, packed_columns) : 0);
  for (index_t first = 0; first < n; first += packed_columns) {
    const index_t count = std::min(packed_columns, n - first);
    dense_call<T> part{d.alpha, d.beta, columns_of(d.b, first, count),
                       columns_of(d.c, first, count), d.conjugated};
    if (packs) {
      pack(part.b, packed, threads);
      part.b = {part.b.shape, layout::row_major, count, packed.data()};
    }
    panel_product(a, part, rows, threads).run();
  }
}

/// A sample of A. Any sample gives correct results: changes of A between two calls do no harm.
state prepare(const problem& p, const operands& o, const context&) {
  auto sample = std::make_shared<neighbour_sample>();
  const double b_bytes = costs::dense_bytes(p.b.shape, p.b.values);
  const bool exceeds_cache = b_bytes > static_cast<double>(this_machine().l2);
  if (exceeds_cache || p.a.nnz >= least_repeated * p.a.shape.rows)
    std::visit(
        [&]<class T>(const expression<T>& e) {
          typed(std::get<csr_view<const T>>(e.view),
                [&](const auto& a) { *sample = sample_neighbours(a); });
        },
        o.a);
  if (p.a.nnz < least_repeated * p.a.shape.rows) sample->repeated = 0;
  return {.tables = std::move(sample), .bytes = index_t{sizeof(neighbour_sample)}};
}

void run(const state& prepared, const operands& o, const context& where) {
  const auto& rows = prepared.as<neighbour_sample>();
  std::visit(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<csr_view<const T>>(e.view),
              [&]<class I, class O>(const csr_ref<const T, I, O>& a) {
                if constexpr (compiled<T, I, O>) multiply(a, dense_arguments<T>(o), rows, where);
              });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (is_complex(p.a.values) && p.a.index != widths{})
    return {.because = "takes complex values with 32-bit indices and offsets"};
  const bool row_major =
      p.dense.b_order == layout::row_major && p.dense.result_order == layout::row_major;
  const double work = static_cast<double>(p.a.nnz) * static_cast<double>(p.result.cols);
  const double packed = row_major ? 0 : costs::dense_bytes(p.b.shape, p.b.values);
  const double compute =
      work * costs::panel_multiplication + static_cast<double>(p.a.nnz) * costs::entry_compute;
  return {.possible = true,
          .run_seconds =
              costs::seconds(costs::dense_product_bytes(p) + 2 * packed, compute, m, p.threads),
          .bytes = static_cast<index_t>(packed),
          .because = row_major
                         ? "each row of C in vector registers, B and C read and written in order"
                         : formatted("each row of C in vector registers; B is {} and C {}, packed "
                                     "into row-major panels",
                                     name(p.dense.b_order), name(p.dense.result_order))};
}

}  // namespace

extern const kernel spmm_csr_rows_openmp;
const kernel spmm_csr_rows_openmp{
    .id = "spmm/csr/rows/openmp",
    .summary = "row split: tiles of a row of C in vector registers, long rows shared by threads",
    .reference = "Yang, Buluc, Owens 2018 (row split), on CPU threads",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
