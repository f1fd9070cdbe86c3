// A whole benchmark run: every case of a request, one after the other, into a file of results.
#pragma once

#include "bench/peers/load_peers.hpp"
#include "bench/race/race.hpp"
#include "bench/records/json.hpp"
#include "bench/records/lines.hpp"
#include "bench/subjects/subject.hpp"

namespace gossamer::bench {

/// What a record keeps of its samples and of the choice: medians, quartiles and intervals, the
/// kernel and the reason; or every sample and what every kernel said of the problem, too.
enum class record_detail { summary, full };

struct request {
  std::string operation = "spmv";  ///< spmv, spmm, spgemm or convert
  std::vector<subject> subjects;
  std::vector<backend> on = {backend::openmp};
  bool all_kernels = false;          ///< every kernel of the catalogue on those backends
  std::vector<std::string> kernels;  ///< ids; with none of both only the library's choice
  bool hyb_splits = false;           ///< HYB kernels with each split strategy
  bool ceiling = false;              ///< spmv on a device: flat passes over A as well
  std::vector<std::string> compare;  ///< peers by name, or "all"
  std::vector<value_type> types = {value_type::f64};
  std::vector<index_t> columns = {32};  ///< spmm
  std::vector<int> threads;             ///< empty: all cores
  index_t expected_calls = 1;           ///< options::expected_calls of our plans
  double time_limit = 0;                ///< seconds for the whole run; 0: none
  std::uint64_t seed = 1;
  record_detail kept = record_detail::summary;
  bool large = false;               ///< also subjects marked large
  std::vector<std::string> labels;  ///< only subjects with one of these; empty: all
  rules by;
};

/// One case to be measured.
struct case_spec {
  const subject* on = nullptr;
  std::string operation;
  value_type type = value_type::f64;
  int threads = 1;
  index_t columns = 1;
};
std::vector<case_spec> cases_of(const request&);

/// Observer of a session. All calls come from the thread that runs it.
struct session_watch : load_watch {
  /// `left` is an estimate in seconds for this case and all after it; negative: not yet known.
  virtual void case_begins(const case_spec&, std::size_t /*number*/, std::size_t /*of*/,
                           double /*left*/) {}
  virtual void case_ended(const json& /*case_result*/) {}
  virtual void case_skipped(const case_spec&, const std::string& /*why*/) {}
  /// Between two samples of a race; may throw to end it.
  virtual void between_samples() {}
};

/// Runs the cases that are not in `results` yet and adds them; `keep` is called after each and
/// saves them. `results` is {} at first, or what an earlier run saved.
struct outcome {
  int wrong = 0;      ///< contestants with wrong results; they have no time
  int failed = 0;     ///< cases whose matrices could not be loaded
  int postponed = 0;  ///< cases that the time limit left out or ended
  friend bool operator==(const outcome&, const outcome&) = default;
};
outcome run_session(const request&, json& results, world&, session_watch&,
                    const std::function<void()>& keep);

/// Throws error(bad_argument) unless these results can be added to by this build, machine and
/// method.
void require_resumable(const json& results, const request&);

/// Machine, build, versions, method and measured bandwidths.
json describe_context(const request&, const peer_set&, world&, session_watch&);

}  // namespace gossamer::bench
