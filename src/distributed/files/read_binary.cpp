// .gsm by rows: offsets say where the rows of a rank lie, so nothing has to be sent.
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "distributed/calls.hpp"
#include "distributed/files/readers.hpp"
#include "distributed/partitions.hpp"
#include "gossamer/validate.hpp"
#include "io/binary/binary.hpp"

namespace gossamer::mpi {
namespace {

using io::binary::header;
using io::binary::section;

/// Numbers of a section, of 4 or 8 bytes each.
class numbers {
 public:
  numbers(const io::named_bytes& file, const section& part, int width)
      : data_(file.bytes.data() + part.begin), width_(width) {}
  index_t operator[](index_t k) const {
    return width_ == 4 ? io::load<std::int32_t>(data_ + 4 * k)
                       : io::load<std::int64_t>(data_ + 8 * k);
  }

 private:
  const char* data_;
  int width_;
};

void require_undamaged(const reading_of& job, const io::named_bytes& file, const section& part,
                       std::string_view what) {
  const auto found =
      shared_checksum(job.ranks, file.bytes.substr(part.begin, part.size), job.where.threads());
  agreed(job.ranks, [&] {
    if (found != part.checksum)
      throw fail(error_kind::bad_input, "{}: the checksum of its {} is wrong; the file is damaged",
                 file.name, what);
  });
}

/// The rows of each rank; those of equal nonzeros are found in the offsets of the file.
partition rows_for(const reading_of& job, const header& head, const numbers& offsets) {
  if (job.how.rows) return *job.how.rows;
  if (job.how.balance == balance::rows || head.entries == 0)
    return partition::by_count(head.rows, job.ranks.size());
  std::vector<index_t> starts;
  for (int r = 0; r < job.ranks.size(); ++r)
    starts.push_back(
        part_of_work(head.rows, r, job.ranks.size(), [&](index_t i) { return offsets[i]; }).begin);
  starts.push_back(head.rows);
  return partition(std::move(starts));
}

template <real_scalar T>
csr_matrix<T> rows_between(const reading_of& job, const io::named_bytes& file, const header& head,
                           index_t first, index_t last) {
  const numbers offsets(file, head.offsets, head.offset_bytes);
  const numbers columns(file, head.columns, head.index_bytes);
  const index_t begin = offsets[first], end = offsets[last];
  // Offsets that do not ascend are found row by row; these two bound what is allocated and read.
  if (begin < 0 || end < begin || end > head.entries)
    throw fail(error_kind::bad_input, "{}: rows {} to {} lie at offsets {} to {} of {} entries",
               file.name, first, last, begin, end, head.entries);
  const extents shape{last - first, head.cols};
  csr_matrix<T> rows(shape, end - begin, {index_width::i64, index_width::i64}, job.where.memory());
  const auto to = rows.mutable_view();
  const auto starts = to.offsets.template as<std::int64_t>();
  const auto indices = to.columns.template as<std::int64_t>();
  for (index_t i = 0; i <= shape.rows; ++i)
    starts[static_cast<std::size_t>(i)] = offsets[first + i] - begin;
  const char* const values = file.bytes.data() + head.values.begin;
  parallel_ranges(job.where.threads(), end - begin, 1 << 14, [&](index_t from, index_t until) {
    for (index_t k = from; k < until; ++k) {
      indices[static_cast<std::size_t>(k)] = columns[begin + k];
      to.values[k] = head.value_bytes == 4
                         ? static_cast<T>(io::load<float>(values + 4 * (begin + k)))
                         : static_cast<T>(io::load<double>(values + 8 * (begin + k)));
    }
  });
  validate(rows.view(), {}, file.name);
  return rows;
}

}  // namespace

template <real_scalar T>
distributed_csr<T> read_binary(const reading_of& job, const io::named_bytes& file) {
  const auto head = agreed(job.ranks, [&] { return io::binary::parse_header(file); });
  require_undamaged(job, file, head.offsets, "row offsets");
  require_undamaged(job, file, head.columns, "columns");
  require_undamaged(job, file, head.values, "values");
  if (job.how.rows) require_partition(job.ranks, *job.how.rows, head.rows, "rows");
  const auto mine = agreed(job.ranks, [&] {
    const auto rows = rows_for(job, head, numbers(file, head.offsets, head.offset_bytes));
    const int me = job.ranks.rank();
    return rows_between<T>(job, file, head, rows.first(me), rows.last(me));
  });
  return {job.where, job.ranks, mine.view(), job.how.columns};
}

template distributed_csr<float> read_binary(const reading_of&, const io::named_bytes&);
template distributed_csr<double> read_binary(const reading_of&, const io::named_bytes&);

}  // namespace gossamer::mpi
