// The text of records: the same content, one line for what belongs together.
#include "bench/records/record_text.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace gossamer::bench {
namespace {

TEST(record_text, plain_lists_and_objects_of_them_are_one_line) {
  const auto records = json::parse(R"({"schema": "s/1", "threads": [1, 2], "cases": [
      {"work": {"flop": 2.0, "known": true},
       "seconds": {"first": 1, "warm": {"samples": [0.25, 1e-9, 3], "calls": 1}}, "choice": null},
      {"labels": ["a", "b"], "refused": [], "nothing": {}}]})");
  EXPECT_EQ(record_text(records), R"({
 "schema": "s/1",
 "threads": [1, 2],
 "cases": [
  {
   "work": {"flop": 2.0, "known": true},
   "seconds": {
    "first": 1,
    "warm": {"samples": [0.25, 1e-09, 3], "calls": 1}
   },
   "choice": null
  },
  {
   "labels": ["a", "b"],
   "refused": [],
   "nothing": {}
  }
 ]
}
)");
}

TEST(record_text, lists_of_lists_are_a_line_each) {
  EXPECT_EQ(record_text(json::parse("[[1, 2], [3], 4]")), "[\n [1, 2],\n [3],\n 4\n]\n");
}

TEST(record_text, what_is_read_back_is_what_was_written) {
  std::ifstream file(GOSSAMER_TEST_DATA "/bench/example.json");
  auto records = json::parse(file);
  records["a \"key\"\n"] = {0.1, 1.0 / 3, -0.0, 5e-324, 1e300, 18446744073709551615u, "\t\\ü\x01"};
  EXPECT_EQ(json::parse(record_text(records)), records);
  // Equality of JSON takes 1 for 1.0; the texts must not.
  EXPECT_EQ(json::parse(record_text(records)).dump(), records.dump());
}

TEST(record_text, bad_utf_8_is_replaced_in_values_and_keys) {
  const json records{{"cpu", "Xeon\xff"}, {"k\xfe", 1}};
  EXPECT_EQ(record_text(records), "{\"cpu\": \"Xeon\xEF\xBF\xBD\", \"k\xEF\xBF\xBD\": 1}\n");
}

TEST(record_text, a_single_value_is_itself) {
  EXPECT_EQ(record_text(json(nullptr)), "null\n");
  EXPECT_EQ(record_text(json("a")), "\"a\"\n");
}

}  // namespace
}  // namespace gossamer::bench
