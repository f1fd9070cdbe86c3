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

  void add(int index, int level, const std::string& type, const std::string& size,
           const std::string& sharers = "0") {
    const auto cache = folder / ("index" + std::to_string(index));
    std::filesystem::create_directory(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "type") << type << '\n';
    std::ofstream(cache / "size") << size << '\n';
    std::ofstream(cache / "shared_cpu_list") << sharers << '\n';
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("gossamer_caches_" + std::to_string(getpid()));
};

TEST_F(cache_files, DataAndUnifiedCachesAreFoundByLevel) {
  add(0, 1, "Instruction", "32K");
  add(1, 1, "Data", "64K");
  add(2, 2, "Unified", "1024K");
  add(3, 3, "Unified", "114M", "0-7,64-71");
  EXPECT_EQ(cache_of(folder, 1).bytes, 64 << 10);
  EXPECT_EQ(cache_of(folder, 1).cores, 1);
  EXPECT_EQ(cache_of(folder, 2).bytes, 1 << 20);
  EXPECT_EQ(cache_of(folder, 3).bytes, 114 << 20);
  EXPECT_EQ(cache_of(folder, 3).cores, 16);
}

TEST_F(cache_files, WhatTheFilesDoNotSayIsZero) {
  EXPECT_EQ(cache_of(folder, 1).bytes, 0);
  EXPECT_EQ(cache_of(folder / "missing", 1).bytes, 0);
  add(0, 1, "Data", "unknown");
  add(1, 2, "Unified", "1024");
  EXPECT_EQ(cache_of(folder, 1).bytes, 0);
  EXPECT_EQ(cache_of(folder, 2).bytes, 0);
  EXPECT_EQ(cache_of(folder, 3).bytes, 0);
}

TEST(Processor, ListsOfProcessorsAreCounted) {
  EXPECT_EQ(count_processors("0"), 1);
  EXPECT_EQ(count_processors("0-3"), 4);
  EXPECT_EQ(count_processors("0-3,8,10-11"), 7);
  for (const char* wrong : {"", "x", "3-1", "1-", "1;2"})
    EXPECT_EQ(count_processors(wrong), 0) << wrong;
}

TEST(Processor, AHypervisorShowsInTheFlags) {
  const auto asked = [](const char* text) {
    std::istringstream cpuinfo(text);
    return is_virtual(cpuinfo);
  };
  EXPECT_TRUE(asked("model name\t: X\nflags\t\t: fpu sse hypervisor avx\n"));
  EXPECT_TRUE(asked("flags\t\t: fpu hypervisor\n"));
  EXPECT_FALSE(asked("flags\t\t: fpu hypervisorless avx\n"));
  EXPECT_FALSE(asked("model name\t: hypervisor \n"));
}

TEST(Processor, AVirtualMachineDoesNotGetTheWholeCacheOfItsHost) {
  constexpr index_t mib = 1 << 20;
  EXPECT_EQ(usable_cache({260 * mib, 2}, true), 64 * mib);
  EXPECT_EQ(usable_cache({260 * mib, 2}, false), 260 * mib);  // a real one, of few cores
  EXPECT_EQ(usable_cache({32 * mib, 8}, true), 32 * mib);
  EXPECT_EQ(usable_cache({96 * mib, 16}, true), 96 * mib);
}

}  // namespace
}  // namespace gossamer
