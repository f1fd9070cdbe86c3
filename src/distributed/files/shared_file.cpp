// One file that all ranks write to.
#include "distributed/files/shared_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "base/text.hpp"
#include "distributed/calls.hpp"

namespace gossamer::mpi {

shared_file::shared_file(const communicator& ranks, const std::filesystem::path& destination)
    : ranks_(ranks), destination_(destination.string()) {
  // The name of the temporary file, of a fixed size: it is sent before anything may fail again.
  std::array<char, 4096> name{};
  try {
    agreed(ranks_, [&] {
      if (ranks_.rank() != 0) return;
      std::error_code none;
      if (std::filesystem::is_directory(destination, none)) refuse("cannot be written", EISDIR);
      temporary_ = (destination.parent_path() /
                    formatted(".{}.{}.part", destination.filename().string(), ::getpid()))
                       .string();
      if (temporary_.size() >= name.size()) refuse("cannot be written", ENAMETOOLONG);
      file_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (file_ < 0) refuse("cannot be created", errno);
      std::memcpy(name.data(), temporary_.c_str(), temporary_.size());
    });
    check(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_BYTE, 0, ranks_.impl().comm),
          "MPI_Bcast");
    agreed(ranks_, [&] {
      if (ranks_.rank() == 0) return;
      temporary_ = name.data();
      file_ = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
      if (file_ < 0) refuse("is not seen by this rank, which needs the same file system", errno);
    });
  } catch (...) {
    if (file_ >= 0) ::close(file_);
    if (ranks_.rank() == 0 && file_ >= 0) ::unlink(temporary_.c_str());
    throw;
  }
}

shared_file::~shared_file() {
  if (file_ >= 0) ::close(file_);
  if (!committed_ && ranks_.rank() == 0) ::unlink(temporary_.c_str());
}

void shared_file::refuse(std::string_view what, int reason) const {
  throw fail(error_kind::io_failure, "{} {}: {}", destination_, what,
             std::generic_category().message(reason));
}

void shared_file::write(index_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto done = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse("cannot be written", errno);
    at += done;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void shared_file::resize(index_t bytes) {
  if (::ftruncate(file_, static_cast<off_t>(bytes)) != 0) refuse("cannot be written", errno);
}

void shared_file::commit() {
  agreed(ranks_, [&] {
    if (::fsync(file_) != 0 && errno != EINVAL) refuse("cannot be written", errno);
  });
  agreed(ranks_, [&] {
    if (ranks_.rank() == 0 && std::rename(temporary_.c_str(), destination_.c_str()) != 0)
      refuse("cannot be given its name", errno);
  });
  committed_ = true;
}

}  // namespace gossamer::mpi
