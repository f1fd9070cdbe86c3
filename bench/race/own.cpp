#include "bench/race/own.hpp"

#include <algorithm>

#include "base/counting_memory.hpp"
#include "base/text.hpp"
#include "bench/clock/device_clock.hpp"
#include "bench/race/timing.hpp"
#include "gossamer/copy.hpp"

namespace gossamer::bench {

namespace {

/// Where a contestant runs; device memory is counted.
struct counted_context {
  context where;
  std::shared_ptr<counting_memory> memory = nullptr;
};

counted_context context_for(const own_entry& entry) {
  switch (entry.backend) {
    case backend::reference: return {context::reference()};
    case backend::openmp: return {context::openmp(entry.threads)};
    case backend::cuda: break;
  }
  const context plain = context::cuda();
  const auto memory = std::make_shared<counting_memory>(plain.memory());
  return {plain.with_memory(memory), memory};
}

std::string second_part(const std::string& id) {
  const auto begin = id.find('/') + 1;
  return id.substr(begin, id.find('/', begin) - begin);
}

template <scalar T>
class product_contestant final : public own_contestant {
 public:
  product_contestant(const own_entry& entry, const factors<T>& of)
      : product_contestant(entry, of, context_for(entry)) {}
  product_contestant(const own_entry& entry, const factors<T>& of, const counted_context& place)
      : entry_(entry), of_(&of), where_(place.where), memory_(place.memory) {}

  void prepare() override {
    const auto formats = formats_for(entry_.kernel);
    for (const auto held_as : formats) {
      try {
        return prepare_as(held_as);
      } catch (const error& e) {
        if (e.kind() != error_kind::not_available || held_as == formats.back()) throw;
      }
    }
  }

  void poison() override { product_->poison(); }
  void run() override {
    if (memory_) memory_->restart();
    if (clock_)
      seconds_ = clock_->time([&] { run_as_asked(); });
    else
      run_as_asked();
  }
  void forget() override {
    if (entry_.mode != run_mode::whole) return;
    product_->forget();
    if (clock_) product_->wait();  // what is freed late would count
  }

  double device_seconds() const override { return seconds_; }
  std::optional<index_t> device_bytes() const override {
    return memory_ ? std::optional(memory_->growth()) : std::nullopt;
  }
  void cool_down() override {
    if (clock_) clock_->sweep();
  }

  void answer(const dense_answer& into) override {
    const extents shape{of_->left_shape().rows, of_->dense.cols()};
    const bool row_major = of_->dense.order() == layout::row_major;
    product_->fetch({shape, of_->dense.order(), row_major ? shape.cols : shape.rows,
                     static_cast<T*>(into.values)});
  }
  void answer(sparse_answer& into) override {
    product_->fetch();
    const auto& c = std::get<csr_matrix<T>>(product_->result());
    into.offsets.resize(static_cast<std::size_t>(c.rows()) + 1);
    for (index_t i = 0; i <= c.rows(); ++i)
      into.offsets[static_cast<std::size_t>(i)] = c.row_offsets()[i];
    into.columns.resize(static_cast<std::size_t>(c.nnz()));
    for (index_t k = 0; k < c.nnz(); ++k)
      into.columns[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(c.column_indices()[k]);
    into.values.assign(c.values().begin(), c.values().end());
  }

  own_facts facts() const override { return {product_->explain(), held_as_, convert_seconds_}; }
  double prepare_seconds() const override { return prepare_seconds_; }

  std::vector<phase> phases() override {
    if (of_->product != operation::spgemm || entry_.mode != run_mode::whole) return {};
    explanation why = product_->run_explained();
    if (!why.phases.empty()) why = product_->run_explained();  // the first run allocated memory
    product_->forget();
    return why.phases;
  }

 private:
  void run_as_asked() {
    if (entry_.mode == run_mode::numeric || of_->product != operation::spgemm)
      product_->run();
    else
      product_->run_whole();
  }

  /// On a device a plan would hold memory that whole products do not need; its reasons are those of
  /// a run.
  halves phases_apart() const {
    const bool whole = of_->product == operation::spgemm && entry_.mode == run_mode::whole;
    return whole && clock_ ? halves::together : halves::separate;
  }

  void prepare_as(format held_as) {
    // As with the peers, values do not change during a run: a plan may convert them once.
    options how{.algorithm = entry_.kernel,
                .expected_calls = entry_.expected_calls,
                .constant_values = true};
    held_as_ = held_as;
    expression<T> left = of_->left();
    const bool on_device = where_.backend() == backend::cuda;
    if (on_device) {
      rows_ = copy_to(where_, of_->a);
      left = of_->left_of(express(rows_));
      clock_.emplace(where_.stream());
    }
    if (held_as != format::csr) {
      convert_seconds_ = seconds_of([&] {
        held_ = in_format(where_, on_device ? rows_ : of_->a, held_as, conversion());
        where_.synchronise();
      });
      left = of_->left_of(express_any(held_));
    }
    prepare_seconds_ = seconds_of([&] {
      product_.emplace(where_, *of_, left, how, phases_apart());
      product_->wait();
    });
    if (!product_->planned()) {
      product_->run();  // whose reasons facts() tells
      product_->forget();
    }
  }

  /// A column limit needs a number: the mean row length.
  convert_options conversion() const {
    convert_options how;
    if (!entry_.split) return how;
    how.hyb.strategy = *entry_.split;
    how.hyb.columns = (of_->a.nnz() + of_->a.rows() - 1) / std::max<index_t>(of_->a.rows(), 1);
    return how;
  }

  own_entry entry_;
  const factors<T>* of_;
  context where_;
  std::shared_ptr<counting_memory> memory_;  // of a device
  format held_as_ = format::csr;
  any_matrix<T> held_;
  csr_matrix<T> rows_;  // A on the device
  std::optional<device_clock> clock_;
  std::optional<prepared_product<T>> product_;
  double convert_seconds_ = 0, prepare_seconds_ = 0;
  double seconds_ = -1;  // of the last run, by the device's clock
};

}  // namespace

std::vector<format> formats_for(const std::string& kernel) {
  if (kernel.empty()) return {format::csr};
  const std::string held = second_part(kernel);
  if (held == "any") return {format::csr, format::csc};
  for (const auto f : {format::csr, format::csc, format::coo, format::ell, format::sellp,
                       format::hyb, format::dense})
    if (name(f) == held) return {f};
  throw fail(error_kind::bad_argument, "kernel {} names no format that is known here", kernel);
}

template <scalar T>
std::unique_ptr<own_contestant> make_own(const own_entry& entry, const factors<T>& of) {
  return std::make_unique<product_contestant<T>>(entry, of);
}

template std::unique_ptr<own_contestant> make_own(const own_entry&, const factors<float>&);
template std::unique_ptr<own_contestant> make_own(const own_entry&, const factors<double>&);

}  // namespace gossamer::bench
