#include "bench/session/case.hpp"

#include <algorithm>
#include <deque>

#include "base/text.hpp"
#include "bench/race/ceiling.hpp"
#include "bench/race/statistics.hpp"
#include "bench/race/timing.hpp"
#include "bench/records/rates.hpp"
#include "bench/subjects/product.hpp"

namespace gossamer::bench {

namespace {

/// An entrant that was admitted: it runs, and its result is correct.
struct runner {
  const entrant* who = nullptr;
  std::unique_ptr<contestant> instance = {};
  own_contestant* own = nullptr;  // the same, when it is one of ours
  double prepare = 0, first = 0;
  judgement verdict = {};
};

template <scalar T>
race_problem problem_for(const case_spec& what, const factors<T>& of) {
  race_problem p{.product = of.product, .type = what.type, .threads = what.threads};
  const auto arrays = [](const csr_matrix<T>& m) -> csr_arrays {
    return {m.rows(), m.cols(), m.row_offsets().template as<std::int32_t>().data(),
            m.column_indices().template as<std::int32_t>().data(), m.values().data()};
  };
  p.a = arrays(of.a);
  if (of.product == operation::spgemm) {
    p.b = arrays(of.sparse());
  } else {
    p.x = of.dense.values().data();
    p.columns = of.dense.cols();
  }
  return p;
}

template <scalar T>
bool fits_peers(const factors<T>& of) {
  constexpr widths narrow{index_width::i32, index_width::i32};
  return of.a.index_widths() == narrow &&
         (of.product != operation::spgemm || of.sparse().index_widths() == narrow);
}

template <scalar T>
class admission {
 public:
  admission(const case_spec& what, const factors<T>& of) : what_(what), of_(of), reference_(of) {}

  /// Prepares, runs once and checks; fills `refused` instead when it cannot or is wrong.
  void admit(const entrant& who, std::deque<runner>& in, json& refused) {
    runner one{.who = &who};
    try {
      make(one);
      one.prepare = seconds_of([&] { one.instance->prepare(); });
      one.instance->poison();
      one.first = seconds_of([&] { one.instance->run(); });
      if (one.instance->device_seconds() >= 0) one.first = one.instance->device_seconds();
      one.verdict = judge(*one.instance, who);
      one.instance->forget();
    } catch (const std::exception& e) {
      refused.push_back(refusal(who, e.what()));
      return;
    }
    if (one.verdict.right && who.sorted && !one.verdict.sorted)
      one.verdict = {.right = false, .first_difference = "columns do not ascend within rows"};
    if (one.verdict.right) {
      in.push_back(std::move(one));
    } else {
      refused.push_back(refusal(who, "wrong result: " + one.verdict.first_difference));
      refused.back()["wrong"] = true;
    }
  }
  index_t result_nnz() const { return result_nnz_; }

  static json refusal(const entrant& who, const std::string& why) {
    return {{"contestant", who.name},
            {"mode", who.mode == run_mode::numeric ? "numeric" : "whole"},
            {"wrong", false},
            {"why", why}};
  }

 private:
  void make(runner& one) {
    if (!one.who->of_peer) {
      auto own = make_own<T>(one.who->own, of_);
      one.own = own.get();
      one.instance = std::move(own);
      return;
    }
    if (!fits_peers(of_))
      throw fail(error_kind::overflow, "the operands need 64-bit indices, peers are given 32-bit");
    one.instance = one.who->of_peer->make(problem_for(what_, of_));
  }

  judgement judge(contestant& who, const entrant& entered) {
    if (of_.product != operation::spgemm) {
      if (found_.rows() != of_.a.rows() || found_.cols() != of_.dense.cols())
        found_ = dense_matrix<T>(of_.a.rows(), of_.dense.cols());
      fill_nan(found_.values());
      who.answer({found_.values().data()});
      return reference_.judge(dense_view<const T>(found_.view()));
    }
    sparse_answer found;
    who.answer(found);
    if (entered.keeps_zeros) result_nnz_ = static_cast<index_t>(found.columns.size());
    const extents shape{of_.a.rows(), of_.sparse().cols()};
    if (static_cast<index_t>(found.offsets.size()) != shape.rows + 1)
      return {.right = false,
              .first_difference = formatted("the result has {} rows, the reference says {}",
                                            found.offsets.size() - 1, shape.rows)};
    return reference_.judge(
        csr_view<const double>(shape, {found.offsets.data(), shape.rows + 1},
                               {found.columns.data(), static_cast<index_t>(found.columns.size())},
                               found.values.data()),
        {.missing_zeros = !entered.keeps_zeros});
  }

  const case_spec& what_;
  const factors<T>& of_;
  yardstick<T> reference_;
  dense_matrix<T> found_;  // of one entrant after the other
  index_t result_nnz_ = 0;
};

double predicted_seconds(const explanation& why) {
  for (const auto& c : why.all)
    if (c.kernel == why.chosen) return c.verdict.run_seconds;
  return 0;
}

json describe_runner(const runner& one, const lane& timed, record_detail kept) {
  json record = {{"contestant", one.who->name},
                 {"kind", one.who->kind},
                 {"kernel", nullptr},
                 {"how", one.who->how},
                 {"format", "csr"},
                 {"backend", name(one.who->place)},
                 {"threads", one.who->threads},
                 {"mode", one.who->mode == run_mode::numeric ? "numeric" : "whole"},
                 {"sorted", one.verdict.sorted},
                 {"keeps_zeros", one.who->keeps_zeros},
                 {"seconds",
                  {{"convert", 0.0},
                   {"prepare", one.prepare},
                   {"first", one.first},
                   {"warm", describe_series(timed.warm, kept)}}},
                 {"peak_bytes", timed.peak ? json(*timed.peak) : json(nullptr)},
                 {"error", one.verdict.worst}};
  if (!timed.cold.seconds.empty()) record["seconds"]["cold"] = describe_series(timed.cold, kept);
  if (!one.own) {
    record["format"] = nullptr;
    return record;
  }
  own_facts facts = one.own->facts();
  record["kernel"] = facts.why.chosen;
  record["format"] = name(facts.held_as);
  record["seconds"]["convert"] = facts.convert_seconds;
  record["seconds"]["prepare"] = one.own->prepare_seconds();
  record["seconds"]["predicted"] = predicted_seconds(facts.why);
  facts.why.phases.clear();  // phases of the plan: the race ran whole products
  if (kept == record_detail::full) record["explanation"] = json::parse(facts.why.json());
  if (const auto measured = one.own->phases(); !measured.empty())
    record["phases"] = describe_phases(measured);
  return record;
}

double warm_median(const json& record) { return record.at("seconds").at("warm").at("median"); }

/// The chosen kernel and its regret: how much slower it is than our best kernel in the same run for
/// A in the same format. A call counts with its share of the preparation, which the choice also
/// weighs; whole sparse products prepare nothing.
json describe_choice(const json& records, const std::deque<runner>& who, double share) {
  const json* choice = nullptr;
  std::string because;
  const json* best = nullptr;
  const auto seconds = [&](const json& r) {
    return warm_median(r) + share * r.at("seconds").value("prepare", 0.0);
  };
  const json* picked = nullptr;  // the record of the chosen kernel under its own name
  for (std::size_t k = 0; k < records.size() && !choice; ++k)
    if (records[k].at("kind") == "choice" && records[k].at("mode") == "whole") {
      choice = &records[k];
      because = who[k].own->facts().why.because;
    }
  if (!choice) return nullptr;
  for (const auto& r : records) {
    if (r.at("kind") != "kernel" || r.at("backend") != choice->at("backend") ||
        r.at("format") != choice->at("format"))
      continue;
    if (!best || seconds(r) < seconds(*best)) best = &r;
    if (r.at("kernel") == choice->at("kernel")) picked = &r;
  }
  json said = {{"kernel", choice->at("kernel")}, {"because", because}};
  said["regret"] = best && picked ? json(seconds(*picked) / seconds(*best)) : json(nullptr);
  said["best"] = best ? best->at("kernel") : json(nullptr);
  return said;
}

template <scalar T>
json describe_work(const case_spec& what, const factors<T>& of, index_t result_nnz,
                   json& features) {
  const auto held = [](const auto& m) { return stored_bytes<T>(any_view<const T>(m.view())); };
  if (of.product != operation::spgemm) {
    const index_t result = of.a.rows() * of.dense.cols() * index_t{sizeof(T)};
    return {{"flop", 2.0 * static_cast<double>(of.a.nnz()) * static_cast<double>(what.columns)},
            {"bytes", held(of.a) + held(of.dense) + result}};
  }
  const index_t products = features.at("flop").get<index_t>();
  const widths w = narrowest({of.a.rows(), of.sparse().cols()}, result_nnz);
  const index_t entry = index_t{sizeof(T)} + bytes(w.indices);
  const index_t result = result_nnz * entry + (of.a.rows() + 1) * bytes(w.offsets);
  const double cf =
      result_nnz > 0 ? static_cast<double>(products) / static_cast<double>(result_nnz) : 0;
  features["result_nnz"] = result_nnz;
  features["compression"] = cf;
  return {{"flop", 2.0 * static_cast<double>(products)},
          {"bytes", held(of.a) + held(of.sparse()) + result}};
}

}  // namespace

template <scalar T>
json run_case(const case_spec& what, const factors<T>& of, const std::vector<entrant>& field,
              const request& asked, const json& context, world& in, session_watch& watch) {
  const busy_watch busy;
  json result = describe_case<T>(what, of);
  json refused = json::array(), records = json::array();
  admission<T> gate(what, of);
  std::deque<runner> admitted;  // stays in place
  for (const auto& who : field) {
    watch.stage(formatted("checking {} on {}", who.name, what.on->name));
    gate.admit(who, admitted, refused);
  }
  watch.stage("measuring " + what.on->name);
  std::vector<lane> lanes;
  for (const auto& one : admitted)
    lanes.push_back({.who = one.instance.get(),
                     .threads = one.who->threads,
                     .sparse = of.product == operation::spgemm,
                     .refill = one.who->mode == run_mode::numeric});
  const std::size_t raced = lanes.size();
  std::vector<std::unique_ptr<contestant>> passes;
  if (asked.ceiling && available(backend::cuda)) {
    try {
      passes = flat_passes(context::cuda(), of);
    } catch (const std::exception& e) {  // the race is worthwhile without them
      refused.push_back(gate.refusal({.name = "flat pass"}, e.what()));
    }
  }
  for (const auto& one : passes) lanes.push_back({.who = one.get()});
  race(lanes, asked.by, in, [&] { watch.between_samples(); });
  result["work"] = describe_work<T>(what, of, gate.result_nnz(), result["features"]);
  if (!passes.empty()) result["ceiling"] = describe_ceiling(std::span(lanes).subspan(raced));
  for (std::size_t k = 0; k < raced; ++k) {
    records.push_back(describe_runner(admitted[k], lanes[k], asked.kept));
    add_rates(records.back(), result["work"], context);
  }
  const disturbance noise = busy.so_far();
  result["disturbance"] = {{"others", noise.others}, {"stolen", noise.stolen}};
  const double share = of.product == operation::spgemm
                           ? 0
                           : 1 / static_cast<double>(std::max<index_t>(asked.expected_calls, 1));
  result["choice"] = describe_choice(records, admitted, share);
  result["records"] = std::move(records);
  result["refused"] = std::move(refused);
  return result;
}

template json run_case(const case_spec&, const factors<float>&, const std::vector<entrant>&,
                       const request&, const json&, world&, session_watch&);
template json run_case(const case_spec&, const factors<double>&, const std::vector<entrant>&,
                       const request&, const json&, world&, session_watch&);

}  // namespace gossamer::bench
