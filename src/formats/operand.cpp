#include "formats/operand.hpp"

#include "base/text.hpp"
#include "formats/sizes.hpp"
#include "gossamer/validate.hpp"

namespace gossamer {

namespace {

template <class T>
void describe_view(const csr_view<T>& v, operand_facts& f) {
  f.format = format::csr, f.index = {v.columns.width(), v.offsets.width()};
}
template <class T>
void describe_view(const csc_view<T>& v, operand_facts& f) {
  f.format = format::csc, f.index = {v.rows.width(), v.offsets.width()};
}
template <class T>
void describe_view(const coo_view<T>& v, operand_facts& f) {
  f.format = format::coo, f.index = {v.columns.width(), v.columns.width()};
}
template <class T>
void describe_view(const ell_view<T>& v, operand_facts& f) {
  f.format = format::ell, f.index = {v.columns.width(), v.columns.width()};
  f.places = v.width * v.stride;
}
template <class T>
void describe_view(const sellp_view<T>& v, operand_facts& f) {
  f.format = format::sellp, f.index = {v.columns.width(), v.slice_offsets.width()};
  f.places = v.columns.size();
}
template <class T>
void describe_view(const hyb_view<T>& v, operand_facts& f) {
  f.format = format::hyb, f.index = {v.ell.columns.width(), v.ell.columns.width()};
  f.places = v.ell.width * v.ell.stride + v.coo.nnz();
}
template <class T>
void describe_view(const dense_view<T>&, operand_facts& f) {
  f.format = format::dense;
}

template <class T>
any_view<T> flip(const csr_view<T>& v) {
  return csc_view<T>(transposed(v.shape), v.offsets, v.columns, v.values, v.where);
}
template <class T>
any_view<T> flip(const csc_view<T>& v) {
  return csr_view<T>(transposed(v.shape), v.offsets, v.rows, v.values, v.where);
}
template <class T>
any_view<T> flip(const coo_view<T>& v) {
  return coo_view<T>(transposed(v.shape), v.columns, v.rows, v.values, v.where);
}
template <class T>
any_view<T> flip(const dense_view<T>& v) {
  const auto order = v.order == layout::row_major ? layout::column_major : layout::row_major;
  return dense_view<T>(transposed(v.shape), order, v.stride, v.values, v.where);
}

template <class V>
concept flippable = requires(const V& v) {
  flip(v);
};

}  // namespace

operand_facts facts(const operand& o) {
  return std::visit(
      [](const auto& e) {
        using T = typename std::remove_cvref_t<decltype(e)>::value;
        return std::visit(
            [&](const auto& v) {
              operand_facts f;
              f.values = value_type_of<T>;
              f.nnz = f.places = v.nnz();
              f.where = v.where;
              f.shape = e.transposed ? transposed(v.shape) : v.shape;
              f.transposed = e.transposed;
              f.conjugated = e.conjugated;
              describe_view(v, f);
              return f;
            },
            e.view);
      },
      o);
}

operand normal_form(const operand& o) {
  return std::visit(
      [](auto e) -> operand {
        if (!e.transposed) return e;
        std::visit(
            [&]<class V>(V v) {
              if constexpr (flippable<V>) {
                e.view = flip(v);
                e.transposed = false;
              }
            },
            e.view);
        return e;
      },
      o);
}

operand checked_form(const operand& o, std::string_view name) {
  operand result = normal_form(o);
  std::visit(
      [&](auto& e) {
        std::visit(
            [&](auto& view) {
              auto problem = size_problem(view);
              if (problem.empty()) problem = ends_problem(view);
              if (!problem.empty())
                throw fail(error_kind::bad_argument, "{}: {}", describe(facts(result), name),
                           problem);
              view = with_offsets(view);
            },
            e.view);
      },
      result);
  if (validates_operands() && facts(result).where == memory::host)
    detail::validate(result, {}, name);
  return result;
}

operand structure_of(const operand& o) {
  return std::visit(
      []<class T>(const expression<T>& e) -> operand {
        expression<double> indices{.transposed = e.transposed};
        if (const auto* csr = std::get_if<csr_view<const T>>(&e.view))
          indices.view =
              csr_view<const double>(csr->shape, csr->offsets, csr->columns, nullptr, csr->where);
        else if (const auto* csc = std::get_if<csc_view<const T>>(&e.view))
          indices.view =
              csc_view<const double>(csc->shape, csc->offsets, csc->rows, nullptr, csc->where);
        return indices;
      },
      o);
}

std::string describe(const operand_facts& f, std::string_view name) {
  if (f.format == format::dense)
    return formatted("{} ({} dense, {})", name, gossamer::name(f.values), shape_text(f.shape));
  return formatted("{} ({} {}, {}, {} entries)", name, gossamer::name(f.values),
                   gossamer::name(f.format), shape_text(f.shape), count_text(f.nnz));
}

}  // namespace gossamer
