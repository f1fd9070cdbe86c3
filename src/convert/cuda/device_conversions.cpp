#include "convert/conversions.hpp"

namespace gossamer::cuda {

const conversion_table& device_conversions() {
  static const conversion_table all{enter_to_rows, enter_plain, enter_padded};
  return all;
}

}  // namespace gossamer::cuda
