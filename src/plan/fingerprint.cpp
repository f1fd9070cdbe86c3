#include "plan/fingerprint.hpp"

#include <array>
#include <span>
#include <vector>

#include "backends/cuda/arrays.hpp"
#include "io/binary/checksum.hpp"

namespace gossamer {

namespace {

/// The index arrays of a compressed operand; empty for other formats.
std::array<index_view, 2> indices_of(const operand& o) {
  return std::visit(
      []<class T>(const expression<T>& e) -> std::array<index_view, 2> {
        if (const auto* csr = std::get_if<csr_view<const T>>(&e.view))
          return {csr->offsets, csr->columns};
        if (const auto* csc = std::get_if<csc_view<const T>>(&e.view))
          return {csc->offsets, csc->rows};
        return {};
      },
      o);
}

/// One number for each array.
std::vector<std::uint64_t> sums_of(std::span<const index_view> arrays, const context& where) {
  if (where.backend() == backend::cuda) return cuda::fingerprints(where, arrays);
  std::vector<std::uint64_t> sums;
  for (const auto& indices : arrays)
    sums.push_back(io::checksum({static_cast<const char*>(indices.data()),
                                 static_cast<std::size_t>(indices.size() * bytes(indices.width()))},
                                where.threads()));
  return sums;
}

}  // namespace

std::uint64_t structure_fingerprint(const operand& a, const operand& b, const context& where) {
  const auto of_a = indices_of(a), of_b = indices_of(b);
  const bool same = of_a[0].data() == of_b[0].data() && of_a[1].data() == of_b[1].data() &&
                    of_a[1].size() == of_b[1].size();
  std::vector<index_view> arrays(of_a.begin(), of_a.end());
  if (!same) arrays.insert(arrays.end(), of_b.begin(), of_b.end());
  auto sums = sums_of(arrays, where);
  if (same) sums.insert(sums.end(), {sums[0], sums[1]});
  return io::checksum(
      {reinterpret_cast<const char*>(sums.data()), sizeof(std::uint64_t) * sums.size()}, 1);
}

}  // namespace gossamer
