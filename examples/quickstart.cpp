// What ./quickstart runs: shipped and generated matrices are multiplied in all three ways, checked
// against the reference and shown in one table: time, share of the measured memory bandwidth, the
// kernel that was chosen and why. Public API only.
//
//   gossamer_quickstart FOLDER [--small]     FOLDER holds the shipped matrices (tests/data)
#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;
using gs::index_t;
using matrix = gs::csr_matrix<double>;

namespace {

constexpr index_t spmm_columns = 32;

/// One line of the table.
struct outcome {
  std::string product, matrix;
  gs::extents shape;
  index_t nnz = 0;
  double seconds = 0;  ///< the best of several warm calls
  double bytes = 0;    ///< compulsory traffic: each operand and the result once
  double flop = 0;     ///< additions and multiplications
  double error = 0;    ///< largest |c - c_ref| / (eps * sum |a||b|)
  bool right = false;
  std::string kernel, because;
};

// ---- Checking -----------------------------------------------------------------------------------

/// The largest error found, in units of eps * sum |a||b|, and whether every entry was within what
/// rounding allows: an entry of row i adds up at most n_i products, here and in the reference.
class judge {
 public:
  void see(double value, double expected, double magnitude, index_t terms) {
    const double unit = std::numeric_limits<double>::epsilon() * magnitude;
    const double difference = std::abs(value - expected);
    // Written so that a NaN is wrong.
    if (!(difference <= 2.0 * static_cast<double>(terms + 1) * unit)) right_ = false;
    if (difference > 0 && unit > 0) error_ = std::max(error_, difference / unit);
  }
  void reject() { right_ = false; }
  void report(outcome& into) const {
    into.error = error_;
    into.right = right_;
  }

 private:
  double error_ = 0;
  bool right_ = true;
};

matrix magnitudes(matrix a) {
  for (double& value : a.values()) value = std::abs(value);
  return a;
}

gs::dense_matrix<double> magnitudes(gs::dense_matrix<double> b) {
  for (double& value : b.values()) value = std::abs(value);
  return b;
}

index_t row_length(const matrix& a, index_t row) {
  return a.row_offsets()[row + 1] - a.row_offsets()[row];
}

void check_dense(const matrix& a, const gs::dense_matrix<double>& b,
                 const gs::dense_matrix<double>& c, outcome& into) {
  const auto reference = gs::context::reference();
  gs::dense_matrix<double> expected(c.rows(), c.cols()), magnitude(c.rows(), c.cols());
  gs::multiply(reference, a, b, expected);
  gs::multiply(reference, magnitudes(a), magnitudes(b), magnitude);
  judge verdict;
  for (index_t i = 0; i < c.rows(); ++i)
    for (index_t j = 0; j < c.cols(); ++j)
      verdict.see(c(i, j), expected(i, j), magnitude(i, j), row_length(a, i));
  verdict.report(into);
}

void check_sparse(const matrix& a, const matrix& c, outcome& into) {
  const auto reference = gs::context::reference();
  const matrix expected = gs::multiply(reference, a, a);
  const matrix absolute = magnitudes(a);
  const matrix magnitude = gs::multiply(reference, absolute, absolute);
  judge verdict;
  if (c.shape() != expected.shape() || c.nnz() != expected.nnz()) verdict.reject();
  for (index_t i = 0; c.nnz() == expected.nnz() && i < c.rows(); ++i) {
    if (c.row_offsets()[i + 1] != expected.row_offsets()[i + 1]) verdict.reject();
    for (index_t k = expected.row_offsets()[i]; k < expected.row_offsets()[i + 1]; ++k) {
      if (c.column_indices()[k] != expected.column_indices()[k]) verdict.reject();
      const auto at = static_cast<std::size_t>(k);
      verdict.see(c.values()[at], expected.values()[at], magnitude.values()[at], row_length(a, i));
    }
  }
  verdict.report(into);
}

// ---- Measuring ----------------------------------------------------------------------------------

/// Seconds of the best call, as STREAM counts: at least 5 calls for about 0.3 s, after one that is
/// not counted.
template <class Call>
double best_seconds(Call&& call) {
  using clock = std::chrono::steady_clock;
  const auto once = [&] {
    const auto start = clock::now();
    call();
    return std::chrono::duration<double>(clock::now() - start).count();
  };
  once();
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int calls = 0; calls < 5 || (spent < 0.3 && calls < 10000); ++calls) {
    const double seconds = once();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

double bytes_of(const matrix& a) {
  return static_cast<double>(a.nnz() * (8 + gs::bytes(a.index_widths().indices)) +
                             (a.rows() + 1) * gs::bytes(a.index_widths().offsets));
}

outcome begin(std::string_view product, const std::string& name, const matrix& a) {
  outcome line;
  line.product = product;
  line.matrix = name;
  line.shape = a.shape();
  line.nnz = a.nnz();
  return line;
}

void explain(const gs::plan& plan, outcome& into) {
  into.kernel = plan.kernel();
  into.because = plan.explain().because;
}

/// SpMV for one column, SpMM for more.
outcome times_dense(const gs::context& cpu, const std::string& name, const matrix& a,
                    index_t columns) {
  outcome line = begin(columns == 1 ? "SpMV" : "SpMM", name, a);
  gs::dense_matrix<double> b(a.cols(), columns), c(a.rows(), columns);
  gs::generate::fill_random<double>(cpu, b.values());
  const gs::plan plan = gs::multiply_inspect(cpu, a, b, c, {.expected_calls = 1000});
  explain(plan, line);
  line.seconds = best_seconds([&] { gs::multiply(plan, a, b, c); });
  line.bytes = bytes_of(a) + 8.0 * static_cast<double>((a.rows() + a.cols()) * columns);
  line.flop = 2.0 * static_cast<double>(a.nnz() * columns);
  check_dense(a, b, c, line);
  return line;
}

/// SpGEMM: A times itself, structure and values, the result allocated anew each time.
outcome square(const gs::context& cpu, const std::string& name, const matrix& a) {
  outcome line = begin("SpGEMM", name, a);
  explain(gs::multiply_compute(cpu, a, a), line);
  matrix c;
  line.seconds = best_seconds([&] { c = gs::multiply(cpu, a, a); });
  line.bytes = 2 * bytes_of(a) + bytes_of(c);
  line.flop = 2.0 * static_cast<double>(gs::estimate(cpu, a, a).flop);
  check_sparse(a, c, line);
  return line;
}

// ---- The matrices -------------------------------------------------------------------------------

struct named_matrix {
  std::string name;
  matrix a;
};

std::vector<named_matrix> shipped(const std::filesystem::path& folder) {
  std::vector<named_matrix> all;
  for (const auto* name : {"bcsstk13", "delaunay_n12", "bp_1200"})
    all.push_back({name, gs::read_sparse<double>(folder / fmt::format("{}.mtx.gz", name))});
  return all;
}

/// `scale` 1 makes matrices beyond most caches; 0 makes them tiny, for the tests.
std::vector<named_matrix> generated(const gs::context& cpu, int scale) {
  const index_t side = scale == 0 ? 12 : 80;
  const int levels = scale == 0 ? 8 : 13;
  std::vector<named_matrix> all;
  all.push_back({fmt::format("poisson {0}x{0}x{0}", side),
                 gs::generate::poisson3d<double>(cpu, side, side, side)});
  all.push_back({"triangles on a disc", gs::generate::fem<double>(cpu, gs::generate::domain::disc,
                                                                  side * side * side / 2)});
  all.push_back(
      {fmt::format("R-MAT 2^{}, 16 a row", levels), gs::generate::rmat<double>(cpu, levels, 16)});
  return all;
}

// ---- The table ----------------------------------------------------------------------------------

/// Text in a style, on a terminal only.
class painter {
 public:
  painter() : colours_(isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr) {}
  std::string operator()(fmt::text_style style, const std::string& text) const {
    return colours_ ? fmt::format(style, "{}", text) : text;
  }

 private:
  bool colours_;
};

std::string human_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

/// The reason under its line, broken between words.
void print_reason(const painter& paint, std::string_view because) {
  constexpr std::size_t width = 92;
  std::string_view lead = "why ";
  while (!because.empty()) {
    std::size_t end = because.size() <= width ? because.size() : because.rfind(' ', width);
    if (end == std::string_view::npos || end == 0) end = because.size();
    const auto line = fmt::format("        {}{}", lead, because.substr(0, end));
    fmt::print("{}\n", paint(fmt::fg(fmt::terminal_color::bright_black), line));
    because.remove_prefix(std::min(because.size(), end + 1));
    lead = "    ";
  }
}

constexpr std::string_view row_form = "{:<7} {:<21} {:>8} {:>10} {:>10} {:>8} {:>6}  {:<15} {}";

void print_heading(const painter& paint) {
  fmt::print("{}\n", paint(fmt::emphasis::bold,
                           fmt::format(row_form, "product", "matrix", "rows", "entries", "time",
                                       "Gflop/s", "share", "check", "kernel")));
}

void print_outcome(const painter& paint, const outcome& line, double bandwidth) {
  const double share = line.bytes / line.seconds / bandwidth;
  const auto check =
      fmt::format("{:<15}", line.right ? fmt::format("right, {:.1f} eps", line.error) : "WRONG");
  const auto colour = line.right ? fmt::terminal_color::green : fmt::terminal_color::red;
  fmt::print(row_form, line.product, line.matrix, line.shape.rows, line.nnz,
             human_seconds(line.seconds), fmt::format("{:.2f}", line.flop / line.seconds * 1e-9),
             fmt::format("{:.0f} %", share * 100), paint(fmt::fg(colour), check), line.kernel);
  fmt::print("\n");
  print_reason(paint, line.because);
}

void print_footnotes() {
  fmt::print(
      "\nshare  compulsory bytes (each operand and the result once) per second, of the bandwidth\n"
      "       measured above; beyond 100 % the operands stay in a cache\n"
      "check  largest error against the serial reference, in units of eps * sum |a||b|\n"
      "time   best of several warm calls; SpMM has {} columns; SpGEMM is A times A, from nothing "
      "to\n"
      "       the finished result\n",
      spmm_columns);
}

double print_machine(const gs::context& cpu) {
  const gs::machine& here = gs::this_machine();
  fmt::print("{}", gs::build_description());
  fmt::print("machine  {}, {} threads, {} MiB L3, {}\n", here.cpu, cpu.threads(), here.l3 >> 20,
             here.simd);
  const double bandwidth = gs::measure_stream(cpu.threads()).triad;
  fmt::print("memory   {:.1f} GB/s (STREAM triad, measured just now)\n\n", bandwidth * 1e-9);
  return bandwidth;
}

int run(const std::filesystem::path& folder, int scale) {
  const painter paint;
  const auto cpu = gs::context::best();
  const double bandwidth = print_machine(cpu);
  std::vector<named_matrix> all = shipped(folder);
  for (auto& one : generated(cpu, scale)) all.push_back(std::move(one));

  print_heading(paint);
  bool right = true;
  const auto show = [&](const outcome& line) {
    print_outcome(paint, line, bandwidth);
    std::fflush(stdout);
    right = right && line.right;
  };
  for (const auto& [name, a] : all) show(times_dense(cpu, name, a, 1));
  for (const auto& [name, a] : all) show(times_dense(cpu, name, a, spmm_columns));
  for (const auto& [name, a] : all) show(square(cpu, name, a));
  print_footnotes();
  if (!right) fmt::print(stderr, "a product differs from the reference: please report it\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments.size() > 2 ||
      (arguments.size() == 2 && arguments[1] != "--small")) {
    fmt::print(stderr, "usage: gossamer_quickstart FOLDER [--small]\n");
    return 2;
  }
  try {
    return run(arguments[0], arguments.size() == 2 ? 0 : 1);
  } catch (const gs::error& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return EXIT_FAILURE;
  }
}
