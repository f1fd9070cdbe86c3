// Numbers as files of results hold them: rounded to what a measurement is worth, times in
// microseconds.
#pragma once

#include "bench/records/json.hpp"

namespace gossamer::bench {

/// Digits that are kept. Tables and charts are printed from medians; the rest is compared with a
/// threshold of some per cent, or looked at.
inline constexpr int median_digits = 7, time_digits = 4;

/// Rounds every number in `value`, at any depth, that is not whole; null and text stay. What is
/// whole then is an integer, and written as one.
json rounded(const json& value, int digits);

/// Seconds to rounded microseconds and back; null stays null.
json microseconds(const json& seconds, int digits);
json seconds_of_microseconds(const json& value);

/// The names of the values of a packed timing, in order.
const json& timing_fields();

/// {"median", "count", ...} in seconds to [median, count, calls, min, high, low, q1, q3] in
/// microseconds. One sample is [median, 1, calls]; with three or fewer, the last three follow from
/// the others and are left out. null stays null.
json pack_timing(const json& timing);
json unpack_timing(const json& packed);

}  // namespace gossamer::bench
