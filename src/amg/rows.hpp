// Rows of a CSR matrix on the host with 32-bit columns, as the set-up reads them; and a builder of
// such matrices, row by row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer::amg {

/// Rows that one thread works on at least.
inline constexpr index_t row_grain = 2048;

template <class T>
struct row_reader {
  index_t rows = 0;
  index_view offsets;
  const std::int32_t* columns = nullptr;
  const T* values = nullptr;

  row_reader() = default;
  explicit row_reader(const csr_view<const T>& a)
      : rows(a.shape.rows),
        offsets(a.offsets),
        columns(a.columns.template as<std::int32_t>().data()),
        values(a.values) {}
  /// One comparison per row: the width of offsets is known at run time only.
  index_t begin(index_t row) const { return offsets[row]; }
  index_t end(index_t row) const { return offsets[row + 1]; }
};

/// Where a row is written: at most as many nonzeros as were announced.
template <class T>
struct row_writer {
  std::int32_t* columns = nullptr;
  T* values = nullptr;
  index_t count = 0;
  void add(std::int32_t column, T value) {
    columns[count] = column;
    values[count++] = value;
  }
};

/// Builds a matrix in one pass: most(begin, end) bounds the nonzeros of rows [begin, end), and
/// row(i, writer) appends those of a row. Each thread works with a copy of `row`, which may keep
/// scratch memory. Chunks of rows are written to scratch memory of a thread and copied twice, which
/// costs less than a pass that counts.
template <class T, class Most, class Row>
csr_matrix<T> build_by_chunks(int threads, extents shape, Most&& most, const Row& row) {
  struct chunk {
    std::vector<std::int32_t> columns;
    std::vector<T> values;
    std::vector<index_t> ends;
  };
  constexpr index_t size = 1024;
  const index_t count = (shape.rows + size - 1) / size;
  std::vector<chunk> chunks(static_cast<std::size_t>(count));
  parallel_pieces(threads, count, [&](claimed_pieces own, int, int) {
    std::vector<std::int32_t> columns;
    std::vector<T> values;
    Row mine = row;
    for (const index_t c : own) {
      const index_t begin = c * size, end = std::min(begin + size, shape.rows);
      const auto bound = static_cast<std::size_t>(most(begin, end));
      if (columns.size() < bound) columns.resize(bound), values.resize(bound);
      auto& done = chunks[static_cast<std::size_t>(c)];
      done.ends.resize(static_cast<std::size_t>(end - begin));
      row_writer<T> writer{columns.data(), values.data()};
      for (index_t i = begin; i < end; ++i) {
        mine(i, writer);
        done.ends[static_cast<std::size_t>(i - begin)] = writer.count;
      }
      done.columns.assign(columns.data(), columns.data() + writer.count);
      done.values.assign(values.data(), values.data() + writer.count);
    }
  });
  std::vector<index_t> starts(chunks.size() + 1, 0);
  for (std::size_t c = 0; c < chunks.size(); ++c)
    starts[c + 1] = starts[c] + static_cast<index_t>(chunks[c].columns.size());
  csr_matrix<T> built(shape, starts.back());
  const auto target = built.mutable_view();
  const auto copy = [&](auto offsets) {
    auto columns = target.columns.template as<std::int32_t>();
    offsets[0] = 0;
    parallel_chunks(threads, count, [&](index_t c) {
      const auto& done = chunks[static_cast<std::size_t>(c)];
      const index_t start = starts[static_cast<std::size_t>(c)];
      std::copy(done.columns.begin(), done.columns.end(), columns.data() + start);
      std::copy(done.values.begin(), done.values.end(), target.values + start);
      for (std::size_t i = 0; i < done.ends.size(); ++i)
        offsets[static_cast<std::size_t>(c * size + 1) + i] =
            static_cast<typename decltype(offsets)::value_type>(start + done.ends[i]);
    });
  };
  if (target.offsets.width() == index_width::i32)
    copy(target.offsets.template as<std::int32_t>());
  else
    copy(target.offsets.template as<std::int64_t>());
  return built;
}

}  // namespace gossamer::amg
