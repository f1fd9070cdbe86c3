#include "bench/session/session.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "bench/race/timing.hpp"
#include "bench/records/build_facts.hpp"
#include "bench/session/case.hpp"
#include "gossamer/machine.hpp"

namespace gossamer::bench {

namespace {

operation product_of(const std::string& operation) {
  if (operation == "spgemm") return operation::spgemm;
  return operation == "spmm" ? operation::spmm : operation::spmv;
}

bool same_case(const case_spec& what, const json& found) {
  return found.at("operation") == what.operation &&
         found.at("matrix").at("name") == what.on->name &&
         found.at("matrix").at("source") == what.on->source &&
         found.value("right", what.on->right_text()) == what.on->right_text() &&
         found.at("type") == name(what.type) && found.at("threads") == what.threads &&
         found.at("columns") == what.columns;
}

/// Every entrant has a record or a refusal.
bool complete(const json& found, const std::vector<entrant>& field) {
  std::set<std::string> seen;
  for (const auto& part : {"records", "refused"})
    for (const auto& one : found.at(part)) seen.insert(record_key(one));
  return std::all_of(field.begin(), field.end(), [&](const entrant& one) {
    return seen.contains(record_key(one.name, one.mode));
  });
}

int count_wrong(const json& one) {
  const auto& refused = one.at("refused");
  return static_cast<int>(std::count_if(refused.begin(), refused.end(),
                                        [](const json& r) { return r.at("wrong").get<bool>(); }));
}

/// Factors are kept while only the number of threads changes.
template <scalar T>
struct loaded {
  const subject* from = nullptr;
  index_t columns = 0;
  factors<T> of;
};

struct time_is_up {};

/// Passes everything on, and ends what is under way when the time limit has passed: a case on a
/// large matrix may take longer than all before it.
class limited_watch final : public session_watch {
 public:
  limited_watch(session_watch& to, world& clock, double limit)
      : to_(to), clock_(clock), limit_(limit), began_(clock.wall()) {}
  bool over() const { return limit_ > 0 && clock_.wall() - began_ > limit_; }
  void stage(const std::string& what) override {
    require_time();
    to_.stage(what);
  }
  progress_callback share() override { return to_.share(); }
  void between_samples() override {
    require_time();
    to_.between_samples();
  }

 private:
  void require_time() const {
    if (over()) throw time_is_up{};
  }
  session_watch& to_;
  world& clock_;
  double limit_, began_;
};

class session {
 public:
  session(const request& asked, json& results, world& in, session_watch& watch)
      : asked_(asked),
        results_(results),
        world_(in),
        watch_(watch),
        limited_(watch, in, asked.time_limit),
        peers_(load_peers(asked.compare)) {
    if (results_.is_null() || results_.empty()) {
      results_ = {{"schema", results_schema},
                  {"context", describe_context(asked, peers_, in, watch)},
                  {"cases", json::array()}};
    } else {
      require_resumable(results_, asked);
      merge_peers();
    }
  }

  outcome run(const std::function<void()>& keep) {
    const auto cases = cases_of(asked_);
    std::size_t raced = 0;
    double spent = 0;
    outcome all;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const auto& what = cases[k];
      const auto field = entrants_for(what, asked_, peers_);
      if (const json* done = find(what); done && complete(*done, field)) {
        all.wrong += count_wrong(*done);
        watch_.case_skipped(what, "already recorded");
        continue;
      }
      if (limited_.over()) {
        watch_.case_skipped(what, "left out: the time limit is reached");
        ++all.postponed;
        continue;
      }
      const double typical = raced > 0 ? spent / static_cast<double>(raced) : -1;
      watch_.case_begins(what, k + 1, cases.size(),
                         raced > 0 ? typical * static_cast<double>(cases.size() - k) : -1);
      const stopwatch watch;
      try {
        put(what, what.type == value_type::f32 ? run_one<float>(what, field)
                                               : run_one<double>(what, field));
      } catch (const time_is_up&) {
        watch_.case_skipped(what, "not finished: the time limit is reached");
        ++all.postponed;
        continue;
      } catch (const error& e) {  // a file that cannot be read does not end the run
        watch_.case_skipped(what, e.what());
        ++all.failed;
        continue;
      }
      spent += watch.seconds();
      ++raced;
      all.wrong += count_wrong(*find(what));
      keep();
      watch_.case_ended(*find(what));
    }
    return all;
  }

 private:
  template <scalar T>
  json run_one(const case_spec& what, const std::vector<entrant>& field) {
    auto& held = std::get<loaded<T>>(held_);
    if (held.from != what.on || held.columns != what.columns) {
      held_ = {};  // the other type's memory goes first
      held.of = load_factors<T>(*what.on, product_of(what.operation), {what.columns, asked_.seed},
                                limited_);
      held.from = what.on;
      held.columns = what.columns;
    }
    if (what.operation == "convert")
      return run_conversions<T>(what, held.of, asked_, results_["context"], world_, limited_);
    return run_case<T>(what, held.of, field, asked_, results_["context"], world_, limited_);
  }

  json* find(const case_spec& what) {
    for (auto& one : results_["cases"])
      if (same_case(what, one)) return &one;
    return nullptr;
  }

  void put(const case_spec& what, json&& result) {
    if (json* old = find(what))
      *old = std::move(result);
    else
      results_["cases"].push_back(std::move(result));
  }

  /// A resumed run may bring peers that the first one did not have.
  void merge_peers() {
    auto& known = results_["context"]["peers"];
    for (const auto* one : peers_.peers) {
      const bool there = std::any_of(known.begin(), known.end(),
                                     [&](const json& p) { return p.at("name") == one->name; });
      if (!there)
        known.push_back({{"name", one->name},
                         {"title", one->title},
                         {"version", one->version},
                         {"backend", one->backend}});
    }
  }

  const request& asked_;
  json& results_;
  world& world_;
  session_watch& watch_;
  limited_watch limited_;
  peer_set peers_;
  std::tuple<loaded<float>, loaded<double>> held_;
};

bool has_label(const subject& one, const std::vector<std::string>& wanted) {
  return std::any_of(one.labels.begin(), one.labels.end(), [&](const std::string& label) {
    return std::find(wanted.begin(), wanted.end(), label) != wanted.end();
  });
}

}  // namespace

std::vector<case_spec> cases_of(const request& asked) {
  std::vector<case_spec> cases;
  for (const auto& one : asked.subjects) {
    if (!one.takes_part_in(asked.operation == "convert" ? "spmv" : asked.operation)) continue;
    if (one.large && !asked.large) continue;
    if (!asked.labels.empty() && !has_label(one, asked.labels)) continue;
    const auto columns = asked.operation != "spmm" ? std::vector<index_t>{1}
                         : one.columns.empty()     ? asked.columns
                                                   : one.columns;
    for (const auto type : asked.types)
      for (const auto c : columns)
        for (const int t : asked.threads) cases.push_back({&one, asked.operation, type, t, c});
  }
  return cases;
}

void require_resumable(const json& results, const request& asked) {
  const auto refuse = [](const std::string& why) {
    throw fail(error_kind::bad_argument,
               "the results file cannot be added to: {}; choose another file, or --fresh to start "
               "it anew",
               why);
  };
  if (results.value("schema", "") != results_schema)
    refuse(formatted("its schema is '{}', this program writes '{}'", results.value("schema", ""),
                     results_schema));
  const auto& then = results.at("context");
  if (then.at("machine").at("cpu") != this_machine().cpu ||
      then.at("machine").at("cores") != this_machine().cores)
    refuse("it was measured on another machine");
  if (then.at("commit") != build_facts().commit)
    refuse(formatted("it was measured with commit {}, this is {}",
                     then.at("commit").get<std::string>(), build_facts().commit));
  for (const int t : asked.threads) {
    const auto& measured = then.at("bandwidth");
    if (std::none_of(measured.begin(), measured.end(),
                     [&](const json& b) { return b.at("threads") == t; }))
      refuse(formatted("it has no bandwidth for {} threads", t));
  }
}

outcome run_session(const request& asked, json& results, world& in, session_watch& watch,
                    const std::function<void()>& keep) {
  return session(asked, results, in, watch).run(keep);
}

}  // namespace gossamer::bench
