#include "kernels/spgemm/accumulators/column_slots.hpp"

namespace gossamer {

template const column_slot<std::int32_t>* sort_by_column(column_slot<std::int32_t>*,
                                                         column_slot<std::int32_t>*, index_t);
template const column_slot<std::int64_t>* sort_by_column(column_slot<std::int64_t>*,
                                                         column_slot<std::int64_t>*, index_t);

}  // namespace gossamer
