#include "generate/settings.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/text.hpp"

namespace gossamer::generate {
namespace {

/// The whole text as a number, nothing before or after it.
template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<index_t> parse_size(std::string_view text) {
  const auto caret = text.find('^');
  const auto base = parse<index_t>(text.substr(0, caret));
  if (!base || *base < 0) return std::nullopt;
  if (caret == std::string_view::npos) return base;
  const auto exponent = parse<int>(text.substr(caret + 1));
  if (!exponent || *exponent < 0 || *exponent > 62) return std::nullopt;
  index_t power = 1;
  for (int k = 0; k < *exponent; ++k)
    if (__builtin_mul_overflow(power, *base, &power)) return std::nullopt;
  return power;
}

bool has(const recipe& what, std::string_view name) {
  return std::any_of(what.parameters.begin(), what.parameters.end(),
                     [&](const parameter& p) { return p.name == name; });
}

}  // namespace

settings::settings(const recipe& what, const std::vector<std::string>& given, row_share which)
    : recipe_(what), share_(which) {
  std::vector<std::string> seen;
  for (const auto& setting : given) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      throw fail(error_kind::bad_argument, "{}: '{}' is not a setting; write name=value",
                 recipe_.kind, setting);
    auto name = setting.substr(0, equals);
    std::replace(name.begin(), name.end(), '_', '-');
    auto& place = find(name);
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw fail(error_kind::bad_argument, "{}: {} is set twice", recipe_.kind, name);
    place.value = setting.substr(equals + 1);
    seen.push_back(std::move(name));
  }
}

parameter& settings::find(std::string_view name) {
  std::string known;
  for (auto& p : recipe_.parameters) {
    if (p.name == name) return p;
    known += (known.empty() ? "" : ", ") + p.name;
  }
  throw fail(error_kind::bad_argument, "{} has no parameter '{}'; it has {}", recipe_.kind, name,
             known);
}

const parameter& settings::resolve(std::string_view name) const {
  // A chain of names is no longer than the list of parameters, unless it goes in a circle.
  for (std::size_t hop = 0; hop <= recipe_.parameters.size(); ++hop) {
    const auto at = std::find_if(recipe_.parameters.begin(), recipe_.parameters.end(),
                                 [&](const parameter& p) { return p.name == name; });
    if (!has(recipe_, at->value)) return *at;
    name = at->value;
  }
  throw fail(error_kind::bad_argument, "{}: the value of {} refers to itself", recipe_.kind, name);
}

index_t settings::size(std::string_view name) const {
  const auto& given = resolve(name);
  if (const auto value = parse_size(given.value)) return *value;
  throw fail(error_kind::bad_argument,
             "{}: {} is '{}', expected a whole number below 2^63 such as 1000000 or 2^20",
             recipe_.kind, given.name, given.value);
}

int settings::small(std::string_view name) const {
  const index_t value = size(name);
  if (value <= std::numeric_limits<int>::max()) return static_cast<int>(value);
  throw fail(error_kind::bad_argument, "{}: {} is {}, expected at most {}", recipe_.kind, name,
             count_text(value), count_text(std::numeric_limits<int>::max()));
}

double settings::real(std::string_view name) const {
  const auto& given = resolve(name);
  if (const auto value = parse<double>(given.value)) return *value;
  throw fail(error_kind::bad_argument, "{}: {} is '{}', expected a number such as 0.57",
             recipe_.kind, given.name, given.value);
}

std::uint64_t settings::seed() const {
  const auto& given = text("seed");
  if (const auto value = parse<std::uint64_t>(given)) return *value;
  throw fail(error_kind::bad_argument, "{}: seed is '{}', expected a whole number below 2^64",
             recipe_.kind, given);
}

const std::string& settings::choice(std::string_view name,
                                    std::initializer_list<std::string_view> allowed) const {
  const auto& given = text(name);
  if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return given;
  throw fail(error_kind::bad_argument, "{}: {} is '{}', expected one of {}", recipe_.kind, name,
             given, joined(allowed, ", "));
}

index_t settings::product(std::string_view a, std::string_view b) const {
  index_t result = 0;
  if (__builtin_mul_overflow(size(a), size(b), &result))
    throw fail(error_kind::overflow, "{}: {} {} times {} {} does not fit 64 bits", recipe_.kind,
               count_text(size(a)), a, count_text(size(b)), b);
  return result;
}

}  // namespace gossamer::generate
