// One exception type: the entry points of the library end with
//   } catch (const std::bad_alloc&) {
//     refuse_memory("a product");
//   }
// so that memory which containers of the standard library did not get is an error of ours as well.
#pragma once

#include <new>
#include <string_view>

namespace gossamer {

/// Throws error(out_of_memory) that says what the memory was for.
[[noreturn]] void refuse_memory(std::string_view what);

}  // namespace gossamer
