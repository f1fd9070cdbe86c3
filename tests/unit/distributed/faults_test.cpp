// A rank that runs out of memory: all ranks end with its error. Every allocation of a build is made
// to fail once, so that no step is left where the others would wait.
#include "gossamer/generate.hpp"
#include "unit/distributed/support.hpp"

namespace gossamer::mpi {
namespace {

/// Refuses the allocation with this number, and all after it.
class failing_memory final : public memory_resource {
 public:
  explicit failing_memory(int allowed) : left_(allowed) {}
  void* allocate(std::size_t bytes) override {
    if (left_-- <= 0) throw error(error_kind::out_of_memory, "no memory, says the test");
    return host_memory()->allocate(bytes);
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    host_memory()->deallocate(data, bytes);
  }

 private:
  int left_;
};

/// Runs work(context) with 0, 1, 2, ... allocations on the last rank until it succeeds there; all
/// ranks see the same error each time.
template <class Work>
void survive_every_refusal(const communicator& ranks, Work&& work) {
  bool done = false;
  int refusals = 0;
  for (int allowed = 0; !done && allowed < 500; ++allowed) {
    const auto where = ranks.rank() == ranks.size() - 1
                           ? cpu.with_memory(std::make_shared<failing_memory>(allowed))
                           : cpu;
    try {
      work(where);
      done = true;
    } catch (const agreed_error& e) {
      EXPECT_EQ(e.kind(), error_kind::out_of_memory) << e.what();
      EXPECT_EQ(e.rank(), ranks.size() - 1) << e.what();
      ++refusals;
    }
  }
  EXPECT_TRUE(done);
  EXPECT_GT(refusals, 0);
}

TEST(Faults, BuildsEndOnAllRanks) {
  const auto ranks = communicator::world();
  const auto whole = generate::rmat<double>(cpu, 6, 4);
  const auto a = distributed(ranks, whole);
  const std::vector<int> rows = {0, 5, 9}, columns = {1, 2, 60};
  const std::vector<double> values = {1, 2, 3};
  survive_every_refusal(ranks, [&](const context& where) {
    from_triplets(where, ranks, {64, 64}, rows, columns, values, {.balance = balance::nonzeros});
  });
  survive_every_refusal(ranks, [&](const context& where) {
    redistribute(where, a, {.rows = all_on(ranks, ranks.size() - 1, 64)});
  });
  survive_every_refusal(ranks, [&](const context& where) { gather(where, a, ranks.size() - 1); });
  survive_every_refusal(ranks, [&](const context& where) { transpose(where, a); });
  survive_every_refusal(ranks, [&](const context& where) {
    scatter<double>(where, ranks, ranks.rank() == 0 ? whole.view() : csr_view<const double>{});
  });
}

TEST(Faults, PlansEndOnAllRanks) {
  const auto ranks = communicator::world();
  const auto a = distributed(ranks, generate::rmat<double>(cpu, 6, 4));
  for (const bool transposed : {false, true})
    survive_every_refusal(ranks, [&](const context& where) {
      product_plan<double>(where, a, {.transposed = transposed, .columns = 2});
    });
}

TEST(Faults, AMemoryLimitOfOneRankIsKept) {
  const auto ranks = communicator::world();
  const auto whole = generate::rmat<double>(cpu, 9, 8);
  const auto a = distributed(ranks, whole);
  const auto text = refusal_of_last(ranks, error_kind::memory_limit, [&] {
    gather(short_of_memory(ranks, 5'000), a, ranks.size() - 1);
  });
  EXPECT_NE(text.find("beyond the limit of 5 KB"), std::string::npos) << text;
}

}  // namespace
}  // namespace gossamer::mpi
