// gossamer multiply --distributed with a sparse right factor.
#include "cli/commands/distributed_sparse.hpp"

#include <cmath>

#include "base/text.hpp"
#include "bench/race/timing.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/commands/reference_check.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/product_times.hpp"
#include "cli/output/report.hpp"
#include "cli/output/result_file.hpp"

namespace gossamer::cli {
namespace {

using mpi::agreed;

void require_sensible_product(const multiply_request& asked) {
  if (!asked.vector.empty() || asked.dense > 0 || (asked.square && !asked.times.empty()))
    throw usage_error("A can be multiplied by one thing at a time",
                      "give one of --times B.mtx, --square, --vector ones|random|FILE, --dense N");
  const std::string refused = !asked.sparse.add.empty()  ? "--add"
                              : asked.format != "csr"    ? "--format"
                              : !asked.reorder.empty()   ? "--reorder"
                              : asked.where.on == "cuda" ? "--on cuda"
                                                         : "";
  if (!refused.empty())
    throw usage_error(formatted("{} is not for distributed sparse products", refused),
                      "leave it out, or run one process without --distributed");
  require_sensible(asked.sparse, asked.alpha);
}

template <real_scalar T>
class distributed_sparse_product {
 public:
  distributed_sparse_product(const multiply_request& asked, mpi::communicator ranks)
      : asked_(asked), ranks_(std::move(ranks)), where_(asked.where.open()) {}

  exit_code run() {
    std::optional<output_file> target;
    agreed(ranks_, [&] {
      if (first() && !asked_.out.empty()) target.emplace(asked_.out);
      if (target) target->require_sparse();
    });
    load();
    compute();
    if (asked_.check || !asked_.out.empty()) whole_ = mpi::gather(where_, *c_);
    bool right = true;
    agreed(ranks_, [&] {
      if (first() && asked_.check) check();
      right = verdict_.right;
      if (target && right)
        times_.write = bench::seconds_of([&] { target->write(whole_, where_, ticker_); });
    });
    const double norm = norm_of_all();
    agreed(ranks_, [&] {
      if (!first()) return;
      ticker_.finish();
      report(norm);
      flush_output();
    });
    return agreed_code(right);
  }

 private:
  bool first() const { return ranks_.rank() == 0; }

  mpi::distributed_csr<T> read(const std::string& file, const mpi::distribution& how) const {
    return mpi::read<T>(where_, ranks_, file, how, limits_of_files());
  }
  void load() {
    times_.read = bench::seconds_of([&] {
      const mpi::distribution how{.balance = asked_.balance == "rows" ? mpi::balance::rows
                                                                      : mpi::balance::nonzeros};
      a_.emplace(read(asked_.a, how));
      if (!asked_.times.empty()) b_.emplace(read(asked_.times, how));
      if (asked_.transpose_a) {
        auto left = mpi::transpose(where_, *a_);
        if (asked_.square) b_.emplace(std::move(*a_));
        a_.emplace(std::move(left));
      }
      if (asked_.sparse.mask.empty()) return;
      const auto mask = read(asked_.sparse.mask, {.rows = a_->row_partition()});
      agreed(ranks_, [&] { mask_ = mpi::local_rows(where_, mask); });
    });
  }
  const mpi::distributed_csr<T>& right_factor() const { return b_ ? *b_ : *a_; }

  mpi::spgemm_options how() const {
    auto local = with_sparse_options(asked_.wanted.for_calls(1), asked_.sparse, sparse_extras<T>{});
    if (mask_)
      local.mask =
          asked_.sparse.complement_mask ? complement(pattern_of(*mask_)) : pattern_of(*mask_);
    return {.algorithm = asked_.decomposition,
            .layers = static_cast<int>(asked_.layers),
            .alpha = asked_.alpha,
            .local = std::move(local)};
  }
  void compute() {
    const auto wanted = agreed(ranks_, [&] { return how(); });
    const auto once = [&] {
      c_.emplace(mpi::multiply(where_, *a_, right_factor(), wanted, &why_));
    };
    times_.first = bench::seconds_of(once);
    for (index_t r = 0; r < asked_.repeat; ++r) {
      ranks_.barrier();
      times_.warm.push_back(bench::seconds_of(once));
    }
  }

  /// On rank 0, with matrices and a product of its own.
  void check() {
    times_.check = bench::seconds_of([&] {
      factors<T> alone;
      alone.product = operation::spgemm;
      alone.a = read_sparse<T>(asked_.a, limits_of_files());
      if (!asked_.times.empty()) alone.b = read_sparse<T>(asked_.times, limits_of_files());
      alone.transpose_a = asked_.transpose_a;
      alone.alpha = static_cast<T>(asked_.alpha);
      const auto extras = load_extras<T>(asked_.sparse, where_, alone, ticker_);
      verdict_ = judge_by_reference<T>(
          alone, {}, with_sparse_options(options{}, asked_.sparse, extras), whole_);
    });
  }

  double norm_of_all() const {
    double sum = 0;
    for (const auto& part : {c_->own(), c_->off()})
      for (index_t k = 0; k < part.nnz(); ++k)
        sum += static_cast<double>(part.values[k]) * static_cast<double>(part.values[k]);
    std::vector<index_t> offsets;
    for (int r = 0; r <= ranks_.size(); ++r) offsets.push_back(r);
    const std::vector<double> mine = {sum};
    double total = 0;
    for (const double part :
         mpi::gather(ranks_, mpi::partition(offsets), std::span<const double>(mine)))
      total += part;
    return std::sqrt(total);
  }

  json described(double norm) const {
    json ways = json::array();
    for (const auto& way : why_.considered)
      ways.push_back({{"decomposition", way.algorithm},
                      {"grid", {way.grid.rows, way.grid.columns, way.grid.layers}},
                      {"bytes", way.bytes},
                      {"exact", way.exact}});
    json result = {{"command", "multiply"},
                   {"distributed", true},
                   {"operation", "spgemm"},
                   {"ranks", ranks_.size()},
                   {"threads", where_.threads()},
                   {"type", asked_.type},
                   {"a",
                    {{"file", asked_.a},
                     {"rows", a_->shape().rows},
                     {"cols", a_->shape().cols},
                     {"nnz", a_->nnz()}}},
                   {"decomposition", why_.algorithm},
                   {"because", why_.because},
                   {"grid", {why_.grid.rows, why_.grid.columns, why_.grid.layers}},
                   {"rounds", why_.rounds},
                   {"considered", ways},
                   {"seconds", describe_times(times_)},
                   {"traffic",
                    {{"messages", why_.sent_by_all.messages},
                     {"bytes", why_.sent_by_all.bytes},
                     {"most_bytes", why_.most_bytes}}},
                   {"result",
                    {{"rows", c_->shape().rows},
                     {"cols", c_->shape().cols},
                     {"nnz", c_->nnz()},
                     {"norm", norm}}}};
    if (asked_.check)
      result["check"] = {{"right", verdict_.right},
                         {"entries", verdict_.entries},
                         {"wrong", verdict_.wrong},
                         {"worst", verdict_.worst},
                         {"difference", verdict_.first_difference}};
    if (!asked_.out.empty() && verdict_.right) result["output"] = asked_.out;
    return result;
  }

  void report(double norm) const {
    const json result = described(norm);
    if (asked_.as_json) return print_json(result);
    const painter paint = painter::for_stdout();
    print_field("A",
                formatted("{}  {} x {}, {} nonzeros, {}", asked_.a, count_text(a_->shape().rows),
                          count_text(a_->shape().cols), count_text(a_->nnz()), asked_.type));
    print_field("ranks", formatted("{}, {} threads each", ranks_.size(), where_.threads()));
    print_field("product", formatted("{}: {}", paint.strong(why_.algorithm), why_.because));
    print_field("time", formatted("{} a product; read {}", seconds_text(times_.typical()),
                                  seconds_text(times_.read)));
    print_field("traffic",
                formatted("{} messages, {}; the rank that sent most, {}",
                          count_text(why_.sent_by_all.messages), bytes_text(why_.sent_by_all.bytes),
                          bytes_text(why_.most_bytes)));
    print_field("result",
                formatted("{} x {}, {} nonzeros, norm {:.6g}", count_text(c_->shape().rows),
                          count_text(c_->shape().cols), count_text(c_->nnz()), norm));
    if (asked_.check)
      print_field("check", verdict_.right ? paint.good("correct")
                                          : paint.bad("WRONG: " + verdict_.first_difference));
    if (result.contains("output")) print_field("written", asked_.out);
    if (asked_.explain) print("\n{}", why_.text());
  }

  /// What rank 0 found, on all ranks.
  exit_code agreed_code(bool right) const {
    try {
      agreed(ranks_, [&] {
        if (first() && !right)
          throw error(error_kind::bad_input,
                      "the result differs from the reference: " + verdict_.first_difference);
      });
    } catch (const mpi::agreed_error& e) {
      if (first())
        report_failure({exit_code::wrong_result, "wrong result", e.what(),
                        "this is a defect of the library; nothing was written"},
                       {});
      return exit_code::wrong_result;
    }
    return exit_code::done;
  }

  const multiply_request& asked_;
  mpi::communicator ranks_;
  context where_;
  progress ticker_;
  spent times_;
  std::optional<mpi::distributed_csr<T>> a_, b_, c_;
  std::optional<csr_matrix<T>> mask_;
  csr_matrix<T> whole_;
  mpi::spgemm_report why_;
  bench::judgement verdict_;
};

}  // namespace

exit_code multiply_distributed_sparse(const multiply_request& asked,
                                      const mpi::communicator& ranks) {
  require_sensible_product(asked);
  return with_type(asked.type, [&](auto type) {
    return distributed_sparse_product<typename decltype(type)::type>(asked, ranks).run();
  });
}

}  // namespace gossamer::cli
