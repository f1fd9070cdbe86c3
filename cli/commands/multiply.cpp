// gossamer multiply: one product, measured, explained, checked and written as asked.
#include "gossamer/multiply.hpp"

#include <cmath>

#include "base/text.hpp"
#include "bench/race/statistics.hpp"
#include "bench/race/timing.hpp"
#include "bench/subjects/product.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/distributed.hpp"
#include "cli/commands/multiply_request.hpp"
#include "cli/commands/reference_check.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/product_times.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::cli {

namespace {

using bench::judgement;
using bench::least_work;
using bench::norm_of;
using bench::prepared_product;
using bench::product_result;
using bench::yardstick;

constexpr auto closing = R"(Examples:
  gossamer multiply cant.mtx --vector ones                    y = A x
  gossamer multiply cant.mtx --vector random --repeat 50 --explain
  gossamer multiply cant.mtx --dense 32 --format sellp        C = A B, B random with 32 columns
  gossamer multiply a.mtx --times b.mtx -o c.mtx              C = A B, sparse
  gossamer multiply cant.mtx --square --check --json          C = A A, compared with the reference
  gossamer multiply cant.mtx --square --on cuda --explain     the same on a GPU, with its phases
  gossamer multiply a.mtx --square --transpose-a -o c.npz     C = A' A
  gossamer multiply a.mtx --square --semiring min_plus        shortest of two steps
  gossamer multiply l.mtx --square --semiring plus_pair --mask l.mtx    triangles over each edge
  gossamer multiply a.mtx --square --threshold 0.1 --top 10   the ten largest of each row
  gossamer multiply a.mtx --times b.mtx --add c.mtx --beta -1 A B - C
  mpirun -n 4 gossamer multiply a.gsm --vector ones --distributed       by four processes
  mpirun -n 4 gossamer multiply a.mtx --square --distributed --explain  and why by rows or grids

--times with an array (dense) file is a product with a dense matrix; dense results are array files.
Without -o only the summary is printed. With --check a wrong result ends with exit code 1 and
nothing is written. Bytes and GB/s count every operand read once and the result written once.)";

using request = multiply_request;

void require_one_right_factor(const request& asked) {
  const int given = int{!asked.times.empty()} + int{!asked.vector.empty()} + int{asked.square} +
                    int{asked.dense > 0};
  if (given != 1)
    throw usage_error(
        given == 0 ? "multiply A by what?" : "A can be multiplied by one thing at a time",
        "give one of --times B.mtx, --square, --vector ones|random|FILE, --dense N");
}

std::string left_name(const request& asked) {
  return asked.a + (asked.conjugate_a ? " conjugated" : "") +
         (asked.transpose_a ? " transposed" : "");
}

template <scalar T>
void load_times(const request& asked, const context& where, factors<T>& into, progress& ticker) {
  file_matrix<T> b = load_any<T>(asked.times, where, ticker);
  const auto shape = std::visit([](const auto& m) { return m.shape(); }, b);
  require_inner_match(left_name(asked), into.left_shape(), asked.times, shape);
  if (auto* sparse = std::get_if<csr_matrix<T>>(&b)) {
    into.product = operation::spgemm;
    into.b = std::move(*sparse);
  } else {
    into.product = operation::spmm;
    // Array files are column-major; kernels prefer row-major B.
    into.dense =
        convert<dense_matrix<T>>(where, std::get<dense_matrix<T>>(b), {.order = layout::row_major});
  }
}

template <scalar T>
factors<T> load_factors(const request& asked, const context& where, progress& ticker) {
  factors<T> loaded;
  loaded.transpose_a = asked.transpose_a;
  loaded.conjugate_a = asked.conjugate_a && complex_scalar<T>;
  loaded.alpha = cast<T>(asked.alpha);
  loaded.a = load_sparse<T>(asked.a, where, ticker);
  const index_t inner = loaded.left_shape().cols;
  if (!asked.times.empty()) {
    load_times(asked, where, loaded, ticker);
  } else if (asked.square) {
    if (!asked.transpose_a && loaded.a.rows() != loaded.a.cols())
      throw fail(error_kind::bad_input,
                 "{} is {} and only square matrices can be squared; --square --transpose-a gives "
                 "A' A, --times FILE multiplies by another matrix",
                 asked.a, shape_text(loaded.a.shape()));
    loaded.product = operation::spgemm;
  } else if (!asked.vector.empty()) {
    loaded.product = operation::spmv;
    loaded.dense = load_vector<T>(where, {asked.vector, asked.seed}, inner, ticker);
  } else {
    loaded.product = operation::spmm;
    loaded.dense = random_block<T>(where, {inner, asked.dense}, asked.seed);
  }
  return loaded;
}

template <scalar T>
json describe_result(const product_result<T>& result) {
  const extents shape = std::visit([](const auto& m) { return m.shape(); }, result);
  return {{"rows", shape.rows},
          {"cols", shape.cols},
          {"nnz", std::visit([](const auto& m) { return m.view().nnz(); }, result)},
          {"sparse", std::holds_alternative<csr_matrix<T>>(result)},
          {"norm", norm_of(result)}};
}

void print_text(const request& asked, const json& result, const spent& times) {
  const painter paint = painter::for_stdout();
  const auto& a = result["a"];
  print_field("A", formatted("{}  {} x {}, {} nonzeros, {}, {}", asked.a, count_text(a["rows"]),
                             count_text(a["cols"]), count_text(a["nnz"]),
                             a["format"].get<std::string>(), asked.type));
  print_field("product", result["product"].get<std::string>());
  print_field("kernel", paint.strong(result["kernel"].get<std::string>()));
  print_field("because", result["explanation"]["because"].get<std::string>());
  print_times(result, times);
  const auto& c = result["result"];
  print_field("result",
              formatted("{} x {}, {} nonzeros, norm {:.6g}", count_text(c["rows"]),
                        count_text(c["cols"]), count_text(c["nnz"]), c["norm"].get<double>()));
  if (result.contains("check")) {
    const auto& check = result["check"];
    print_field("check", check["right"].get<bool>()
                             ? paint.good(formatted(
                                   "correct: {} values, largest error {:.2g} of the bound",
                                   count_text(check["entries"]), check["worst"].get<double>()))
                             : paint.bad("WRONG: " + check["difference"].get<std::string>()));
  }
  if (result.contains("output"))
    print_field("written", formatted("{}  {}, {}", asked.out, bytes_text(result["bytes_written"]),
                                     seconds_text(times.write)));
}

std::string product_text(const request& asked, operation product) {
  const std::string scale = asked.alpha == 1 ? "" : formatted("{} ", asked.alpha);
  const std::string left =
      scale + (asked.conjugate_a ? "conj(A)" : "A") + (asked.transpose_a ? "'" : "");
  if (product == operation::spmv) return formatted("y = {} x, x {}", left, asked.vector);
  if (product == operation::spmm)
    return formatted(
        "C = {} B, B dense: {}", left,
        asked.times.empty() ? formatted("random, {} columns", asked.dense) : asked.times);
  return formatted("C = {} {}{}", left, asked.square ? "A" : "B, B sparse: " + asked.times,
                   asked.sparse.text());
}

/// One product from files to the result, with all its measurements.
template <scalar T>
class measured_product {
 public:
  explicit measured_product(const request& asked)
      : asked_(asked),
        where_(asked.where.open()),
        host_(where_.backend() == backend::cuda ? context::best() : where_),
        format_(parse_format(asked.format)) {}

  exit_code run() {
    std::optional<output_file> target;
    if (!asked_.out.empty()) target.emplace(asked_.out);
    load();
    if (target) require_room(*target);
    convert_left();
    compute();
    if (asked_.check) check();
    const bool right = verdict_.right;
    if (target && right) write(*target);
    ticker_.finish();
    report(target && right ? &*target : nullptr);
    if (!right)
      report_failure({exit_code::wrong_result, "wrong result",
                      "the result differs from the reference: " + verdict_.first_difference,
                      "this is a defect of the kernel; nothing was written"},
                     {});
    return right ? exit_code::done : exit_code::wrong_result;
  }

 private:
  void load() {
    times_.read = seconds_of([&] {
      factors_ = load_factors<T>(asked_, host_, ticker_);
      require_sparse_product(asked_.sparse, factors_.product);
      if (factors_.product == operation::spgemm)
        extras_ = load_extras<T>(asked_.sparse, host_, factors_, ticker_);
    });
  }

  void require_room(const output_file& target) const {
    if (factors_.product == operation::spgemm)
      target.require_sparse();
    else
      target.require_dense();
  }

  void convert_left() {
    left_ = factors_.left();
    if (format_ == format::csr) return;
    ticker_.stage("converting to " + asked_.format);
    times_.convert = seconds_of([&] { held_ = in_format(host_, factors_.a, format_); });
    left_ = factors_.left_of(express_any(*held_));
  }

  void compute() {
    ticker_.stage("multiplying");
    times_.prepare = seconds_of([&] {
      product_.emplace(where_, factors_, left_, how(), bench::halves::together,
                       extras_.addend_scaled());
    });
    times_.first = seconds_of([&] {
      product_->run();
      product_->wait();
    });
    for (index_t r = 0; r < asked_.repeat; ++r)
      times_.warm.push_back(seconds_of([&] {
        product_->run_whole();
        product_->wait();
      }));
    product_->fetch();
  }

  options how() const {
    // Sparse products keep no plan: nothing is prepared once for all of them.
    const index_t calls = factors_.product == operation::spgemm ? 1 : 1 + asked_.repeat;
    return within_limit(
        with_sparse_options(asked_.wanted.for_calls(calls), asked_.sparse, extras_));
  }

  /// A dense result is allocated here, not by the library: it counts as well.
  options within_limit(options how) const {
    if (how.memory_limit == 0 || factors_.product == operation::spgemm) return how;
    const extents shape{factors_.left_shape().rows, factors_.dense.cols()};
    index_t values = 0;
    const bool countless = __builtin_mul_overflow(shape.rows, shape.cols, &values) ||
                           values > how.memory_limit / index_t{sizeof(T)};
    if (countless || values * index_t{sizeof(T)} >= how.memory_limit)
      throw fail(error_kind::memory_limit,
                 "the result is dense, {}, and takes as much as the limit of {} or more; raise the "
                 "limit",
                 shape_text(shape), bytes_text(how.memory_limit));
    how.memory_limit -= values * index_t{sizeof(T)};
    return how;
  }

  void check() {
    ticker_.stage("checking against the reference");
    times_.check = seconds_of([&] {
      verdict_ = asked_.sparse.any()
                     ? judge_by_reference<T>(factors_, extras_.addend_scaled(), how(),
                                             std::get<csr_matrix<T>>(product_->result()))
                     : yardstick<T>(factors_).judge(product_->result());
    });
  }

  void write(const output_file& target) {
    times_.write = seconds_of([&] {
      std::visit([&](const auto& m) { target.write(m, host_, ticker_); }, product_->result());
    });
  }

  void report(const output_file* written) const {
    const json result = describe(written);
    if (asked_.as_json) {
      print_json(result);
      return;
    }
    print_text(asked_, result, times_);
    if (asked_.explain) print("\n{}", product_->explain().text());
  }

  json describe(const output_file* written) const {
    const least_work work = product_->work();
    const double seconds = times_.typical();  // a plan is prepared once for many dense products
    json result = {{"command", "multiply"},
                   {"operation", product_->explain().operation},
                   {"product", product_text(asked_, factors_.product)},
                   {"a",
                    {{"file", asked_.a},
                     {"rows", factors_.a.rows()},
                     {"cols", factors_.a.cols()},
                     {"nnz", factors_.a.nnz()},
                     {"format", asked_.format},
                     {"bytes", stored_bytes<T>(left_.view)}}},
                   {"right", describe_right()},
                   {"planned", product_->planned()},
                   {"type", asked_.type},
                   {"backend", name(where_.backend())},
                   {"threads", where_.threads()},
                   {"kernel", product_->explain().chosen},
                   {"explanation", parsed(product_->explain().json())},
                   {"seconds", describe_times(times_)},
                   {"flop", work.flop},
                   {"gflops", work.flop / seconds / 1e9},
                   {"bytes", work.bytes},
                   {"gbytes_per_second", static_cast<double>(work.bytes) / seconds / 1e9},
                   {"result", describe_result(product_->result())}};
    if (asked_.check)
      result["check"] = {{"right", verdict_.right},
                         {"entries", verdict_.entries},
                         {"wrong", verdict_.wrong},
                         {"worst", verdict_.worst},
                         {"difference", verdict_.first_difference}};
    if (written != nullptr) {
      result["output"] = asked_.out;
      result["bytes_written"] = written->size();
    }
    return result;
  }

  json describe_right() const {
    if (factors_.product != operation::spgemm)
      return {{"rows", factors_.dense.rows()},
              {"cols", factors_.dense.cols()},
              {"layout", name(factors_.dense.order())}};
    const auto& b = factors_.sparse();
    return {{"rows", b.rows()}, {"cols", b.cols()}, {"nnz", b.nnz()}};
  }

  const request& asked_;
  context where_;
  context host_;  // what reads, converts and writes
  format format_;
  progress ticker_;
  spent times_;
  factors<T> factors_;
  sparse_extras<T> extras_;
  std::optional<any_matrix<T>> held_;  // A in the format asked for, unless CSR
  expression<T> left_;
  std::optional<prepared_product<T>> product_;
  judgement verdict_;
};

void add_options(const command& to, request& asked) {
  to.add_option("A", asked.a, "The left matrix", {.shown_as = "A.mtx", .required = true});
  to.add_option("--times", asked.times, "The right matrix: sparse, or an array file",
                {.shown_as = "B.mtx"});
  to.add_flag("--square", asked.square, "A times itself (with --transpose-a: A' A)");
  to.add_option("--vector", asked.vector, "A vector: ones, random, or an n x 1 file",
                {.shown_as = "ones|random|FILE"});
  add_count(to, "--dense", asked.dense, 1, "A random dense matrix of N columns");
  to.add_option("-o,--output", asked.out, "Write the result: .mtx .mtx.gz .gsm .npz .npy",
                {.shown_as = "OUT"});
  add_place(to, asked.where);
  add_plan_options(to, asked.wanted);
  to.add_option("--format", asked.format, "Format of A: csr (default), csc, coo, ell, sellp, hyb",
                {.shown_as = "F"});
  add_any_type(to, asked.type);
  to.add_flag("--transpose-a", asked.transpose_a, "Use A' instead of A; nothing is moved");
  to.add_flag("--conjugate-a", asked.conjugate_a,
              "Use the conjugate of A; with --transpose-a its conjugate transpose");
  to.add_option("--alpha", asked.alpha, "Scale the product", {.shown_as = "X"});
  add_sparse_options(to, asked.sparse);
  to.add_flag("--check", asked.check, "Compare with the reference backend");
  to.add_flag("--explain", asked.explain,
              "Show every kernel considered, and why this one was chosen");
  add_count(to, "--repeat", asked.repeat, 0, "Repeat N times, for warm timings");
  add_seed(to, asked.seed);
  to.add_flag("--distributed", asked.distributed,
              "By all ranks of an MPI program: mpirun -n 4 gossamer multiply ...");
  add_choice(to, "--balance", asked.balance, {"rows", "nonzeros"},
             "Distributed: what ranks have equally much of (nonzeros)");
  add_choice(to, "--reorder", asked.reorder, {"any", "metis", "scotch"},
             "Distributed: renumber so that ranks exchange less");
  add_choice(to, "--decomposition", asked.decomposition, {"auto", "1d", "2d", "3d"},
             "Distributed sparse products: rows, sparse SUMMA, or layers of it (auto)");
  add_count(to, "--layers", asked.layers, 2, "Layers of --decomposition 3d; chosen without it");
  add_json(to, asked.as_json);
}

}  // namespace

void add_multiply(const command& program, action& chosen) {
  auto asked = std::make_shared<request>();
  const command multiply = program.add_subcommand(
      "multiply", "A sparse matrix times a vector, a dense or a sparse matrix", closing);
  add_options(multiply, *asked);
  multiply.when_chosen([asked, &chosen] {
    chosen = [asked] {
      if (asked->distributed) {
        if (asked->type.empty()) asked->type = "f64";
        return multiply_distributed(*asked);
      }
      require_one_right_factor(*asked);
      require_sensible(asked->sparse, asked->alpha);
      asked->type = type_for(asked->type, {asked->a, asked->times, asked->vector});
      return with_any_type(asked->type, [&](auto type) {
        return measured_product<typename decltype(type)::type>(*asked).run();
      });
    };
  });
}

}  // namespace gossamer::cli
