// Sparse SUMMA on a grid of ranks.
#include "distributed/products/grid_product.hpp"

#include <algorithm>

#include "distributed/products/grid_layout.hpp"
#include "distributed/products/local_product.hpp"
#include "distributed/products/merge_rows.hpp"
#include "distributed/products/packed_rows.hpp"
#include "formats/typed.hpp"
#include "gossamer/convert.hpp"

namespace gossamer::mpi {
namespace {

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

/// Rows of a mask whose columns are positions in a list, so that they can be cut like a matrix's.
template <real_scalar T>
struct listed_mask {
  std::vector<index_t> list, offsets, columns;
  csr_view<const T> rows;
  explicit listed_mask(const pattern& of) {
    for (index_t i = 0; i <= of.shape.rows; ++i) offsets.push_back(of.offsets[i]);
    for (index_t k = 0; k < of.nnz(); ++k) list.push_back(of.columns[k]);
    columns = list;
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (auto& column : columns)
      column = std::lower_bound(list.begin(), list.end(), column) - list.begin();
    rows = csr_view<const T>({of.shape.rows, static_cast<index_t>(list.size())},
                             {offsets.data(), static_cast<index_t>(offsets.size())},
                             {columns.data(), static_cast<index_t>(columns.size())}, nullptr);
  }
};

/// One product on a grid, as one rank sees it.
template <real_scalar T, stored_index I>
class grid_product {
 public:
  grid_product(const budget& within, const distributed_csr<T>& a, const distributed_csr<T>& b,
               const process_grid& grid, const spgemm_options& how)
      : within_(within),
        ranks_(a.ranks()),
        layout_(grid, b.row_partition(), b.shape().cols),
        a_rows_(a.row_partition()),
        b_(b),
        how_(how),
        row_(layout_.row_of(ranks_.rank())),
        column_(layout_.column_of(ranks_.rank())),
        layer_(layout_.layer_of(ranks_.rank())) {
    agreed(ranks_, [&] {
      mine_a_ = compact(within_.where(), a);
      mine_b_ = compact(within_.where(), b);
    });
  }

  /// The rows of C of this rank, the inner dimension in `rounds` parts.
  csr_matrix<T> run(index_t rounds) {
    const bool partial = rounds > 1 || layout_.grid().layers > 1;
    auto mask = gather_mask();
    csr_matrix<T> sum;
    for (index_t round = 0; round < rounds; ++round) {
      const auto a = gather_a(round, rounds);
      const auto b = gather_b(round, rounds);
      agreed(ranks_, [&] {
        if (!computes()) return;
        auto c =
            multiply_local<T>(within_, {a.view(), b.view(), mask.view()}, local_options(partial));
        sum = round == 0
                  ? std::move(c)
                  : merge_rows<T>(within_.where(), how_.local.semiring, sum.view(), c.view());
      });
    }
    mask = {};
    auto c = return_rows(sum);
    return agreed(ranks_, [&] { return filtered(std::move(c)); });
  }

  index_t most_rounds() const {
    index_t most = 1;
    for (int l = 0; l < layout_.grid().layers; ++l) most = std::max(most, layout_.inner_size(l));
    return most;
  }

 private:
  using out_list = std::vector<rows_out<T, I>>;
  using in_list = std::vector<rows_in>;
  /// The mask of the block that this rank computes.
  struct block_mask {
    index_buffer offsets, columns;
    std::optional<pattern> of;
    std::optional<pattern> view() const { return of; }
  };

  bool computes() const { return column_ >= 0; }
  /// Filters see whole sums: those of several layers or rounds are complete at the end only.
  spgemm_options local_options(bool partial) const {
    spgemm_options local = how_;
    if (partial) {
      local.local.drop_zeros = false;
      local.local.keep = {};
    }
    return local;
  }
  range inner_range(int layer, index_t round, index_t rounds) const {
    return part_of(layout_.inner_size(layer), round, rounds);
  }
  /// Rows of B of a rank, counted from its first, that a round takes.
  range rows_in_round(int rank, index_t round, index_t rounds) const {
    const auto wanted = inner_range(layout_.layer_of(rank), round, rounds);
    const index_t first = layout_.first_inner(rank), count = b_.row_partition().count(rank);
    const index_t begin = std::clamp<index_t>(wanted.begin - first, 0, count);
    return {begin, std::clamp<index_t>(wanted.end - first, begin, count)};
  }
  index_t rows_of_group() const {
    return a_rows_.last(layout_.last(row_) - 1) - a_rows_.first(layout_.first(row_));
  }
  arrived_rows<T, I> exchanged(const out_list& out, const in_list& in,
                               payload what = payload::values) const {
    return exchange_packed<T, I>(within_.where(), ranks_, out, in, what);
  }

  /// Rows of A of this grid row, with the columns that are this layer's in this round.
  csr_matrix<T> gather_a(index_t round, index_t rounds) const {
    const auto& grid = layout_.grid();
    std::vector<packed_rows<T, I>> parts;
    out_list out;
    in_list in;
    agreed(ranks_, [&] {
      std::vector<column_place> places;
      for (const index_t k : mine_a_.columns) {
        const int owner = b_.row_partition().owner(k), layer = layout_.layer_of(owner);
        const index_t inner = layout_.first_inner(owner) + k - b_.row_partition().first(owner);
        const auto wanted = inner_range(layer, round, rounds);
        const bool here = inner >= wanted.begin && inner < wanted.end;
        places.push_back({here ? layer : -1, inner - wanted.begin});
      }
      parts = cut_columns<T, I>(within_.where(), mine_a_.rows.view(), 0, mine_a_.rows.rows(),
                                places, grid.layers);
      for (int l = 0; l < grid.layers; ++l)
        for (int j = 0; j < grid.columns; ++j)
          out.push_back({layout_.rank_at(row_, j, l), parts[at(l)].view()});
      if (!computes()) return;
      for (int r = layout_.first(row_); r < layout_.last(row_); ++r)
        in.push_back({r, a_rows_.count(r)});
    });
    auto rows = exchanged(out, in);
    const auto wanted = inner_range(layer_, round, rounds);
    return agreed(
        ranks_, [&] { return std::move(rows).matrix(within_.where(), wanted.end - wanted.begin); });
  }

  /// Rows of B of this layer and round, in the columns of this grid column: from the ranks of each
  /// grid row to one of them, and from there to all grid rows.
  csr_matrix<T> gather_b(index_t round, index_t rounds) const {
    const auto& grid = layout_.grid();
    const auto mine = rows_in_round(ranks_.rank(), round, rounds);
    arrived_rows<T, I> of_row;
    {
      std::vector<packed_rows<T, I>> parts;
      out_list out;
      in_list in;
      agreed(ranks_, [&] {
        parts = cut_columns<T, I>(within_.where(), mine_b_.rows.view(), mine.begin, mine.end,
                                  block_places(mine_b_.columns), grid.columns);
        for (int j = 0; j < grid.columns; ++j)
          out.push_back({layout_.rank_at(row_, j, layer_), parts[at(j)].view()});
        if (!computes()) return;
        for (int r = layout_.first(row_); r < layout_.last(row_); ++r)
          if (layout_.layer_of(r) == layer_) in.push_back({r, size_of_round(r, round, rounds)});
      });
      of_row = exchanged(out, in);
    }
    out_list out;
    in_list in;
    agreed(ranks_, [&] {
      if (!computes()) return;
      const packed_view<T, I> all{
          of_row.lengths.span(),
          {static_cast<const I*>(std::as_const(of_row.columns).view().data()), at(of_row.nnz())},
          of_row.values.data()};
      for (int i = 0; i < grid.rows; ++i) {
        out.push_back({layout_.rank_at(i, column_, layer_), all});
        in.push_back({layout_.rank_at(i, column_, layer_), 0});
        for (int r = layout_.first(i); r < layout_.last(i); ++r)
          if (layout_.layer_of(r) == layer_) in.back().rows += size_of_round(r, round, rounds);
      }
    });
    auto rows = exchanged(out, in);
    const index_t width = computes() ? layout_.columns().count(column_) : 0;
    return agreed(ranks_, [&] { return std::move(rows).matrix(within_.where(), width); });
  }
  index_t size_of_round(int rank, index_t round, index_t rounds) const {
    const auto rows = rows_in_round(rank, round, rounds);
    return rows.end - rows.begin;
  }
  /// Block of each column, and its place there.
  std::vector<column_place> block_places(const std::vector<index_t>& columns) const {
    std::vector<column_place> places;
    for (const index_t j : columns) {
      const int block = layout_.columns().owner(j);
      places.push_back({block, j - layout_.columns().first(block)});
    }
    return places;
  }

  block_mask gather_mask() const {
    block_mask made;
    if (!how_.local.mask) return made;
    const auto& grid = layout_.grid();
    std::vector<packed_rows<T, I>> parts;
    out_list out;
    in_list in;
    agreed(ranks_, [&] {
      const listed_mask<T> mask(*how_.local.mask);
      parts = cut_columns<T, I>(within_.where(), mask.rows, 0, mask.rows.shape.rows,
                                block_places(mask.list), grid.columns);
      for (int j = 0; j < grid.columns; ++j)
        for (int l = 0; l < grid.layers; ++l)
          out.push_back({layout_.rank_at(row_, j, l), parts[at(j)].view()});
      if (!computes()) return;
      for (int r = layout_.first(row_); r < layout_.last(row_); ++r)
        in.push_back({r, a_rows_.count(r)});
    });
    auto rows = exchanged(out, in, payload::structure);
    agreed(ranks_, [&] {
      if (!computes()) return;
      made.offsets = rows.offsets(within_.where());
      made.columns = std::move(rows.columns);
      made.of = pattern{.shape = {rows_of_group(), layout_.columns().count(column_)},
                        .offsets = std::as_const(made.offsets).view(),
                        .columns = std::as_const(made.columns).view(),
                        .complemented = how_.local.mask->complemented};
    });
    return made;
  }

  /// What was computed, to the ranks that have the rows: blocks of columns side by side, layers
  /// added.
  csr_matrix<T> return_rows(const csr_matrix<T>& sum) const {
    const auto& grid = layout_.grid();
    packed_rows<T, I> packed;
    out_list out;
    in_list in;
    agreed(ranks_, [&] {
      if (computes()) pack_result(sum.view(), packed, out);
      for (int l = 0; l < grid.layers; ++l)
        for (int j = 0; j < grid.columns; ++j)
          in.push_back({layout_.rank_at(row_, j, l), a_rows_.count(ranks_.rank())});
    });
    const auto pieces = exchanged(out, in);
    return agreed(ranks_, [&] {
      csr_matrix<T> all = side_by_side(pieces, 0);
      for (int l = 1; l < grid.layers; ++l)
        all = merge_rows<T>(within_.where(), how_.local.semiring, all.view(),
                            side_by_side(pieces, l).view());
      return all;
    });
  }
  void pack_result(const csr_view<const T>& c, packed_rows<T, I>& packed, out_list& out) const {
    packed.lengths = buffer<I>(c.shape.rows, within_.where().memory());
    const I* columns = static_cast<const I*>(c.columns.data());
    for (index_t i = 0; i < c.shape.rows; ++i)
      packed.lengths[i] = static_cast<I>(c.offsets[i + 1] - c.offsets[i]);
    if (c.columns.width() != width_of<I>) {
      packed.columns = buffer<I>(c.nnz(), within_.where().memory());
      for (index_t k = 0; k < c.nnz(); ++k) packed.columns[k] = static_cast<I>(c.columns[k]);
      columns = packed.columns.data();
    }
    const index_t first = a_rows_.first(layout_.first(row_));
    for (int r = layout_.first(row_); r < layout_.last(row_); ++r) {
      const index_t begin = a_rows_.first(r) - first, end = a_rows_.last(r) - first;
      const index_t from = c.offsets[begin], to = c.offsets[end];
      out.push_back({r,
                     {packed.lengths.span().subspan(at(begin), at(end - begin)),
                      {columns + from, at(to - from)},
                      c.values + from}});
    }
  }
  csr_matrix<T> side_by_side(const arrived_rows<T, I>& pieces, int layer) const {
    const int blocks = layout_.grid().columns;
    const auto first = at(layer) * at(blocks);
    const extents shape{a_rows_.count(ranks_.rank()), b_.shape().cols};
    const index_t nnz = pieces.nnz_before[first + at(blocks)] - pieces.nnz_before[first];
    csr_matrix<T> rows(shape, nnz, narrowest(shape, nnz), within_.where().memory());
    const auto to = rows.mutable_view();
    std::vector<index_t> from(at(blocks), 0);
    gossamer::detail::with_widths(to.columns.width(), to.offsets.width(), [&]<class J, class O>() {
      index_t put = 0;
      static_cast<O*>(to.offsets.data())[0] = 0;
      for (index_t i = 0; i < shape.rows; ++i) {
        for (int j = 0; j < blocks; ++j) {
          const auto piece = pieces.piece(first + at(j));
          const index_t begin = layout_.columns().first(j);
          for (I k = 0; k < piece.lengths[at(i)]; ++k, ++from[at(j)]) {
            static_cast<J*>(to.columns.data())[put] =
                static_cast<J>(begin + piece.columns[at(from[at(j)])]);
            to.values[put++] = piece.values[from[at(j)]];
          }
        }
        static_cast<O*>(to.offsets.data())[i + 1] = static_cast<O>(put);
      }
    });
    return rows;
  }
  csr_matrix<T> filtered(csr_matrix<T> c) const {
    if (how_.local.drop_zeros) c = drop_zeros<T>(within_.where(), c.view());
    if (how_.local.keep != filter{}) c = keep<T>(within_.where(), c.view(), how_.local.keep);
    return c;
  }

  const budget& within_;
  communicator ranks_;
  grid_layout layout_;
  partition a_rows_;
  const distributed_csr<T>& b_;
  const spgemm_options& how_;
  int row_, column_, layer_;
  compact_rows<T> mine_a_, mine_b_;
};

template <real_scalar T, stored_index I>
distributed_csr<T> in_rounds(const budget& within, const distributed_csr<T>& a,
                             const distributed_csr<T>& b, const process_grid& grid,
                             const spgemm_options& how, index_t& rounds) {
  const auto& ranks = a.ranks();
  grid_product<T, I> product(within, a, b, grid, how);
  // Bytes of the blocks of A and B on one rank, if nonzeros are spread evenly.
  const double nonzeros = static_cast<double>(a.nnz()) / (grid.rows * grid.layers) +
                          static_cast<double>(b.nnz()) / (grid.columns * grid.layers);
  const auto blocks = static_cast<index_t>(nonzeros * (sizeof(T) + sizeof(I)));
  const index_t limit = within.limited() ? std::max<index_t>(within.left(), 1) : 0;
  const index_t most = product.most_rounds();
  rounds = std::min(greatest_of(ranks, limit > 0 ? 1 + 2 * blocks / limit : 1), most);
  for (;; rounds = std::min(2 * rounds, most)) {
    try {
      const auto c = product.run(rounds);
      return {within.where(), ranks, c.view(), b.column_partition()};
    } catch (const agreed_error& e) {
      if (e.kind() != error_kind::memory_limit) throw;
      // Rounds make the blocks of A and B smaller, not those of C.
      const bool helps =
          greatest_of(ranks, within.limited() && blocks / rounds >= within.limit() / 16 ? 1 : 0) !=
          0;
      if (rounds == most || !helps)
        throw agreed_error(
            e.kind(),
            formatted("{} (a product on a grid of {} x {} x {} ranks in {} rounds; "
                      "\"1d\" needs no room for blocks of C)",
                      e.what(), grid.rows, grid.columns, grid.layers, count_text(rounds)),
            e.rank());
    }
  }
}

}  // namespace

template <real_scalar T>
distributed_csr<T> multiply_on_grid(const budget& within, const distributed_csr<T>& a,
                                    const distributed_csr<T>& b, const process_grid& grid,
                                    const spgemm_options& how, index_t& rounds) {
  const grid_layout layout(grid, b.row_partition(), b.shape().cols);
  if (layout.width() == index_width::i32)
    return in_rounds<T, std::int32_t>(within, a, b, grid, how, rounds);
  return in_rounds<T, std::int64_t>(within, a, b, grid, how, rounds);
}

template distributed_csr<float> multiply_on_grid(const budget&, const distributed_csr<float>&,
                                                 const distributed_csr<float>&, const process_grid&,
                                                 const spgemm_options&, index_t&);
template distributed_csr<double> multiply_on_grid(const budget&, const distributed_csr<double>&,
                                                  const distributed_csr<double>&,
                                                  const process_grid&, const spgemm_options&,
                                                  index_t&);

}  // namespace gossamer::mpi
