// A memory source with a limit: exact to the byte, nothing lost when it or its source refuses.
#include "base/limited_memory.hpp"

#include "unit/refusal.hpp"

namespace gossamer {
namespace {

TEST(LimitedMemory, AllowsTheLimitAndNotOneByteMore) {
  const auto memory = std::make_shared<limited_memory>(host_memory(), 1000);
  EXPECT_EQ(memory->where(), memory::host);
  {
    const buffer<char> first(600, memory), second(400, memory);
    EXPECT_EQ(memory->held(), 1000);
    const auto text = refusal(error_kind::memory_limit, [&] { buffer<char>(1, memory); });
    EXPECT_NE(text.find("more than 1001 bytes"), std::string::npos) << text;
    EXPECT_EQ(memory->held(), 1000);
  }
  EXPECT_EQ(memory->held(), 0);
  EXPECT_NO_THROW(buffer<char>(1000, memory));
  EXPECT_THROW(buffer<char>(1001, memory), error);
  EXPECT_EQ(memory->held(), 0);
}

class refusing_memory final : public memory_resource {
 public:
  void* allocate(std::size_t) override { throw error(error_kind::out_of_memory, "none"); }
  void deallocate(void*, std::size_t) noexcept override {}
};

TEST(LimitedMemory, ForgetsWhatItsSourceRefused) {
  const auto memory = std::make_shared<limited_memory>(std::make_shared<refusing_memory>(), 1000);
  refusal(error_kind::out_of_memory, [&] { buffer<char>(10, memory); });
  EXPECT_EQ(memory->held(), 0);
}

TEST(LimitedMemory, PassesBytesThrough) {
  const auto memory = std::make_shared<limited_memory>(host_memory(), 64);
  buffer<unsigned char> some(64, memory);
  some.set(7);
  EXPECT_EQ(some[63], 7);
}

}  // namespace
}  // namespace gossamer
