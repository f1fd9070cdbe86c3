#include "io/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>

namespace gossamer::io {

namespace {

error unreadable(const std::string& name, int reason) {
  return fail(error_kind::bad_input, "{}: cannot be read: {}", name, std::strerror(reason));
}

struct descriptor {
  int number = -1;
  ~descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

mapped_file::mapped_file(const std::filesystem::path& path) : name_(path.string()) {
  const descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) throw unreadable(name_, errno);
  struct stat about {};
  if (::fstat(file.number, &about) != 0) throw unreadable(name_, errno);
  if (S_ISDIR(about.st_mode)) throw unreadable(name_, EISDIR);
  const auto size = static_cast<std::size_t>(about.st_size);
  if (S_ISREG(about.st_mode) && size > 0) {
    void* const mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (mapping != MAP_FAILED) {
      mapping_ = mapping;
      bytes_ = {static_cast<const char*>(mapping), size};
      return;
    }
  }
  read_stream(file.number);
}

mapped_file::~mapped_file() {
  if (mapping_) ::munmap(mapping_, bytes_.size());
}

void mapped_file::read_stream(int number) try {
  constexpr std::size_t step = 1 << 20;
  std::size_t filled = 0;
  for (;;) {
    if (copy_.size() - filled < step) copy_.resize(std::max(2 * copy_.size(), filled + step));
    const auto got = ::read(number, copy_.data() + filled, copy_.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw unreadable(name_, errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  copy_.resize(filled);
  bytes_ = copy_;
} catch (const std::bad_alloc&) {
  throw fail(error_kind::out_of_memory, "{}: the system refused memory while it was read", name_);
}

}  // namespace gossamer::io
