// The roofline of sparse products: bounds by memory bandwidth, and what was attained.
// docs/guide/roofline.md has the model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report/cache_bandwidth.hpp"
#include "bench/report/phases.hpp"
#include "bench/report/plot.hpp"
#include "bench/report/results.hpp"
#include "gossamer/machine.hpp"

namespace gossamer::bench {

/// Gu et al. 2020: bounds on the intensity of C = A B from the compression factor cf =
/// multiplications / nnz(C) and the bytes b of a stored nonzero.
enum class spgemm_bound {
  upper,  ///< cf / b: only C is written
  row,    ///< cf / ((2 + cf) b): rows of B are read once per use (row by row)
  outer   ///< cf / ((3 + 2 cf) b): every multiplication is written and read (expand, sort,
          ///< compress)
};
/// Multiplications per byte.
double spgemm_intensity(spgemm_bound bound, double compression, double bytes_per_entry);
/// GFLOP/s at `bytes_per_second`; a multiplication counts as two operations, as everywhere in this
/// project.
double spgemm_gflops(spgemm_bound bound, double compression, double bytes_per_entry,
                     double bytes_per_second);

/// The rates of a device, from a file of results or from a probe.
struct device_roof {
  std::string name;
  double copy = 0;    ///< bytes/s
  double gather = 0;  ///< random reads/s: one per multiplication bounds every kernel; 0: not known
};

struct roof_point {
  std::string label;  ///< the case
  std::string contestant;
  double intensity = 0, gflops = 0;  ///< flop per least byte; attained
  double compression = 0;            ///< spgemm, else 0
  bool peer = false, device = false;
};

/// The phases of the kernels in one case.
struct case_phases {
  std::string label;
  std::vector<phase_total> phases;
};

struct roofline {
  std::vector<stream_result> stream;    ///< by threads; the last is drawn strongest
  std::vector<cache_bandwidth> caches;  ///< of the same threads
  std::vector<device_roof> devices;
  std::vector<roof_point> points;   ///< of the cases with the last number of threads
  std::vector<case_phases> phases;  ///< of the same cases, those that have any
};

/// Per case with `threads` threads and, where given, of `operation`: our choice (or, without one,
/// our fastest kernel) and the fastest peer; the same of a device.
std::vector<roof_point> points_of(const results& from, int threads, const std::string& operation);
/// Of the same cases; shares are of the STREAM in the file.
std::vector<case_phases> phases_by_case(const results& from, int threads,
                                        const std::string& operation);
std::vector<device_roof> devices_of(const results& from);

/// What the bounds of Gu et al. predict for one point, and what was attained; MFLOP/s.
struct spgemm_prediction {
  std::string label, contestant;
  double compression = 0;
  double upper = 0, row = 0, outer = 0;  ///< b = 16
  double row_stored = 0;                 ///< row by row with the bytes that CSR stores
  double attained = 0;
};
/// Of the sparse products among the points, at the triad of the last number of threads.
std::vector<spgemm_prediction> predictions_of(const roofline& known, const std::string& type);

/// Intensity against GFLOP/s with the ceilings of caches, memory and devices.
plot ceilings_plot(const roofline& known);
/// Compression factor against GFLOP/s with the three bounds, b = 16 and b of CSR with `type`.
plot spgemm_plot(const roofline& known, const std::string& type);

}  // namespace gossamer::bench
