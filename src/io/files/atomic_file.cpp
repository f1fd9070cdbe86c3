#include "io/files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "base/text.hpp"

namespace gossamer {

namespace {

// Temporary files of this process. A signal handler may look at it at any moment, so: fixed size,
// no locks, and a path is complete before its slot is marked live.
enum : int { slot_free, slot_being_filled, slot_live };
struct slot {
  std::atomic<int> state{slot_free};
  char path[PATH_MAX];
};
constexpr std::size_t most_unfinished = 64;
constinit std::array<slot, most_unfinished> unfinished{};
static_assert(std::atomic<int>::is_always_lock_free);

int remember_unfinished(const std::string& path) noexcept {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    int expected = slot_free;
    if (!unfinished[i].state.compare_exchange_strong(expected, slot_being_filled)) continue;
    std::memcpy(unfinished[i].path, path.c_str(), path.size() + 1);
    unfinished[i].state.store(slot_live, std::memory_order_release);
    return static_cast<int>(i);
  }
  return -1;
}

void forget_unfinished(int which) noexcept {
  if (which >= 0) unfinished[static_cast<std::size_t>(which)].state.store(slot_free);
}

}  // namespace

void remove_unfinished_files() noexcept {
  const int kept = errno;
  for (auto& each : unfinished)
    if (each.state.load(std::memory_order_acquire) == slot_live) ::unlink(each.path);
  errno = kept;
}

namespace io {

namespace {

/// Where the bytes finally belong: behind symbolic links, so that a link stays a link, also one to
/// a file that is not there yet.
std::string resolved(std::filesystem::path path) {
  std::error_code none;
  constexpr int most_links = 40;  // as the kernel follows
  for (int k = 0; k < most_links && std::filesystem::is_symlink(path, none); ++k) {
    if (std::filesystem::exists(path, none)) {
      const auto target = std::filesystem::canonical(path, none);
      return none ? path.string() : target.string();  // what /dev/stdout leads to has no path
    }
    const auto next = std::filesystem::read_symlink(path, none);
    if (none) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path.string();
}

/// The beginning of a file name, short enough for what a temporary name adds to it; characters of
/// several bytes stay whole.
std::string shortened(std::string name) {
  constexpr std::size_t most = 200;  // of the 255 bytes that file systems allow
  if (name.size() <= most) return name;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  name.resize(end);
  return name;
}

}  // namespace

atomic_file::atomic_file(const std::filesystem::path& destination)
    : name_(destination.string()), destination_(resolved(destination)) {
  struct stat about {};
  const bool exists = ::stat(destination_.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) refuse("cannot be written", EISDIR);
  if (exists && !S_ISREG(about.st_mode)) {
    file_ = ::open(destination_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) refuse("cannot be opened for writing", errno);
    return;
  }
  open_temporary();
  if (exists) static_cast<void>(::fchmod(file_, about.st_mode & 07777));  // as it was before
}

atomic_file::~atomic_file() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget_unfinished(slot_);
}

void atomic_file::open_temporary() {
  static std::atomic<unsigned> counter{0};
  const std::filesystem::path place(destination_);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const auto wanted = formatted(".{}.{}-{}.part", shortened(place.filename().string()),
                                  ::getpid(), counter.fetch_add(1));
    temporary_ = (place.parent_path() / wanted).string();
    slot_ = remember_unfinished(temporary_);
    if (slot_ < 0)
      throw fail(error_kind::io_failure,
                 "{}: {} files are being written at once, and no more can be cleaned up after a "
                 "signal; finish some first",
                 name_, most_unfinished);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0) return;
    const int reason = errno;
    forget_unfinished(slot_);
    slot_ = -1;
    if (reason != EEXIST) refuse("no file can be made there", reason);
  }
  refuse("no temporary file can be made beside it", EEXIST);
}

void atomic_file::write(std::string_view bytes) {
  constexpr std::size_t most_at_once = 1 << 30;  // Linux writes at most 2 GiB a call
  while (!bytes.empty()) {
    const auto put = ::write(file_, bytes.data(), std::min(bytes.size(), most_at_once));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) refuse("writing failed", errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
    size_ += put;
  }
}

void atomic_file::commit() {
  const int finished = std::exchange(file_, -1);
  if (temporary_.empty()) {
    if (::close(finished) != 0) refuse("closing failed", errno);
    return;
  }
  const int synced = ::fsync(finished) == 0 ? 0 : errno;
  const int closed = ::close(finished) == 0 ? 0 : errno;
  if (synced != 0 || closed != 0) refuse("the disk refused it", synced != 0 ? synced : closed);
  if (::rename(temporary_.c_str(), destination_.c_str()) != 0)
    refuse("the finished file cannot be put in its place", errno);
  temporary_.clear();
  forget_unfinished(std::exchange(slot_, -1));
  // The rename itself reaches the disk with its directory; where that cannot be synced (some
  // network file systems), the file is complete all the same.
  const auto directory = std::filesystem::path(destination_).parent_path();
  const int folder = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

void atomic_file::refuse(std::string_view what, int reason) const {
  throw fail(error_kind::io_failure, "{}: {}: {}", name_, what, std::strerror(reason));
}

}  // namespace io
}  // namespace gossamer
