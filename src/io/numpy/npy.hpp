// NumPy's array files: a magic, a version, a Python dictionary as text, the raw data.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "io/common.hpp"

namespace gossamer::io {

enum class npy_kind : char {
  boolean = 'b',
  integer = 'i',
  natural = 'u',
  real = 'f',
  complex = 'c',
  bytes = 'S',
  unicode = 'U'
};

struct npy_header {
  npy_kind kind = npy_kind::real;
  index_t item_bytes = 8;
  bool fortran_order = false;
  std::vector<index_t> shape;
  std::size_t data = 0;  ///< where the data starts
  index_t count() const;
  std::string type_text() const { return formatted("{}{}", static_cast<char>(kind), item_bytes); }
};

bool looks_like_npy(std::string_view bytes);
/// Throws error(bad_input) when broken or big-endian. The data itself may be missing.
npy_header parse_npy_header(const named_bytes& file);

/// A header and its data, whose size has been checked; bytes stay where they are.
struct npy_array {
  npy_header head;
  std::string_view data;
  std::string name;
  index_t count() const { return head.count(); }
};
npy_array parse_npy(const named_bytes& file);

/// Header text, padded so that the data begins at a multiple of 64.
std::string npy_heading(std::string_view descr, std::span<const index_t> shape, bool fortran_order);
template <class Number>
constexpr std::string_view npy_descr() {
  if constexpr (complex_scalar<Number>) return sizeof(Number) == 8 ? "<c8" : "<c16";
  if constexpr (std::is_floating_point_v<Number>) return sizeof(Number) == 4 ? "<f4" : "<f8";
  return sizeof(Number) == 4 ? "<i4" : "<i8";
}

/// Items [begin, end) as values; their kind was checked by require_values<T>.
template <scalar T>
void copy_values(const npy_array& from, range items, T* to);
/// Throws error(not_available) for complex numbers where T is real, bad_input for anything else
/// that is not numbers of T's kind.
template <scalar T>
void require_values(const npy_array& from);
/// Items as indices in [0, limit]; throws error(bad_input) naming the first that is not.
template <stored_index I>
void copy_indices(const npy_array& from, range items, index_t limit, I* to);
/// One item as an index, unchecked but for its kind.
index_t index_at(const npy_array& from, index_t item);
void require_indices(const npy_array& from);

}  // namespace gossamer::io
