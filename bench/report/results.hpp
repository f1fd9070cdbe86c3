// Reads a file of results for reports, comparisons and rooflines. The format is
// bench/schema/results.schema.json; the single JSON document of version 1 is read as well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/race/statistics.hpp"

namespace gossamer::bench {

struct timing {
  double median = 0;
  interval range;  ///< 95 % interval of the median
};

enum class record_kind { kernel, choice, peer, conversion };

/// A phase of one warm product, as the kernel measured it.
struct measured_phase {
  std::string name;
  double seconds = 0, bytes = 0;  ///< bytes that had to move
};

struct record {
  std::string contestant, kernel, backend, mode;
  record_kind kind = record_kind::kernel;
  bool sorted = true;
  timing warm;
  std::optional<timing> cold;
  double gflops = 0, bandwidth_share = 0;  ///< from the warm median
  double spmv_multiples = 0;               ///< conversions: time over that of one SpMV
  std::vector<measured_phase> phases = {};
};

struct refusal {
  std::string contestant, why;
  bool wrong = false;
  std::string mode;  ///< empty: any
};

struct raced_choice {
  std::string kernel, best;
  double regret = 1;
};

struct raced_case {
  std::string operation, matrix, matrix_class, right, type;
  int threads = 1;
  long long columns = 1;
  double flop = 0, bytes = 0, compression = 0;  ///< compression: spgemm, else 0
  std::optional<raced_choice> choice;           ///< only with a regret
  std::vector<record> records;
  std::vector<refusal> refused;
  /// "web", or "web x P" where the right factor is not the matrix itself.
  std::string name() const;
};

struct stream_rates {
  int threads = 1;
  double copy = 0, scale = 0, add = 0, triad = 0;
};

struct device_rates {
  std::string name;
  double copy = 0, gather = 0;  ///< 0: not measured
};

struct peer_version {
  std::string name, title, version;
};

struct results {
  std::string file, date, version, commit, cpu;
  int cores = 0;
  std::vector<stream_rates> bandwidth;
  std::vector<device_rates> devices;
  std::vector<peer_version> peers;
  std::vector<raced_case> cases;
  bool same_machine(const results& other) const { return cpu == other.cpu && cores == other.cores; }
};

/// Throws error(io_failure) when the file cannot be read and error(bad_input) when it is no JSON
/// (with line and column), no file of results, of a newer version, or lacks something (with the
/// place: "cases[3].records[0].seconds.warm").
results read_results(const std::string& file);
/// The text of a file, unpacked where it is gzip. Throws error(io_failure).
std::string results_text(const std::string& file);
/// The same from text; `file` is the name in messages.
results parse_results(const std::string& text, const std::string& file);

}  // namespace gossamer::bench
