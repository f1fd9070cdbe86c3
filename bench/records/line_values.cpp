#include "bench/records/line_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace gossamer::bench {

namespace {

constexpr double per_second = 1e6;
constexpr int few_samples = 3;  // low is the least, and quartiles lie halfway to the median

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 0x1p53; }

json rounded_number(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  if (is_whole(value)) return static_cast<std::int64_t>(value);
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1);
  double nearest = 0;
  std::from_chars(text, end.ptr, nearest);
  return is_whole(nearest) ? json(static_cast<std::int64_t>(nearest)) : json(nearest);
}

}  // namespace

json rounded(const json& value, int digits) {
  if (value.is_number_float()) return rounded_number(value.get<double>(), digits);
  if (!value.is_structured()) return value;
  json all = value;
  for (auto& part : all) part = rounded(part, digits);
  return all;
}

json microseconds(const json& seconds, int digits) {
  return seconds.is_null() ? json(nullptr)
                           : rounded_number(seconds.get<double>() * per_second, digits);
}

json seconds_of_microseconds(const json& value) {
  return value.is_null() ? json(nullptr) : json(value.get<double>() / per_second);
}

const json& timing_fields() {
  static const json names{"median", "count", "calls_per_sample", "min", "high", "low", "q1", "q3"};
  return names;
}

json pack_timing(const json& timing) {
  if (timing.is_null()) return nullptr;
  const int count = timing.at("count");
  const std::size_t kept = count == 1 ? 3 : count <= few_samples ? 5 : timing_fields().size();
  json packed = json::array();
  for (std::size_t k = 0; k < kept; ++k) {
    const json& value = timing.at(timing_fields()[k].get<std::string>());
    packed.push_back(k == 1 || k == 2 ? value
                                      : microseconds(value, k == 0 ? median_digits : time_digits));
  }
  return packed;
}

json unpack_timing(const json& packed) {
  if (!packed.is_array() || packed.size() > timing_fields().size())
    throw std::runtime_error("a timing should be a list of 3, 5 or 8 numbers");
  json values = json::object();
  for (std::size_t k = 0; k < packed.size(); ++k)
    values[timing_fields()[k].get<std::string>()] =
        k == 1 || k == 2 ? packed[k] : seconds_of_microseconds(packed[k]);
  // The median has more digits than its neighbours: rounding must not move them past it.
  const double median = values.at("median");
  const double min = std::min(values.value("min", median), median);
  const double high = std::max(values.value("high", median), median);
  const double low = std::min(values.value("low", min), median);
  const double q1 = std::min(values.value("q1", (min + median) / 2), median);
  const double q3 = std::max(values.value("q3", (median + high) / 2), median);
  return {{"median", median},
          {"min", min},
          {"low", low},
          {"q1", q1},
          {"q3", q3},
          {"high", high},
          {"count", values.at("count")},
          {"calls_per_sample", values.at("calls_per_sample")},
          {"spread", (high - low) / 2 / median},
          {"disturbed", 0}};
}

}  // namespace gossamer::bench
