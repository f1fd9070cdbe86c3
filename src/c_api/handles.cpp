// Handles, errors and operands of the C interface.
#include "c_api/handles.hpp"

#include <new>

#include "gossamer/complex.hpp"

namespace {

thread_local std::string last_error;

}  // namespace

gossamer::operand gossamer_matrix::view() const {
  using namespace gossamer;
  return std::visit(
      [&]<class Held>(const Held& any) -> operand {
        if constexpr (std::same_as<Held, std::monostate>)
          return borrowed;
        else
          return std::visit([](const auto& owner) -> operand { return express(owner); }, any);
      },
      held);
}

namespace gossamer::c_api {

void remember(const std::string& text) { last_error = text; }

gossamer_status current_status() noexcept {
  const auto known = [](const char* text) {
    try {
      last_error = text;
    } catch (...) {
      last_error.clear();
    }
  };
  try {
    throw;
  } catch (const error& e) {
    known(e.what());
    return static_cast<gossamer_status>(static_cast<int>(e.kind()) + 1);
  } catch (const std::bad_alloc&) {
    known("the system refused memory");
    return GOSSAMER_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    known(e.what());
  } catch (...) {
    known("an unknown exception");
  }
  return GOSSAMER_INTERNAL_ERROR;
}

operand operand_of(const gossamer_operand& from, const char* name) {
  operand o = required(from.matrix, name).view();
  if (from.transposed < GOSSAMER_AS_IT_IS || from.transposed > GOSSAMER_CONJUGATED)
    throw fail(error_kind::bad_argument, "{}.transposed is {}; expected a gossamer_form, 0 to 3",
               name, from.transposed);
  std::visit(
      [&]<class T>(expression<T>& e) {
        if constexpr (complex_scalar<T>)
          e.alpha = cast<T>(std::complex<double>(from.alpha, from.alpha_imaginary));
        else if (from.alpha_imaginary != 0)
          throw fail(error_kind::bad_argument,
                     "{} is real, but alpha_imaginary is {}; give the matrix as a complex one",
                     name, from.alpha_imaginary);
        else
          e.alpha = static_cast<T>(from.alpha);
        e.transposed = from.transposed == GOSSAMER_TRANSPOSED ||
                       from.transposed == GOSSAMER_CONJUGATE_TRANSPOSED;
        e.conjugated = complex_scalar<T> && from.transposed >= GOSSAMER_CONJUGATE_TRANSPOSED;
      },
      o);
  return o;
}

namespace {

pattern mask_of(const gossamer_matrix& from, bool complemented) {
  const operand o = from.view();
  return std::visit(
      [&]<class T>(const expression<T>& e) {
        const auto* const csr = std::get_if<csr_view<const T>>(&e.view);
        if (!csr) throw fail(error_kind::bad_argument, "a mask must be a CSR matrix; convert it");
        return complemented ? complement(pattern_of(*csr)) : pattern_of(*csr);
      },
      o);
}

}  // namespace

options options_of(const gossamer_options* from) {
  options how;
  if (from == nullptr) return how;
  if (from->semiring < GOSSAMER_PLUS_TIMES || from->semiring > GOSSAMER_MAX_MIN)
    throw fail(error_kind::bad_argument, "{} is not a semiring", static_cast<int>(from->semiring));
  if (from->algorithm != nullptr) how.algorithm = from->algorithm;
  if (from->tuning != nullptr) how.tuning = from->tuning;
  how.deterministic = from->deterministic != 0;
  how.memory_limit = from->memory_limit;
  how.expected_calls = from->expected_calls;
  how.constant_values = from->constant_values != 0;
  how.threads = from->threads;
  how.drop_zeros = from->drop_zeros != 0;
  how.semiring = static_cast<semiring>(from->semiring);
  if (from->mask != nullptr) how.mask = mask_of(*from->mask, from->complement_mask != 0);
  how.keep = {.magnitude = from->keep_magnitude, .largest = from->keep_largest};
  return how;
}

}  // namespace gossamer::c_api

using namespace gossamer;
using namespace gossamer::c_api;

void gossamer_options_init(gossamer_options* options) {
  if (options == nullptr) return;
  *options = {};
  options->expected_calls = 1;
}

const char* gossamer_version(void) {
  static const std::string text(version());
  return text.c_str();
}

const char* gossamer_status_name(gossamer_status status) {
  if (status == GOSSAMER_OK) return "ok";
  if (status < GOSSAMER_OK || status >= GOSSAMER_INTERNAL_ERROR) return "internal error";
  return name(static_cast<error_kind>(static_cast<int>(status) - 1)).data();  // literals
}

const char* gossamer_last_error(void) { return last_error.c_str(); }

gossamer_status gossamer_context_openmp(int threads, gossamer_context** out) {
  return guarded([&] { required(out, "out") = new gossamer_context{context::openmp(threads)}; });
}
gossamer_status gossamer_context_reference(gossamer_context** out) {
  return guarded([&] { required(out, "out") = new gossamer_context{context::reference()}; });
}
gossamer_status gossamer_context_cuda(int device, gossamer_context** out) {
  return guarded([&] { required(out, "out") = new gossamer_context{context::cuda(device)}; });
}
gossamer_status gossamer_synchronise(const gossamer_context* context) {
  return guarded([&] { required(context, "context").where.synchronise(); });
}
void gossamer_context_destroy(gossamer_context* context) { delete context; }
void gossamer_matrix_destroy(gossamer_matrix* matrix) { delete matrix; }
void gossamer_plan_destroy(gossamer_plan* plan) { delete plan; }
