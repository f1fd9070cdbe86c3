// Matrix Market by ranges of bytes: each rank parses the lines that begin in its range; triplets
// then travel to the ranks of their rows.
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "distributed/calls.hpp"
#include "distributed/files/readers.hpp"
#include "distributed/triplets.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace gossamer::mpi {
namespace {

using io::matrix_market::header;

template <real_scalar T>
using blocks_of = std::vector<io::entry_block<std::int64_t, T>>;

template <real_scalar T>
index_t count_of(const blocks_of<T>& blocks) {
  index_t count = 0;
  for (const auto& block : blocks) count += block.count;
  return count;
}

/// Elements of the other triangle that a symmetric file implies.
template <real_scalar T>
index_t mirrored_count(const blocks_of<T>& blocks, io::mirror mirrored) {
  index_t count = 0;
  if (mirrored != io::mirror::none)
    for (const auto& block : blocks)
      for (index_t k = 0; k < block.count; ++k)
        count += block.entries[k].row != block.entries[k].column ? 1 : 0;
  return count;
}

template <real_scalar T>
coo_matrix<T> triplets_of(const context& where, extents shape, blocks_of<T> blocks,
                          io::mirror mirrored) {
  coo_matrix<T> all(shape, count_of(blocks) + mirrored_count(blocks, mirrored), index_width::i64,
                    where.memory());
  const auto to = all.mutable_view();
  const auto rows = to.rows.template as<std::int64_t>();
  const auto columns = to.columns.template as<std::int64_t>();
  std::size_t at = 0;
  const auto put = [&](index_t row, index_t column, T value) {
    rows[at] = row;
    columns[at] = column;
    to.values[at++] = value;
  };
  for (auto& block : blocks) {
    for (index_t k = 0; k < block.count; ++k) {
      const auto& e = block.entries[k];
      put(e.row, e.column, e.value);
      if (mirrored != io::mirror::none && e.row != e.column)
        put(e.column, e.row, mirrored == io::mirror::negated ? -e.value : e.value);
    }
    block = {};  // no longer needed; both would be twice the memory
  }
  return all;
}

}  // namespace

template <real_scalar T>
distributed_csr<T> read_coordinates(const reading_of& job, const io::named_bytes& text) {
  const auto& ranks = job.ranks;
  header head;
  blocks_of<T> blocks;
  agreed(ranks, [&] {
    head = io::matrix_market::require_header(text);
    const auto body = static_cast<index_t>(head.body);
    const auto own =
        part_of(static_cast<index_t>(text.bytes.size()) - body, ranks.rank(), ranks.size());
    blocks =
        io::matrix_market::parse_range<T>(text, head, static_cast<std::size_t>(body + own.begin),
                                          static_cast<std::size_t>(body + own.end), job.options);
  });
  const index_t found = sum_of(ranks, count_of<T>(blocks));
  agreed(ranks, [&] {
    if (found != head.entries)
      throw fail(error_kind::bad_input, "{}: it has {} entries; its header announces {}", text.name,
                 count_text(found), count_text(head.entries));
    io::require_backed_rows(job.options, text.name, head.shape, text.bytes.size());
  });
  auto triplets = agreed(ranks, [&] {
    return triplets_of<T>(job.where, head.shape, std::move(blocks),
                          io::matrix_market::mirror_of(head));
  });
  return matrix_of_triplets<T>(job.where, ranks, std::as_const(triplets).view(), job.how);
}

template distributed_csr<float> read_coordinates(const reading_of&, const io::named_bytes&);
template distributed_csr<double> read_coordinates(const reading_of&, const io::named_bytes&);

}  // namespace gossamer::mpi
