#include "bench/report/document.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "bench/race/statistics.hpp"

namespace gossamer::bench {

namespace {

constexpr std::array<double, 6> factors{1, 1.1, 1.25, 1.5, 2, 4};
constexpr int chart_columns = 80;

std::string percent(double share) { return formatted("{:.0f} %", 100 * share); }
std::string times(double ratio) { return formatted("{:.2f}", ratio); }
std::string counted(std::size_t n, std::string_view what) {
  return formatted("{} {}{}", n, what, n == 1 ? "" : "s");
}

document_table profile_table(const contest& c) {
  document_table shown{{"within a factor of the best"}, "<", {}};
  for (const double t : factors) {
    shown.heading.push_back(formatted("{}", t));
    shown.align += '>';
  }
  shown.heading.insert(shown.heading.end(), {"cases", "of bandwidth"});
  shown.align += ">>";
  for (const auto& s : c.standings) {
    std::vector<std::string> row{s.contestant};
    for (const double t : factors) row.push_back(percent(share_within(s.ratios, t)));
    row.push_back(std::to_string(s.ratios.size()));
    row.push_back(s.share ? percent(*s.share) : "");
    shown.rows.push_back(std::move(row));
  }
  return shown;
}

document_table duel_table(const contest& c, const std::string& baseline) {
  document_table shown{
      {"speed of " + baseline + " over", "class", "cases", "geomean", "worst", "best", "worst on"},
      "<<>>>><",
      {}};
  std::string before;
  for (const auto& d : c.duels) {
    shown.rows.push_back({d.against == before ? "" : d.against,
                          d.matrix_class.empty() ? "all" : d.matrix_class, std::to_string(d.cases),
                          times(d.geomean), times(d.worst), times(d.best), d.worst_case});
    before = d.against;
  }
  return shown;
}

std::string regret_text(const regret_summary& r) {
  std::string text = formatted("Regret of the choice: {:.3f} (geomean of {})", r.geomean,
                               counted(r.cases, "case"));
  if (r.worst > 1)
    text += formatted(", worst {:.2f} on {}: {} was chosen, {} is faster", r.worst, r.worst_case,
                      r.chosen, r.better.empty() ? "another" : r.better);
  return text + ".";
}

section describe_contest(const contest& c, const summary_request& asked) {
  section shown{c.key.title() + ": " + counted(c.cases, "case"), {}, {}, {}, {}};
  if (asked.caches == temperature::cold) shown.heading += ", cold";
  if (c.standings.size() > 1) shown.chart = draw_profile(c, chart_columns);
  shown.tables.push_back(profile_table(c));
  if (!c.duels.empty())
    shown.tables.push_back(duel_table(c, asked.baseline));
  else
    shown.after.push_back(formatted("No peer and {} met in a case.", asked.baseline));
  if (!c.phases.empty()) shown.tables.push_back(phases_table(c.phases));
  if (c.regret) shown.after.push_back(regret_text(*c.regret));
  return shown;
}

section describe_source(const std::vector<results>& files) {
  section shown{"Results", {}, {}, {}, {}};
  for (const auto& f : files) {
    std::string peers;
    for (const auto& p : f.peers) {
      peers += peers.empty() ? "; with " : ", ";
      peers += p.title + " " + p.version;
    }
    shown.before.push_back(formatted("{}: Gossamer {}{}, {}, {} ({}), {}{}.", f.file, f.version,
                                     f.commit.empty() ? "" : " at " + f.commit, f.date, f.cpu,
                                     counted(static_cast<std::size_t>(f.cores), "core"),
                                     counted(f.cases.size(), "case"), peers));
  }
  return shown;
}

section describe_conversions(const std::vector<conversion_summary>& conversions) {
  section shown{"Changes of format, in times of one SpMV", {}, {}, {}, {}};
  document_table list{{"conversion", "cases", "geomean", "worst", "worst on"}, "<>>><", {}};
  for (const auto& c : conversions)
    list.rows.push_back({c.contestant, std::to_string(c.cases), formatted("{:.1f}", c.geomean),
                         formatted("{:.1f}", c.worst), c.worst_case});
  shown.tables.push_back(std::move(list));
  return shown;
}

section describe_refused(const std::vector<refused_group>& refused) {
  section shown{"Without a time", {}, {}, {}, {}};
  document_table list{{"contestant", "", "cases", "first on", "why"}, "<<><<", {}};
  for (const auto& r : refused)
    list.rows.push_back(
        {r.contestant, r.wrong ? "WRONG" : "refused", std::to_string(r.cases), r.example, r.why});
  shown.tables.push_back(std::move(list));
  return shown;
}

std::size_t width_of(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// The first `width` characters; the last of them becomes an ellipsis when some are left out.
std::string cut(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::size_t end = 0;
  for (std::size_t taken = 0; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && ++taken == width) break;
  return text.substr(0, end) + "…";
}

std::string markdown_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void add_markdown(std::string& text, const document_table& t) {
  const auto add_row = [&](const std::vector<std::string>& cells) {
    for (const auto& cell : cells) text += "| " + markdown_cell(cell) + " ";
    text += "|\n";
  };
  add_row(t.heading);
  for (const char side : t.align) text += side == '>' ? "| ---: " : "| --- ";
  text += "|\n";
  for (const auto& row : t.rows) add_row(row);
  text += "\n";
}

}  // namespace

document describe(const summary& found, const std::vector<results>& files,
                  const summary_request& asked) {
  document shown{describe_source(files)};
  for (const auto& c : found.contests) shown.push_back(describe_contest(c, asked));
  if (!found.conversions.empty()) shown.push_back(describe_conversions(found.conversions));
  if (!found.refused.empty()) shown.push_back(describe_refused(found.refused));
  return shown;
}

document_table phases_table(const std::vector<phase_total>& phases) {
  document_table shown{
      {"phases of", "", "cases", "seconds", "of the time", "GB/s", "of STREAM"}, "<<>>>>>", {}};
  std::string before;
  for (const auto& p : phases) {
    shown.rows.push_back(
        {p.kernel == before ? "" : p.kernel, p.name, std::to_string(p.cases),
         seconds_text(p.seconds), percent(p.seconds / std::max(p.all_seconds, 1e-12)),
         formatted("{:.1f}", p.rate() / 1e9), p.share() ? percent(*p.share()) : ""});
    before = p.kernel;
  }
  return shown;
}

std::string to_markdown(const document& shown) {
  std::string text;
  for (const auto& s : shown) {
    text += (text.empty() ? "# " : "## ") + s.heading + "\n\n";
    for (const auto& paragraph : s.before) text += paragraph + "\n\n";
    for (const auto& t : s.tables) add_markdown(text, t);
    for (const auto& paragraph : s.after) text += paragraph + "\n\n";
  }
  text.pop_back();  // one line end at the end
  return text;
}

document_table fitted(document_table wide, std::size_t columns) {
  for (;;) {
    std::vector<std::size_t> widths(wide.align.size(), 0);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = width_of(wide.heading[i]);
      for (const auto& row : wide.rows) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::size_t total = 2 * (widths.size() - 1);
    for (const auto w : widths) total += w;
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (total <= columns || *widest < 8) return wide;
    const auto i = static_cast<std::size_t>(widest - widths.begin());
    const std::size_t target =
        *widest - std::min(total - columns, std::max<std::size_t>(1, *widest / 4));
    wide.heading[i] = cut(wide.heading[i], target);
    for (auto& row : wide.rows) row[i] = cut(row[i], target);
  }
}

}  // namespace gossamer::bench
