// MPI is started and ended.
#include "distributed/calls.hpp"

namespace gossamer::mpi {
namespace {

/// True where this call started MPI. Threads of the library never call it: one thread does.
bool start(int* argc, char*** argv) {
  int before = 0;
  check(MPI_Initialized(&before), "MPI_Initialized");
  if (before != 0) return false;
  int provided = 0;
  check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  return true;
}

}  // namespace

environment::environment() : ours_(start(nullptr, nullptr)) {}
environment::environment(int& argc, char**& argv) : ours_(start(&argc, &argv)) {}

environment::~environment() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ours_ && ended == 0) MPI_Finalize();
}

}  // namespace gossamer::mpi
