// Who takes part, and how a wrong result is kept out.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/session/case.hpp"
#include "quick_world.hpp"

namespace gossamer::bench {
namespace {

// A peer that multiplies correctly, one that forgets a row, one that does not sort, one that fails.
template <int Fault>
class made_up final : public contestant {
 public:
  explicit made_up(const race_problem& p) : problem(p), y(static_cast<std::size_t>(p.a.rows)) {}
  void poison() override { std::fill(y.begin(), y.end(), std::nan("")); }
  void run() override {
    if constexpr (Fault == 2) throw std::runtime_error("out of patience");
    const auto* values = static_cast<const double*>(problem.a.values);
    const auto* x = static_cast<const double*>(problem.x);
    for (index_t i = Fault; i < problem.a.rows; ++i) {
      double sum = 0;
      for (auto k = problem.a.offsets[i]; k < problem.a.offsets[i + 1]; ++k)
        sum += values[k] * x[problem.a.columns[k]];
      y[static_cast<std::size_t>(i)] = sum;
    }
  }
  void answer(const dense_answer& into) override {
    std::copy(y.begin(), y.end(), static_cast<double*>(into.values));
  }

 private:
  race_problem problem;
  std::vector<double> y;
};

template <int Fault>
std::unique_ptr<contestant> make(const race_problem& p) {
  return std::make_unique<made_up<Fault>>(p);
}

class unsorted final : public contestant {
 public:
  explicit unsorted(const race_problem&) {}
  void run() override {}
  void answer(sparse_answer& into) override {
    into.offsets = {0, 2, 4};
    into.columns = {1, 0, 0, 1};  // the first row descends
    into.values = {2, 1, 1, 2};
  }
};

const subject small{.name = "small", .source = "poisson2d:nx=8,ny=8"};
const json no_context = {{"bandwidth", json::array()}, {"devices", json::array()}};

request quick() {
  request asked;
  asked.threads = {1};
  asked.by = {.least_rounds = 1, .most_rounds = 1, .cold_rounds = 1, .sample_seconds = 1e-6};
  return asked;
}

TEST(entrants, by_backend_kernel_and_peer) {
  const peer host{.name = "host",
                  .backend = "openmp",
                  .entries = {{.name = "host/a", .product = operation::spmv, .make = make<0>},
                              {.name = "host/b", .product = operation::spmm, .make = make<0>}}};
  const peer device{.name = "device",
                    .backend = "cuda",
                    .entries = {{.name = "device/a", .product = operation::spmv, .make = make<0>}}};
  const peer_set both{.peers = {&host, &device}};
  request asked = quick();
  const case_spec what{.on = &small, .operation = "spmv", .threads = 2};
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& one : entrants_for(what, asked, both)) found.push_back(one.name);
    return found;
  };
  EXPECT_EQ(names(), (std::vector<std::string>{"best", "host/a"}));
  asked.kernels = {"spmv/csr/merge/openmp"};
  EXPECT_EQ(names(), (std::vector<std::string>{"best", "spmv/csr/merge/openmp", "host/a"}));
  asked.kernels.clear();
  asked.all_kernels = true;
  const auto known = kernels();
  EXPECT_EQ(std::ranges::count_if(names(), [](auto& n) { return n.ends_with("/openmp"); }),
            std::ranges::count_if(known, [](auto& k) {
              return k.id.starts_with("spmv/") && k.id.ends_with("/openmp");
            }));
}

TEST(entrants, hyb_once_with_each_split) {
  request asked = quick();
  asked.kernels = {"spmv/coo/segments/openmp", "spmv/hyb/split/openmp"};
  asked.hyb_splits = true;
  const case_spec what{.on = &small, .operation = "spmv"};
  std::vector<std::string> names;
  std::set<hyb_strategy> splits;
  for (const auto& one : entrants_for(what, asked, {})) {
    names.push_back(one.name);
    if (one.own.split) splits.insert(*one.own.split);
  }
  EXPECT_EQ(names.size(), 7U);  // the choice, COO, HYB five times
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(names[1], "spmv/coo/segments/openmp");
  EXPECT_EQ(names[2], "spmv/hyb/split/openmp (column limit)");
  EXPECT_EQ(splits.size(), 5U);
}

TEST(admission, only_right_results_are_timed) {
  const peer liars{
      .name = "liars",
      .backend = "openmp",
      .entries = {{.name = "liars/right", .product = operation::spmv, .make = make<0>},
                  {.name = "liars/lazy", .product = operation::spmv, .make = make<1>},
                  {.name = "liars/fails", .product = operation::spmv, .make = make<2>}}};
  const request asked = quick();
  const case_spec what{.on = &small, .operation = "spmv"};
  load_watch nobody;
  session_watch silent;
  quick_world here;
  const auto of = load_factors<double>(small, operation::spmv, {}, nobody);
  const auto field = entrants_for(what, asked, {.peers = {&liars}});
  const json result = run_case<double>(what, of, field, asked, no_context, here, silent);
  ASSERT_EQ(result["records"].size(), 2);
  EXPECT_EQ(result["records"][1]["contestant"], "liars/right");
  ASSERT_EQ(result["refused"].size(), 2);
  EXPECT_EQ(result["refused"][0]["contestant"], "liars/lazy");
  EXPECT_TRUE(result["refused"][0]["wrong"].get<bool>()) << "a row that nobody wrote is seen";
  EXPECT_EQ(result["refused"][1]["why"], "out of patience");
  EXPECT_FALSE(result["refused"][1]["wrong"].get<bool>());
}

TEST(admission, who_claims_to_sort_must_sort) {
  const auto maker = [](const race_problem& p) -> std::unique_ptr<contestant> {
    return std::make_unique<unsorted>(p);
  };
  const peer pair{
      .name = "pair",
      .backend = "openmp",
      .entries = {
          {.name = "pair/honest", .product = operation::spgemm, .sorted = false, .make = maker},
          {.name = "pair/boaster", .product = operation::spgemm, .make = maker}}};
  const std::vector<std::int32_t> offsets{0, 2, 4}, columns{0, 1, 0, 1};
  const std::vector<double> values{1, 2, 1, 2}, unit{1, 1};
  const std::vector<std::int32_t> diagonal_offsets{0, 1, 2}, diagonal{0, 1};
  factors<double> of;
  of.product = operation::spgemm;
  of.a = csr_matrix<double>({2, 2}, index_buffer(std::span<const std::int32_t>(offsets)),
                            index_buffer(std::span<const std::int32_t>(columns)),
                            buffer<double>(std::span<const double>(values)));
  of.b = csr_matrix<double>({2, 2}, index_buffer(std::span<const std::int32_t>(diagonal_offsets)),
                            index_buffer(std::span<const std::int32_t>(diagonal)),
                            buffer<double>(std::span<const double>(unit)));
  const request asked = quick();
  const case_spec what{.on = &small, .operation = "spgemm"};
  session_watch silent;
  quick_world here;
  auto field = entrants_for(what, asked, {.peers = {&pair}});
  const json result = run_case<double>(what, of, field, asked, no_context, here, silent);
  ASSERT_EQ(result["refused"].size(), 1);
  EXPECT_EQ(result["refused"][0]["contestant"], "pair/boaster");
  EXPECT_FALSE(result["records"].back()["sorted"].get<bool>());
}

}  // namespace
}  // namespace gossamer::bench
