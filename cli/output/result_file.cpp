#include "cli/output/result_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"

namespace gossamer::cli {

namespace {

struct known_format {
  file_kind kind;
  std::string_view extension;
};
constexpr std::array<known_format, 6> known_formats{{{file_kind::matrix_market, "mtx"},
                                                     {file_kind::matrix_market_gz, "mtx.gz"},
                                                     {file_kind::npz, "npz"},
                                                     {file_kind::npy, "npy"},
                                                     {file_kind::binary, "gsm"},
                                                     {file_kind::edge_list, "txt"}}};

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

file_kind kind_for(const std::string& path, const std::string& to) {
  const std::string name = in_lower_case(path);
  if (path == "-" && to.empty()) return file_kind::matrix_market;
  for (const auto& format : known_formats) {
    if (format.kind == file_kind::edge_list) continue;  // read only
    if (to == format.extension) return format.kind;
    if (to.empty() && name.ends_with(formatted(".{}", format.extension))) return format.kind;
  }
  throw usage_error(
      formatted("{}: the name does not tell which file format to write", path),
      "end it with .mtx, .mtx.gz, .gsm, .npz (sparse) or .npy (dense); 'gossamer convert' also "
      "takes --to");
}

}  // namespace

std::string_view extension(file_kind kind) {
  for (const auto& format : known_formats)
    if (format.kind == kind) return format.extension;
  return "?";
}

void require_writable(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw fail(error_kind::io_failure, "{} cannot be written: there is no folder {}", path.string(),
               folder.string());
  if (std::filesystem::is_directory(path, ignored))
    throw fail(error_kind::io_failure, "{} cannot be written: it is a folder", path.string());
  // Files appear under a temporary name first, so that the folder must be writable; what is no file
  // is written itself.
  const bool device =
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  const auto written = device ? path : folder.empty() ? std::filesystem::path(".") : folder;
  if (::access(written.c_str(), W_OK) != 0)
    throw fail(
        error_kind::io_failure, "{} cannot be written: {} ({})", path.string(),
        device ? "it takes no data" : formatted("the folder {} takes no files", written.string()),
        std::strerror(errno));
}

output_file::output_file(const std::string& path, const std::string& to)
    : path_(path == "-" ? "/dev/stdout" : path), kind_(kind_for(path, to)) {
  require_writable(path_);
  for (const auto* const name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
    if (path_ == name) leave_stdout_to_data();
}

void output_file::require_dense() const {
  if (takes_dense()) return;
  throw usage_error(
      formatted("{}: .npz files hold sparse matrices, but this result is dense", path_.string()),
      "write dense results to .npy, .mtx, .mtx.gz or .gsm");
}

void output_file::require_sparse() const {
  if (takes_sparse()) return;
  throw usage_error(
      formatted("{}: .npy files hold dense matrices, but this result is sparse", path_.string()),
      "write sparse results to .npz, .mtx, .mtx.gz or .gsm");
}

void output_file::write_as_symmetric() {
  if (kind_ != file_kind::matrix_market && kind_ != file_kind::matrix_market_gz)
    throw usage_error(formatted("--symmetric is for Matrix Market files, but {} is written as {}",
                                path_.string(), extension(kind_)),
                      "end the name in .mtx or .mtx.gz, or leave --symmetric out");
  symmetric_ = true;
}

index_t output_file::size() const {
  std::error_code problem;
  const auto found = std::filesystem::file_size(path_, problem);
  return problem ? 0 : static_cast<index_t>(found);
}

}  // namespace gossamer::cli
