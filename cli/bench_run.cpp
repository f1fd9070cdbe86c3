#include "bench_run.hpp"

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
factors<T> factors_for(const bench_request& asked, const std::string& subject, csr_matrix<T> a,
                       const context& where) {
  factors<T> of;
  of.product = asked.product;
  of.a = std::move(a);
  if (of.product == operation::spmm) {
    of.dense = random_block<T>(where, {of.a.cols(), asked.dense}, asked.seed);
  } else if (of.product == operation::spmv) {
    of.dense = dense_matrix<T>(of.a.cols(), 1, layout::column_major);
    generate::fill_random<T>(where, of.dense.values(), asked.seed);
  } else if (of.a.rows() != of.a.cols()) {
    throw fail(error_kind::bad_input, "{} is {}, and only square matrices can be squared", subject,
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
  comparison verdict = {};
  samples times = {};
};

context context_for(const std::string& kernel, const place& where) {
  if (kernel.ends_with("/reference")) return context::reference();
  return kernel.ends_with("/cuda") ? context::cuda() : where.open();
}

// The formats a kernel is tried with, in this order. Kernels for any format are at home in CSR, or
// else (those that scatter) in CSC.
std::vector<format> formats_for(const std::string& kernel) {
  if (kernel.empty()) return {format::csr};
  const std::string held = split(kernel, '/').at(1);
  if (held == "any") return {format::csr, format::csc};
  return {parse_format(held)};
}

template <scalar T>
void prepare_as(format held_as, runner<T>& one, const bench_request& asked, const factors<T>& of) {
  const context where = context_for(one.wanted, asked.where);
  options how = asked.wishes.for_calls(asked.repeat);
  if (!one.wanted.empty()) how.algorithm = one.wanted;
  one.held_as = held_as;
  expression<T> left = of.left();
  if (held_as != format::csr) {
    one.convert = seconds_of([&] { one.held = in_format(where, of.a, held_as); });
    left = of.left_of(express_any(one.held));
  }
  one.prepare = seconds_of([&] { one.product.emplace(where, of, left, how); });
  one.first = seconds_of([&] { one.product->run_whole(); });
}

template <scalar T>
void prepare(runner<T>& one, const bench_request& asked, const factors<T>& of) {
  const auto formats = formats_for(one.wanted);
  for (const auto held_as : formats) {
    try {
      return prepare_as(held_as, one, asked, of);
    } catch (const error& e) {
      if (e.kind() != error_kind::not_available || held_as == formats.back()) throw;
    }
  }
}

/// Prepares and checks; a kernel that cannot run or is wrong is noted in `skipped` instead.
template <scalar T>
bool admit(runner<T>& one, const bench_request& asked, const factors<T>& of,
           const yardstick<T>& reference, json& skipped) {
  try {
    prepare(one, asked, of);
  } catch (const error& e) {
    if (!asked.all_kernels) throw;
    skipped.push_back({{"kernel", one.wanted}, {"wrong", false}, {"why", e.what()}});
    return false;
  }
  one.verdict = reference.judge(one.product->result());
  if (!one.verdict.right)
    skipped.push_back({{"kernel", one.product->explain().chosen},
                       {"wrong", true},
                       {"why", "wrong result: " + one.verdict.first_difference}});
  return one.verdict.right;
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
          {"error_of_bound", one.verdict.worst},
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
  const factors<T> of = factors_for(asked, subject, load_subject<T>(subject, where, ticker), where);
  ticker.stage("computing the reference of " + subject);
  const yardstick<T> reference(of);

  json skipped = json::array(), records = json::array();
  std::deque<runner<T>> all;  // stays in place: plans borrow the matrices
  for (const auto& kernel : kernels_for(asked)) {
    ticker.stage(formatted("checking {} on {}", kernel.empty() ? "the choice" : kernel, subject));
    if (!admit(all.emplace_back(runner<T>{.wanted = kernel}), asked, of, reference, skipped))
      all.pop_back();
  }
  ticker.stage("measuring " + subject);
  measure(all, asked.repeat);
  for (const auto& one : all) records.push_back(timed_record(one, bandwidth));
  return {{"matrix", subject},          {"operation", name(asked.product)},
          {"type", asked.type},         {"rows", of.a.rows()},
          {"cols", of.a.cols()},        {"nnz", of.a.nnz()},
          {"threads", where.threads()}, {"records", records},
          {"skipped", skipped}};
}

template json bench_matrix<float>(const bench_request&, const std::string&, double, progress&);
template json bench_matrix<double>(const bench_request&, const std::string&, double, progress&);

}  // namespace gossamer::cli
