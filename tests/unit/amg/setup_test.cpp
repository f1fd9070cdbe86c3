// Hierarchies: the Galerkin products, threads, and new values.
#include "../refusal.hpp"

#include "problems.hpp"

namespace gossamer::amg {
namespace {

const auto cpu = context::openmp(2);

TEST(AmgSetup, CoarseMatricesAreGalerkinProducts) {
  const auto a = generate::fem<double>(cpu, generate::domain::ball, 5000);
  for (const auto order : {galerkin::right_first, galerkin::left_first}) {
    const hierarchy<double> levels(cpu, a, {.coarsest = 20, .product = order});
    ASSERT_GE(levels.levels(), 3);
    const auto host = context::reference();
    for (int l = 0; l + 1 < levels.levels(); ++l) {
      const auto p = levels.prolongator(l);
      const auto ap = multiply(host, levels.matrix(l), p);
      EXPECT_TRUE(allclose(levels.matrix(l + 1), multiply(host, transposed(p), ap), 1e-10, 1e-13))
          << l;
    }
  }
}

TEST(AmgSetup, IsTheSameForAnyNumberOfThreads) {
  const auto plate = make_plate(30);
  const auto check = [](const csr_matrix<double>& a, const setup_options& how,
                        const near_null_space<double>& vectors) {
    const hierarchy<double> one(context::openmp(1), a, how, vectors);
    for (const int threads : {2, 3}) {
      const hierarchy<double> many(context::openmp(threads), a, how, vectors);
      ASSERT_EQ(many.levels(), one.levels());
      for (int l = 0; l < one.levels(); ++l) {
        EXPECT_TRUE(same(many.matrix(l), one.matrix(l))) << "level " << l;
        EXPECT_TRUE(same(many.prolongator(l), one.prolongator(l))) << "level " << l;
      }
    }
  };
  check(generate::poisson3d<double>(cpu, 24, 24, 24), {}, {});
  check(plate.a, {.block_size = 2, .coarsest = 50}, plate.motions.view());
}

TEST(AmgSetup, StatisticsAddUp) {
  const auto a = generate::poisson3d<double>(cpu, 20, 20, 20);
  const hierarchy<double> levels(cpu, a);
  const auto& stats = levels.stats();
  ASSERT_EQ(static_cast<int>(stats.levels.size()), levels.levels());
  index_t rows = 0, nnz = 0;
  for (int l = 0; l < levels.levels(); ++l) {
    EXPECT_EQ(stats.levels[static_cast<std::size_t>(l)].nnz, levels.matrix(l).nnz());
    rows += levels.matrix(l).shape.rows;
    nnz += levels.matrix(l).nnz();
    if (l + 1 < levels.levels()) {
      EXPECT_EQ(stats.levels[static_cast<std::size_t>(l)].aggregates,
                levels.matrix(l + 1).shape.rows);
      EXPECT_EQ(static_cast<index_t>(levels.aggregates(l).size()), levels.matrix(l).shape.rows);
    }
  }
  EXPECT_DOUBLE_EQ(stats.grid_complexity(), static_cast<double>(rows) / 8000);
  EXPECT_DOUBLE_EQ(stats.operator_complexity(),
                   static_cast<double>(nnz) / static_cast<double>(a.nnz()));
  const auto& t = stats.times;
  const double parts = t.strength + t.aggregation + t.prolongator + t.transpose + t.products() +
                       t.coarsest + t.plans + t.copies;
  EXPECT_LE(parts, t.total * 1.001);
  EXPECT_GT(parts, 0.9 * t.total);
}

TEST(AmgSetup, NewValuesGiveTheHierarchyOfANewSetup) {
  // Scaled by one number per matrix, the set-up makes the same decisions.
  auto a = generate::fem<double>(cpu, generate::domain::disc, 4000);
  const auto check = [&](const setup_options& how) {
    hierarchy<double> kept(cpu, a, how);
    auto changed = a;
    for (const double factor : {2.0, 8.0}) {
      for (std::size_t i = 0; i < changed.values().size(); ++i)
        changed.values()[i] = factor * a.values()[i];
      kept.update(changed);
      const hierarchy<double> anew(cpu, changed, how);
      ASSERT_EQ(kept.levels(), anew.levels());
      for (int l = 0; l < anew.levels(); ++l) {
        EXPECT_TRUE(allclose(kept.matrix(l), anew.matrix(l), 1e-11, 1e-12)) << l;
        EXPECT_TRUE(allclose(kept.prolongator(l), anew.prolongator(l), 1e-11, 1e-13)) << l;
      }
      const auto done = solve_known(kept, changed);
      EXPECT_TRUE(done.converged()) << done.because;
    }
  };
  check({.coarsest = 30});
  check({.strength = 0, .coarsest = 30, .product = galerkin::left_first});
}

TEST(AmgSetup, NewValuesOfAnotherCharacterAreSolved) {
  const auto a = diffusion(
      60, [](auto, auto) { return 1.0; }, [](auto, auto) { return 1.0; });
  hierarchy<double> levels(cpu, a);
  const auto wave = [](index_t x, index_t y) {
    return 1 + 0.5 * std::sin(0.3 * static_cast<double>(x + 2 * y));
  };
  const auto changed = diffusion(60, wave, wave);
  levels.update(changed);
  const auto done = solve_known(levels, changed);
  EXPECT_TRUE(done.converged()) << done.because;
  EXPECT_LT(done.iterations, 25);
}

TEST(AmgSetup, AnotherStructureIsRefused) {
  const auto a = generate::poisson2d<double>(cpu, 30, 30),
             b = generate::poisson2d<double>(cpu, 900, 1);
  hierarchy<double> levels(cpu, a);
  const auto text = refusal(error_kind::bad_input, [&] { levels.update(b); });
  EXPECT_NE(text.find("build a new hierarchy"), std::string::npos) << text;
  auto broken = a;
  broken.values()[3] = std::nan("");
  refusal(error_kind::bad_input, [&] { levels.update(broken); });
  EXPECT_TRUE(solve_known(levels, a).converged());  // as it was
}

TEST(AmgSetup, WideIndicesAreTaken) {
  const auto narrow = generate::poisson2d<double>(cpu, 40, 40);
  csr_matrix<double> wide(narrow.shape(), narrow.nnz(), {index_width::i64, index_width::i64});
  const auto to = wide.mutable_view();
  for (index_t i = 0; i <= narrow.rows(); ++i)
    to.offsets.as<std::int64_t>()[static_cast<std::size_t>(i)] = narrow.row_offsets()[i];
  for (index_t p = 0; p < narrow.nnz(); ++p) {
    to.columns.as<std::int64_t>()[static_cast<std::size_t>(p)] = narrow.column_indices()[p];
    to.values[p] = narrow.values()[static_cast<std::size_t>(p)];
  }
  hierarchy<double> levels(cpu, wide);
  const hierarchy<double> same_levels(cpu, narrow);
  EXPECT_TRUE(same(levels.matrix(1), same_levels.matrix(1)));
  for (auto& v : wide.values()) v *= 2;
  levels.update(wide);
  EXPECT_TRUE(allclose(levels.matrix(1), scaled(2.0, same_levels.matrix(1)), 1e-12, 0));
}

}  // namespace
}  // namespace gossamer::amg
