// Products on a device whose result is wanted on the host: slice by slice, so that C need not fit
// the device.
#include "analysis/format_sizes.hpp"
#include "backends/cuda/runtime.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/copy.hpp"
#include "multiply/checks.hpp"
#include "multiply/options.hpp"
#include "multiply/product_slices.hpp"
#include "multiply/sparse_steps.hpp"

namespace gossamer::detail {

namespace {

/// Offsets on a device, read by the host.
std::vector<index_t> offsets_on_host(const context& where, index_view offsets) {
  index_buffer copy(offsets.size(), offsets.width());
  cuda::copy_bytes(where, copy.view().data(), offsets.data(),
                   static_cast<std::size_t>(offsets.size() * bytes(offsets.width())),
                   cuda::direction::to_host);
  const index_view read = std::as_const(copy).view();
  std::vector<index_t> wide(static_cast<std::size_t>(read.size()));
  for (index_t i = 0; i < read.size(); ++i) wide[static_cast<std::size_t>(i)] = read[i];
  return wide;
}

/// Compressed rows on a device, of which slices are taken: indices stay in place, and a slice has
/// offsets of its own, from 0 on.
class sliceable_rows {
 public:
  sliceable_rows(const context& where, index_view offsets, index_view columns)
      : offsets_(offsets_on_host(where, offsets)), width_(offsets.width()), columns_(columns) {}

  std::span<const index_t> offsets() const { return offsets_; }
  index_t begin_of(range rows) const { return offsets_[static_cast<std::size_t>(rows.begin)]; }
  index_view columns_of(range rows) const {
    const index_t begin = begin_of(rows), end = offsets_[static_cast<std::size_t>(rows.end)];
    const auto* const first = static_cast<const std::byte*>(columns_.data());
    return {first + begin * bytes(columns_.width()), end - begin, columns_.width()};
  }
  index_buffer offsets_of(const context& where, range rows) const {
    const index_t count = rows.end - rows.begin + 1;
    index_buffer host(count, width_), device(count, width_, where.memory());
    const auto some =
        offsets().subspan(static_cast<std::size_t>(rows.begin), static_cast<std::size_t>(count));
    if (width_ == index_width::i32)
      copy_shifted(some, -some.front(), host.view().as<std::int32_t>().data());
    else
      copy_shifted(some, -some.front(), host.view().as<std::int64_t>().data());
    cuda::copy_bytes(where, device.view().data(), host.view().data(),
                     static_cast<std::size_t>(count * bytes(width_)), cuda::direction::to_device);
    return device;
  }
  index_t offset_bytes(range rows) const { return (rows.end - rows.begin + 1) * bytes(width_); }

 private:
  std::vector<index_t> offsets_;
  index_width width_;
  index_view columns_;
};

/// An operand by rows: itself, or a copy of CSC.
template <class T>
struct operand_by_rows {
  csr_matrix<T> copy;
  csr_view<const T> rows;
  T alpha;
  bool conjugated;

  operand_by_rows(const context& where, const operand& o)
      : alpha(alpha_of<T>(o)), conjugated(std::get<expression<T>>(o).conjugated) {
    const auto& any = std::get<expression<T>>(o).view;
    if (const auto* csr = std::get_if<csr_view<const T>>(&any)) {
      rows = *csr;
      return;
    }
    copy = convert<csr_matrix<T>>(where, std::get<csc_view<const T>>(any));
    rows = std::as_const(copy).view();
  }
  index_t bytes() const {
    return copy.rows() == 0 ? 0 : analysis::csr_bytes(copy.shape(), copy.nnz(), value_type_of<T>);
  }
};

/// A B, of which slices are computed within what the limit leaves beside the slice's own offsets.
template <class T>
class sliced_product {
 public:
  sliced_product(const context& where, const operands& o, const options& how)
      : where_(within_limit(where, how.memory_limit)),
        how_(how),
        a_(where_, o.a),
        b_(where_, o.b),
        a_rows_(where_, a_.rows.offsets, a_.rows.columns) {
    if (how.mask) mask_rows_.emplace(where_, how.mask->offsets, how.mask->columns);
  }

  csr_matrix<T> multiply(range rows) const {
    const index_t count = rows.end - rows.begin;
    const auto offsets = a_rows_.offsets_of(where_, rows);
    const csr_view<const T> a({count, a_.rows.shape.cols}, offsets.view(), a_rows_.columns_of(rows),
                              a_.rows.values + a_rows_.begin_of(rows), memory::device);
    options how = how_;
    index_t held = a_.bytes() + b_.bytes() + a_rows_.offset_bytes(rows);
    index_buffer mask_offsets;
    if (mask_rows_) {
      mask_offsets = mask_rows_->offsets_of(where_, rows);
      how.mask->shape.rows = count;
      how.mask->offsets = std::as_const(mask_offsets).view();
      how.mask->columns = mask_rows_->columns_of(rows);
      held += mask_rows_->offset_bytes(rows);
    }
    // Never 0, which would be no limit.
    if (how_.memory_limit > 0) how.memory_limit = std::max<index_t>(how_.memory_limit - held, 1);
    const expression<T> left{.view = a, .alpha = a_.alpha, .conjugated = a_.conjugated};
    const expression<T> right{.view = b_.rows, .alpha = b_.alpha, .conjugated = b_.conjugated};
    return std::get<csr_matrix<T>>(multiply_sparse(where_, left, right, how));
  }

  csr_matrix<T> on_host() const {
    std::vector<csr_matrix<T>> slices;
    in_slices(
        a_rows_.offsets(), [&](range rows) { return multiply(rows); },
        [&](const csr_matrix<T>& c) { slices.push_back(copy_to_host(where_, c)); });
    return joined_rows(extents{a_.rows.shape.rows, b_.rows.shape.cols}, std::move(slices));
  }

 private:
  context where_;
  options how_;
  operand_by_rows<T> a_, b_;
  sliceable_rows a_rows_;
  std::optional<sliceable_rows> mask_rows_;
};

bool is_compressed(const operand& o) {
  const auto format = facts(o).format;
  return format == format::csr || format == format::csc;
}

}  // namespace

csr_result multiply_sparse_to_host(const context& where, const operand& a, const operand& b,
                                   const options& how) {
  const operands o = check_sparse(where, a, b);
  // No kernel takes other formats on a device; the error says which it would take.
  if (where.backend() != backend::cuda || !is_compressed(o.a) || !is_compressed(o.b))
    return multiply_sparse(where, a, b, how);
  require_sparse_options(where, o, how);
  require_not_captured(where);
  return with_value_type(facts(o.a).values, [&]<class T>() -> csr_result {
    return sliced_product<T>(where, o, how).on_host();
  });
}

}  // namespace gossamer::detail
