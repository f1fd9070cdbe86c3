#include "cli/output/bench_table.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/output/report.hpp"

namespace gossamer::cli {

namespace {

double warm_of(const json& record) { return record.at("seconds").at("warm").at("median"); }

std::string heading_of(const json& result) {
  const auto& features = result.at("features");
  std::string text =
      formatted("{}  {} {}, {} {}", result.at("matrix").at("name").get<std::string>(),
                result.at("operation").get<std::string>(), result.at("type").get<std::string>(),
                result.at("threads").get<int>(), result.at("threads") == 1 ? "thread" : "threads");
  if (result.at("operation") == "spmm")
    text += formatted(", {} columns", result.at("columns").get<index_t>());
  text += formatted("; {} nonzeros", count_text(features.at("nnz").get<index_t>()));
  if (features.contains("compression"))
    text +=
        formatted(", {} multiplications, cf {:.2f}", count_text(features.at("flop").get<index_t>()),
                  features.at("compression").get<double>());
  return text;
}

std::string share_text(const json& record) {
  const auto& share = record.at("bandwidth_share");
  return share.is_null() ? "" : formatted("{:.0f} %", 100 * share.get<double>());
}

std::string name_of(const json& record) {
  std::string text = record.at("contestant");
  if (record.at("kind") == "choice")
    text += formatted(" ({})", record.at("kernel").get<std::string>());
  if (record.at("mode") == "numeric") text += ", numeric only";
  return text;
}

std::string notes_of(const json& record, const json& result) {
  std::string notes;
  const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
  if (!record.at("sorted").get<bool>()) note("unsorted");
  if (record.at("backend") == "openmp" && record.at("threads") != result.at("threads"))
    note("1 thread");
  if (record.contains("spmv_multiples"))
    note(formatted("{:.1f} SpMV", record.at("spmv_multiples").get<double>()));
  const auto& warm = record.at("seconds").at("warm");
  if (warm.at("disturbed").get<int>() > 0)
    note(formatted("{} of {} samples disturbed", warm.at("disturbed").get<int>(),
                   warm.at("count").get<int>()));
  return notes;
}

/// Those with one reason share a line.
void print_refusals(const json& refused, const painter& paint) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;  // in order of appearance
  for (const auto& one : refused) {
    const auto why = one.at("why").get<std::string>();
    auto found =
        std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == why; });
    if (found == reasons.end()) found = reasons.insert(found, {why, {}});
    found->second.push_back(one.at("contestant"));
  }
  const auto wrong = [&](const std::string& why) {
    return std::any_of(refused.begin(), refused.end(), [&](const json& one) {
      return one.at("why") == why && one.at("wrong").get<bool>();
    });
  };
  for (const auto& [why, who] : reasons) {
    const auto line = formatted("{}: {}", joined(who, ", "), why);
    print("{}\n", wrong(why) ? paint.bad(line) : paint.faint(line));
  }
}

}  // namespace

void print_case(const json& result) {
  const painter paint = painter::for_stdout();
  print("{}\n", paint.strong(heading_of(result)));
  std::vector<const json*> order;
  for (const auto& record : result.at("records")) order.push_back(&record);
  std::sort(order.begin(), order.end(),
            [](const json* a, const json* b) { return warm_of(*a) < warm_of(*b); });
  table shown({"contestant", "warm", "least", "cold", "GFLOP/s", "of STREAM", ""}, "<>>>>><");
  for (const auto* record : order) {
    const auto& seconds = record->at("seconds");
    shown.row({name_of(*record), seconds_text(warm_of(*record)),
               seconds_text(seconds.at("warm").at("min")),
               seconds.contains("cold") ? seconds_text(seconds.at("cold").at("median")) : "",
               formatted("{:.3g}", record->at("gflops").get<double>()), share_text(*record),
               notes_of(*record, result)});
  }
  shown.print();
  print_refusals(result.at("refused"), paint);
  const auto& choice = result.at("choice");
  if (!choice.is_null() && !choice.at("regret").is_null())
    print("{}\n", paint.faint(formatted("the choice takes {:.2f} times as long as the best kernel",
                                        choice.at("regret").get<double>())));
  print("\n");
  std::fflush(stdout);
}

}  // namespace gossamer::cli
