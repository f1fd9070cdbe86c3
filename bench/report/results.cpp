#include "bench/report/results.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.hpp"
#include "bench/records/lines.hpp"
#include "io/files/compress.hpp"

namespace gossamer::bench {

namespace {

constexpr std::string_view schema_name = "gossamer-bench/";
constexpr std::string_view whole_document = "1";  // one JSON document, samples in it
constexpr std::string_view by_lines = "2";

// A JSON value with its position in the file, for error messages.
class place {
 public:
  place(const json& value, std::string file, std::string path)
      : value_(value), file_(std::move(file)), path_(std::move(path)) {}

  [[noreturn]] void expected(std::string_view what) const {
    throw fail(error_kind::bad_input, "{}: {} should be {}, but is {}", file_,
               path_.empty() ? "the file" : path_, what, value_.type_name());
  }
  bool has(const char* key) const {
    return value_.is_object() && value_.contains(key) && !value_.at(key).is_null();
  }
  place operator[](const char* key) const {
    if (!value_.is_object()) expected("an object");
    const std::string path = path_.empty() ? key : path_ + "." + key;
    const auto found = value_.find(key);
    if (found == value_.end()) throw fail(error_kind::bad_input, "{}: {} is missing", file_, path);
    return {*found, file_, path};
  }
  std::string text() const {
    if (!value_.is_string()) expected("a text");
    return value_.get<std::string>();
  }
  std::string text_or_nothing(const char* key) const { return has(key) ? (*this)[key].text() : ""; }
  double number() const {
    if (!value_.is_number() || !(value_.get<double>() >= 0)) expected("a number, 0 or more");
    return value_.get<double>();
  }
  double number_or_zero(const char* key) const { return has(key) ? (*this)[key].number() : 0; }
  // Times: a ratio to them must be a number.
  double seconds() const {
    const double value = number();
    if (!(value > 0) || !std::isfinite(value))
      throw fail(error_kind::bad_input, "{}: {} should be more than 0 seconds, but is {}", file_,
                 path_, value);
    return value;
  }
  long long count() const {
    const double value = number();
    if (value != std::floor(value) || value > 0x1p53) expected("a whole number");
    return static_cast<long long>(value);
  }
  int small_count() const {
    const long long value = count();
    if (value > 1 << 20) expected("a whole number below a million");
    return static_cast<int>(value);
  }
  bool truth() const {
    if (!value_.is_boolean()) expected("true or false");
    return value_.get<bool>();
  }
  template <class Read>
  auto list(Read&& read) const {
    if (!value_.is_array()) expected("a list");
    std::vector<decltype(read(*this))> items;
    for (std::size_t i = 0; i < value_.size(); ++i)
      items.push_back(read(place(value_[i], file_, formatted("{}[{}]", path_, i))));
    return items;
  }

 private:
  const json& value_;
  std::string file_, path_;
};

timing read_timing(const place& at) {
  const double median = at["median"].seconds();
  if (at.has("low")) return {median, {at["low"].seconds(), at["high"].seconds()}};
  const auto samples = at["samples"].list([](const place& sample) { return sample.seconds(); });
  if (samples.empty()) at["samples"].expected("a list of one sample or more");
  return {median, median_interval(samples)};
}

record_kind read_kind(const place& at) {
  const std::string word = at.text();
  if (word == "kernel") return record_kind::kernel;
  if (word == "choice") return record_kind::choice;
  if (word == "conversion") return record_kind::conversion;
  if (word != "peer") at.expected("kernel, choice, peer or conversion");
  return record_kind::peer;
}

record read_record(const place& at) {
  record r;
  r.contestant = at["contestant"].text();
  r.kind = read_kind(at["kind"]);
  r.kernel = at.text_or_nothing("kernel");
  r.backend = at["backend"].text();
  r.mode = at["mode"].text();
  r.sorted = at["sorted"].truth();
  r.warm = read_timing(at["seconds"]["warm"]);
  if (at["seconds"].has("cold")) r.cold = read_timing(at["seconds"]["cold"]);
  r.gflops = at["gflops"].number();
  r.bandwidth_share = at.number_or_zero("bandwidth_share");
  r.spmv_multiples = at.number_or_zero("spmv_multiples");
  if (at.has("phases"))
    r.phases = at["phases"].list([](const place& p) {
      return measured_phase{p["name"].text(), p["seconds"].number(), p["bytes"].number()};
    });
  return r;
}

std::optional<raced_choice> read_choice(const place& at) {
  if (!at.has("choice") || !at["choice"].has("regret")) return std::nullopt;
  const place choice = at["choice"];
  return raced_choice{choice["kernel"].text(), choice.text_or_nothing("best"),
                      choice["regret"].seconds()};
}

raced_case read_case(const place& at) {
  raced_case c;
  c.operation = at["operation"].text();
  c.matrix = at["matrix"]["name"].text();
  c.matrix_class = at["matrix"]["class"].text();
  c.right = at.text_or_nothing("right");
  c.type = at["type"].text();
  c.threads = at["threads"].small_count();
  c.columns = at["columns"].count();
  c.flop = at["work"]["flop"].number();
  c.bytes = at["work"]["bytes"].number();
  c.compression = at["features"].number_or_zero("compression");
  c.choice = read_choice(at);
  c.records = at["records"].list(read_record);
  c.refused = at["refused"].list([](const place& r) {
    return refusal{r["contestant"].text(), r["why"].text(), r["wrong"].truth(),
                   r.text_or_nothing("mode")};
  });
  return c;
}

// The roof of gathers is the fastest: from a table that the caches hold.
device_rates read_device(const place& at) {
  device_rates found{at["name"].text(), at.number_or_zero("copy"), at.number_or_zero("gather")};
  if (!at.has("gathers")) return found;
  for (const double rate :
       at["gathers"].list([](const place& g) { return g["per_second"].number(); }))
    found.gather = std::max(found.gather, rate);
  return found;
}

void read_context(const place& at, results& into) {
  into.date = at["date"].text();
  into.version = at["version"].text();
  into.commit = at.text_or_nothing("commit");
  into.cpu = at["machine"]["cpu"].text();
  into.cores = at["machine"]["cores"].small_count();
  into.bandwidth = at["bandwidth"].list([](const place& b) {
    return stream_rates{b["threads"].small_count(), b["copy"].number(), b["scale"].number(),
                        b["add"].number(), b["triad"].number()};
  });
  if (at.has("devices")) into.devices = at["devices"].list(read_device);
  into.peers = at["peers"].list([](const place& p) {
    return peer_version{p["name"].text(), p["title"].text(), p["version"].text()};
  });
}

std::string version_of(const json& document, const std::string& file) {
  const bool named = document.is_object() && document.contains("schema") &&
                     document["schema"].is_string() &&
                     document["schema"].get<std::string>().starts_with(schema_name);
  if (!named)
    throw fail(error_kind::bad_input,
               "{} is JSON, but no file of results: 'gossamer bench ... --out' writes those, and "
               "they begin with \"schema\": \"{}\"",
               file, results_schema);
  return document["schema"].get<std::string>().substr(schema_name.size());
}

void require_version(const json& document, std::string_view known, const std::string& file) {
  const std::string version = version_of(document, file);
  if (version == known) return;
  throw fail(error_kind::bad_input,
             "{} has version {} of the format; this program reads versions {} and {}: use the "
             "program that wrote it, or a newer one",
             file, version, whole_document, by_lines);
}

json parse(const std::string& text, const std::string& file) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& e) {
    // byte counts from 1 and points behind the character that does not fit
    const std::size_t at = std::min(text.size(), e.byte == 0 ? 0 : e.byte - 1);
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::size_t start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t column = start == std::string::npos ? at : at - start - 1;
    throw fail(
        error_kind::bad_input, "{}, line {}, column {}: {}", file, line + 1, column + 1,
        at >= text.size() ? "the JSON ends too early (is the file complete?)" : "this is not JSON");
  } catch (const json::out_of_range& e) {
    throw fail(error_kind::bad_input, "{}: a number is too large: {}", file, e.what());
  }
}

json parse_document(const std::string& text, const std::string& file) {
  if (!looks_like_lines(text)) {
    json document = parse(text, file);
    require_version(document, whole_document, file);
    return document;
  }
  require_version(json::parse(text.substr(0, text.find('\n'))), by_lines, file);
  try {
    return from_lines(text);
  } catch (const bad_line& e) {
    const bool last = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) < e.line;
    throw fail(error_kind::bad_input, "{}, line {}: {}{}", file, e.line, e.what(),
               last ? " (the line ends too early: is the file complete?)" : "");
  }
}

}  // namespace

std::string raced_case::name() const {
  return right.empty() || right == "A" ? matrix : matrix + " x " + right;
}

results parse_results(const std::string& text, const std::string& file) {
  const json document = parse_document(text, file);
  const place top(document, file, "");
  results found;
  found.file = file;
  read_context(top["context"], found);
  found.cases = top["cases"].list(read_case);
  return found;
}

std::string results_text(const std::string& file) {
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

results read_results(const std::string& file) { return parse_results(results_text(file), file); }

}  // namespace gossamer::bench
