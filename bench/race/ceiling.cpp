#include "bench/race/ceiling.hpp"

#include <algorithm>

#include "bench/clock/device_clock.hpp"
#include "bench/clock/flat_pass.hpp"
#include "bench/race/statistics.hpp"
#include "bench/session/case.hpp"
#include "gossamer/copy.hpp"

namespace gossamer::bench {

namespace {

template <scalar T>
struct moved_factors {
  context where;
  csr_matrix<T> a;
  dense_matrix<T> x;
  device_clock clock;

  moved_factors(const context& to, const factors<T>& of)
      : where(to), a(copy_to(to, of.a)), x(copy_to(to, of.dense)), clock(to.stream()) {}
};

template <scalar T>
class flat_pass final : public contestant {
 public:
  flat_pass(std::shared_ptr<moved_factors<T>> on, flat_order order)
      : on_(std::move(on)), order_(order) {}

  void run() override {
    const flat_arrays<T> all{on_->a.column_indices().template as<std::int32_t>().data(),
                             on_->a.values().data(), on_->x.values().data(), on_->a.nnz(),
                             on_->x.values().data()};
    seconds_ = on_->clock.time([&] { launch_flat_pass(all, order_, on_->where.stream()); });
  }
  double device_seconds() const override { return seconds_; }
  void cool_down() override { on_->clock.sweep(); }

 private:
  std::shared_ptr<moved_factors<T>> on_;
  flat_order order_;
  double seconds_ = -1;
};

}  // namespace

template <scalar T>
std::vector<std::unique_ptr<contestant>> flat_passes(const context& where, const factors<T>& of) {
  std::vector<std::unique_ptr<contestant>> all;
  if (of.product != operation::spmv || of.transpose_a ||
      of.a.index_widths().indices != index_width::i32)
    return all;
  const auto moved = std::make_shared<moved_factors<T>>(where, of);
  for (const auto order : {flat_order::four, flat_order::eight, flat_order::wide}) {
    all.push_back(std::make_unique<flat_pass<T>>(moved, order));
    all.back()->run();  // the first launch loads its code
  }
  return all;
}

json describe_ceiling(std::span<const lane> passes) {
  const auto& best = *std::min_element(
      passes.begin(), passes.end(),
      [](const auto& a, const auto& b) { return median(a.warm.seconds) < median(b.warm.seconds); });
  json described = {{"warm", describe_series(best.warm, record_detail::summary)}};
  if (!best.cold.seconds.empty())
    described["cold"] = describe_series(best.cold, record_detail::summary);
  return described;
}

template std::vector<std::unique_ptr<contestant>> flat_passes(const context&,
                                                              const factors<float>&);
template std::vector<std::unique_ptr<contestant>> flat_passes(const context&,
                                                              const factors<double>&);

}  // namespace gossamer::bench
