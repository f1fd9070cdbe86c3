// Ranks agree whether one of them failed, and all throw its error.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "base/text.hpp"
#include "distributed/calls.hpp"

namespace gossamer::mpi::detail {
namespace {

/// An error on its way to other ranks. Of a fixed size: a rank without memory has one as well.
struct report {
  int kind = 0;
  int rank = 0;
  std::array<char, 4088> text{};
};

report described(std::exception_ptr failure, int rank, int size) noexcept {
  report told;
  told.rank = rank;
  std::string_view words = "an exception that is no std::exception";
  error_kind kind = error_kind::bad_argument;
  bool has_rank = size == 1;  // nobody to tell apart
  try {
    std::rethrow_exception(failure);
  } catch (const agreed_error& e) {
    kind = e.kind(), words = e.what(), told.rank = e.rank(), has_rank = true;
  } catch (const error& e) {
    kind = e.kind(), words = e.what();
  } catch (const std::bad_alloc&) {
    kind = error_kind::out_of_memory,
    words = "the system refused memory; use more ranks, or smaller blocks";
  } catch (const std::exception& e) {
    words = e.what();
  } catch (...) {
  }
  told.kind = static_cast<int>(kind);
  int used = 0;
  if (!has_rank)
    used = std::snprintf(told.text.data(), told.text.size(), "rank %d of %d: ", rank, size);
  const auto room = told.text.size() - 1 - static_cast<std::size_t>(used);
  std::memcpy(told.text.data() + used, words.data(), std::min(room, words.size()));
  return told;
}

}  // namespace

void settle(const communicator& ranks, std::exception_ptr failure) {
  const auto& on = ranks.impl();
  const int first = least_of(ranks, failure ? on.rank : on.size);
  if (first == on.size) return;
  report told;
  if (on.rank == first) told = described(std::move(failure), on.rank, on.size);
  check(MPI_Bcast(&told, static_cast<int>(sizeof told), MPI_BYTE, first, on.comm), "MPI_Bcast");
  throw agreed_error(static_cast<error_kind>(told.kind), told.text.data(), told.rank);
}

}  // namespace gossamer::mpi::detail
