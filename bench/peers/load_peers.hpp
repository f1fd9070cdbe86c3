// Finding and loading the peers' plug-ins.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/peers/peer.hpp"

namespace gossamer::bench {

struct absent_peer {
  std::string name, why;
};

/// The requested peers, loaded; and those that are not available, with the reason.
struct peer_set {
  std::vector<const peer*> peers;
  std::vector<absent_peer> absent;
};

/// Folders searched for plug-ins: $GOSSAMER_PEERS, or next to the program (build tree,
/// installation).
std::vector<std::filesystem::path> peer_folders();

/// Names of all plug-ins found, and of those that were left out when this was built.
std::vector<std::string> known_peers();

/// `wanted` are names; "all" means every known one. Throws error(bad_argument) on an unknown name.
/// Loading a plug-in starts the library behind it.
peer_set load_peers(const std::vector<std::string>& wanted);

}  // namespace gossamer::bench
