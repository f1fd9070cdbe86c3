#include "gossamer/memory.hpp"

#include <new>

#include "backends/cuda/runtime.hpp"
#include "base/block_pool.hpp"
#include "base/text.hpp"

namespace gossamer {

namespace {

constexpr std::align_val_t alignment{64};  // a cache line, and the widest vector

class host_resource final : public memory_resource {
 public:
  void* allocate(std::size_t bytes) override {
    void* data = bytes < block_pool::smallest ? ::operator new(bytes, alignment, std::nothrow)
                                              : host_blocks().take(bytes);
    if (data) return data;
    throw fail(error_kind::out_of_memory,
               "the system refused {} of memory; free some, or use smaller operands",
               bytes_text(static_cast<index_t>(bytes)));
  }
  void deallocate(void* data, std::size_t bytes) noexcept override {
    if (bytes < block_pool::smallest)
      ::operator delete(data, alignment);
    else
      host_blocks().give(data, bytes);
  }
};

}  // namespace

const std::shared_ptr<memory_resource>& host_memory() {
  static const std::shared_ptr<memory_resource> source = std::make_shared<host_resource>();
  return source;
}

void memory_resource::set(void* data, unsigned char byte, std::size_t bytes) {
  if (where() == memory::host)
    std::memset(data, byte, bytes);
  else
    cuda::set_bytes(data, byte, bytes);
}

void release_memory() {
  host_blocks().release();
  cuda::release_memory();
}

std::size_t checked_bytes(index_t count, std::size_t size) {
  // Half the address space: beyond it no system could answer, and sums of two sizes stay safe.
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<index_t>::max()) / 2;
  if (count < 0)
    throw fail(error_kind::bad_argument, "an array of {} elements was asked for", count);
  if (static_cast<std::size_t>(count) > most / size)
    throw fail(error_kind::overflow,
               "an array of {} elements of {} bytes does not fit the address space", count, size);
  return static_cast<std::size_t>(count) * size;
}

template <bool Mutable>
void basic_index_view<Mutable>::throw_wrong_width(index_width asked, index_width stored) {
  throw fail(error_kind::bad_argument,
             "indices are stored as {}, but were asked for as {}; look at width() first",
             name(stored), name(asked));
}

template class basic_index_view<false>;
template class basic_index_view<true>;

}  // namespace gossamer
