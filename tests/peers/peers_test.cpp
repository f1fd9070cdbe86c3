// Every plug-in beside the command line, every entry, small problems: right answers, sorted as
// claimed, the same twice, nothing of the output left unwritten. A refusal with a text is counted
// and printed; an entry that refuses everything fails.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <set>

#include "bench/peers/peer.hpp"
#include "reference.hpp"

namespace gossamer::bench {
namespace {

/// Loaded as the command line does, with names kept local, and never unloaded.
/// Null when the library is there but cannot be used here, as without a device.
const peer* load(const std::filesystem::path& file) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, "gossamer_peer");
  if (symbol == nullptr) {
    ADD_FAILURE() << dlerror();
    return nullptr;
  }
  try {
    return &reinterpret_cast<const peer& (*)()>(symbol)();
  } catch (const std::exception& unusable) {
    std::cout << file.filename().string() << " unusable here: " << unusable.what() << '\n';
    return nullptr;
  }
}

double epsilon(value_type type) {
  return type == value_type::f32 ? std::numeric_limits<float>::epsilon()
                                 : std::numeric_limits<double>::epsilon();
}

struct trial {
  const entry& way;
  const problem_case& given;
  value_type type = value_type::f64;
  int threads = 1;
  index_t columns = 1;
};

std::string name(const trial& t) {
  return t.way.name + " " + std::string(name(t.way.product)) + " " + t.given.name + " " +
         std::string(name(t.type)) + " threads=" + std::to_string(t.threads) +
         " columns=" + std::to_string(t.columns);
}

template <class T>
std::vector<T> dense_result(contestant& racer, std::size_t size) {
  std::vector<T> result(size, std::numeric_limits<T>::quiet_NaN());
  racer.poison();
  racer.run();
  racer.answer(dense_answer{result.data()});
  return result;
}

template <class T>
void check_dense(const trial& t, race_problem problem) {
  std::vector<double> x(static_cast<std::size_t>(t.given.a.cols * t.columns));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = number_at(5, i);
  const std::vector<T> typed(x.begin(), x.end());
  const std::vector<T> untouched = typed;
  problem.x = typed.data();
  problem.columns = t.columns;

  const auto racer = t.way.make(problem);
  racer->prepare();
  const std::vector<expected> right = dense_product(t.given.a, x, t.columns);
  for (int turn = 0; turn < 2; ++turn) {
    const std::vector<T> result = dense_result<T>(*racer, right.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
      const double allowed = 2 * epsilon(t.type) * right[i].bound;
      const double off = std::fabs(static_cast<double>(result[i]) - right[i].value);
      ASSERT_TRUE(off <= allowed) << name(t) << ", turn " << turn << ": entry " << i << " is "
                                  << result[i] << ", not " << right[i].value;
    }
  }
  EXPECT_EQ(typed, untouched) << name(t) << " changed its operand";
}

void check_row(const trial& t, const sparse_answer& c, index_t row,
               const std::map<std::int32_t, expected>& right) {
  std::set<std::int32_t> seen;
  for (std::int64_t k = c.offsets[row]; k < c.offsets[row + 1]; ++k) {
    const std::int32_t column = c.columns[k];
    ASSERT_TRUE(seen.insert(column).second) << name(t) << ": column " << column << " twice";
    ASSERT_TRUE(!t.way.sorted || column == *seen.rbegin())
        << name(t) << ": row " << row << " is not sorted, but the entry says so";
    const auto found = right.find(column);
    ASSERT_NE(found, right.end()) << name(t) << ": row " << row << " column " << column;
    const double off = std::fabs(c.values[k] - found->second.value);
    ASSERT_TRUE(off <= 2 * epsilon(t.type) * found->second.bound)
        << name(t) << ": row " << row << " column " << column << " is " << c.values[k] << ", not "
        << found->second.value;
  }
  EXPECT_EQ(seen.size(), right.size()) << name(t) << ": entries in row " << row;
}

void check_sparse(const trial& t, const race_problem& problem) {
  const auto racer = t.way.make(problem);
  racer->prepare();
  const auto right = sparse_product(t.given.a, t.given.b);
  for (int turn = 0; turn < 2; ++turn) {
    racer->run();
    sparse_answer c;
    racer->answer(c);
    racer->forget();
    ASSERT_EQ(c.offsets.size(), right.size() + 1) << name(t);
    ASSERT_EQ(c.offsets.front(), 0) << name(t);
    ASSERT_EQ(c.columns.size(), static_cast<std::size_t>(c.offsets.back())) << name(t);
    ASSERT_EQ(c.values.size(), c.columns.size()) << name(t);
    for (std::size_t row = 0; row < right.size(); ++row) {
      check_row(t, c, static_cast<index_t>(row), right[row]);
      if (testing::Test::HasFailure()) return;
    }
  }
}

void check(const trial& t) {
  race_problem problem{.product = t.way.product, .type = t.type, .threads = t.threads};
  problem.a = t.given.a.arrays(t.type);
  if (t.way.product == operation::spgemm) {
    problem.b = t.given.b.arrays(t.type);
    const matrix before = t.given.a;
    check_sparse(t, problem);
    EXPECT_EQ(before.columns, t.given.a.columns) << name(t) << " changed its operand";
    EXPECT_EQ(before.doubles, t.given.a.doubles) << name(t) << " changed its operand";
  } else if (t.type == value_type::f32) {
    check_dense<float>(t, problem);
  } else {
    check_dense<double>(t, problem);
  }
}

void check_entry(const entry& way) {
  int right = 0;
  std::map<std::string, std::vector<std::string>> refusals;
  const std::vector<index_t> widths =
      way.product == operation::spmm ? std::vector<index_t>{1, 3, 16} : std::vector<index_t>{1};
  for (const problem_case& given : problem_cases()) {
    for (const value_type type : {value_type::f32, value_type::f64}) {
      for (const int threads : {1, 2}) {
        for (const index_t columns : widths) {
          const trial one{way, given, type, threads, columns};
          try {
            check(one);
            ++right;
          } catch (const std::exception& refusal) {
            refusals[refusal.what()].push_back(name(one));
          }
        }
      }
    }
  }
  std::cout << "  " << way.name << ' ' << name(way.product) << ": " << right << " problems\n";
  for (const auto& [why, trials] : refusals) {
    std::cout << "    refused " << trials.size() << ", first " << trials[0] << ": " << why << '\n';
    EXPECT_GT(why.size(), std::size_t{10}) << "a refusal gives its reason";
  }
  EXPECT_GT(right, 0) << way.name << " refuses everything";
}

TEST(Peers, EveryPlugInAnswersRight) {
  int loaded = 0;
  for (const auto& file : std::filesystem::directory_iterator(GOSSAMER_PEER_DIR)) {
    if (!file.path().filename().string().starts_with("gossamer_peer_")) continue;
    const peer* const found = load(file.path());
    if (found == nullptr) continue;
    ++loaded;
    std::cout << found->name << ' ' << found->version << " (" << found->backend << ")\n";
    EXPECT_EQ(found->interface, peer_interface);
    EXPECT_FALSE(found->version.empty());
    for (const entry& way : found->entries) {
      EXPECT_TRUE(way.name.starts_with(found->name + "/")) << way.name;
      EXPECT_FALSE(way.how.empty()) << way.name;
      check_entry(way);
    }
  }
  std::cout << loaded << " peers loaded\n";
}

TEST(Peers, ThoseNotBuiltGiveTheReason) {
  std::ifstream list(std::filesystem::path(GOSSAMER_PEER_DIR) / "missing.txt");
  ASSERT_TRUE(list) << "missing.txt stands beside the plug-ins, empty or not";
  for (std::string line; std::getline(list, line);) {
    const auto tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos) << line;
    EXPECT_GT(line.size(), tab + 1) << line;
    std::cout << "  skipped " << line.substr(0, tab) << ": " << line.substr(tab + 1) << '\n';
  }
}

}  // namespace
}  // namespace gossamer::bench
