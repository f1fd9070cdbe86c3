// gossamer info --kernels and --machine: what this build and this machine have.
#include "backends/cuda/runtime.hpp"
#include "base/text.hpp"
#include "cli/commands/info.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/plan.hpp"
#include "gossamer/version.hpp"
#include "plan/kernel.hpp"

namespace gossamer::cli {

namespace {

constexpr std::string_view paper_summary =
    "SpGEMM by the rule of Gu et al. 2020: pb if flop / nnz(C) is below 4 (sampled), else hash";

// Caches come in powers of 1024, unlike everything else.
std::string cache_text(index_t bytes) {
  const double kib = static_cast<double>(bytes) / 1024;
  return kib < 1024 ? formatted("{:.4g} KiB", kib) : formatted("{:.4g} MiB", kib / 1024);
}

json describe_stream(const stream_result& s) {
  return {{"threads", s.threads},
          {"copy", s.copy},
          {"scale", s.scale},
          {"add", s.add},
          {"triad", s.triad}};
}

json describe_backends() {
  json all = json::object();
  for (const auto b : {backend::reference, backend::openmp, backend::cuda})
    all[std::string(name(b))] = {{"available", available(b)}, {"why_not", why_not_available(b)}};
  return all;
}

/// The first device; null where there is none.
json describe_gpu() {
  if (!available(backend::cuda)) return nullptr;
  const gpu& one = *cuda::machine_of(0).gpu;
  return {{"name", one.name},
          {"compute_capability", one.compute_capability},
          {"multiprocessors", one.multiprocessors},
          {"l2", one.l2},
          {"memory", one.memory},
          {"bandwidth_assumed", one.bandwidth}};
}

std::string gpu_text() {
  const gpu& one = *cuda::machine_of(0).gpu;
  return formatted("{}, {} multiprocessors of {}.{}, L2 {}, {}", one.name, one.multiprocessors,
                   one.compute_capability / 10, one.compute_capability % 10, cache_text(one.l2),
                   bytes_text(one.memory));
}

/// The level that kernels use and, where GOSSAMER_SIMD is set, what comes of it.
std::string simd_text(const machine& here) {
  if (here.simd_cap.empty()) return here.simd;
  if (here.simd == here.simd_cap)
    return formatted("{}, as GOSSAMER_SIMD asks; the processor has {}", here.simd,
                     here.simd_processor);
  return formatted("{}, the widest that this processor and build have; GOSSAMER_SIMD asks for {}",
                   here.simd, here.simd_cap);
}

void print_streams(const std::vector<stream_result>& streams) {
  const auto rate = [](double bytes) { return formatted("{:.1f}", bytes / 1e9); };
  table shown({"STREAM, GB/s", "copy", "scale", "add", "triad"}, "<>>>>");
  for (const auto& s : streams)
    shown.row({formatted("{} {}", s.threads, s.threads == 1 ? "thread" : "threads"), rate(s.copy),
               rate(s.scale), rate(s.add), rate(s.triad)});
  shown.print();
}

std::string caches_text(const machine& here) {
  std::string text =
      formatted("L1 {}, L2 {} per core; L3 {} for {} {}", cache_text(here.l1), cache_text(here.l2),
                cache_text(here.l3), here.l3_cores, here.l3_cores == 1 ? "core" : "cores");
  if (here.l3 < here.l3_reported)
    text += formatted(" (of {} that a virtual machine is told of)", cache_text(here.l3_reported));
  return text;
}

}  // namespace

exit_code show_kernels(const info_request& asked) {
  const auto all = kernels();
  if (asked.as_json) {
    json list = json::array();
    for (const auto& k : all)
      list.push_back({{"id", k.id},
                      {"summary", k.summary},
                      {"reference", k.reference},
                      {"deterministic", k.deterministic},
                      {"available", k.available},
                      {"why_not", k.why_not}});
    const json rules = json::array({{{"name", paper_rule}, {"summary", paper_summary}}});
    print_json({{"command", "info"}, {"kernels", list}, {"rules", rules}});
    return exit_code::done;
  }
  table shown({"kernel", "here", "same bits", "what it does"}, "<<<<");
  for (const auto& k : all)
    shown.row({k.id, k.available ? "yes" : "no", k.deterministic ? "yes" : "no",
               k.available ? k.summary : k.summary + " (" + k.why_not + ")"});
  shown.print();
  print("\n--algorithm {}: {}\n", paper_rule, paper_summary);
  return exit_code::done;
}

exit_code show_machine(const info_request& asked) {
  const machine& here = this_machine();
  progress ticker;
  ticker.stage("measuring memory bandwidth");
  std::vector<stream_result> streams{measure_stream(1)};
  if (here.cores > 1) streams.push_back(measure_stream(here.cores));
  ticker.finish();
  if (asked.as_json) {
    json measured = json::array();
    for (const auto& s : streams) measured.push_back(describe_stream(s));
    print_json({{"command", "info"},
                {"cpu", here.cpu},
                {"cores", here.cores},
                {"simd", here.simd},
                {"simd_processor", here.simd_processor},
                {"simd_cap", here.simd_cap.empty() ? json(nullptr) : json(here.simd_cap)},
                {"l1", here.l1},
                {"l2", here.l2},
                {"l3", here.l3},
                {"l3_reported", here.l3_reported},
                {"l3_cores", here.l3_cores},
                {"virtual_machine", here.virtual_machine},
                {"memory", here.memory},
                {"stream", measured},
                {"backends", describe_backends()},
                {"gpu", describe_gpu()},
                {"build", build_description()}});
    return exit_code::done;
  }
  print_field("cpu", here.cpu);
  print_field("cores", formatted("{} usable", here.cores));
  print_field("simd", simd_text(here));
  print_field("caches", caches_text(here));
  print_field("memory", bytes_text(here.memory));
  for (const auto b : {backend::reference, backend::openmp, backend::cuda})
    print_field(name(b), !available(b)        ? why_not_available(b)
                         : b == backend::cuda ? gpu_text()
                                              : "available");
  print_streams(streams);
  return exit_code::done;
}

}  // namespace gossamer::cli
