// One file that all ranks write to, each where its bytes belong. It has a temporary name until all
// are done: it appears complete or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gossamer/mpi/distributed_matrix.hpp"

namespace gossamer::mpi {

class shared_file {
 public:
  /// Rank 0 creates it, the others open it. Collective; throws error(io_failure) on all ranks.
  shared_file(const communicator& ranks, const std::filesystem::path& destination);
  shared_file(const shared_file&) = delete;
  shared_file& operator=(const shared_file&) = delete;
  /// Removes what was not committed.
  ~shared_file();

  /// Writes at a place in the file. Not collective; throws error(io_failure).
  void write(index_t at, std::string_view bytes);
  /// Sets the size of the file; what nobody writes is zero. Not collective.
  void resize(index_t bytes);
  /// Where it is until it is committed.
  const std::string& temporary() const noexcept { return temporary_; }
  /// Flushes all ranks' bytes, then gives the file its name. Collective.
  void commit();

 private:
  [[noreturn]] void refuse(std::string_view what, int reason) const;
  communicator ranks_;
  std::string destination_, temporary_;
  int file_ = -1;
  bool committed_ = false;
};

}  // namespace gossamer::mpi
