#include "formats/value_types.hpp"
#include "kernels/spgemm/masked/masked_row.hpp"

namespace gossamer {

#define GOSSAMER_INSTANTIATE(T)                                                                 \
  template std::unique_ptr<masked_row<std::int32_t, T>> make_masked_row<semirings::plus_times>( \
      const masked_operands<std::int32_t, T>&, const std::shared_ptr<memory_resource>&);        \
  template std::unique_ptr<masked_row<std::int64_t, T>> make_masked_row<semirings::plus_times>( \
      const masked_operands<std::int64_t, T>&, const std::shared_ptr<memory_resource>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
