#include "cli/arguments/rereadable.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/text.hpp"
#include "cli/arguments/operands.hpp"

namespace gossamer::cli {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, int reason) {
  throw fail(error_kind::bad_input, "{}: cannot be read: {}", file.string(), std::strerror(reason));
}

/// Copies all there is from one descriptor to another; the reason where that fails, else 0.
int copy_all(int from, int to) {
  std::array<char, 1 << 16> part;
  for (;;) {
    const auto got = ::read(from, part.data(), part.size());
    if (got == 0) return 0;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    for (std::string_view rest(part.data(), static_cast<std::size_t>(got)); !rest.empty();) {
      const auto put = ::write(to, rest.data(), rest.size());
      if (put < 0 && errno != EINTR) return errno;
      if (put > 0) rest.remove_prefix(static_cast<std::size_t>(put));
    }
  }
}

}  // namespace

rereadable_file::rereadable_file(const std::filesystem::path& named) : path_(input_path(named)) {
  const auto file = path_;
  std::error_code unknown;
  const auto kind = std::filesystem::status(file, unknown).type();
  if (kind != std::filesystem::file_type::fifo && kind != std::filesystem::file_type::character)
    return;
  const int from = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) refuse(file, errno);
  copy_ = ::memfd_create("gossamer", MFD_CLOEXEC);
  const int reason = copy_ < 0 ? errno : copy_all(from, copy_);
  ::close(from);
  if (reason != 0) {
    if (copy_ >= 0) ::close(copy_);
    refuse(file, reason);
  }
  path_ = formatted("/proc/self/fd/{}", copy_);
}

rereadable_file::~rereadable_file() {
  if (copy_ >= 0) ::close(copy_);
}

}  // namespace gossamer::cli
