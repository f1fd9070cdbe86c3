#include "bench/records/record_text.hpp"

#include <algorithm>

namespace gossamer::bench {

namespace {

std::string plain(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool is_plain_list(const json& value) {
  return value.is_array() && std::none_of(value.begin(), value.end(),
                                          [](const json& part) { return part.is_structured(); });
}

bool belongs_on_one_line(const json& value) {
  return is_plain_list(value) ||
         (value.is_object() && std::all_of(value.begin(), value.end(), [](const json& part) {
            return !part.is_structured() || is_plain_list(part);
          }));
}

void write(std::string& out, const json& value, std::size_t level) {
  if (!value.is_structured()) {
    out += plain(value);
    return;
  }
  const bool one_line = belongs_on_one_line(value);
  const auto new_line = [&](std::size_t spaces) {
    out += '\n';
    out.append(spaces, ' ');
  };
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, part] : value.items()) {
    if (!first) out += one_line ? ", " : ",";
    first = false;
    if (!one_line) new_line(level + 1);
    if (value.is_object()) out += plain(key) + ": ";
    write(out, part, level + 1);
  }
  if (!one_line) new_line(level);
  out += value.is_object() ? '}' : ']';
}

}  // namespace

std::string record_text(const json& records) {
  std::string out;
  write(out, records, 0);
  out += '\n';
  return out;
}

}  // namespace gossamer::bench
