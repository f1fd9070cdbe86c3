// The semirings that are asked for rarely, in a hash table only.
#include "kernels/spgemm/masked/masked_row.hpp"

namespace gossamer {

/// All of them, for one width of indices and one value type.
template <class I, class T>
struct rare_rows {
  using maker = std::unique_ptr<masked_row<I, T>> (*)(const masked_operands<I, T>&,
                                                      const std::shared_ptr<memory_resource>&);
  static constexpr maker all[] = {
      make_masked_row<semirings::any_pair, I, T>,    make_masked_row<semirings::plus_first, I, T>,
      make_masked_row<semirings::plus_second, I, T>, make_masked_row<semirings::min_first, I, T>,
      make_masked_row<semirings::min_second, I, T>,  make_masked_row<semirings::max_first, I, T>,
      make_masked_row<semirings::max_second, I, T>,  make_masked_row<semirings::min_times, I, T>,
      make_masked_row<semirings::max_times, I, T>,   make_masked_row<semirings::max_min, I, T>};
};

template struct rare_rows<std::int32_t, float>;
template struct rare_rows<std::int32_t, double>;
template struct rare_rows<std::int64_t, float>;
template struct rare_rows<std::int64_t, double>;

}  // namespace gossamer
