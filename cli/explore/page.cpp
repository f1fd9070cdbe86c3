#include "cli/explore/page.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "io/files/compress.hpp"

namespace gossamer::cli {

namespace {

constexpr std::string_view place_of_data = "<!--gossamer:data-->";
constexpr std::string_view results_name = "gossamer-bench/", details_name = "gossamer-matrix/";

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - at);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < left ? static_cast<unsigned char>(bytes[at + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= left ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// A name inside an attribute.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  return safe;
}

std::string data_elements(const std::vector<page_data>& files) {
  std::string elements;
  for (const auto& [name, text] : files)
    elements += formatted(
        "<script type=\"application/x-gossamer-results\" data-name=\"{}\" "
        "data-encoding=\"gzip base64\">{}</script>\n",
        escaped(name), base64(io::deflate_block(text, io::deflate_form::gzip_member)));
  return elements;
}

std::string file_text(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw fail(error_kind::io_failure, "{} is a folder, not a file of results", file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw fail(error_kind::io_failure, "{} cannot be read: {}", file, std::strerror(errno));
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) throw fail(error_kind::io_failure, "{} cannot be read to its end", file);
  if (io::looks_like_gzip(text)) text = std::string(io::inflate_gzip({text, file}, {}).bytes());
  return text;
}

[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& what) {
  throw fail(error_kind::bad_input, "{}, line {}: {}", file, line, what);
}

/// Every line is JSON, and the first says what it is. The page reads the rest with care of its own.
void require_results(const std::string& file, const std::string& text) {
  using nlohmann::json;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw fail(error_kind::bad_input,
               "{} is empty; 'gossamer bench ... --out FILE' writes files of results", file);
  if (const json whole = json::parse(text, nullptr, false);
      whole.is_object() && whole.value("schema", "") == "gossamer-bench/1")
    return;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    ++number;
    at = end + 1;
    if (number > 1 && line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const json value = json::parse(line, nullptr, false);
    if (value.is_discarded())
      refuse(file, number,
             at > text.size() ? "the JSON ends too early (is the file complete?)"
                              : "this is not JSON");
    if (number > 1) continue;
    const std::string schema =
        value.is_object() && value.contains("schema") && value["schema"].is_string()
            ? value["schema"].get<std::string>()
            : "";
    if (!schema.starts_with(results_name) && !schema.starts_with(details_name))
      refuse(file, 1,
             "the first line should have \"schema\": \"gossamer-bench/2\"; 'gossamer bench ... "
             "--out FILE' writes files of results");
  }
}

}  // namespace

std::string report_page(const std::vector<page_data>& files) {
  std::string page;
  for (const auto part : explorer_page_parts()) page += part;
  const auto at = page.find(place_of_data);
  if (at == std::string::npos)
    throw std::logic_error("the explorer's page has no place for results");
  return page.replace(at, place_of_data.size(), data_elements(files));
}

page_data read_page_data(const std::string& file) {
  page_data found{std::filesystem::path(file).filename().string(), file_text(file)};
  require_results(file, found.text);
  return found;
}

bool names_results(std::string_view word) {
  if (word.ends_with(".gz")) word.remove_suffix(3);
  return word.ends_with(".json") || word.ends_with(".jsonl");
}

}  // namespace gossamer::cli
