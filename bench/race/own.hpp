// Gossamer's own kernels as contestants.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bench/peers/peer.hpp"
#include "bench/race/contestant.hpp"
#include "bench/subjects/product.hpp"

namespace gossamer::bench {

struct own_entry {
  std::string kernel;  ///< its id; "" is the library's choice
  gossamer::backend backend = gossamer::backend::openmp;
  run_mode mode = run_mode::whole;
  int threads = 1;
  index_t expected_calls = 1;
  std::optional<hyb_strategy> split;  ///< split of HYB; none: the library's default
};

/// Facts about one of our contestants in a record, beyond its times.
struct own_facts {
  explanation why;
  format held_as = format::csr;
  double convert_seconds = 0;
};

class own_contestant : public contestant {
 public:
  virtual own_facts facts() const = 0;
  virtual double prepare_seconds() const = 0;
  /// The phases of a warm product that is run for this purpose, where the kernel measures them;
  /// whole sparse products only.
  virtual std::vector<phase> phases() = 0;
};

/// Borrows the factors. Kernels of other formats than CSR get A converted, in prepare().
template <scalar T>
std::unique_ptr<own_contestant> make_own(const own_entry& entry, const factors<T>& of);

/// The formats in which a kernel is tried, in this order. Kernels for any format run on CSR, or
/// else (those that scatter) on CSC.
std::vector<format> formats_for(const std::string& kernel);

}  // namespace gossamer::bench
