#include "base/refused_memory.hpp"

#include "base/text.hpp"

namespace gossamer {

void refuse_memory(std::string_view what) {
  throw fail(error_kind::out_of_memory,
             "the system refused memory for {}; free some, or use smaller operands", what);
}

}  // namespace gossamer
