#include "multiply/plans/measure_kernels.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include "backends/cuda/runtime.hpp"
#include "base/text.hpp"

namespace gossamer::detail {

namespace {

/// So many kernels are run; those that are predicted to take longer than this times the best are
/// not: predictions are seldom wrong by more.
constexpr std::size_t most_candidates = 3;
constexpr double hopeless = 4;
/// Rounds in which every candidate runs once, and how long one sample takes at least.
constexpr int most_rounds = 15, least_rounds = 2;
constexpr double sample_seconds = 20e-6;
constexpr int most_calls = 1000;

double share(double once, double each, index_t calls) {
  return once / static_cast<double>(std::max<index_t>(calls, 1)) + each;
}

struct candidate {
  const gossamer::kernel* kernel = nullptr;
  considered* entry = nullptr;
  state prepared = {};
  double prepare_seconds = 0;
  int calls = 1;  // in a sample
  std::vector<double> samples = {};

  double median() {
    const auto middle = samples.begin() + std::ssize(samples) / 2;
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
  }
};

/// The most promising kernels, best first.
std::vector<candidate> candidates_of(explanation& why, catalogue kernels) {
  std::vector<candidate> found;
  const auto total = [&](const considered& c) {
    return share(c.verdict.prepare_seconds, c.verdict.run_seconds, why.expected_calls);
  };
  for (auto& c : why.all) {
    if (!c.verdict.possible) continue;
    const auto* k = *std::find_if(kernels.begin(), kernels.end(),
                                  [&](const kernel* one) { return one->id == c.kernel; });
    found.push_back({.kernel = k, .entry = &c});
  }
  std::stable_sort(found.begin(), found.end(), [&](const candidate& a, const candidate& b) {
    return total(*a.entry) < total(*b.entry);
  });
  const double longest = found.empty() ? 0 : hopeless * total(*found.front().entry);
  while (found.size() > most_candidates ||
         (found.size() > 1 && total(*found.back().entry) > longest))
    found.pop_back();
  return found;
}

/// Memory like that of the result, with the same contents where a product reads it.
template <class T>
class scratch_result {
 public:
  scratch_result(const dense_view<T>& like, bool read, const context& where)
      : memory_(extent(like), where.memory()) {
    view = like;
    view.values = memory_.data();
    const auto bytes = static_cast<std::size_t>(memory_.size()) * sizeof(T);
    if (!read || bytes == 0) return;
    if (like.where == memory::device)
      cuda::copy_bytes(where, view.values, like.values, bytes, cuda::direction::on_device);
    else
      std::memcpy(view.values, like.values, bytes);
  }
  dense_view<T> view;

 private:
  static index_t extent(const dense_view<T>& v) {
    if (v.nnz() == 0) return 0;
    return (v.shape.rows - 1) * v.row_step() + (v.shape.cols - 1) * v.col_step() + 1;
  }
  buffer<T> memory_;
};

class race {
 public:
  race(const problem& p, const operands& o, const context& where, seconds_clock now)
      : p_(p), o_(o), where_(where), now_(now), begun_(now()) {}

  /// Prepares a kernel and runs it once. False if it cannot: its memory exceeds a limit.
  bool enter(candidate& c) {
    try {
      const double before = now_();
      if (c.kernel->prepare) c.prepared = c.kernel->prepare(p_, o_, where_);
      where_.synchronise();
      c.prepare_seconds = now_() - before;
      const double first = seconds_of(c);  // touches its memory
      c.calls = static_cast<int>(
          std::clamp(sample_seconds / std::max(first, 1e-9), 1.0, double{most_calls}));
      return true;
    } catch (const error& e) {
      if (e.kind() != error_kind::memory_limit && e.kind() != error_kind::out_of_memory) throw;
      return false;
    }
  }

  void sample(candidate& c) { c.samples.push_back(seconds_of(c)); }
  double elapsed() const { return now_() - begun_; }

 private:
  double seconds_of(const candidate& c) {
    const double before = now_();
    for (int k = 0; k < c.calls; ++k) c.kernel->run(c.prepared, o_, where_);
    where_.synchronise();
    return (now_() - before) / c.calls;
  }

  const problem& p_;
  const operands& o_;
  const context& where_;
  seconds_clock now_;
  double begun_;
};

std::string reason(const std::vector<candidate>& field, const candidate& best, double seconds,
                   index_t calls) {
  const auto total = [&](const candidate& c) {
    return share(c.prepare_seconds, c.entry->measured->run_seconds, calls);
  };
  std::string text =
      formatted("the fastest of {} measured in {}", field.size(), seconds_text(seconds));
  for (const auto& c : field)
    if (&c != &best)
      text += formatted("; {} took {:.2f} times as long", c.kernel->id,
                        total(c) / std::max(total(best), 1e-12));
  return text + "; " + best.entry->verdict.because;
}

measured_choice measured(const problem& p, const operands& o, const context& where,
                         choice predicted, catalogue kernels, seconds_clock now) {
  const index_t calls = p.options.expected_calls;
  race running(p, o, where, now);
  std::vector<candidate> field;
  for (auto& c : candidates_of(predicted.why, kernels)) {
    const auto& v = c.entry->verdict;
    const double needed = v.prepare_seconds + (least_rounds + 1) * v.run_seconds;
    if (!field.empty() && running.elapsed() + needed > p.options.tune_seconds) continue;
    if (running.enter(c)) field.push_back(std::move(c));
  }
  if (field.empty())  // the error that says which memory was missing
    return {predicted,
            predicted.chosen->prepare ? predicted.chosen->prepare(p, o, where) : state{}};
  for (int round = 0; round < most_rounds; ++round) {
    if (round >= least_rounds && running.elapsed() > p.options.tune_seconds) break;
    for (auto& c : field) running.sample(c);
  }
  for (auto& c : field)
    c.entry->measured =
        measurement{c.prepare_seconds, c.median(), c.calls * static_cast<int>(c.samples.size())};
  auto best = std::min_element(field.begin(), field.end(), [&](const auto& a, const auto& b) {
    return share(a.prepare_seconds, a.entry->measured->run_seconds, calls) <
           share(b.prepare_seconds, b.entry->measured->run_seconds, calls);
  });
  predicted.chosen = best->kernel;
  predicted.why.chosen = best->kernel->id;
  predicted.why.because = reason(field, *best, running.elapsed(), calls);
  return {std::move(predicted), std::move(best->prepared)};
}

}  // namespace

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

measured_choice measure_kernels(const problem& p, const operands& o, const context& where,
                                choice predicted, catalogue kernels, seconds_clock now) {
  return std::visit(
      [&]<class T>(const dense_view<T>& out) {
        scratch_result<T> scratch(out, p.dense.reads_result, where);
        operands here = o;
        here.dense = scratch.view;
        return measured(p, here, where, std::move(predicted), kernels, now);
      },
      *o.dense);
}

void require_measurable(const options& how) {
  if (how.tune == tune::predict) return;
  if (!how.algorithm.empty())
    throw fail(error_kind::bad_argument,
               "tune is measure and the algorithm is '{}': there is nothing to choose; leave one "
               "of them out",
               how.algorithm);
  if (how.deterministic)
    throw fail(error_kind::bad_argument,
               "tune is measure and deterministic was asked for: the fastest kernel may be another "
               "one in the next run, and its sums have other bits; name an algorithm, or leave "
               "measuring out");
  if (!(how.tune_seconds >= 0))
    throw fail(error_kind::bad_argument,
               "tune_seconds is {}; it says how long measuring may take, 0 or more",
               how.tune_seconds);
}

}  // namespace gossamer::detail
