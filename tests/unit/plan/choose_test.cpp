// The chooser is a pure function: fake kernels, a fake machine, no hardware.
#include <gtest/gtest.h>

#include "gossamer/error.hpp"
#include "kernels/catalog.hpp"
#include "plan/kernel.hpp"

namespace gossamer {
namespace {

template <int Microseconds, int PrepareMicroseconds = 0, index_t Bytes = 0>
verdict takes(const problem&, const machine&) {
  return {.possible = true,
          .prepare_seconds = PrepareMicroseconds * 1e-6,
          .run_seconds = Microseconds * 1e-6,
          .bytes = Bytes,
          .because = "it says so"};
}
verdict refuses(const problem&, const machine&) { return {.because = "it is Tuesday"}; }

constexpr kernel slow{.id = "spmv/csr/slow/openmp", .deterministic = true, .consider = takes<50>};
constexpr kernel fast{.id = "spmv/csr/fast/openmp", .deterministic = false, .consider = takes<10>};
constexpr kernel patient{
    .id = "spmv/csr/patient/openmp", .deterministic = true, .consider = takes<5, 1000, 4000>};
constexpr kernel picky{.id = "spmv/csr/picky/openmp", .deterministic = true, .consider = refuses};
constexpr kernel elsewhere{.id = "spmv/csr/fast/cuda", .deterministic = true, .consider = takes<1>};
constexpr kernel gpu_only{.id = "spmv/csr/warps/cuda", .deterministic = true, .consider = takes<1>};
constexpr kernel other_operation{
    .id = "spmm/csr/quick/openmp", .deterministic = true, .consider = takes<1>};

constexpr const kernel* fakes[] = {&slow,      &fast,     &patient,        &picky,
                                   &elsewhere, &gpu_only, &other_operation};

std::string_view chosen(const options& how, backend where = backend::openmp) {
  problem p;
  p.backend = where;
  p.options = how;
  return choose(p, machine{}, fakes).chosen->id;
}

error failure(const options& how, catalogue kernels = fakes) {
  problem p;
  p.options = how;
  try {
    choose(p, machine{}, kernels);
  } catch (const error& e) {
    return e;
  }
  throw std::logic_error("something was chosen");
}

bool mentions(const error& e, std::string_view text) {
  return std::string_view(e.what()).find(text) != std::string_view::npos;
}

TEST(Choose, TakesTheLeastTime) { EXPECT_EQ(chosen({}), fast.id); }

TEST(Choose, StaysOnTheContextsBackend) { EXPECT_EQ(chosen({}, backend::cuda), elsewhere.id); }

TEST(Choose, WeighsPreparationAgainstExpectedCalls) {
  EXPECT_EQ(chosen({.expected_calls = 100}), fast.id);      // 10 us against 10 + 5
  EXPECT_EQ(chosen({.expected_calls = 1000}), patient.id);  // 10 us against 1 + 5
}

TEST(Choose, DeterministicLeavesOthersOut) { EXPECT_EQ(chosen({.deterministic = true}), slow.id); }

TEST(Choose, ByAlgorithmOrById) {
  EXPECT_EQ(chosen({.algorithm = "slow"}), slow.id);
  EXPECT_EQ(chosen({.algorithm = "spmv/csr/patient/openmp"}), patient.id);
}

TEST(Choose, MemoryLimitLeavesOutWhatDoesNotFit) {
  EXPECT_EQ(chosen({.memory_limit = 4000, .expected_calls = 1000}), patient.id);
  EXPECT_EQ(chosen({.memory_limit = 3999, .expected_calls = 1000}), fast.id);
  const auto e = failure({.algorithm = "patient", .memory_limit = 3999});
  EXPECT_EQ(e.kind(), error_kind::memory_limit);
  EXPECT_TRUE(mentions(e, "4 KB")) << e.what();
}

TEST(Choose, TakesTheSameKernelWhenNobodyReadsTheReasons) {
  problem p;
  p.explained = false;
  for (const index_t calls : {1, 1000}) {
    p.options = {.expected_calls = calls};
    const auto choice = choose(p, machine{}, fakes);
    EXPECT_EQ(choice.chosen->id, chosen(p.options));
    EXPECT_TRUE(choice.why.all.empty());
  }
  p.options = {.algorithm = "picky"};
  try {
    choose(p, machine{}, fakes);
    FAIL() << "something was chosen";
  } catch (const error& e) {
    EXPECT_TRUE(mentions(e, "it is Tuesday")) << e.what();  // an error is read
  }
}

TEST(Choose, AnUnknownNameListsTheKnownOnes) {
  const auto e = failure({.algorithm = "pb"});
  EXPECT_EQ(e.kind(), error_kind::bad_argument);
  EXPECT_TRUE(mentions(e, "'pb'") && mentions(e, "fast, patient, picky, slow, warps")) << e.what();
}

TEST(Choose, AKernelOfAnotherBackendIsNamed) {
  const auto e = failure({.algorithm = "warps"});
  EXPECT_EQ(e.kind(), error_kind::not_available);
  EXPECT_TRUE(mentions(e, "spmv/csr/warps/cuda") && mentions(e, "openmp")) << e.what();
}

TEST(Choose, NeverFallsBackSilently) {
  const auto e = failure({.algorithm = "picky"});
  EXPECT_EQ(e.kind(), error_kind::not_available);
  EXPECT_TRUE(mentions(e, "it is Tuesday")) << e.what();
  const auto none = failure({.algorithm = "fast", .deterministic = true});
  EXPECT_TRUE(mentions(none, "deterministic was asked for")) << none.what();
}

TEST(Choose, TakingOperandsApartCounts) {
  static constexpr kernel direct{
      .id = "spmv/csr/direct/openmp",
      .deterministic = true,
      .consider = takes<50>,
      .spmv = {.run_csr_f64 = [](const state&, const csr_view<const double>&,
                                 const vector_call<double>&) {}}};
  static constexpr const kernel* alike[] = {&slow, &direct};
  EXPECT_EQ(choose(problem{}, machine{}, alike).chosen, &direct);
}

TEST(Choose, KeepsEveryVerdictAndItsReason) {
  problem p;
  const auto choice = choose(p, machine{}, fakes);
  ASSERT_EQ(choice.why.all.size(), 4u);  // this operation, this backend
  EXPECT_EQ(choice.why.all[3].kernel, picky.id);
  EXPECT_FALSE(choice.why.all[3].verdict.possible);
  // Not 5.00: both take their operands apart.
  EXPECT_NE(choice.why.because.find("spmv/csr/slow/openmp would take 4.98 times as long"),
            std::string::npos)
      << choice.why.because;
}

constexpr kernel pb{.id = "spgemm/csr/pb/openmp", .deterministic = true, .consider = takes<50>};
constexpr kernel hash{.id = "spgemm/csr/hash/openmp", .deterministic = true, .consider = takes<9>};
constexpr kernel best{.id = "spgemm/csr/best/openmp", .deterministic = true, .consider = takes<1>};
constexpr const kernel* sparse_fakes[] = {&pb, &hash, &best};

explanation by_the_paper(double compression) {
  problem p;
  p.operation = operation::spgemm;
  p.options.algorithm = paper_rule;
  p.spgemm.compression = compression;
  return choose(p, machine{}, sparse_fakes).why;
}

TEST(Choose, ThePapersRule) {
  EXPECT_EQ(by_the_paper(1.0).chosen, pb.id);
  EXPECT_EQ(by_the_paper(3.99).chosen, pb.id);
  EXPECT_EQ(by_the_paper(4.0).chosen, hash.id);
  EXPECT_EQ(by_the_paper(50.0).chosen, hash.id);
  const auto why = by_the_paper(2.345);
  ASSERT_EQ(why.all.size(), 1u);  // nothing else was weighed
  for (const char* part : {"paper's rule", "sampled 2.35", "so pb", "it says so"})
    EXPECT_NE(why.because.find(part), why.because.npos) << part << " in " << why.because;
}

constexpr kernel by_rows{
    .id = "spmv/csr/classical/cuda", .deterministic = true, .consider = takes<1>};
constexpr kernel by_chunks{
    .id = "spmv/csr/load_balance/cuda", .deterministic = false, .consider = takes<1>};
constexpr const kernel* device_fakes[] = {&by_rows, &by_chunks};

TEST(Choose, ThePapersRuleOfRowsOnADevice) {
  problem p;
  p.backend = backend::cuda;
  p.options.algorithm = "paper";
  const auto taken = [&](index_t rows, index_t longest) {
    p.a.shape = {rows, rows};
    p.rows.longest_on_device = longest;
    return choose(p, machine{}, device_fakes).chosen->id;
  };
  EXPECT_EQ(taken(1'000'000, 64), by_rows.id);
  EXPECT_EQ(taken(1'000'001, 1), by_chunks.id);
  EXPECT_EQ(taken(10, 65), by_chunks.id);
}

constexpr kernel dense_by_rows{
    .id = "spmm/csr/row_split/cuda", .deterministic = true, .consider = takes<1>};
constexpr kernel dense_by_chunks{
    .id = "spmm/csr/merge/cuda", .deterministic = true, .consider = takes<1>};
constexpr const kernel* dense_fakes[] = {&dense_by_rows, &dense_by_chunks};

TEST(Choose, ThePapersRuleOfMeanRowsOnADevice) {
  problem p;
  p.operation = operation::spmm;
  p.backend = backend::cuda;
  p.options.algorithm = "paper";
  p.a.shape = {100, 100};
  const auto taken = [&](index_t nnz) {
    p.a.nnz = nnz;
    return choose(p, machine{}, dense_fakes);
  };
  EXPECT_EQ(taken(934).chosen, &dense_by_chunks);
  EXPECT_EQ(taken(935).chosen, &dense_by_rows);
  const auto why = taken(500).why.because;
  EXPECT_NE(why.find("below 9.35, else row_split): 5.00 nonzeros"), why.npos) << why;
}

TEST(Choose, ThePapersRulesAreForWhatTheyAreAbout) {
  const auto dense = failure({.algorithm = "paper"});
  EXPECT_EQ(dense.kind(), error_kind::bad_argument);
  EXPECT_FALSE(mentions(dense, "there are: paper") || mentions(dense, ", paper")) << dense.what();
  problem p;
  p.operation = operation::spgemm;
  p.options.algorithm = "magic";
  try {
    choose(p, machine{}, sparse_fakes);
    FAIL();
  } catch (const error& e) {
    EXPECT_TRUE(mentions(e, "best, hash, paper, pb")) << e.what();
  }
}

// ---- the real catalogue, on paper -------------------------------------------------------------

problem spmv_problem(index_t rows, index_t nnz, index_t long_row) {
  problem p;
  p.threads = 8;
  p.a = {.format = format::csr, .shape = {rows, rows}, .nnz = nnz, .places = nnz};
  p.b = {.format = format::dense, .shape = {rows, 1}, .nnz = rows, .places = rows};
  p.result = {rows, 1};
  p.rows.probed_length = long_row;
  return p;
}

machine eight_cores() {
  machine m;
  m.cores = 8;
  m.l3 = 32 << 20;
  m.bandwidth_one = 12e9;
  m.bandwidth_all = 60e9;
  return m;
}

TEST(Catalogue, EvenRowsGoByRows) {
  const auto choice = choose(spmv_problem(1'000'000, 5'000'000, 5), eight_cores(), all_kernels());
  EXPECT_EQ(choice.chosen->id, "spmv/csr/rows/openmp");
}

TEST(Catalogue, OneEndlessRowGoesByMergePath) {
  const auto choice =
      choose(spmv_problem(1'000'000, 5'000'000, 2'000'000), eight_cores(), all_kernels());
  EXPECT_EQ(choice.chosen->id, "spmv/csr/merge/openmp");
}

TEST(Catalogue, ScatteredRowsAreReproducibleOnRequest) {
  auto p = spmv_problem(100'000, 1'000'000, 0);
  p.a.format = format::csc;
  EXPECT_EQ(choose(p, eight_cores(), all_kernels()).chosen->id, "spmv/any/scatter/openmp");
  p.options.deterministic = true;
  EXPECT_EQ(choose(p, eight_cores(), all_kernels()).chosen->id, "spmv/any/owner/openmp");
}

TEST(Catalogue, ScatteredRowsAreBroughtTogetherForManyCalls) {
  auto p = spmv_problem(100'000, 1'000'000, 0);
  p.a.format = format::csc;
  p.options.expected_calls = 1000;
  EXPECT_EQ(choose(p, eight_cores(), all_kernels()).chosen->id, "spmv/any/scatter/openmp");
  p.options.constant_values = true;
  EXPECT_EQ(choose(p, eight_cores(), all_kernels()).chosen->id, "spmv/csc/sell/openmp");
  p.options.expected_calls = 1;
  EXPECT_EQ(choose(p, eight_cores(), all_kernels()).chosen->id, "spmv/any/scatter/openmp");
}

TEST(Catalogue, IdsAreUniquePathsOfFourParts) {
  std::vector<std::string_view> seen;
  for (const auto* k : all_kernels()) {
    const auto path = path_of(*k);
    EXPECT_FALSE(path.operation.empty() || path.format.empty() || path.algorithm.empty() ||
                 path.backend.empty());
    EXPECT_EQ(path.backend.find('/'), std::string_view::npos) << k->id;
    EXPECT_TRUE(k->consider && k->run) << k->id;
    EXPECT_FALSE(k->summary.empty() || k->reference.empty()) << k->id;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), k->id), 0) << k->id;
    seen.push_back(k->id);
  }
  EXPECT_EQ(kernels().size(), seen.size());
}

}  // namespace
}  // namespace gossamer
