// gossamer amg: solves A x = b by multigrid, and shows what the set-up consists of.
#include "gossamer/amg.hpp"

#include <cmath>

#include "base/text.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/amg_report.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"
#include "gossamer/compare.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/copy.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer amg poisson3d:nx=100                      a million unknowns
  gossamer amg poisson2d:nx=1024,stencil=fe fem:domain=ball,n=200000
  gossamer amg A.mtx --rhs b.mtx -o x.mtx --tolerance 1e-10
  gossamer amg plate.mtx --block-size 2 --near-null motions.mtx
  gossamer amg poisson3d:nx=100 --reuse 5            new values, the same structure
  gossamer amg poisson3d:nx=200 --on cuda

A matrix is a file or a generator with its parameters ('gossamer generate --list'). Conjugate gradients
solve symmetric matrices, BiCGStab all others. Without --rhs the solution is known: b = A x for a random
x, and the error is shown. Exit code 1: a solve did not converge.)";

struct request {
  std::vector<std::string> sources;
  std::string type = "f64", method = "auto", smoother = "chebyshev", cycle = "v", product = "right";
  std::string rhs, near_null, out, save;
  double tolerance = 1e-8, strength = amg::setup_options{}.strength;
  index_t iterations = 200, reuse = 0, block_size = 1, sweeps = 2, coarsest = 200;
  std::uint64_t seed = 1;
  bool as_json = false;
  place where;
};

bool is_recipe(const std::string& source) {
  const std::string kind = source.substr(0, source.find(':'));
  const auto& recipes = generate::recipes();
  return !std::filesystem::exists(source) &&
         std::any_of(recipes.begin(), recipes.end(), [&](const auto& r) { return r.kind == kind; });
}

std::vector<std::string> settings_of(const std::string& recipe) {
  std::vector<std::string> settings;
  for (std::size_t at = recipe.find(':'); at != std::string::npos;) {
    const std::size_t next = recipe.find(',', at + 1);
    settings.push_back(recipe.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  return settings;
}

amg::setup_options setup_of(const request& asked, bool symmetric) {
  return {
      .strength = asked.strength,
      .seed = asked.seed,
      .block_size = asked.block_size,
      .coarsest = asked.coarsest,
      .product = asked.product == "right" ? amg::galerkin::right_first : amg::galerkin::left_first,
      .symmetric = symmetric,
      .smoother = asked.smoother == "jacobi" ? amg::smoother::jacobi : amg::smoother::chebyshev,
      .sweeps = static_cast<int>(asked.sweeps),
      .cycle = asked.cycle == "v" ? amg::cycle::v : amg::cycle::w};
}

amg::method method_of(const request& asked, bool symmetric) {
  if (asked.method == "auto") return symmetric ? amg::method::cg : amg::method::bicgstab;
  if (asked.method == "cg") return amg::method::cg;
  return asked.method == "bicgstab" ? amg::method::bicgstab : amg::method::gmres;
}

/// Other values that keep symmetry and definiteness: D A D with a diagonal near one.
template <class T>
void change_values(csr_matrix<T>& a, index_t step) {
  const auto factor = [&](index_t i) {
    return 1 + 0.1 * std::sin(0.7 * static_cast<double>(i) + static_cast<double>(step));
  };
  const auto offsets = a.row_offsets(), columns = a.column_indices();
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t p = offsets[i]; p < offsets[i + 1]; ++p)
      a.values()[static_cast<std::size_t>(p)] *= static_cast<T>(factor(i) * factor(columns[p]));
}

/// One system from its matrix to the report.
template <class T>
class solved_system {
 public:
  solved_system(const request& asked, const std::string& source, progress& ticker)
      : asked_(asked),
        source_(source),
        ticker_(ticker),
        where_(asked.where.open()),
        host_(where_.backend() == backend::cuda ? context::best() : where_) {}

  amg_run run() {
    load();
    const bool symmetric =
        asked_.method == "cg" || allclose(host_, a_, transposed(a_), 1e-6, 1e-12 * largest());
    ticker_.stage("setting up " + source_);
    const auto how = setup_of(asked_, symmetric);
    const auto candidates = load_candidates();
    amg::hierarchy<T> levels(where_, a_.view(), how, candidates.view());
    amg_run done{.source = source_,
                 .type = asked_.type,
                 .backend = std::string(name(where_.backend())),
                 .threads = where_.threads(),
                 .symmetric = symmetric,
                 .setup = how,
                 .stats = levels.stats()};
    done.solve_options = {.method = method_of(asked_, symmetric),
                          .tolerance = asked_.tolerance,
                          .iterations = asked_.iterations};
    save_levels(levels);
    done.solves.push_back(solve(levels, done));
    for (index_t step = 1; step <= asked_.reuse; ++step) {
      ticker_.stage(formatted("new values, {} of {}", step, asked_.reuse));
      change_values(a_, step);
      levels.update(a_.view());
      done.updates.push_back(levels.stats().times);
      done.solves.push_back(solve(levels, done));
    }
    if (!asked_.out.empty()) output_file(asked_.out).write(x_, host_, ticker_);
    return done;
  }

 private:
  void load() {
    if (is_recipe(source_)) {
      ticker_.stage("generating " + source_);
      a_ = generate::by_name<T>(host_, source_.substr(0, source_.find(':')), settings_of(source_));
    } else {
      a_ = load_sparse<T>(source_, host_, ticker_);
    }
    a_ = sum_duplicates<T>(host_, a_.view());
    if (a_.rows() != a_.cols())
      throw fail(error_kind::bad_input, "{} is {}; a linear system needs a square matrix", source_,
                 shape_text(a_.shape()));
    x_ = dense_matrix<T>(a_.rows(), 1, layout::column_major);
  }

  double largest() const {
    double most = 0;
    for (const T v : a_.values()) most = std::max(most, static_cast<double>(std::abs(v)));
    return most;
  }

  dense_matrix<T> load_candidates() {
    if (asked_.near_null.empty()) return {};
    return load_dense<T>(asked_.near_null, host_, ticker_);
  }

  /// The right-hand side; without --rhs, that of a random solution.
  dense_matrix<T> right_side() {
    if (!asked_.rhs.empty())
      return load_vector<T>(host_, {asked_.rhs, asked_.seed}, a_.rows(), ticker_);
    known_ = load_vector<T>(host_, {"random", asked_.seed}, a_.rows(), ticker_);
    dense_matrix<T> b(a_.rows(), 1, layout::column_major);
    multiply(host_, a_, known_, b);
    return b;
  }

  amg_solve solve(const amg::hierarchy<T>& levels, const amg_run& of) {
    const auto b = right_side();
    ticker_.stage("solving " + source_);
    std::fill(x_.values().begin(), x_.values().end(), T{0});
    amg_solve found{amg::solve<T>(levels, b.values(), x_.values(), of.solve_options)};
    if (asked_.rhs.empty()) found.error = error_of_x();
    return found;
  }

  double error_of_x() const {
    double difference = 0, size = 0;
    for (index_t i = 0; i < x_.rows(); ++i) {
      const double known = static_cast<double>(known_(i, 0));
      difference += std::pow(static_cast<double>(x_(i, 0)) - known, 2);
      size += known * known;
    }
    return std::sqrt(difference / size);
  }

  void save_levels(const amg::hierarchy<T>& levels) {
    if (asked_.save.empty()) return;
    const auto write = [&](const std::string& what, int level, const csr_view<const T>& m) {
      const output_file target(formatted("{}{}{}.npz", asked_.save, what, level));
      target.write(copy_to_host(where_, m), host_, ticker_);
    };
    for (int l = 0; l < levels.levels(); ++l) {
      write("A", l, levels.matrix(l));
      if (l + 1 < levels.levels()) write("P", l, levels.prolongator(l));
    }
  }

  const request& asked_;
  std::string source_;
  progress& ticker_;
  context where_, host_;
  csr_matrix<T> a_;
  dense_matrix<T> x_, known_;
};

exit_code solve_all(const request& asked) {
  if (!asked.out.empty()) {
    if (asked.sources.size() > 1)
      throw usage_error("-o takes the solution of one system, not of several");
    output_file(asked.out).require_dense();
  }
  progress ticker;
  json runs = json::array();
  bool converged = true;
  for (const auto& source : asked.sources) {
    const auto done = with_type(asked.type, [&](auto type) {
      return solved_system<typename decltype(type)::type>(asked, source, ticker).run();
    });
    for (const auto& solve : done.solves) converged &= solve.result.converged();
    if (asked.as_json)
      runs.push_back(describe(done));
    else
      ticker.aside([&] { print_run(done); });
  }
  ticker.finish();
  if (asked.as_json) print_json({{"command", "amg"}, {"systems", runs}});
  return converged ? exit_code::done : exit_code::wrong_result;
}

void add_options(const command& to, request& asked) {
  to.add_option("A", asked.sources, "Matrices: files, or generators with their parameters",
                {.shown_as = "A.mtx|RECIPE", .required = true});
  to.add_option("--rhs", asked.rhs, "The right-hand side: ones, random, or an n x 1 file",
                {.shown_as = "B"});
  to.add_option("-o,--output", asked.out, "The file for the solution", {.shown_as = "X.mtx"});
  add_choice(to, "--method", asked.method, {"auto", "cg", "bicgstab", "gmres"},
             "The Krylov method: auto (default), cg, bicgstab or gmres");
  add_choice(to, "--smoother", asked.smoother, {"chebyshev", "jacobi"},
             "The smoother: chebyshev (default) or jacobi");
  add_count(to, "--sweeps", asked.sweeps, 1, "Degree of the polynomial, or sweeps of Jacobi");
  add_choice(to, "--cycle", asked.cycle, {"v", "w"}, "The cycle: v (default) or w");
  add_choice(to, "--product", asked.product, {"right", "left"},
             "Order of the Galerkin product: right, P'(AP) (default), or left, (P'A)P");
  to.add_option("--strength", asked.strength, "Threshold of strong connections, from 0 to below 1");
  add_count(to, "--coarsest", asked.coarsest, 1, "Rows of a level that is solved directly");
  add_count(to, "--block-size", asked.block_size, 1, "Rows of A that belong to one node");
  to.add_option("--near-null", asked.near_null, "Near-null-space vectors: a dense n x k file",
                {.shown_as = "FILE"});
  to.add_option("--tolerance", asked.tolerance, "Solved when |b - A x| <= tolerance |b|");
  add_count(to, "--iterations", asked.iterations, 0, "The most iterations");
  add_count(to, "--reuse", asked.reuse, 0, "Repeat with new values and the same structure");
  to.add_option("--save-levels", asked.save, "Write the levels to PREFIXA0.npz, PREFIXP0.npz, ...",
                {.shown_as = "PREFIX"});
  add_seed(to, asked.seed);
  add_type(to, asked.type);
  add_place(to, asked.where);
  add_json(to, asked.as_json);
}

}  // namespace

void add_amg(const command& program, action& chosen) {
  auto asked = std::make_shared<request>();
  const command solve =
      program.add_subcommand("amg", "Solve a linear system by algebraic multigrid", closing);
  add_options(solve, *asked);
  solve.when_chosen([asked, &chosen] { chosen = [asked] { return solve_all(*asked); }; });
}

}  // namespace gossamer::cli
