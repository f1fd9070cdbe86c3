// Communicators: duplicates of the program's, freed with their last copy.
#include <array>

#include "base/text.hpp"
#include "distributed/calls.hpp"

namespace gossamer::mpi {
namespace {

bool running() {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  return started != 0 && ended == 0;
}

communicator duplicate_of(MPI_Comm comm) {
  if (!running())
    throw error(
        error_kind::bad_argument,
        "a communicator was asked for while MPI is not running; declare mpi::environment first "
        "in main, or call MPI_Init");
  if (comm == MPI_COMM_NULL)
    throw error(error_kind::bad_argument,
                "MPI_COMM_NULL is no communicator; this process is in none of its groups");
  MPI_Comm own = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm, &own), "MPI_Comm_dup");
  return communicator(std::make_shared<communicator::implementation>(own));
}

}  // namespace

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw fail(error_kind::device_failure, "{} failed: {}", call,
             std::string(text.data(), static_cast<std::size_t>(length)));
}

communicator::implementation::implementation(MPI_Comm owned) : comm(owned) {
  // Errors come back as codes, which check() turns into exceptions; MPI's default ends the program.
  check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
}

communicator::implementation::~implementation() {
  // A communicator that outlives MPI_Finalize was freed by it.
  if (comm != MPI_COMM_NULL && running()) MPI_Comm_free(&comm);
}

communicator communicator::world() {
  return duplicate_of(running() ? MPI_COMM_WORLD : MPI_COMM_NULL);
}
communicator communicator::self() {
  return duplicate_of(running() ? MPI_COMM_SELF : MPI_COMM_NULL);
}
communicator communicator::from_fortran(int handle) {
  return duplicate_of(running() ? MPI_Comm_f2c(static_cast<MPI_Fint>(handle)) : MPI_COMM_NULL);
}

int communicator::rank() const noexcept { return impl_->rank; }
int communicator::size() const noexcept { return impl_->size; }
int communicator::fortran_handle() const { return static_cast<int>(MPI_Comm_c2f(impl_->comm)); }

communicator communicator::split(int colour, int key) const {
  agreed(*this, [&] {
    if (colour < 0)
      throw fail(error_kind::bad_argument,
                 "the colour of split is {}; expected 0 or more, the same on the ranks of a group",
                 colour);
  });
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(impl_->comm, colour, key, &part), "MPI_Comm_split");
  return communicator(std::make_shared<implementation>(part));
}

void communicator::barrier() const { check(MPI_Barrier(impl_->comm), "MPI_Barrier"); }

bool communicator::same_ranks(const communicator& other) const {
  if (impl_ == other.impl_) return true;
  int found = MPI_UNEQUAL;
  check(MPI_Comm_compare(impl_->comm, other.impl_->comm, &found), "MPI_Comm_compare");
  return found == MPI_IDENT || found == MPI_CONGRUENT;
}

traffic communicator::sent() const { return impl_->sent; }

}  // namespace gossamer::mpi
