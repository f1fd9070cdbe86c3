// What results say: who is within which factor of the best, how the library's choice stands against
// each peer, how far from the memory's speed, and what choosing wrongly cost. Contestants are
// compared within a case only: those times were taken side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/report/phases.hpp"

namespace gossamer::bench {

enum class temperature { warm, cold };
enum class field { peers, everyone };  ///< everyone: each of our kernels, too

struct summary_request {
  std::string baseline = "best";  ///< the contestant to compare with the peers
  std::string operation, type;    ///< empty: all
  int threads = 0;                ///< 0: all
  temperature caches = temperature::warm;
  field shown = field::peers;
};

/// A contest is a group of cases with the same kind of work at the same place.
struct contest_key {
  std::string operation, type, place, mode;  ///< place: "host" or "cuda"
  int threads = 1;                           ///< 0 where they do not matter: on a device
  long long columns = 1;
  auto operator<=>(const contest_key&) const = default;
  /// "spmm, 32 columns, f64, 2 threads"
  std::string title() const;
};

struct standing {
  std::string contestant;
  record_kind kind = record_kind::peer;
  bool sorted = true;
  std::vector<double> ratios;   ///< to the best of each case; infinite where it was refused
  std::optional<double> share;  ///< of the bandwidth, geometric mean
};

/// Baseline against one opponent: ratios are its time over ours, so more than 1 is good for us.
struct duel {
  std::string against, matrix_class;  ///< class empty: all
  std::size_t cases = 0;
  double geomean = 0, worst = 0, best = 0;
  std::string worst_case, best_case;
};

struct regret_summary {
  std::size_t cases = 0;
  double geomean = 1, worst = 1;
  std::string worst_case, chosen, better;
};

struct contest {
  contest_key key;
  std::size_t cases = 0;
  std::vector<standing> standings;  ///< those within the smallest factors first
  std::vector<duel> duels;          ///< opponents by name, then the best peer, the best that sorts
  std::optional<regret_summary> regret;
  std::vector<phase_total> phases = {};  ///< of warm products, whatever is shown of kernels
};

struct refused_group {
  std::string contestant, why, example;
  bool wrong = false;
  std::size_t cases = 0;
};

/// A conversion of format, in multiples of one SpMV.
struct conversion_summary {
  std::string contestant, worst_case;
  std::size_t cases = 0;
  double geomean = 0, worst = 0;
};

struct summary {
  std::vector<contest> contests;
  std::vector<conversion_summary> conversions;  ///< they do not compete with each other
  std::vector<refused_group> refused;           ///< wrong ones first
};

summary summarise(const std::vector<results>& files, const summary_request& asked);

}  // namespace gossamer::bench
