// Suites: JSON files that name matrices. The built-in ones are compiled in (suites/*.json).
#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "bench/records/json.hpp"
#include "bench/subjects/built_in_suites.hpp"
#include "bench/subjects/subject.hpp"

namespace gossamer::bench {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void reject(const std::string& suite, const std::string& why) {
  throw fail(error_kind::bad_input, "suite {}: {}; docs/guide/suites.md describes the format",
             suite, why);
}

constexpr std::array<std::string_view, 4> endings{".mtx.gz", ".mtx", ".gsm", ".npz"};

bool holds_matrix(const fs::path& file) {
  const std::string name = file.filename().string();
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string stem_of(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const auto ending : endings)
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

std::vector<subject> matrices_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code trouble;
  for (const auto& found : fs::directory_iterator(folder, trouble))
    if (found.is_regular_file() && holds_matrix(found.path())) files.push_back(found.path());
  if (trouble) throw fail(error_kind::io_failure, "{}: {}", folder.string(), trouble.message());
  if (files.empty())
    throw fail(error_kind::bad_input, "{} holds no matrix (.mtx, .mtx.gz, .gsm, .npz)",
               folder.string());
  std::sort(files.begin(), files.end());
  std::vector<subject> subjects;
  for (const auto& file : files)
    subjects.push_back({.name = stem_of(file), .source = file.string(), .kind = "real"});
  return subjects;
}

std::vector<std::string> words_of(const json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (value.is_object()) return value.at("multiply").get<std::vector<std::string>>();
  return value.get<std::vector<std::string>>();
}

/// A file named by a suite, as seen from here; recipes stay as they are.
std::string placed(const std::string& word, const fs::path& base) {
  if (word == "A" || word == "transposed" || !holds_matrix(word)) return word;
  return (base / word).string();
}

subject read_subject(const json& entry, const fs::path& base) {
  subject one;
  one.source = entry.contains("file") ? (base / entry.at("file").get<std::string>()).string()
                                      : entry.at("recipe").get<std::string>();
  one.name = entry.value("name", entry.contains("file") ? stem_of(one.source) : one.source);
  one.kind = entry.value("class", entry.contains("file") ? "real" : "");
  one.labels = entry.value("labels", std::vector<std::string>{});
  one.operations = entry.value("operations", std::vector<std::string>{});
  one.transpose = entry.value("transpose", false);
  one.columns = entry.value("columns", std::vector<index_t>{});
  one.large = entry.value("size", "") == "large";
  if (entry.contains("right")) {
    one.right.clear();
    for (const auto& word : words_of(entry.at("right"))) one.right.push_back(placed(word, base));
  }
  return one;
}

void require_known_fields(const json& entry) {
  static const std::set<std::string> known{"name",      "class",   "recipe", "file",
                                           "folder",    "labels",  "right",  "operations",
                                           "transpose", "columns", "size"};
  for (const auto& [field, value] : entry.items())
    if (!known.contains(field)) throw std::runtime_error("unknown field '" + field + "'");
}

suite parse_suite(const std::string& called, const std::string& text, const fs::path& base) {
  suite parsed;
  json entries;
  try {
    const json whole = json::parse(text);
    parsed.name = whole.at("suite").get<std::string>();
    parsed.about = whole.value("about", "");
    entries = whole.at("matrices");
  } catch (const std::exception& e) {
    reject(called, e.what());
  }
  std::set<std::string> names;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    try {
      require_known_fields(entries[k]);
      if (entries[k].contains("folder")) {
        for (auto& one : matrices_in(base / entries[k].at("folder").get<std::string>()))
          parsed.subjects.push_back(std::move(one));
      } else {
        parsed.subjects.push_back(read_subject(entries[k], base));
      }
    } catch (const error&) {
      throw;
    } catch (const std::exception& e) {
      reject(called, formatted("matrix {}: {}", k + 1, e.what()));
    }
  }
  for (const auto& one : parsed.subjects)
    if (!names.insert(one.name).second)
      reject(called, "two matrices are called '" + one.name + "'");
  return parsed;
}

}  // namespace

bool subject::takes_part_in(const std::string& operation) const {
  return operations.empty() ||
         std::find(operations.begin(), operations.end(), operation) != operations.end();
}

std::string subject::right_text() const { return joined(right, " * "); }

std::vector<subject> subjects_from(const std::vector<std::string>& words) {
  std::vector<subject> subjects;
  for (const auto& word : words) {
    std::error_code ignored;
    if (fs::is_directory(word, ignored)) {
      for (auto& one : matrices_in(word)) subjects.push_back(std::move(one));
    } else {
      const bool file = fs::exists(word, ignored);
      if (!file && !is_recipe(word))
        throw fail(
            error_kind::bad_input,
            "{} is neither a file nor a recipe; 'gossamer generate --list' shows the recipes",
            word);
      subjects.push_back(
          {.name = file ? stem_of(word) : word, .source = word, .kind = file ? "real" : ""});
    }
  }
  std::set<std::string> names;
  for (auto& one : subjects)
    if (!names.insert(one.name).second) one.name = one.source;  // two files of one name
  return subjects;
}

std::vector<std::string> built_in_suites() {
  std::vector<std::string> names;
  for (const auto& one : built_in_suite_texts()) names.push_back(one.name);
  return names;
}

suite load_suite(const std::string& name_or_file, const fs::path& matrices) {
  for (const auto& one : built_in_suite_texts())
    if (one.name == name_or_file) {
      const bool in_folder = one.text.find("\"folder\"") != std::string::npos ||
                             one.text.find("\"file\"") != std::string::npos;
      if (in_folder && matrices.empty())
        throw fail(error_kind::bad_argument,
                   "suite {} measures the matrices of a folder: name it with --matrices FOLDER",
                   one.name);
      return parse_suite(one.name, one.text, matrices);
    }
  std::ifstream file(name_or_file);
  if (!file)
    throw fail(error_kind::bad_input,
               "there is no suite '{}': neither a file nor one of the built-in {}", name_or_file,
               joined(built_in_suites(), ", "));
  std::ostringstream text;
  text << file.rdbuf();
  return parse_suite(name_or_file, text.str(), fs::path(name_or_file).parent_path());
}

}  // namespace gossamer::bench
