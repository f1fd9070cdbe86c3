#include "bench/records/rates.hpp"

#include <string>

namespace gossamer::bench {

double bandwidth_for(const json& context, std::string_view backend, int threads) {
  if (backend == "cuda") {
    const auto devices = context.find("devices");
    if (devices == context.end() || devices->empty()) return 0;
    return devices->front().value("copy", 0.0);
  }
  double nearest = 0;
  for (const auto& one : context.at("bandwidth"))
    if (nearest == 0 || one.at("threads").get<int>() <= threads) nearest = one.at("triad");
  return nearest;
}

void add_rates(json& record, const json& work, const json& context) {
  const double median = record.at("seconds").at("warm").at("median");
  // A conversion writes about as much as it reads.
  const double passes = record.at("kind") == "conversion" ? 2 : 1;
  const double rate = passes * work.at("bytes").get<double>() / median;
  const double bandwidth = bandwidth_for(context, record.at("backend").get<std::string>(),
                                         record.at("threads").get<int>());
  record["gflops"] = work.at("flop").get<double>() / median / 1e9;
  record["gbytes_per_second"] = rate / 1e9;
  record["bandwidth_share"] = bandwidth > 0 ? json(rate / bandwidth) : json(nullptr);
}

}  // namespace gossamer::bench
