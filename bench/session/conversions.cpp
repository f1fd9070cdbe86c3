// The cost of conversions (MV-CONV): every pair of formats, in multiples of one SpMV of the same
// matrix in CSR.
#include <algorithm>
#include <array>
#include <deque>

#include "base/text.hpp"
#include "bench/race/statistics.hpp"
#include "bench/race/timing.hpp"
#include "bench/records/rates.hpp"
#include "bench/session/case.hpp"
#include "gossamer/copy.hpp"

namespace gossamer::bench {

namespace {

constexpr std::array formats{format::csr,   format::csc, format::coo,  format::ell,
                             format::sellp, format::hyb, format::dense};

template <scalar T>
any_matrix<T> converted(const context& where, const any_matrix<T>& from, format to) {
  const expression<T> e = express_any(from);
  switch (to) {
    case format::csr: return convert<csr_matrix<T>>(where, e);
    case format::csc: return convert<csc_matrix<T>>(where, e);
    case format::coo: return convert<coo_matrix<T>>(where, e);
    case format::ell: return convert<ell_matrix<T>>(where, e);
    case format::sellp: return convert<sellp_matrix<T>>(where, e);
    case format::hyb: return convert<hyb_matrix<T>>(where, e);
    case format::dense: return convert<dense_matrix<T>>(where, e);
  }
  return from;
}

template <scalar T>
bool equal(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  if (a.shape() != b.shape() || a.nnz() != b.nnz()) return false;
  for (index_t i = 0; i <= a.rows(); ++i)
    if (a.row_offsets()[i] != b.row_offsets()[i]) return false;
  for (index_t k = 0; k < a.nnz(); ++k)
    if (a.column_indices()[k] != b.column_indices()[k]) return false;
  return std::equal(a.values().begin(), a.values().end(), b.values().begin());
}

template <scalar T>
class conversion final : public contestant {
 public:
  conversion(const context& where, const csr_matrix<T>& a, format from, format to)
      : where_(where), a_(&a), from_(from), to_(to) {}
  void prepare() override {
    if (where_.backend() != backend::cuda)
      source_ = in_format(where_, *a_, from_);
    else if (auto moved = copy_to(where_, *a_); from_ == format::csr)
      source_ = std::move(moved);
    else
      source_ = in_format(where_, moved, from_);
  }
  /// By the host's clock on a device, too: a conversion waits for sizes it has to allocate.
  void run() override {
    result_ = converted(where_, source_, to_);
    where_.synchronise();
  }
  void forget() override { result_ = csr_matrix<T>(); }
  /// Whether the result is exactly A. (A stored zero is lost in a dense matrix.)
  bool right() const {
    const auto cpu = context::best();
    if (from_ == format::dense || to_ == format::dense)
      return equal(rows_of_result(), std::get<csr_matrix<T>>(converted<T>(
                                         cpu, in_format(cpu, *a_, format::dense), format::csr)));
    return equal(rows_of_result(), *a_);
  }

 private:
  csr_matrix<T> rows_of_result() const {
    auto rows = std::get<csr_matrix<T>>(converted<T>(where_, result_, format::csr));
    return where_.backend() == backend::cuda ? copy_to_host(where_, rows) : std::move(rows);
  }

  context where_;
  const csr_matrix<T>* a_;
  format from_, to_;
  any_matrix<T> source_, result_;
};

template <scalar T>
struct converter {
  std::string name;
  std::unique_ptr<conversion<T>> instance;
  double first = 0;
};

template <scalar T>
void admit(std::deque<converter<T>>& in, json& refused, converter<T> one) {
  const auto refuse = [&](const std::string& why, bool wrong) {
    refused.push_back(
        {{"contestant", one.name}, {"mode", "whole"}, {"wrong", wrong}, {"why", why}});
  };
  try {
    one.instance->prepare();
    one.first = seconds_of([&] { one.instance->run(); });
    if (!one.instance->right()) return refuse("the converted matrix is another one", true);
    one.instance->forget();
  } catch (const std::exception& e) {
    return refuse(e.what(), false);
  }
  in.push_back(std::move(one));
}

}  // namespace

template <scalar T>
json run_conversions(const case_spec& what, const factors<T>& of, const request& asked,
                     const json& context, world& in, session_watch& watch) {
  const busy_watch busy;
  json result = describe_case<T>(what, of);
  json refused = json::array(), records = json::array();
  const backend place = asked.on.front();
  const auto where =
      place == backend::cuda ? gossamer::context::cuda() : gossamer::context::openmp(what.threads);
  std::deque<converter<T>> admitted;
  for (const auto from : formats)
    for (const auto to : formats) {
      if (from == to) continue;
      const auto called = formatted("convert/{}/{}", name(from), name(to));
      watch.stage(formatted("checking {} on {}", called, what.on->name));
      admit(admitted, refused, {called, std::make_unique<conversion<T>>(where, of.a, from, to)});
    }
  const auto spmv = make_own<T>({.backend = place, .threads = what.threads}, of);
  spmv->prepare();

  watch.stage("measuring " + what.on->name);
  std::vector<lane> lanes{{.who = spmv.get(), .threads = what.threads}};
  for (const auto& one : admitted)
    lanes.push_back({.who = one.instance.get(), .threads = what.threads, .sparse = true});
  rules by = asked.by;
  by.left_behind = 1e9;  // an SpMV is always far ahead
  race(lanes, by, in, [&] { watch.between_samples(); });

  const double unit = median(lanes.front().warm.seconds);
  result["work"] = {{"flop", 0.0}, {"bytes", stored_bytes<T>(any_view<const T>(of.a.view()))}};
  for (std::size_t k = 1; k < lanes.size(); ++k) {
    const double seconds = median(lanes[k].warm.seconds);
    records.push_back({{"contestant", admitted[k - 1].name},
                       {"kind", "conversion"},
                       {"kernel", nullptr},
                       {"how", "convert"},
                       {"format", nullptr},
                       {"backend", name(place)},
                       {"threads", what.threads},
                       {"mode", "whole"},
                       {"sorted", true},
                       {"keeps_zeros", true},
                       {"seconds",
                        {{"convert", 0.0},
                         {"prepare", 0.0},
                         {"first", admitted[k - 1].first},
                         {"cold", describe_series(lanes[k].cold, asked.kept)},
                         {"warm", describe_series(lanes[k].warm, asked.kept)}}},
                       {"spmv_multiples", seconds / unit},
                       {"peak_bytes", lanes[k].peak ? json(*lanes[k].peak) : json(nullptr)},
                       {"error", 0.0}});
    add_rates(records.back(), result["work"], context);
  }
  const disturbance noise = busy.so_far();
  result["disturbance"] = {{"others", noise.others}, {"stolen", noise.stolen}};
  result["choice"] = nullptr;
  result["records"] = std::move(records);
  result["refused"] = std::move(refused);
  return result;
}

template json run_conversions(const case_spec&, const factors<float>&, const request&, const json&,
                              world&, session_watch&);
template json run_conversions(const case_spec&, const factors<double>&, const request&, const json&,
                              world&, session_watch&);

}  // namespace gossamer::bench
