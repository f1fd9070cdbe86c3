#include "base/processor.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace gossamer {
namespace {

std::string name_in(const std::string& text) {
  std::istringstream cpuinfo(text);
  return processor_name(cpuinfo);
}

TEST(Processor, ItsNameIsTheFirstModelName) {
  EXPECT_EQ(name_in("processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9B14\nprocessor\t: 1\n"
                    "model name\t: another\n"),
            "AMD EPYC 9B14");
  EXPECT_EQ(name_in(""), "unknown CPU");
  EXPECT_EQ(name_in("model name\t:\n"), "unknown CPU");
}

TEST(Processor, AnArmIsNamedByItsNumbers) {
  EXPECT_EQ(name_in("processor\t: 0\nBogoMIPS\t: 2000.00\nCPU implementer\t: 0x41\n"
                    "CPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\n"),
            "Arm CPU, implementer 0x41, part 0xd4f");
}

class cache_files : public testing::Test {
 protected:
  cache_files() { std::filesystem::create_directories(folder); }
  ~cache_files() override { std::filesystem::remove_all(folder); }

  void add(int index, int level, const std::string& type, const std::string& size) {
    const auto cache = folder / ("index" + std::to_string(index));
    std::filesystem::create_directory(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "type") << type << '\n';
    std::ofstream(cache / "size") << size << '\n';
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("gossamer_caches_" + std::to_string(getpid()));
};

TEST_F(cache_files, DataAndUnifiedCachesAreFoundByLevel) {
  add(0, 1, "Instruction", "32K");
  add(1, 1, "Data", "64K");
  add(2, 2, "Unified", "1024K");
  add(3, 3, "Unified", "114M");
  EXPECT_EQ(cache_bytes(folder, 1), 64 << 10);
  EXPECT_EQ(cache_bytes(folder, 2), 1 << 20);
  EXPECT_EQ(cache_bytes(folder, 3), 114 << 20);
}

TEST_F(cache_files, WhatTheFilesDoNotSayIsZero) {
  EXPECT_EQ(cache_bytes(folder, 1), 0);
  EXPECT_EQ(cache_bytes(folder / "missing", 1), 0);
  add(0, 1, "Data", "unknown");
  add(1, 2, "Unified", "1024");
  EXPECT_EQ(cache_bytes(folder, 1), 0);
  EXPECT_EQ(cache_bytes(folder, 2), 0);
  EXPECT_EQ(cache_bytes(folder, 3), 0);
}

}  // namespace
}  // namespace gossamer
