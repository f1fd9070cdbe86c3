// A peer is a library that users could pick instead of Gossamer. Each is a plug-in of one file,
// bench/peers/<name>.cpp, built when CMake finds the library and loaded when a race asks for it:
// the command line itself depends on none of them. docs/guide/benchmarking.md says how to add one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/race/contestant.hpp"

namespace gossamer::bench {

/// Raised whenever this header or contestant.hpp changes; a plug-in of another version is not used.
inline constexpr int peer_interface = 3;

/// What one run() computes: the product from the operands as given (dense products: after prepare),
/// or only the numeric phase of a sparse product whose structure prepare() found.
enum class run_mode { whole, numeric };

/// One variant of a product in a peer.
struct entry {
  std::string name;  ///< "<peer>/<variant>", lower case: "graphblas/jumbled"
  operation product = operation::spmv;
  std::string how;          ///< the library calls it makes, one line, for people
  bool sorted = true;       ///< sparse results: columns ascend within rows
  bool keeps_zeros = true;  ///< sparse results: nonzeros that cancel to zero are kept
  bool threaded = true;     ///< false: one thread, whatever the problem says
  run_mode mode = run_mode::whole;
  /// Constructs the contestant; throws std::exception with the reason when it cannot run this
  /// problem.
  std::unique_ptr<contestant> (*make)(const race_problem&) = nullptr;
};

struct peer {
  int interface = peer_interface;
  std::string name;     ///< "graphblas"
  std::string title;    ///< "SuiteSparse:GraphBLAS"
  std::string version;  ///< of the library at run time where it tells, else of its headers
  std::string backend;  ///< "openmp" for hosts, "cuda"
  std::vector<entry> entries;
};

}  // namespace gossamer::bench

/// The one symbol of a plug-in. Called once; the peer lives as long as the process. Throws
/// std::exception when the library is there but cannot be used (no device).
extern "C" __attribute__((visibility("default"))) const gossamer::bench::peer& gossamer_peer();
