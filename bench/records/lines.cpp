#include "bench/records/lines.hpp"

#include <array>
#include <utility>

#include "bench/records/line_values.hpp"
#include "bench/records/rates.hpp"

namespace gossamer::bench {

namespace {

// The same in all records of an entrant, as a rule; where not, the record has its own.
constexpr std::array facts{"contestant", "mode",    "kind",   "kernel",     "how",
                           "format",     "backend", "sorted", "keeps_zeros"};
constexpr std::array durations{"convert", "prepare", "first", "predicted"};
constexpr std::array fields{"entrant", "threads", "convert",    "prepare", "first", "predicted",
                            "warm",    "cold",    "peak_bytes", "error",   "more"};
// A case without them has those of the case before: types and threads vary on one matrix.
constexpr std::array carried{"matrix", "features"};
constexpr int error_digits = 3, rest_digits = 6;
// Follow from other fields.
constexpr std::array derived{"gflops", "gbytes_per_second", "bandwidth_share"};

bool contains(const auto& names, std::string_view name) {
  for (const std::string_view one : names)
    if (one == name) return true;
  return false;
}

std::string entrant_of(const json& record) {
  const std::string contestant = record.at("contestant"), mode = record.value("mode", "whole");
  return mode == "whole" ? contestant : contestant + " (" + mode + ")";
}

json entrants_of(const json& results) {
  json found = json::object();
  for (const auto& one : results.at("cases"))
    for (const auto& record : one.at("records")) {
      json& known = found[entrant_of(record)];
      if (!known.is_null()) continue;
      for (const auto* fact : facts)
        if (record.contains(fact)) known[fact] = record.at(fact);
    }
  return found;
}

// ---- Writing

/// What the fields of a line have no place for, and facts that differ from the entrant's.
json rest_of(const json& record, const json& entrant) {
  json more = json::object();
  for (const auto& [key, value] : record.items()) {
    if (key == "seconds" || contains(derived, key) || contains(fields, key)) continue;
    if (contains(facts, key) && entrant.contains(key) && entrant.at(key) == value) continue;
    more[key] = rounded(value, rest_digits);
  }
  for (const auto* series : {"warm", "cold"})
    if (const auto at = record.at("seconds").find(series);
        at != record.at("seconds").end() && !at->is_null()) {
      if (at->value("disturbed", 0) > 0) more["disturbed"][series] = at->at("disturbed");
      if (at->contains("samples"))
        for (const auto& sample : at->at("samples"))
          more["samples"][series].push_back(microseconds(sample, median_digits));
    }
  return more;
}

json record_line(const json& record, const json& entrants) {
  const std::string name = entrant_of(record);
  const json& seconds = record.at("seconds");
  json line = json::array({name, record.at("threads")});
  for (const auto* duration : durations)
    line.push_back(microseconds(seconds.value(duration, json(nullptr)), time_digits));
  for (const auto* series : {"warm", "cold"})
    line.push_back(pack_timing(seconds.value(series, json(nullptr))));
  line.push_back(record.value("peak_bytes", json(nullptr)));
  line.push_back(rounded(record.value("error", json(nullptr)), error_digits));
  if (json more = rest_of(record, entrants.at(name)); !more.empty())
    line.push_back(std::move(more));
  return line;
}

/// Refusals with one reason are told once.
json pack_refusals(const json& refused) {
  json groups = json::array();
  for (const auto& one : refused) {
    json* group = nullptr;
    for (auto& known : groups)
      if (known.at("why") == one.at("why") && known.value("wrong", false) == one.at("wrong"))
        group = &known;
    if (!group) {
      groups.push_back({{"why", one.at("why")}, {"entrants", json::array()}});
      group = &groups.back();
      if (one.at("wrong").get<bool>()) (*group)["wrong"] = true;
    }
    (*group)["entrants"].push_back(entrant_of(one));
  }
  return groups;
}

json case_line(const json& one, const json& before) {
  json line = json::object();
  for (const auto& [key, value] : one.items())
    if (contains(carried, key) && before.contains(key) && before.at(key) == value) {
      continue;
    } else if (key == "ceiling") {
      for (const auto& [series, timing] : value.items()) line[key][series] = pack_timing(timing);
    } else if (key == "refused") {
      line[key] = pack_refusals(value);
    } else if (key != "records") {
      line[key] = rounded(value, key == "disturbance" ? error_digits : rest_digits);
    }
  return line;
}

// ---- Reading

struct header {
  json context, fields, entrants;
};

json unpack_refusals(const json& groups) {
  json refused = json::array();
  for (const auto& group : groups)
    for (const std::string entrant : group.at("entrants")) {
      constexpr std::string_view numeric = " (numeric)";
      const bool ends = entrant.ends_with(numeric);
      refused.push_back(
          {{"contestant", ends ? entrant.substr(0, entrant.size() - numeric.size()) : entrant},
           {"mode", ends ? "numeric" : "whole"},
           {"wrong", group.value("wrong", false)},
           {"why", group.at("why")}});
    }
  return refused;
}

json read_case(json&& line, const json& cases) {
  for (const auto* key : carried)
    if (!line.contains(key) && !cases.empty()) line[key] = cases.back().at(key);
  if (const auto ceiling = line.find("ceiling"); ceiling != line.end())
    for (auto& timing : *ceiling) timing = unpack_timing(timing);
  line["records"] = json::array();
  json refused = unpack_refusals(line.value("refused", json::array()));
  line.erase("refused");
  line["refused"] = std::move(refused);
  return std::move(line);
}

/// What `more` says of a record, put where it belongs.
void add_more(json& record, const json& more) {
  for (const auto& [key, value] : more.items()) {
    if (key == "disturbed") {
      for (const auto& [series, count] : value.items())
        record["seconds"][series]["disturbed"] = count;
    } else if (key == "samples") {
      for (const auto& [series, samples] : value.items())
        for (const auto& sample : samples)
          record["seconds"][series]["samples"].push_back(seconds_of_microseconds(sample));
    } else {
      record[key] = value;
    }
  }
}

json read_record(const json& line, const header& top, const json& work) {
  json values = json::object();
  if (line.size() > top.fields.size())
    throw std::runtime_error("a record has more values than the first line has fields");
  for (std::size_t k = 0; k < line.size(); ++k) values[top.fields[k].get<std::string>()] = line[k];
  const std::string name = values.at("entrant");
  const auto known = top.entrants.find(name);
  if (known == top.entrants.end())
    throw std::runtime_error("the first line does not name the entrant '" + name + "'");
  json record = *known;
  record["threads"] = values.at("threads");
  for (const auto* duration : durations)
    if (json value = seconds_of_microseconds(values.at(duration)); !value.is_null())
      record["seconds"][duration] = std::move(value);
  for (const auto* series : {"warm", "cold"})
    if (!values.at(series).is_null()) record["seconds"][series] = unpack_timing(values.at(series));
  record["peak_bytes"] = values.at("peak_bytes");
  record["error"] = values.at("error");
  if (values.contains("more")) add_more(record, values.at("more"));
  add_rates(record, work, top.context);
  return record;
}

class reader {
 public:
  void line(std::string_view text) {
    json value = json::parse(text);
    if (results_.is_null())
      first(std::move(value));
    else if (value.is_object())
      results_["cases"].push_back(read_case(std::move(value), results_["cases"]));
    else if (!value.is_array())
      throw std::runtime_error("a line should be a case (an object) or a record (an array)");
    else if (results_["cases"].empty())
      throw std::runtime_error("a record comes before the first case");
    else
      record(value);
  }
  json finish() {
    if (results_.is_null()) throw std::runtime_error("the file is empty");
    return std::move(results_);
  }

 private:
  void first(json&& value) {
    top_ = {value.at("context"), value.at("fields"), value.at("entrants")};
    results_ = {{"schema", value.at("schema")},
                {"context", std::move(value.at("context"))},
                {"cases", json::array()}};
  }
  void record(const json& value) {
    json& owner = results_["cases"].back();
    owner["records"].push_back(read_record(value, top_, owner.at("work")));
  }
  header top_;
  json results_;
};

}  // namespace

std::string to_lines(const json& results) {
  const json entrants = entrants_of(results);
  std::string text;
  const auto write = [&](const json& line) {
    text += line.dump(-1, ' ', false, json::error_handler_t::replace);
    text += '\n';
  };
  write({{"schema", results_schema},
         {"context", results.at("context")},
         {"fields", fields},
         {"timing", timing_fields()},
         {"entrants", entrants}});
  const json none = json::object();
  const json* before = &none;
  for (const auto& one : results.at("cases")) {
    write(case_line(one, *before));
    before = &one;
    for (const auto& record : one.at("records")) write(record_line(record, entrants));
  }
  return text;
}

json from_lines(std::string_view text) {
  reader into;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++number;
    try {
      if (end > at) into.line(text.substr(at, end - at));
    } catch (const std::exception& e) {
      throw bad_line(number, e.what());
    }
    at = end + 1;
  }
  return into.finish();
}

bool looks_like_lines(std::string_view text) {
  const json first = json::parse(text.substr(0, text.find('\n')), nullptr, false);
  return first.is_object() && first.contains("entrants") && first.contains("schema");
}

}  // namespace gossamer::bench
