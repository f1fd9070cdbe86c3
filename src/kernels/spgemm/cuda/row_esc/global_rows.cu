#include "kernels/spgemm/cuda/row_esc/global_rows.hpp"

#include <optional>

#include "analysis/format_sizes.hpp"
#include "backends/cuda/launch.cuh"
#include "base/text.hpp"
#include "kernels/spgemm/cuda/esc/slice_product.cuh"

namespace gossamer::device {

namespace {

/// Multiplications of a slice: those of spgemm/csr/esc/cuda.
constexpr index_t usual_products = index_t{1} << 24, fewest_products = index_t{1} << 16;
constexpr index_t most_products = (index_t{1} << 32) - 2;

index_t least_products(const global_facts& facts) {
  return std::max(std::min(facts.multiplications, fewest_products), facts.longest);
}

/// Device memory of a slice; rows are cut before it is allocated.
template <class T, class Key>
index_t smallest_slice(const context& where, const global_facts& facts) {
  return std::max(slice_workspace<T, Key>::bytes_for(where, least_products(facts)), cutting_bytes);
}

template <class T, class Key>
class global_rows_by final : public global_rows<T> {
 public:
  using workspace = slice_workspace<T, Key>;

  global_rows_by(const context& where, const adaptive_operands<T>& of, picked_list list,
                 const global_facts& facts)
      : facts_(facts), list_(list), a_(pick_rows<T>(where, of.a, list)) {
    const auto a = std::as_const(a_).view();
    products_ = count_row_products(where, a.offsets, a.columns, of.b.offsets);
    offsets_ = buffer<index_t>(list.count + 1, where.memory());
    offsets_.set(0);
  }

  index_t bytes() const override {
    return analysis::csr_bytes(a_.shape(), a_.nnz(), value_type_of<T>) + products_.bytes() +
           offsets_.size() * index_t{sizeof(index_t)} + slice_bytes_;
  }
  index_t slice_bytes() const override { return slice_bytes_; }
  index_t least_slice_bytes(const context& where) const override {
    return smallest_slice<T, Key>(where, facts_);
  }

  void slice(const context& where, index_t available) override {
    index_t size = std::max(std::min(facts_.multiplications, usual_products), facts_.longest);
    if (workspace::bytes_for(where, size) > available)
      size = workspace::products_within(where, available, size);
    slice_.reset();
    slice_bytes_ = 0;
    cuts_ = cut_rows(where, products_, std::as_const(a_).view().offsets, size);
    slice_.emplace(where, size);
    slice_bytes_ = workspace::bytes_for(where, size);
  }

  void count(const context& where, const adaptive_operands<T>& of, index_t* counts) override {
    for (std::size_t k = 1; k < cuts_.size(); ++k) {
      expand(where, of, k, workspace::wanted::structure);
      slice_->count(where, cuts_[k - 1], cuts_[k], offsets_.data());
    }
    const index_t* const offsets = offsets_.data();
    const index_t* const rows = list_.rows;
    cuda::for_each(where, list_.count, "nonzeros of the longest rows",
                   [=] __device__(index_t i) { counts[rows[i]] = offsets[i + 1] - offsets[i]; });
  }

  void read(const context& where, const csr_view<const T>& a) override {
    const auto out = a_.mutable_view();
    const cuda::index_reader from(a.offsets), to(std::as_const(a_).view().offsets);
    const index_t* const rows = list_.rows;
    const index_t count = list_.count;
    const T* const values = a.values;
    T* const picked = out.values;
    cuda::for_each(where, a_.nnz(), "values of the longest rows", [=] __device__(index_t p) {
      const index_t i = cuda::first_not_below(to, count + 1, p + 1) - 1;
      picked[p] = values[from[rows[i]] + p - to[i]];
    });
  }

  void fill(const context& where, const adaptive_operands<T>& of,
            const adaptive_target<T>& to) override {
    for (std::size_t k = 1; k < cuts_.size(); ++k) {
      expand(where, of, k, workspace::wanted::values);
      slice_->contract(
          where, cuts_[k - 1], cuts_[k],
          {to.columns, to.values, nullptr, of.alpha, {list_.rows, to.places, offsets_.data()}});
    }
  }

 private:
  void expand(const context& where, const adaptive_operands<T>& of, std::size_t k,
              typename workspace::wanted what) {
    const esc_factors<T> factors(std::as_const(a_).view(), of.b, products_);
    slice_->expand(where, factors, cuts_[k - 1], cuts_[k], what);
    slice_->sort(where, cuts_[k - 1], cuts_[k], facts_.columns);
  }

  global_facts facts_;
  picked_list list_;
  csr_matrix<T> a_;
  row_products products_;
  buffer<index_t> offsets_;  ///< rows + 1: nonzeros of C before each of them, once counted
  std::vector<row_cut> cuts_;
  std::optional<workspace> slice_;
  index_t slice_bytes_ = 0;
};

template <class F>
decltype(auto) with_key(const global_facts& facts, F&& f) {
  return narrowest(facts.columns) == index_width::i32 ? f.template operator()<std::uint32_t>()
                                                      : f.template operator()<std::uint64_t>();
}

}  // namespace

template <class T>
std::unique_ptr<global_rows<T>> copy_global_rows(const context& where,
                                                 const adaptive_operands<T>& of, picked_list list,
                                                 const global_facts& facts) {
  if (facts.longest > most_products)
    throw fail(error_kind::not_available,
               "a row of C takes {} multiplications, and this kernel sorts up to {} at once; use "
               "another algorithm",
               count_text(facts.longest), count_text(most_products));
  return with_key(facts, [&]<class Key>() -> std::unique_ptr<global_rows<T>> {
    return std::make_unique<global_rows_by<T, Key>>(where, of, list, facts);
  });
}

template <class T>
index_t global_rows_bytes(const context& where, const global_facts& facts) {
  const index_t slice =
      with_key(facts, [&]<class Key>() { return smallest_slice<T, Key>(where, facts); });
  // The copy of A with its prefix sums, then what is counted of it, and the offsets of C.
  const index_t sums = (facts.rows + 1) * index_t{sizeof(index_t)};
  const extents shape{facts.rows, facts.inner};
  return analysis::csr_bytes(shape, facts.nonzeros, value_type_of<T>) +
         std::max(sums + facts.rows / 16 + (1 << 16),
                  row_products_peak(facts.rows, facts.nonzeros) + sums) +
         slice;
}

template std::unique_ptr<global_rows<float>> copy_global_rows(const context&,
                                                              const adaptive_operands<float>&,
                                                              picked_list, const global_facts&);
template std::unique_ptr<global_rows<double>> copy_global_rows(const context&,
                                                               const adaptive_operands<double>&,
                                                               picked_list, const global_facts&);
template index_t global_rows_bytes<float>(const context&, const global_facts&);
template index_t global_rows_bytes<double>(const context&, const global_facts&);

}  // namespace gossamer::device
