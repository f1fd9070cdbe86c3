#include "io/common.hpp"

#include "base/text.hpp"

namespace gossamer::io {

void require_backed(const read_options& how, const std::string& file, std::string_view what,
                    double claimed, std::size_t backing) {
  // Generous: matrices with many empty rows pass, a broken header does not.
  constexpr double per_byte = 64;
  if (how.unbacked_limit <= 0) return;
  const double allowed =
      static_cast<double>(how.unbacked_limit) + per_byte * static_cast<double>(backing);
  if (claimed <= allowed) return;
  throw fail(error_kind::bad_input,
             "{}: its header asks for {:.3g} GB of {}, but the file has only {}; if this is meant, "
             "raise read_options::unbacked_limit (now {}; 0 removes it)",
             file, claimed / 1e9, what, bytes_text(static_cast<index_t>(backing)),
             bytes_text(how.unbacked_limit));
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string safe = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      safe += formatted("\\x{:02x}", byte);
    else
      safe += c;
  }
  if (text.size() > longest) safe += "...";
  return safe + "'";
}

}  // namespace gossamer::io
