// Small helpers of the io tests: matrices from text, matrices as triplets, a folder of one's own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/text.hpp"
#include "formats/entries.hpp"
#include "io/files.hpp"

namespace gossamer::testing {

template <class T>
using triplets = std::vector<std::tuple<index_t, index_t, T>>;

template <class T>
triplets<T> entries_of(const csr_matrix<T>& a) {
  triplets<T> found;
  for_each_entry(a.view(), [&](index_t i, index_t j, T value) { found.emplace_back(i, j, value); });
  return found;
}

template <class T = double>
file_matrix<T> parse_text(std::string_view text, const read_options& how = {}) {
  return io::parse<T>({text, "test.mtx"}, how);
}
template <class T = double>
csr_matrix<T> sparse_text(std::string_view text, const read_options& how = {}) {
  return std::get<csr_matrix<T>>(parse_text<T>(text, how));
}
template <class T = double>
dense_matrix<T> dense_text(std::string_view text, const read_options& how = {}) {
  return std::get<dense_matrix<T>>(parse_text<T>(text, how));
}

/// The error a call throws, as "kind: text"; empty when it throws none.
template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const error& found) {
    return std::string(name(found.kind())) + ": " + found.what();
  }
  return {};
}

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

inline void spill(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A folder that is empty at first and gone afterwards.
class own_folder : public ::testing::Test {
 protected:
  own_folder() {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              formatted("gossamer-io-{}-{}", ::getpid(), test->name());
    std::filesystem::create_directories(folder_);
  }
  ~own_folder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path in(const std::string& file) const { return folder_ / file; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_;
};

inline std::filesystem::path corpus(const std::string& file) {
  return std::filesystem::path(GOSSAMER_FUZZ_CORPUS) / file;
}

}  // namespace gossamer::testing
