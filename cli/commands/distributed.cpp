// gossamer multiply --distributed: the matrix is read, and the product computed, by all ranks.
#include "cli/commands/distributed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"
#include "bench/race/timing.hpp"
#include "bench/race/yardstick.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/commands/distributed_sparse.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/product_times.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"
#include "gossamer/distributed.hpp"

namespace gossamer::cli {
namespace {

using mpi::agreed;

/// The first option given that is not for distributed products.
std::string refused_option(const multiply_request& asked) {
  if (asked.sparse.any()) return "an option of sparse products";
  if (asked.format != "csr") return "--format";
  if (asked.explain) return "--explain";
  if (asked.conjugate_a) return "--conjugate-a";
  return asked.where.on == "cuda" ? "--on cuda" : "";
}

void require_sensible(const multiply_request& asked) {
  const auto refused = refused_option(asked);
  if (!refused.empty())
    throw usage_error(formatted("{} is not for distributed products with vectors", refused),
                      "with --distributed give --vector ones|random|FILE or --dense N");
  if (asked.type == "c64" || asked.type == "c128")
    throw usage_error(formatted("--type {} is not for distributed products", asked.type),
                      "with --distributed values are f32 or f64");
  if (asked.vector.empty() == (asked.dense == 0))
    throw usage_error("multiply A by what?",
                      "give one of --times B.mtx, --square, --vector ones|random|FILE, --dense N");
}

/// Numbers of every rank, on rank 0: `each` numbers a rank, in order of ranks.
std::vector<double> from_all(const mpi::communicator& ranks, const std::vector<double>& mine) {
  std::vector<index_t> offsets;
  for (int r = 0; r <= ranks.size(); ++r) offsets.push_back(static_cast<index_t>(mine.size()) * r);
  return mpi::gather(ranks, mpi::partition(offsets), std::span<const double>(mine));
}

/// What each rank did, as the record lists it.
constexpr const char* columns_of_ranks[] = {
    "rows",         "nnz",         "halo",         "messages_sent", "bytes_sent",
    "seconds_pack", "seconds_own", "seconds_wait", "seconds_off",
};

/// The greatest over the mean: 1 is perfect balance.
double imbalance(const json& ranks, const char* what) {
  double sum = 0, most = 0;
  for (const auto& rank : ranks) {
    sum += rank[what].get<double>();
    most = std::max(most, rank[what].get<double>());
  }
  return sum > 0 ? most * static_cast<double>(ranks.size()) / sum : 1;
}

/// One distributed product, from the file to the report.
template <real_scalar T>
class distributed_product {
 public:
  distributed_product(const multiply_request& asked, mpi::communicator ranks)
      : asked_(asked), ranks_(std::move(ranks)), where_(asked.where.open()) {}

  exit_code run() {
    std::optional<output_file> target;
    agreed(ranks_, [&] {
      if (first() && !asked_.out.empty()) target.emplace(asked_.out);
      if (target) target->require_dense();
    });
    load();
    compute();
    gather_result();
    exit_code code = exit_code::done;
    agreed(ranks_, [&] {
      if (first() && asked_.check) check();
      if (target && verdict_.right)
        times_.write = bench::seconds_of([&] { target->write(whole_, where_, ticker_); });
    });
    const json result = describe();
    agreed(ranks_, [&] {
      if (!first()) return;
      ticker_.finish();
      asked_.as_json ? print_json(result) : print_text(result);
    });
    code =
        agreed(ranks_, [&] { return verdict_.right ? exit_code::done : exit_code::wrong_result; });
    if (first() && code != exit_code::done)
      report_failure({code, "wrong result",
                      "the result differs from the reference: " + verdict_.first_difference,
                      "this is a defect of the kernel; nothing was written"},
                     {});
    if (first()) flush_output();
    // All ranks return what rank 0 found, once it has said so.
    return from_first(code);
  }

 private:
  bool first() const { return ranks_.rank() == 0; }

  exit_code from_first(exit_code mine) const {
    try {
      agreed(ranks_, [&] {
        if (first() && mine != exit_code::done) throw error(error_kind::bad_input, "wrong result");
      });
    } catch (const mpi::agreed_error&) {
      return exit_code::wrong_result;
    }
    return exit_code::done;
  }

  void load() {
    times_.read = bench::seconds_of([&] {
      const auto how = mpi::distribution{
          .balance = asked_.balance == "rows" ? mpi::balance::rows : mpi::balance::nonzeros};
      a_.emplace(mpi::read<T>(where_, ranks_, asked_.a, how, limits_of_files()));
      if (!asked_.reorder.empty()) reorder();
    });
    const auto& blocks = asked_.transpose_a ? a_->row_partition() : a_->column_partition();
    agreed(ranks_, [&] {
      // As one process makes it, so that results are the same; each rank keeps its block.
      x_whole_ = asked_.vector.empty()
                     ? random_block<T>(where_, {blocks.size(), asked_.dense}, asked_.seed)
                     : load_vector<T>(where_, {asked_.vector, asked_.seed}, blocks.size(), ticker_);
      x_ = dense_matrix<T>(blocks.count(ranks_.rank()), x_whole_.cols(), x_whole_.order());
      const index_t begin = blocks.first(ranks_.rank());
      for (index_t i = 0; i < x_.rows(); ++i)
        for (index_t j = 0; j < x_.cols(); ++j)
          x_(i, j) =
              x_whole_(original_.empty() ? begin + i : original_[static_cast<std::size_t>(i)], j);
      if (!asked_.check || !first()) x_whole_ = {};
      const auto& out = asked_.transpose_a ? a_->column_partition() : a_->row_partition();
      y_ = dense_matrix<T>(out.count(ranks_.rank()), x_.cols(), x_.order());
    });
  }

  void reorder() {
    const auto tool = asked_.reorder == "metis"    ? mpi::graph_tool::metis
                      : asked_.reorder == "scotch" ? mpi::graph_tool::scotch
                                                   : mpi::graph_tool::any;
    auto better = mpi::reorder(where_, *a_, tool);
    a_.emplace(std::move(better.matrix));
    original_ = std::move(better.original);
  }

  void compute() {
    times_.prepare = bench::seconds_of([&] {
      auto local = agreed(ranks_, [&] { return asked_.wanted.for_calls(1 + asked_.repeat); });
      plan_.emplace(
          where_, *a_,
          mpi::product_options{
              .transposed = asked_.transpose_a, .columns = x_.cols(), .local = std::move(local)});
    });
    const auto once = [&] {
      mpi::multiply<T>(*plan_, static_cast<T>(asked_.alpha), x_.view(), T{0}, y_.mutable_view());
    };
    times_.first = bench::seconds_of(once);
    for (index_t r = 0; r < asked_.repeat; ++r) {
      ranks_.barrier();
      times_.warm.push_back(bench::seconds_of(once));
    }
  }

  /// y on rank 0, in the order of the file.
  void gather_result() {
    const auto& out = asked_.transpose_a ? a_->column_partition() : a_->row_partition();
    std::vector<double> numbers;
    const auto order =
        original_.empty()
            ? std::vector<double>()
            : mpi::gather(ranks_, out,
                          std::span<const double>(numbers = {original_.begin(), original_.end()}));
    if (first()) whole_ = dense_matrix<T>(out.size(), y_.cols(), y_.order());
    for (index_t j = 0; j < y_.cols(); ++j) {
      std::vector<T> mine(static_cast<std::size_t>(y_.rows()));
      for (index_t i = 0; i < y_.rows(); ++i) mine[static_cast<std::size_t>(i)] = y_(i, j);
      const auto column = mpi::gather(ranks_, out, std::span<const T>(mine));
      for (std::size_t i = 0; i < column.size(); ++i)
        whole_(order.empty() ? static_cast<index_t>(i) : static_cast<index_t>(order[i]), j) =
            column[i];
    }
  }

  /// On rank 0, with a matrix and a product of its own.
  void check() {
    times_.check = bench::seconds_of([&] {
      factors<T> alone;
      alone.a = read_sparse<T>(asked_.a, limits_of_files());
      alone.transpose_a = asked_.transpose_a;
      alone.alpha = static_cast<T>(asked_.alpha);
      alone.product = asked_.vector.empty() ? operation::spmm : operation::spmv;
      alone.dense = std::move(x_whole_);
      verdict_ = bench::yardstick<T>(alone).judge(bench::product_result<T>(whole_));
    });
  }

  json describe() const {
    const auto sent = plan_->sent_per_call();
    const auto& took = plan_->latest();
    const auto numbers = from_all(
        ranks_, {static_cast<double>(a_->local_rows()), static_cast<double>(a_->local_nnz()),
                 static_cast<double>(a_->halo().size()), static_cast<double>(sent.messages),
                 static_cast<double>(sent.bytes), took.pack, took.own, took.wait, took.off});
    json ranks = json::array();
    constexpr std::size_t width = std::size(columns_of_ranks);
    for (std::size_t at = 0; at < numbers.size(); at += width) {
      json one = {{"rank", at / width}};
      for (std::size_t k = 0; k < width; ++k)
        if (k < 5)  // counts
          one[columns_of_ranks[k]] = static_cast<index_t>(numbers[at + k]);
        else
          one[columns_of_ranks[k]] = numbers[at + k];
      ranks.push_back(std::move(one));
    }
    if (!first()) return {};
    return describe_whole(std::move(ranks));
  }

  json describe_whole(json ranks) const {
    index_t messages = 0, bytes = 0;
    double wait = 0, busy = 0;
    for (const auto& rank : ranks) {
      messages += rank["messages_sent"].get<index_t>();
      bytes += rank["bytes_sent"].get<index_t>();
      wait += rank["seconds_wait"].get<double>();
      busy += rank["seconds_own"].get<double>();
    }
    double sum = 0;
    for (const double value : whole_.values()) sum += value * value;
    const double flop = 2.0 * static_cast<double>(a_->nnz()) * static_cast<double>(x_.cols());
    json result = {
        {"command", "multiply"},
        {"distributed", true},
        {"operation", asked_.vector.empty() ? "spmm" : "spmv"},
        {"ranks", ranks_.size()},
        {"threads", where_.threads()},
        {"type", asked_.type},
        {"a",
         {{"file", asked_.a},
          {"rows", a_->shape().rows},
          {"cols", a_->shape().cols},
          {"nnz", a_->nnz()},
          {"balance", asked_.balance},
          {"reorder", asked_.reorder.empty() ? "none" : asked_.reorder}}},
        {"kernels", {{"own", plan_->own_kernel()}, {"off", plan_->off_kernel()}}},
        {"seconds", describe_times(times_)},
        {"gflops", flop / times_.typical() / 1e9},
        {"traffic", {{"messages", messages}, {"bytes", bytes}}},
        {"imbalance",
         {{"nnz", imbalance(ranks, "nnz")}, {"bytes_sent", imbalance(ranks, "bytes_sent")}}},
        {"overlap", busy + wait > 0 ? busy / (busy + wait) : 1.0},
        {"per_rank", std::move(ranks)},
        {"result", {{"rows", whole_.rows()}, {"cols", whole_.cols()}, {"norm", std::sqrt(sum)}}}};
    if (asked_.check)
      result["check"] = {{"right", verdict_.right},
                         {"entries", verdict_.entries},
                         {"wrong", verdict_.wrong},
                         {"worst", verdict_.worst},
                         {"difference", verdict_.first_difference}};
    if (!asked_.out.empty() && verdict_.right) result["output"] = asked_.out;
    return result;
  }

  void print_text(const json& result) const {
    const painter paint = painter::for_stdout();
    const auto& a = result["a"];
    print_field("A", formatted("{}  {} x {}, {} nonzeros, {}", asked_.a, count_text(a["rows"]),
                               count_text(a["cols"]), count_text(a["nnz"]), asked_.type));
    print_field("ranks", formatted("{}, {} threads each, rows balanced by {}", ranks_.size(),
                                   where_.threads(), asked_.balance));
    print_field("kernels", formatted("{} on rank 0; halo: {}", paint.strong(plan_->own_kernel()),
                                     plan_->off_kernel()));
    print_field("time", formatted("{} a product, {:.3g} GFLOP/s; read {}, plan {}",
                                  seconds_text(times_.typical()), result["gflops"].get<double>(),
                                  seconds_text(times_.read), seconds_text(times_.prepare)));
    print_field("traffic",
                formatted("{} messages, {} a product", count_text(result["traffic"]["messages"]),
                          bytes_text(result["traffic"]["bytes"])));
    print_field("imbalance",
                formatted("{:.3g} of nonzeros, {:.3g} of bytes sent (greatest over mean)",
                          result["imbalance"]["nnz"].get<double>(),
                          result["imbalance"]["bytes_sent"].get<double>()));
    print_field("result",
                formatted("{} x {}, norm {:.6g}", count_text(whole_.rows()),
                          count_text(whole_.cols()), result["result"]["norm"].get<double>()));
    if (asked_.check)
      print_field("check", verdict_.right
                               ? paint.good(formatted(
                                     "correct: {} values, largest error {:.2g} of the bound",
                                     count_text(verdict_.entries), verdict_.worst))
                               : paint.bad("WRONG: " + verdict_.first_difference));
    if (result.contains("output")) print_field("written", asked_.out);
    print("\n");
    table each({"rank", "rows", "nonzeros", "halo", "messages", "bytes sent", "own", "wait", "off"},
               ">>>>>>>>>");
    for (const auto& rank : result["per_rank"])
      each.row({formatted("{}", rank["rank"].get<int>()), count_text(rank["rows"]),
                count_text(rank["nnz"]), count_text(rank["halo"]),
                count_text(rank["messages_sent"]), count_text(rank["bytes_sent"]),
                seconds_text(rank["seconds_own"]), seconds_text(rank["seconds_wait"]),
                seconds_text(rank["seconds_off"])});
    each.print();
  }

  const multiply_request& asked_;
  mpi::communicator ranks_;
  context where_;
  progress ticker_;
  spent times_;
  std::optional<mpi::distributed_csr<T>> a_;
  std::vector<index_t> original_;  // numbers of my rows in the file, where they were reordered
  dense_matrix<T> x_whole_, x_, y_, whole_;
  std::optional<mpi::product_plan<T>> plan_;
  bench::judgement verdict_;
};

}  // namespace

exit_code multiply_distributed(const multiply_request& asked) {
  const mpi::environment started;
  const auto ranks = mpi::communicator::world();
  try {
    if (asked.square || !asked.times.empty()) return multiply_distributed_sparse(asked, ranks);
    require_sensible(asked);  // all ranks have the same words
    return with_type(asked.type, [&](auto type) {
      return distributed_product<typename decltype(type)::type>(asked, ranks).run();
    });
  } catch (...) {
    // All ranks have the same error; one report is enough. Nobody leaves before it is made: an MPI
    // ends the others as soon as one process has failed.
    const auto found = describe_current_exception("gossamer multiply");
    if (ranks.rank() == 0) report_failure(found, {.as_json = asked.as_json});
    ranks.barrier();
    return found.code;
  }
}

}  // namespace gossamer::cli
