// Lists the entrants of a case.
#include <algorithm>

#include "base/text.hpp"
#include "bench/session/case.hpp"

namespace gossamer::bench {

namespace {

bool has(const std::vector<backend>& list, backend one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

backend backend_of(const std::string& kernel) {
  const std::string last = kernel.substr(kernel.rfind('/') + 1);
  for (const auto b : {backend::reference, backend::openmp, backend::cuda})
    if (name(b) == last) return b;
  return backend::openmp;
}

std::vector<std::string> own_kernels(const case_spec& what, const request& asked) {
  std::vector<std::string> ids;
  for (const auto& k : kernels()) {
    const bool named =
        std::find(asked.kernels.begin(), asked.kernels.end(), k.id) != asked.kernels.end();
    const bool wanted = asked.all_kernels && k.available && has(asked.on, backend_of(k.id));
    if ((named || wanted) && k.id.starts_with(what.operation + "/")) ids.push_back(k.id);
  }
  return ids;
}

std::string_view name(hyb_strategy split) {
  switch (split) {
    case hyb_strategy::column_limit: return "column limit";
    case hyb_strategy::imbalance_limit: return "imbalance limit";
    case hyb_strategy::imbalance_bounded: return "imbalance bounded";
    case hyb_strategy::minimal_storage: return "minimal storage";
    case hyb_strategy::automatic: return "automatic";
  }
  return "";
}

/// An entrant of HYB for each split strategy.
std::vector<entrant> with_splits(const entrant& plain) {
  std::vector<entrant> field;
  for (const auto split :
       {hyb_strategy::column_limit, hyb_strategy::imbalance_limit, hyb_strategy::imbalance_bounded,
        hyb_strategy::minimal_storage, hyb_strategy::automatic}) {
    entrant one = plain;
    one.name = formatted("{} ({})", plain.name, name(split));
    one.own.split = split;
    field.push_back(std::move(one));
  }
  return field;
}

entrant own_entrant(const case_spec& what, const request& asked, const std::string& kernel,
                    backend place, run_mode mode) {
  const int threads = place == backend::openmp ? what.threads : 1;
  const bool numeric = mode == run_mode::numeric;
  return {.name = kernel.empty() ? (place == backend::openmp ? "best" : "best/cuda") : kernel,
          .kind = kernel.empty() ? "choice" : "kernel",
          .how = numeric                      ? "multiply_fill into the same result"
                 : what.operation == "spgemm" ? "multiply, which allocates the result"
                                              : "multiply with a plan",
          .place = place,
          .threads = threads,
          .mode = mode,
          .own = {kernel, place, mode, threads, asked.expected_calls, {}}};
}

}  // namespace

std::string record_key(const std::string& contestant, run_mode mode) {
  return contestant + (mode == run_mode::numeric ? " numeric" : "");
}

std::string record_key(const json& record) {
  return record_key(
      record.at("contestant").get<std::string>(),
      record.value("mode", "whole") == "numeric" ? run_mode::numeric : run_mode::whole);
}

std::vector<entrant> entrants_for(const case_spec& what, const request& asked,
                                  const peer_set& peers) {
  std::vector<entrant> field;
  for (const auto place : asked.on)
    if (available(place)) field.push_back(own_entrant(what, asked, "", place, run_mode::whole));
  for (const auto& id : own_kernels(what, asked)) {
    const auto one = own_entrant(what, asked, id, backend_of(id), run_mode::whole);
    if (asked.hyb_splits && formats_for(id).front() == format::hyb)
      for (auto& split : with_splits(one)) field.push_back(std::move(split));
    else
      field.push_back(one);
  }
  if (what.operation == "spgemm")
    for (const auto place : asked.on)
      if (available(place)) field.push_back(own_entrant(what, asked, "", place, run_mode::numeric));
  for (const auto* peer : peers.peers) {
    const backend place = peer->backend == "cuda" ? backend::cuda : backend::openmp;
    if (!has(asked.on, place)) continue;
    for (const auto& entry : peer->entries)
      if (name(entry.product) == what.operation)
        field.push_back({.name = entry.name,
                         .kind = "peer",
                         .how = entry.how,
                         .place = place,
                         .threads = entry.threaded ? what.threads : 1,
                         .sorted = entry.sorted,
                         .keeps_zeros = entry.keeps_zeros,
                         .mode = entry.mode,
                         .of_peer = &entry});
  }
  return field;
}

}  // namespace gossamer::bench
