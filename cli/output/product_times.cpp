#include "cli/output/product_times.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace gossamer::cli {

json describe_times(const spent& times) {
  json all = {{"read", times.read},
              {"convert", times.convert},
              {"prepare", times.prepare},
              {"first", times.first}};
  if (!times.warm.empty())
    all["warm"] = {{"count", times.warm.size()},
                   {"min", *std::min_element(times.warm.begin(), times.warm.end())},
                   {"median", bench::median(times.warm)}};
  all["check"] = times.check;
  all["write"] = times.write;
  return all;
}

void print_times(const json& result, const spent& times) {
  print_field("read", seconds_text(times.read));
  if (times.convert > 0) print_field("convert", seconds_text(times.convert));
  const bool planned = result["planned"];
  if (planned) print_field("prepare", seconds_text(times.prepare));
  print_field(planned ? "first call" : "product", seconds_text(times.first));
  if (!times.warm.empty())
    print_field("repeated",
                formatted("{} calls, median {}, least {}", times.warm.size(),
                          seconds_text(bench::median(times.warm)),
                          seconds_text(*std::min_element(times.warm.begin(), times.warm.end()))));
  print_field("rate", formatted("{:.3g} GFLOP/s, {:.3g} GB/s", result["gflops"].get<double>(),
                                result["gbytes_per_second"].get<double>()));
}

}  // namespace gossamer::cli
