// What every reader owes to any bytes: a valid matrix, or an error of the library. Shared by the
// fuzz targets and by the unit test that replays the corpus in ordinary builds.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "io/binary/binary.hpp"
#include "io/binary/checksum.hpp"
#include "io/files.hpp"

namespace gossamer::fuzz {

inline read_options careful_options() {
  read_options how;
  how.threads = 1;
  how.unbacked_limit = how.inflated_limit = 1 << 20;
  return how;
}

template <class T>
std::optional<std::string> fault_of(const csr_matrix<T>& a) {
  const auto offsets = a.row_offsets(), columns = a.column_indices();
  if (offsets.size() != a.rows() + 1 || offsets[0] != 0 || offsets[a.rows()] != a.nnz())
    return "offsets do not span the entries";
  for (index_t i = 0; i < a.rows(); ++i) {
    if (offsets[i] > offsets[i + 1]) return formatted("offsets fall at row {}", i);
    for (index_t p = offsets[i]; p < offsets[i + 1]; ++p) {
      if (columns[p] < 0 || columns[p] >= a.cols())
        return formatted("a column out of range in row {}", i);
      if (p > offsets[i] && columns[p - 1] >= columns[p])
        return formatted("row {} is not sorted", i);
    }
  }
  return std::nullopt;
}

template <class T>
std::optional<std::string> fault_of(const dense_matrix<T>& a) {
  if (static_cast<index_t>(a.values().size()) != a.rows() * a.cols()) return "values are missing";
  return std::nullopt;
}

/// Why a call is not what a reader may do, if so: a valid result, or an error that says something.
/// `read` tells whether there was a result.
template <class Read>
std::optional<std::string> fault_of_call(Read&& call, bool& read) {
  read = false;
  try {
    auto fault = call();
    read = true;
    return fault;
  } catch (const error& refused) {
    if (std::strlen(refused.what()) < 10) return "an error says nothing";
    return std::nullopt;
  } catch (const std::exception& other) {
    return std::string("another exception came through: ") + other.what();
  }
}

/// What is wrong with the reader, if anything: never with the bytes. Calls what inspect_file(),
/// read_sparse(), read_dense() and read() call.
inline std::optional<std::string> try_parse(std::string_view bytes) {
  const io::named_bytes file{bytes, "input"};
  const auto how = careful_options();
  bool described = false, sparse = false, dense = false, stored = false;
  auto fault = fault_of_call(
      [&]() -> std::optional<std::string> {
        static_cast<void>(io::inspect(file, how));
        return std::nullopt;
      },
      described);
  if (!fault)
    fault = fault_of_call([&] { return fault_of(io::parse_sparse<double>(file, how)); }, sparse);
  if (!fault)
    fault = fault_of_call([&] { return fault_of(io::parse_dense<float>(file, how)); }, dense);
  if (!fault)
    fault = fault_of_call(
        [&] {
          return std::visit([](const auto& a) { return fault_of(a); }, io::parse<float>(file, how));
        },
        stored);
  if (!fault && !described && (sparse || dense || stored))
    fault = "the file is read, but not described";
  return fault;
}

/// The same .gsm bytes with checksums that fit, so that damage is seen by what lies behind them.
inline std::string with_gsm_checksums(std::string_view bytes) {
  std::string repaired(bytes);
  io::binary::header head;
  if (repaired.size() < sizeof head) return repaired;
  std::memcpy(&head, repaired.data(), sizeof head);
  head.file_bytes = repaired.size();
  for (auto* const part : {&head.offsets, &head.columns, &head.values})
    if (part->begin <= repaired.size() && part->size <= repaired.size() - part->begin)
      part->checksum = io::checksum(bytes.substr(part->begin, part->size), 1);
  std::memcpy(repaired.data(), &head, sizeof head);
  const auto sum = io::checksum(std::string_view(repaired).substr(0, sizeof head - 8), 1);
  std::memcpy(repaired.data() + sizeof head - 8, &sum, 8);
  return repaired;
}

/// The same zip bytes with checksums that fit their stored members.
inline std::string with_zip_checksums(std::string_view bytes) {
  std::string repaired(bytes);
  for (std::size_t at = 0; (at = bytes.find("PK\1\2", at)) != bytes.npos; ++at) {
    if (bytes.size() - at < 46) break;
    const auto size = io::load<std::uint32_t>(bytes.data() + at + 20);
    const std::size_t local = io::load<std::uint32_t>(bytes.data() + at + 42);
    if (local > bytes.size() || bytes.size() - local < 30) continue;
    const auto begin = local + 30 + io::load<std::uint16_t>(bytes.data() + local + 26) +
                       io::load<std::uint16_t>(bytes.data() + local + 28);
    if (begin > bytes.size() || size > bytes.size() - begin) continue;
    const auto crc = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + begin), size));
    std::memcpy(repaired.data() + at + 16, &crc, sizeof crc);
  }
  return repaired;
}

}  // namespace gossamer::fuzz
