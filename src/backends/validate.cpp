// Validation under a context. A valid matrix on a device is checked there; any other is copied to
// the host, which words the report.
#include "gossamer/validate.hpp"

#include "backends/cuda/structure.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "formats/operand.hpp"
#include "formats/sizes.hpp"
#include "gossamer/copy.hpp"

namespace gossamer::detail {

namespace {

bool on_device(const context& where, const operand& a, std::string_view operand_name) {
  const auto found = facts(a);
  if (found.where == memory::host) return false;
  if (where.backend() != backend::cuda)
    throw fail(error_kind::bad_argument,
               "{} lives in device memory; a {} context cannot look at it, use that of its device",
               describe(found, operand_name), name(where.backend()));
  return true;
}

/// Calls sizes(problem) when the sizes are wrong, tidy() when all is valid, else host(a copy on the
/// host).
template <class Sizes, class Tidy, class Host>
auto look(const context& where, const operand& a, Sizes&& sizes, Tidy&& tidy, Host&& host) {
  return std::visit(
      [&]<class T>(const expression<T>& e) {
        return std::visit(
            [&](const auto& view) {
              if (const auto problem = size_problem(view); !problem.empty()) return sizes(problem);
              if (cuda::is_tidy(where, view)) return tidy();
              const auto copy = copy_to_host(where, view);
              return host(operand(express(copy)));
            },
            e.view);
      },
      a);
}

}  // namespace

structure_report inspect_structure(const context& where, const operand& a) try {
  if (!on_device(where, a, "the matrix")) return inspect_structure(a);
  return look(
      where, a,
      [](const std::string& problem) {
        return structure_report{
            .valid = false, .sorted = false, .unique = false, .problem = problem};
      },
      [] { return structure_report{}; },
      [](const operand& copy) { return inspect_structure(copy); });
} catch (const std::bad_alloc&) {
  refuse_memory("a validation");
}

void validate(const context& where, const operand& a, requirements wanted,
              std::string_view operand_name) try {
  if (!on_device(where, a, operand_name)) return validate(a, wanted, operand_name);
  look(
      where, a,
      [&](const std::string& problem) {
        throw fail(error_kind::bad_input, "{}: {}", describe(facts(a), operand_name), problem);
      },
      [] {}, [&](const operand& copy) { validate(copy, wanted, operand_name); });
} catch (const std::bad_alloc&) {
  refuse_memory("a validation");
}

}  // namespace gossamer::detail
