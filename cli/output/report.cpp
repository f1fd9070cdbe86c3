#include "cli/output/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.hpp"

namespace gossamer::cli {

namespace {

bool set_and_not_empty(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool colours_wanted(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && !set_and_not_empty("NO_COLOR") &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

// Columns a UTF-8 text takes on the terminal; every character used here is one column wide.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

painter::painter(int descriptor) : on_(colours_wanted(descriptor)) {}
painter painter::for_stdout() { return painter(STDOUT_FILENO); }
painter painter::for_stderr() { return painter(STDERR_FILENO); }

std::string painter::wrap(std::string_view code, std::string_view text) const {
  return on_ ? formatted("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string painter::series(int index, std::string_view text) const {
  static constexpr std::array<std::string_view, 8> codes{"1;36", "33", "35",   "32",
                                                         "34",   "31", "1;33", "1;35"};
  return wrap(codes[static_cast<std::size_t>(index) % codes.size()], text);
}

namespace {

[[noreturn]] void refuse_output() {
  throw fail(error_kind::io_failure, "standard output could not be written: {}",
             std::strerror(errno));
}

}  // namespace

namespace {
bool stdout_is_for_data = false;
}  // namespace

void leave_stdout_to_data() { stdout_is_for_data = true; }

void detail::print_to_stdout(std::string_view text) {
  if (stdout_is_for_data) return print_to_stderr(text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size()) refuse_output();
}

void detail::print_to_stderr(std::string_view text) noexcept {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_field(std::string_view label, std::string_view text) {
  print("{} {}\n", painter::for_stdout().faint(formatted("{:<10}", label)), text);
}

json parsed(const std::string& text) { return json::parse(text); }

void print_heading(std::string_view text) { print("{}\n", painter::for_stdout().strong(text)); }

void print_json(const json& value) {
  // File names need not be UTF-8; a replacement character is better than no output.
  print("{}\n", value.dump(2, ' ', false, json::error_handler_t::replace));
}

table::table(std::vector<std::string> heading, std::string align)
    : rows_{std::move(heading)}, align_(std::move(align)) {}

void table::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

void table::print() const {
  std::vector<std::size_t> widths(align_.size(), 0);
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(cells[i]));
  bool heading = true;
  for (const auto& cells : rows_) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string space(widths[i] - columns_of(cells[i]), ' ');
      line += (i > 0 ? "  " : "") + (align_[i] == '>' ? space + cells[i] : cells[i] + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (std::exchange(heading, false)) line = painter::for_stdout().strong(line);
    cli::print("{}\n", line);
  }
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) refuse_output();
}

}  // namespace gossamer::cli
