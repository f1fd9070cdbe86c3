// The choice: pure, so that it can be tested without hardware. It never falls back silently.
#include <algorithm>

#include "base/text.hpp"
#include "plan/costs.hpp"
#include "plan/kernel.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

namespace {

bool called(const kernel& k, const std::string& algorithm) {
  return algorithm.empty() || k.id == algorithm || path_of(k).algorithm == algorithm;
}

/// Below it, Gu et al. 2020 found propagation blocking faster than a hash table.
constexpr double paper_factor = 4;

/// Above either, Anzt et al. 2020 take equal chunks of nonzeros on a GPU instead of rows.
constexpr index_t paper_rows = 1'000'000, paper_row = 64;

bool csr_on_device(const problem& p) {
  return p.backend == backend::cuda && p.a.format == format::csr;
}
bool ruled_by_rows(const problem& p) { return p.operation == operation::spmv && csr_on_device(p); }

/// Below this mean row, Yang et al. 2018 take equal numbers of nonzeros on a GPU instead of rows.
constexpr double paper_mean_row = 9.35;

bool ruled_by_mean_row(const problem& p) {
  return p.operation == operation::spmm && csr_on_device(p);
}

/// The algorithm asked for; for a rule, the algorithm that it selects.
std::string algorithm_of(const problem& p) {
  if (p.options.algorithm != paper_rule) return p.options.algorithm;
  if (ruled_by_rows(p))
    return p.a.shape.rows > paper_rows || p.rows.longest_on_device > paper_row ? "load_balance"
                                                                               : "classical";
  if (ruled_by_mean_row(p)) return costs::mean_row(p) < paper_mean_row ? "merge" : "row_split";
  if (p.operation != operation::spgemm || !p.spgemm.compression) return p.options.algorithm;
  return *p.spgemm.compression < paper_factor ? "pb" : "hash";
}

double total_seconds(const verdict& v, index_t expected_calls) {
  return v.prepare_seconds / static_cast<double>(std::max<index_t>(expected_calls, 1)) +
         v.run_seconds;
}

std::string known_algorithms(catalogue kernels, const problem& p) {
  const auto operation = name(p.operation);
  std::vector<std::string_view> names;
  for (const auto* k : kernels)
    if (path_of(*k).operation == operation) names.push_back(path_of(*k).algorithm);
  const bool sparse_rule = p.operation == operation::spgemm && p.backend != backend::cuda;
  if (sparse_rule || ruled_by_rows(p) || ruled_by_mean_row(p)) names.push_back(paper_rule);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return joined(names, ", ");
}

verdict judge(const kernel& k, const problem& p, const machine& m) {
  if (!k.takes(p.a.values))
    return {.because = k.values == taken_values::real ? "takes f32 and f64" : "takes c64 and c128"};
  if (p.options.deterministic && !k.deterministic)
    return {.because = "not bitwise reproducible, and deterministic was asked for"};
  if (p.operation == operation::spgemm && !p.ordinary() && !k.spgemm.multiply_once_masked)
    return {.because = "takes plus_times without a mask"};
  verdict v = k.consider(p, m);
  if (p.operation == operation::spmv && p.backend == backend::openmp && !k.spmv.run_csr_f64)
    v.run_seconds += costs::unpacking;
  const index_t limit = p.options.memory_limit;
  if (p.spgemm.counted) v.bytes = std::max(v.bytes, p.spgemm.counted->least);
  if (v.possible && limit > 0 && v.bytes > limit)
    return {.bytes = v.bytes, .because = p.reason([&] {
              return formatted("needs {}, more than the limit of {}", bytes_text(v.bytes),
                               bytes_text(limit));
            })};
  return v;
}

[[noreturn]] void throw_nothing_can(const problem& p, const explanation& why, catalogue kernels) {
  const auto operation = name(p.operation);
  const auto algorithm = algorithm_of(p);
  if (why.all.empty() && !algorithm.empty()) {
    for (const auto* k : kernels)
      if (path_of(*k).operation == operation && called(*k, algorithm))
        throw fail(error_kind::not_available,
                   "algorithm '{}' exists as {}, but this context is {}; use that backend, or "
                   "leave the algorithm out",
                   algorithm, k->id, name(p.backend));
    throw fail(error_kind::bad_argument, "no {} algorithm is called '{}'; there are: {}", operation,
               algorithm, known_algorithms(kernels, p));
  }
  std::string reasons;
  index_t smallest = 0;  // limit that would do
  for (const auto& c : why.all) {
    reasons += formatted("\n  {}: {}", c.kernel, c.verdict.because);
    const index_t needed = p.options.memory_limit > 0 ? c.verdict.bytes : 0;
    if (needed > 0) smallest = smallest > 0 ? std::min(smallest, needed) : needed;
  }
  if (smallest == 0)
    throw fail(error_kind::not_available,
               "no kernel can compute {} on {}{}\n  convert an operand, or drop what was asked for "
               "(algorithm, deterministic, backend)",
               p.text(), name(p.backend), reasons);
  throw fail(error_kind::memory_limit,
             "no kernel can compute {} on {} within {}{}{}\n  the smallest limit that would do is "
             "{} bytes",
             p.text(), name(p.backend), bytes_text(p.options.memory_limit),
             p.spgemm.counted ? formatted("; C itself has {} entries and takes {}",
                                          count_text(p.spgemm.counted->nnz),
                                          bytes_text(p.spgemm.counted->result_bytes))
                              : "",
             reasons, smallest);
}

std::string paper_reason(const problem& p) {
  if (ruled_by_rows(p))
    return formatted(
        "the paper's rule (load_balance above {} rows or a row of {}, else classical): {} rows, "
        "the "
        "longest of {}",
        count_text(paper_rows), paper_row, count_text(p.a.shape.rows),
        count_text(p.rows.longest_on_device));
  if (ruled_by_mean_row(p))
    return formatted(
        "the paper's rule (merge if the mean row is below {}, else row_split): {:.2f} nonzeros a "
        "row",
        paper_mean_row, costs::mean_row(p));
  const bool below = *p.spgemm.compression < paper_factor;
  return formatted(
      "the paper's rule (pb if flop / nnz(C) is below {:.0f}, else hash): {} {:.2f}, {}",
      paper_factor, p.spgemm.counted ? "counted" : "sampled", *p.spgemm.compression,
      below ? "so pb" : "so hash");
}

std::string reason_for(const considered& best, const explanation& why) {
  std::string reason = best.verdict.because;
  const considered* second = nullptr;
  for (const auto& c : why.all)
    if (c.verdict.possible && c.kernel != best.kernel &&
        (!second || total_seconds(c.verdict, why.expected_calls) <
                        total_seconds(second->verdict, why.expected_calls)))
      second = &c;
  if (second) {
    const double ratio = total_seconds(second->verdict, why.expected_calls) /
                         std::max(total_seconds(best.verdict, why.expected_calls), 1e-12);
    reason += formatted("; {} would take {:.2f} times as long", second->kernel, ratio);
  } else {
    reason += "; the only kernel for it here";
  }
  return reason;
}

}  // namespace

kernel_path path_of(const kernel& k) {
  kernel_path path;
  std::string_view rest = k.id;
  for (auto* part : {&path.operation, &path.format, &path.algorithm}) {
    const auto slash = rest.find('/');
    *part = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
  }
  path.backend = rest;
  return path;
}

namespace {

/// The kernel with the least total time; null if none can run. Calls report(kernel, verdict) for
/// every kernel.
template <class F>
const kernel* quickest(const problem& p, const machine& m, catalogue kernels,
                       const std::string& algorithm, F&& report) {
  const kernel* best = nullptr;
  double least = 0;
  const auto operation = name(p.operation), backend = name(p.backend);
  for (const auto* k : kernels) {
    if (!k->id.starts_with(operation) || !k->id.ends_with(backend) || !called(*k, algorithm))
      continue;
    verdict v = judge(*k, p, m);
    const double seconds = total_seconds(v, p.options.expected_calls);
    if (v.possible && (!best || seconds < least)) {
      best = k;
      least = seconds;
    }
    report(*k, std::move(v));
  }
  return best;
}

/// Throws if options::tuning names a parameter that the kernel does not have.
void require_known_parameters(const problem& p, const kernel& k) {
  [[maybe_unused]] const tuning read(p.options.tuning, k.id, k.parameters);
}

/// Without reasons; null where a reason is needed: nothing can run.
const kernel* chosen_silently(const problem& p, const machine& m, catalogue kernels) {
  const kernel* best =
      quickest(p, m, kernels, algorithm_of(p), [](const kernel&, const verdict&) {});
  if (best) require_known_parameters(p, *best);
  return best;
}

}  // namespace

choice choose(const problem& p, const machine& m, catalogue kernels) {
  if (!p.explained) {
    if (const auto* chosen = chosen_silently(p, m, kernels)) return {chosen, {}};
    problem asked = p;
    asked.explained = true;
    return choose(asked, m, kernels);
  }
  choice result;
  explanation& why = result.why;
  why.operation = name(p.operation);
  why.problem = p.text();
  why.expected_calls = p.options.expected_calls;
  why.memory_limit = p.options.memory_limit;
  const auto algorithm = algorithm_of(p);
  result.chosen = quickest(p, m, kernels, algorithm, [&](const kernel& k, verdict v) {
    why.all.push_back({std::string(k.id), k.deterministic, std::move(v)});
  });
  if (!result.chosen) throw_nothing_can(p, why, kernels);
  require_known_parameters(p, *result.chosen);
  const auto best = std::find_if(why.all.begin(), why.all.end(), [&](const considered& c) {
    return c.kernel == result.chosen->id;
  });
  why.chosen = result.chosen->id;
  why.because = algorithm.empty()                  ? reason_for(*best, why)
                : algorithm == p.options.algorithm ? "asked for by name; " + best->verdict.because
                                                   : paper_reason(p) + "; " + best->verdict.because;
  return result;
}

}  // namespace gossamer
