// Memory sources, and the two owning array types that every format consists of.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/error.hpp"
#include "gossamer/types.hpp"

namespace gossamer {

/// A source of memory. A context passes its source to everything it allocates; arrays keep their
/// source alive, so an array may outlive the context it came from.
class memory_resource {
 public:
  virtual ~memory_resource() = default;
  /// Allocates at least `bytes` bytes aligned to 64. Throws error(out_of_memory) that names the
  /// size.
  virtual void* allocate(std::size_t bytes) = 0;
  /// Frees what allocate returned; `bytes` is the size asked for.
  virtual void deallocate(void* data, std::size_t bytes) noexcept = 0;
  /// Whether the memory is on the host or on a device.
  virtual memory where() const noexcept { return memory::host; }
  /// Sets every byte to `byte`; owners start as zeros, or as padding. The default for device memory
  /// waits for the device; the library's own source is ordered in its stream.
  virtual void set(void* data, unsigned char byte, std::size_t bytes);
};

/// The process-wide source of host memory. Arrays of a megabyte and more use huge pages where the
/// system provides them and, once freed, are kept for reuse (up to a quarter of the memory): the
/// first touch of fresh memory can cost more than a product.
const std::shared_ptr<memory_resource>& host_memory();
/// Returns memory kept for reuse to the system, on the host and on devices.
void release_memory();

namespace detail {
/// A number that is 0 again once it was moved from, as the arrays beside it are empty then: a
/// moved-from owner is an empty matrix, not a broken one.
class owned_count {
 public:
  owned_count() = default;
  owned_count(index_t value) : value_(value) {}
  owned_count(const owned_count&) = default;
  owned_count(owned_count&& other) noexcept : value_(std::exchange(other.value_, 0)) {}
  owned_count& operator=(const owned_count&) = default;
  owned_count& operator=(owned_count&& other) noexcept {
    value_ = std::exchange(other.value_, 0);
    return *this;
  }
  operator index_t() const noexcept { return value_; }

 private:
  index_t value_ = 0;
};

/// The same for a shape.
struct owned_shape : extents {
  owned_shape() = default;
  owned_shape(extents shape) : extents(shape) {}
  owned_shape(const owned_shape&) = default;
  owned_shape(owned_shape&& other) noexcept : extents(std::exchange(other.as_extents(), {})) {}
  owned_shape& operator=(const owned_shape&) = default;
  owned_shape& operator=(owned_shape&& other) noexcept {
    as_extents() = std::exchange(other.as_extents(), {});
    return *this;
  }

 private:
  extents& as_extents() noexcept { return *this; }
};
}  // namespace detail

/// Returns count * size; throws error(overflow) when that does not fit.
std::size_t checked_bytes(index_t count, std::size_t size);

/// An owning array of trivial elements, not initialised, aligned to 64 bytes.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  buffer() = default;
  /// Allocates `size` elements, not initialised.
  explicit buffer(index_t size, std::shared_ptr<memory_resource> source = host_memory())
      : source_(std::move(source)), size_(size) {
    if (size_ != 0) data_ = static_cast<T*>(source_->allocate(checked_bytes(size_, sizeof(T))));
  }
  /// Copies the values into host memory.
  buffer(std::span<const T> values) : buffer(static_cast<index_t>(values.size())) {
    if (size_ > 0) std::memcpy(data_, values.data(), values.size_bytes());
  }
  /// Deep copy, for host memory only (copies of device arrays are explicit, see copy_to).
  buffer(const buffer& other) : buffer(other.size_, other.source_ ? other.source_ : host_memory()) {
    if (where() != memory::host)
      throw error(error_kind::bad_argument, "a device array is copied with copy_to, not by value");
    if (size_ > 0) std::memcpy(data_, other.data_, sizeof(T) * static_cast<std::size_t>(size_));
  }
  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer other) noexcept {
    swap(other);
    return *this;
  }
  ~buffer() {
    if (data_) source_->deallocate(data_, sizeof(T) * static_cast<std::size_t>(size_));
  }

  /// Elements, size and place of the array. Device memory must not be read through them by the
  /// host.
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  index_t size() const noexcept { return size_; }
  T& operator[](index_t i) noexcept { return data_[i]; }
  const T& operator[](index_t i) const noexcept { return data_[i]; }
  std::span<T> span() noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const noexcept { return {data_, static_cast<std::size_t>(size_)}; }
  memory where() const noexcept { return source_ ? source_->where() : memory::host; }
  /// Sets every byte of the array to `byte`.
  void set(unsigned char byte) {
    if (data_) source_->set(data_, byte, sizeof(T) * static_cast<std::size_t>(size_));
  }

  /// Exchanges the contents of two arrays without copying.
  void swap(buffer& other) noexcept {
    std::swap(source_, other.source_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 private:
  std::shared_ptr<memory_resource> source_;
  T* data_ = nullptr;
  index_t size_ = 0;
};

/// A borrowed array of indices whose width is known at run time. `Mutable` is false for inputs.
template <bool Mutable>
class basic_index_view {
  using pointer = std::conditional_t<Mutable, void*, const void*>;
  template <class I>
  using element = std::conditional_t<Mutable, I, const I>;

 public:
  basic_index_view() = default;
  template <class I>
  requires(index_integer<std::remove_const_t<I>> && (!Mutable || !std::is_const_v<I>))
      basic_index_view(I* data, index_t size)
      : data_(data), size_(size), width_(width_of<std::remove_const_t<I>>) {}
  /// An array whose width is given as a value.
  basic_index_view(pointer data, index_t size, index_width width)
      : data_(data), size_(size), width_(width) {}
  /// A mutable view converts to a read-only one.
  template <bool Other>
  requires(Other && !Mutable) basic_index_view(const basic_index_view<Other>& other)
      : data_(other.data()), size_(other.size()), width_(other.width()) {}

  /// Address, number of elements and width of the array.
  pointer data() const noexcept { return data_; }
  index_t size() const noexcept { return size_; }
  index_width width() const noexcept { return width_; }

  /// Reads an element of either width. Convenient, not fast: one branch per element. Kernels use
  /// as<I>().
  index_t operator[](index_t i) const noexcept {
    return width_ == index_width::i32 ? static_cast<const any_i32*>(data_)[i]
                                      : static_cast<const any_i64*>(data_)[i];
  }

  /// The array with its width as a type; throws when the stored width is another.
  template <stored_index I>
  std::span<element<I>> as() const {
    if (width_of<I> != width_) throw_wrong_width(width_of<I>, width_);
    return {static_cast<element<I>*>(data_), static_cast<std::size_t>(size_)};
  }

 private:
  // The caller's array may be of another type of the same width, such as long long.
  using any_i32 [[gnu::may_alias]] = std::int32_t;
  using any_i64 [[gnu::may_alias]] = std::int64_t;
  [[noreturn]] static void throw_wrong_width(index_width asked, index_width stored);
  pointer data_ = nullptr;
  index_t size_ = 0;
  index_width width_ = index_width::i32;
};

/// Read-only and writable arrays of indices.
using index_view = basic_index_view<false>;
using index_span = basic_index_view<true>;
extern template class basic_index_view<false>;
extern template class basic_index_view<true>;

/// An owning array of 32- or 64-bit indices, not initialised.
class index_buffer {
 public:
  index_buffer() = default;
  index_buffer(index_t size, index_width width,
               std::shared_ptr<memory_resource> source = host_memory())
      : bytes_(static_cast<index_t>(checked_bytes(size, static_cast<std::size_t>(bytes(width)))),
               std::move(source)),
        size_(size),
        width_(width) {}
  template <stored_index I>
  explicit index_buffer(std::span<const I> values)
      : index_buffer(static_cast<index_t>(values.size()), width_of<I>) {
    if (!values.empty()) std::memcpy(bytes_.data(), values.data(), values.size_bytes());
  }

  index_t size() const noexcept { return size_; }
  index_width width() const noexcept { return width_; }
  memory where() const noexcept { return bytes_.where(); }
  /// Borrows the array.
  index_view view() const noexcept { return {bytes_.data(), size_, width_}; }
  index_span view() noexcept { return {bytes_.data(), size_, width_}; }
  /// Sets every byte to `byte`.
  void set(unsigned char byte) { bytes_.set(byte); }

 private:
  buffer<std::byte> bytes_;
  detail::owned_count size_;
  index_width width_ = index_width::i32;
};

}  // namespace gossamer
