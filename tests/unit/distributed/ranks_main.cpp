// The main of tests on several ranks: every rank runs every case, rank 0 reports, failures of
// others name their rank, and all ranks end with the same status.
#include <gtest/gtest.h>
#include <mpi.h>

#include <iostream>

#include "gossamer/distributed.hpp"

namespace {

/// Prints failures of a rank that prints nothing else.
class failures_only : public testing::EmptyTestEventListener {
 public:
  explicit failures_only(int rank) : rank_(rank) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed())
      std::cerr << "on rank " << rank_ << ": " << (result.file_name() ? result.file_name() : "?")
                << ':' << result.line_number() << ": " << result.summary() << std::endl;
  }

 private:
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const gossamer::mpi::environment started(argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new failures_only(rank));
  }
  int status = RUN_ALL_TESTS(), worst = 0;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}
