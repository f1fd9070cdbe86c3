// Checks on request: sizes first, then every index.
#include "gossamer/validate.hpp"

#include <cstdlib>

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "formats/sizes.hpp"
#include "formats/structure_checks.hpp"

namespace gossamer {

bool validates_operands() {
  static const bool asked = [] {
    const char* const found = std::getenv("GOSSAMER_VALIDATE");
    return found != nullptr && std::string_view(found) == "1";
  }();
  return asked;
}

}  // namespace gossamer

namespace gossamer::detail {

namespace {

/// "(f64 csr, 3 x 4, 7 entries)": the matrix as stored; of a broken one nothing may be computed.
template <scalar T>
std::string describe(const any_view<const T>& view) {
  return std::visit(
      [&]<class View>(const View& a) {
        const auto stored = name(static_cast<format>(view.index()));
        if constexpr (std::same_as<View, dense_view<const T>>)
          return formatted("({} {}, {})", name(value_type_of<T>), stored, shape_text(a.shape));
        else
          return formatted("({} {}, {}, {} entries)", name(value_type_of<T>), stored,
                           shape_text(a.shape), count_text(a.nnz()));
      },
      view);
}
static_assert(std::variant_size_v<any_view<float>> == static_cast<std::size_t>(format::dense) + 1,
              "the variant lists the formats in their order");

template <scalar T>
finding inspect_view(const any_view<const T>& view) {
  return std::visit(
      [&](const auto& a) -> finding {
        if (a.where != memory::host)
          throw fail(error_kind::not_available,
                     "the matrix {} lives on a device; give the context of the device as well",
                     describe<T>(view));
        if (auto problem = size_problem(a); !problem.empty()) return {.broken = std::move(problem)};
        if constexpr (requires { inspect(1, a); })
          return inspect(default_threads(), a);
        else
          return {};  // dense: there are no indices
      },
      view);
}

/// Calls f(view) with the value type resolved.
template <class F>
auto with_view(const operand& from, F&& f) {
  return std::visit(
      [&]<class T>(const expression<T>& e) { return f.template operator()<T>(e.view); }, from);
}

finding inspect_operand(const operand& from) {
  return with_view(from,
                   []<class T>(const any_view<const T>& view) { return inspect_view<T>(view); });
}

}  // namespace

structure_report inspect_structure(const operand& from) try {
  auto found = inspect_operand(from);
  const bool valid = found.broken.empty();
  return {.valid = valid,
          .sorted = valid && found.unsorted.empty(),
          .unique = valid && found.duplicate.empty(),
          .problem = std::move(found.broken)};
} catch (const std::bad_alloc&) {
  refuse_memory("a validation");
}

void validate(const operand& from, requirements wanted, std::string_view operand_name) try {
  const auto found = inspect_operand(from);
  const auto refuse = [&](std::string_view trouble, std::string_view way_out) {
    const auto what =
        with_view(from, []<class T>(const any_view<const T>& view) { return describe<T>(view); });
    return fail(error_kind::bad_input, "{} {}: {}{}", operand_name, what, trouble, way_out);
  };
  if (!found.broken.empty()) throw refuse(found.broken, "");
  if (wanted.sorted && !found.unsorted.empty())
    throw refuse(found.unsorted, "; sort_columns puts a CSR matrix in order");
  if (wanted.unique && !found.duplicate.empty())
    throw refuse(found.duplicate, "; sum_duplicates adds up those of a CSR matrix");
} catch (const std::bad_alloc&) {
  refuse_memory("a validation");
}

}  // namespace gossamer::detail
