#include "bench_run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <deque>

#include "base/text.hpp"
#include "failure.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::cli {

namespace {

// A sample of a short product is a run of calls this long, so that the clock's grain is nothing.
constexpr double sample_seconds = 0.002;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

template <scalar T>
csr_matrix<T> load_subject(const std::string& subject, const context& where, progress& ticker) {
  const auto& recipes = generate::recipes();
  const std::string kind = subject.substr(0, subject.find(':'));
  const bool recipe =
      std::any_of(recipes.begin(), recipes.end(), [&](const auto& r) { return r.kind == kind; });
  if (!recipe || std::filesystem::exists(subject)) return load_sparse<T>(subject, where, ticker);
  ticker.stage("generating " + subject);
  return generate::by_name<T>(where, kind,
                              kind.size() == subject.size()
                                  ? std::vector<std::string>{}
                                  : split(subject.substr(kind.size() + 1), ','));
}

template <scalar T>
factors<T> factors_for(const bench_request& asked, csr_matrix<T> a, const context& where) {
  factors<T> of;
  of.product = asked.product;
  of.a = std::move(a);
  if (of.product == operation::spmm) {
    of.dense = random_block<T>(where, {of.a.cols(), asked.dense}, asked.seed);
  } else if (of.product == operation::spmv) {
    of.dense = dense_matrix<T>(of.a.cols(), 1, layout::column_major);
    generate::fill_random<T>(where, of.dense.values(), asked.seed);
  } else if (of.a.rows() != of.a.cols()) {
    throw fail(error_kind::bad_input, "it is {}, and only square matrices can be squared",
               shape_text(of.a.shape()));
  }
  return of;
}

/// A kernel in the race.
template <scalar T>
struct runner {
  std::string wanted;  // kernel id; "" is the library's choice
  format held_as = format::csr;
  any_matrix<T> held = {};
  std::optional<prepared_product<T>> product = {};
  double convert = 0, prepare = 0, first = 0;
  index_t calls_per_sample = 1;
  samples times = {};
};

context context_for(const std::string& kernel, const place& where) {
  if (kernel.ends_with("/reference")) return context::reference();
  return kernel.ends_with("/cuda") ? context::cuda() : where.open();
}

format format_of(const std::string& kernel) {
  if (kernel.empty()) return format::csr;
  const std::string held = split(kernel, '/').at(1);
  return held == "any" ? format::csr : parse_format(held);
}

template <scalar T>
void prepare(runner<T>& one, const bench_request& asked, const factors<T>& of) {
  const context where = context_for(one.wanted, asked.where);
  options how = asked.wishes.for_calls(asked.repeat);
  if (!one.wanted.empty()) how.algorithm = one.wanted;
  one.held_as = format_of(one.wanted);
  expression<T> left = of.left();
  if (one.held_as != format::csr) {
    one.convert = seconds_of([&] { one.held = in_format(where, of.a, one.held_as); });
    left = of.left_of(express_any(one.held));
  }
  one.prepare = seconds_of([&] { one.product.emplace(where, of, left, how); });
  one.first = seconds_of([&] { one.product->run_whole(); });
}

template <scalar T>
void measure(std::deque<runner<T>>& all, index_t repeat) {
  for (auto& one : all) {
    const double warm = seconds_of([&] { one.product->run_whole(); });
    one.calls_per_sample = std::clamp<index_t>(
        static_cast<index_t>(std::ceil(sample_seconds / std::max(warm, 1e-9))), 1, 10000);
  }
  for (index_t r = 0; r < repeat; ++r)
    for (auto& one : all) {
      const double seconds = seconds_of([&] {
        for (index_t call = 0; call < one.calls_per_sample; ++call) one.product->run_whole();
      });
      one.times.seconds.push_back(seconds / static_cast<double>(one.calls_per_sample));
    }
}

double predicted_seconds(const explanation& why) {
  for (const auto& c : why.all)
    if (c.kernel == why.chosen) return c.verdict.run_seconds;
  return 0;
}

template <scalar T>
json timed_record(const runner<T>& one, double bandwidth) {
  const explanation& why = one.product->explain();
  const least_work work = one.product->work();
  const double seconds = one.times.median();
  const double rate = static_cast<double>(work.bytes) / seconds;
  return {{"kernel", why.chosen},
          {"format", name(one.held_as)},
          {"chosen_by_library", one.wanted.empty()},
          {"seconds",
           {{"convert", one.convert},
            {"prepare", one.prepare},
            {"first", one.first},
            {"median", seconds},
            {"min", one.times.min()},
            {"samples", one.times.seconds},
            {"calls_per_sample", one.calls_per_sample},
            {"predicted", predicted_seconds(why)}}},
          {"flop", work.flop},
          {"gflops", work.flop / seconds / 1e9},
          {"bytes", work.bytes},
          {"gbytes_per_second", rate / 1e9},
          {"bandwidth_share", rate / bandwidth},
          {"explanation", json::parse(why.json())}};
}

std::vector<std::string> kernels_for(const bench_request& asked) {
  if (!asked.all_kernels) return {""};
  std::vector<std::string> ids;
  for (const auto& k : kernels())
    if (k.available && k.id.starts_with(std::string(name(asked.product)) + "/"))
      ids.push_back(k.id);
  return ids;
}

}  // namespace

template <scalar T>
json bench_matrix(const bench_request& asked, const std::string& subject, double bandwidth,
                  progress& ticker) {
  const context where = asked.where.open();
  const factors<T> of = factors_for(asked, load_subject<T>(subject, where, ticker), where);
  ticker.stage("computing the reference of " + subject);
  const yardstick<T> reference(of);

  json skipped = json::array();
  std::deque<runner<T>> all;  // stays in place: plans borrow the matrices
  std::vector<comparison> verdicts;
  for (const auto& kernel : kernels_for(asked)) {
    ticker.stage(fmt::format("checking {} on {}", kernel.empty() ? "the choice" : kernel, subject));
    auto& one = all.emplace_back(runner<T>{.wanted = kernel});
    try {
      prepare(one, asked, of);
      const comparison verdict = reference.judge(one.product->result());
      if (!verdict.right)
        skipped.push_back({{"kernel", one.product->explain().chosen},
                           {"wrong", true},
                           {"why", "wrong result: " + verdict.first_difference}});
      else
        verdicts.push_back(verdict);
      if (!verdict.right) all.pop_back();
    } catch (const error& e) {
      if (!asked.all_kernels) throw;
      skipped.push_back({{"kernel", kernel}, {"wrong", false}, {"why", e.what()}});
      all.pop_back();
    }
  }
  ticker.stage("measuring " + subject);
  measure(all, asked.repeat);

  json records = json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    json record = timed_record(all[i], bandwidth);
    record["error_of_bound"] = verdicts[i].worst;
    records.push_back(std::move(record));
  }
  return {{"matrix", subject},          {"operation", name(asked.product)},
          {"type", asked.type},         {"rows", of.a.rows()},
          {"cols", of.a.cols()},        {"nnz", of.a.nnz()},
          {"threads", where.threads()}, {"records", records},
          {"skipped", skipped}};
}

template json bench_matrix<float>(const bench_request&, const std::string&, double, progress&);
template json bench_matrix<double>(const bench_request&, const std::string&, double, progress&);

}  // namespace gossamer::cli
