// A plan's copy of columns and values on a device, each as narrow as is lossless: columns as 16-bit
// distances where they fit, doubles as floats where every one of them is exactly a float (stencils,
// counts, graphs without weights).
#pragma once

#include <type_traits>

#include "gossamer/context.hpp"
#include "gossamer/memory.hpp"
#include "gossamer/views.hpp"

namespace gossamer::device {

struct entry_widths {
  bool near = false;    ///< 16-bit columns
  bool single = false;  ///< doubles kept as floats
};

struct narrow_entries {
  entry_widths widths;
  index_buffer columns;                ///< unless near
  buffer<std::uint16_t> near_columns;  ///< if near
  buffer<std::byte> values;

  index_t bytes() const {
    return columns.size() * gossamer::bytes(columns.width()) +
           near_columns.size() * index_t{sizeof(std::uint16_t)} + values.size();
  }
};

/// Allocates this many nonzeros; T and `width` are those of the matrix.
template <scalar T>
narrow_entries room_for(const context& where, index_t places, index_width width,
                        entry_widths widths) {
  narrow_entries result;
  result.widths = widths;
  if (widths.near)
    result.near_columns = buffer<std::uint16_t>(places, where.memory());
  else
    result.columns = index_buffer(places, width, where.memory());
  const auto each = static_cast<index_t>(widths.single ? sizeof(float) : sizeof(T));
  result.values = buffer<std::byte>(places * each, where.memory());
  return result;
}

/// Calls f(columns, values) with pointers to the stored arrays: columns of 16 bits or like A's (I),
/// values T or float; to const unless the entries may be written.
template <class T, class I, class Entries, class F>
void with_stored(Entries& e, F&& f) {
  constexpr bool fixed = std::is_const_v<Entries>;
  const auto with_columns = [&]<class V>(V* values) {
    if (e.widths.near)
      f(e.near_columns.data(), values);
    else
      f(static_cast<std::conditional_t<fixed, const I, I>*>(e.columns.view().data()), values);
  };
  if constexpr (std::is_same_v<T, double>)
    if (e.widths.single)
      return with_columns(
          reinterpret_cast<std::conditional_t<fixed, const float, float>*>(e.values.data()));
  with_columns(reinterpret_cast<std::conditional_t<fixed, const T, T>*>(e.values.data()));
}

/// Whether each value is exactly a float. Waits for the device.
bool are_floats(const context&, const double* values, index_t count);
/// There is nothing narrower than a float.
inline bool are_floats(const context&, const float*, index_t) { return false; }

}  // namespace gossamer::device
