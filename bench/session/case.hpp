// Runs one case and writes its record.
#pragma once

#include "bench/race/own.hpp"
#include "bench/session/session.hpp"

namespace gossamer::bench {

/// An entrant is a candidate for a case: a name that is unique together with its mode, and how to
/// construct its contestant.
struct entrant {
  std::string name;
  std::string kind;  ///< kernel, choice or peer
  std::string how;
  backend place = backend::openmp;
  int threads = 1;
  bool sorted = true, keeps_zeros = true;
  run_mode mode = run_mode::whole;
  const entry* of_peer = nullptr;  ///< peers
  own_entry own = {};              ///< ours
};
std::vector<entrant> entrants_for(const case_spec&, const request&, const peer_set&);

/// Contestant and mode: what identifies a record within a case.
std::string record_key(const std::string& contestant, run_mode mode);
std::string record_key(const json& record);

template <scalar T>
json run_case(const case_spec&, const factors<T>& of, const std::vector<entrant>& field,
              const request&, const json& context, world&, session_watch&);

/// Conversions between all pairs of formats, in multiples of one SpMV.
template <scalar T>
json run_conversions(const case_spec&, const factors<T>& of, const request&, const json& context,
                     world&, session_watch&);

/// The parts of a case's record that both kinds of cases share.
template <scalar T>
json describe_case(const case_spec&, const factors<T>& of);
json describe_series(const series&, record_detail);
json describe_phases(const std::vector<phase>&);

}  // namespace gossamer::bench
