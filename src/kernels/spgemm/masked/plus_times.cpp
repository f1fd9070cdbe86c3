#include "kernels/spgemm/masked/masked_row.hpp"

namespace gossamer {

template std::unique_ptr<masked_row<std::int32_t, float>> make_masked_row<semirings::plus_times>(
    const masked_operands<std::int32_t, float>&, const std::shared_ptr<memory_resource>&);
template std::unique_ptr<masked_row<std::int32_t, double>> make_masked_row<semirings::plus_times>(
    const masked_operands<std::int32_t, double>&, const std::shared_ptr<memory_resource>&);
template std::unique_ptr<masked_row<std::int64_t, float>> make_masked_row<semirings::plus_times>(
    const masked_operands<std::int64_t, float>&, const std::shared_ptr<memory_resource>&);
template std::unique_ptr<masked_row<std::int64_t, double>> make_masked_row<semirings::plus_times>(
    const masked_operands<std::int64_t, double>&, const std::shared_ptr<memory_resource>&);

}  // namespace gossamer
