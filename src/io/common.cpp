#include "io/common.hpp"

#include <limits>

#include "base/text.hpp"

namespace gossamer::io {

namespace {

// Generous: matrices with many empty rows pass, and so does every file that was compressed without
// the intent to harm; a broken header does not.
constexpr std::size_t per_byte = 64;

}  // namespace

void require_backed(const read_options& how, const std::string& file, std::string_view what,
                    double claimed, std::size_t backing) {
  if (how.unbacked_limit <= 0) return;
  const double allowed = static_cast<double>(how.unbacked_limit) +
                         static_cast<double>(per_byte) * static_cast<double>(backing);
  if (claimed <= allowed) return;
  throw fail(error_kind::bad_input,
             "{}: its header asks for {:.3g} GB of {}, but the file has only {}; if this is meant, "
             "raise read_options::unbacked_limit (now {}; 0 removes it; the command line takes "
             "GOSSAMER_TRUST_FILES=1)",
             file, claimed / 1e9, what, bytes_text(static_cast<index_t>(backing)),
             bytes_text(how.unbacked_limit));
}

void require_backed_rows(const read_options& how, const std::string& file, extents shape,
                         std::size_t backing) {
  const auto each = static_cast<double>(bytes(narrowest(shape, 0).offsets));
  require_backed(how, file, "row offsets", each * static_cast<double>(shape.rows), backing);
}

std::size_t most_inflated(const read_options& how, std::size_t packed) {
  constexpr auto endless = std::numeric_limits<std::size_t>::max();
  if (how.inflated_limit <= 0 || packed > endless / per_byte / 2) return endless;
  return static_cast<std::size_t>(how.inflated_limit) + per_byte * packed;
}

void require_inflatable(const read_options& how, const std::string& file, std::uint64_t inflated,
                        std::size_t packed) {
  if (inflated <= most_inflated(how, packed)) return;
  throw fail(error_kind::bad_input,
             "{}: its {} inflate to more than {}, which no matrix does; if this is meant, raise "
             "read_options::inflated_limit (now {}; 0 removes it; the command line takes "
             "GOSSAMER_TRUST_FILES=1)",
             file, bytes_text(static_cast<index_t>(packed)),
             bytes_text(static_cast<index_t>(most_inflated(how, packed))),
             bytes_text(how.inflated_limit));
}

error complex_file(const std::string& file) {
  return fail(error_kind::not_available,
              "{}: its values are complex, and real ones were asked for; read it as "
              "std::complex<double> (on the command line: --type c128)",
              file);
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
