#include "bench/peers/load_peers.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "base/text.hpp"
#include "bench/records/build_facts.hpp"

namespace gossamer::bench {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view prefix = "gossamer_peer_";

std::map<std::string, fs::path> plug_ins() {
  std::map<std::string, fs::path> found;
  for (const auto& folder : peer_folders()) {
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(folder, ignored)) {
      const std::string stem = file.path().stem().string();
      if (stem.starts_with(prefix) && file.path().extension() == ".so")
        found.emplace(stem.substr(prefix.size()), file.path());
    }
  }
  return found;
}

/// missing.txt, written when the plug-ins were built: "name<tab>why" lines.
std::map<std::string, std::string> left_out() {
  std::map<std::string, std::string> missing;
  for (const auto& folder : peer_folders()) {
    std::ifstream list(folder / "missing.txt");
    for (std::string line; std::getline(list, line);)
      if (const auto tab = line.find('\t'); tab != std::string::npos)
        missing.emplace(line.substr(0, tab), line.substr(tab + 1));
  }
  return missing;
}

const peer& load(const fs::path& file) {
  // Never closed: libraries with threads of their own do not survive it.
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw fail(error_kind::not_available, "cannot be loaded: {}", dlerror());
  using entrance = const peer& (*)();
  const auto enter = reinterpret_cast<entrance>(dlsym(handle, "gossamer_peer"));
  if (!enter) throw fail(error_kind::not_available, "{} is not a peer", file.string());
  const peer& loaded = enter();
  if (loaded.interface != peer_interface)
    throw fail(error_kind::not_available, "{} was built for interface {}, this program has {}",
               file.string(), loaded.interface, peer_interface);
  return loaded;
}

}  // namespace

std::vector<fs::path> peer_folders() {
  if (const char* told = std::getenv("GOSSAMER_PEERS")) return {fs::path(told)};
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return {program / ".." / "peers", program / build_facts().peers_when_installed};
}

std::vector<std::string> known_peers() {
  std::vector<std::string> names;
  for (const auto& [name, file] : plug_ins()) names.push_back(name);
  for (const auto& [name, why] : left_out())
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

peer_set load_peers(const std::vector<std::string>& wanted) {
  const auto known = known_peers();
  const bool all = std::find(wanted.begin(), wanted.end(), "all") != wanted.end();
  for (const auto& name : wanted)
    if (name != "all" && std::find(known.begin(), known.end(), name) == known.end())
      throw fail(error_kind::bad_argument, "no peer is called '{}'; known here: {}", name,
                 known.empty() ? "none (no plug-ins next to this program)" : joined(known, ", "));
  const auto files = plug_ins();
  const auto missing = left_out();
  peer_set set;
  for (const auto& name : all ? known : wanted) {
    const auto file = files.find(name);
    if (file == files.end()) {
      set.absent.push_back({name, missing.at(name)});
      continue;
    }
    try {
      set.peers.push_back(&load(file->second));
    } catch (const std::exception& e) {
      set.absent.push_back({name, e.what()});
    }
  }
  return set;
}

}  // namespace gossamer::bench
