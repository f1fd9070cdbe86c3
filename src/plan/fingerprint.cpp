#include "plan/fingerprint.hpp"

#include <array>

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

}  // namespace

std::uint64_t structure_fingerprint(const operand& a, const operand& b, const context& where) {
  const auto of_a = indices_of(a), of_b = indices_of(b);
  std::array<std::uint64_t, 4> sums{};
  const auto sum = [&](const index_view& indices) {
    return io::checksum({static_cast<const char*>(indices.data()),
                         static_cast<std::size_t>(indices.size() * bytes(indices.width()))},
                        where.threads());
  };
  const bool same = of_a[0].data() == of_b[0].data() && of_a[1].data() == of_b[1].data() &&
                    of_a[1].size() == of_b[1].size();
  for (std::size_t k = 0; k < 2; ++k) {
    sums[k] = sum(of_a[k]);
    sums[k + 2] = same ? sums[k] : sum(of_b[k]);
  }
  return io::checksum({reinterpret_cast<const char*>(sums.data()), sizeof sums}, 1);
}

}  // namespace gossamer
