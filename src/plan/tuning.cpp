#include "plan/tuning.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace gossamer {

namespace {

/// f(part) for each part of a comma-separated text; an empty text has none.
template <class F>
void for_each_part(std::string_view text, F&& f) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    f(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
}

bool lists(std::string_view known, std::string_view name) {
  bool found = false;
  for_each_part(known, [&](std::string_view one) { found |= one == name; });
  return found;
}

}  // namespace

tuning::tuning(std::string_view text, std::string_view kernel, std::string_view known)
    : kernel_(kernel) {
  for_each_part(text, [&](std::string_view setting) {
    const auto equals = setting.find('=');
    const auto name = setting.substr(0, equals);
    if (!lists(known, name)) {
      if (known.empty())
        throw fail(error_kind::bad_argument, "{} has no parameters, but tuning sets '{}'", kernel,
                   name);
      throw fail(error_kind::bad_argument, "{} has no parameter '{}'; it has {}", kernel, name,
                 known);
    }
    if (equals == std::string_view::npos || equals + 1 == setting.size())
      throw fail(error_kind::bad_argument, "{}: parameter {} has no value; write {}=value", kernel,
                 name, name);
    if (find(name)) throw fail(error_kind::bad_argument, "{}: {} is set twice", kernel, name);
    given_.emplace_back(name, setting.substr(equals + 1));
  });
}

const std::string* tuning::find(std::string_view name) const {
  for (const auto& [key, value] : given_)
    if (key == name) return &value;
  return nullptr;
}

index_t tuning::number(std::string_view name, index_t otherwise, index_t least) const {
  const std::string* text = find(name);
  if (!text) return otherwise;
  index_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, problem] = std::from_chars(text->data(), end, value);
  if (problem != std::errc{} || stop != end || value < least)
    throw fail(error_kind::bad_argument, "{}: {} is '{}', expected a whole number of at least {}",
               kernel_, name, *text, least);
  return value;
}

std::string_view tuning::word(std::string_view name,
                              std::initializer_list<std::string_view> words) const {
  const std::string* text = find(name);
  if (!text) return *words.begin();
  const auto* found = std::find(words.begin(), words.end(), std::string_view(*text));
  if (found == words.end())
    throw fail(error_kind::bad_argument, "{}: {} is '{}', expected one of {}", kernel_, name, *text,
               joined(words, ", "));
  return *found;
}

}  // namespace gossamer
