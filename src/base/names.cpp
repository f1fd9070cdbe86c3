// Names of the public enums, in one place; parsing happens where options are read.
#include "gossamer/context.hpp"
#include "gossamer/error.hpp"
#include "gossamer/types.hpp"

namespace gossamer {

std::string_view name(value_type type) {
  switch (type) {
    case value_type::f32: return "f32";
    case value_type::f64: return "f64";
    case value_type::c64: return "c64";
    case value_type::c128: return "c128";
  }
  return "?";
}
std::string_view name(index_width width) { return width == index_width::i32 ? "i32" : "i64"; }
std::string_view name(layout order) {
  return order == layout::row_major ? "row-major" : "column-major";
}
std::string_view name(memory where) { return where == memory::host ? "host" : "device"; }

std::string_view name(format f) {
  switch (f) {
    case format::csr: return "csr";
    case format::csc: return "csc";
    case format::coo: return "coo";
    case format::ell: return "ell";
    case format::sellp: return "sellp";
    case format::hyb: return "hyb";
    case format::dense: return "dense";
  }
  return "?";
}

std::string_view name(operation op) {
  switch (op) {
    case operation::spmv: return "spmv";
    case operation::spmm: return "spmm";
    case operation::spgemm: return "spgemm";
  }
  return "?";
}

std::string_view name(semiring s) {
  switch (s) {
    case semiring::plus_times: return "plus_times";
    case semiring::min_plus: return "min_plus";
    case semiring::max_plus: return "max_plus";
    case semiring::or_and: return "or_and";
    case semiring::plus_pair: return "plus_pair";
    case semiring::any_pair: return "any_pair";
    case semiring::plus_first: return "plus_first";
    case semiring::plus_second: return "plus_second";
    case semiring::min_first: return "min_first";
    case semiring::min_second: return "min_second";
    case semiring::max_first: return "max_first";
    case semiring::max_second: return "max_second";
    case semiring::min_times: return "min_times";
    case semiring::max_times: return "max_times";
    case semiring::max_min: return "max_min";
  }
  return "?";
}

std::string_view name(backend b) {
  switch (b) {
    case backend::reference: return "reference";
    case backend::openmp: return "openmp";
    case backend::cuda: return "cuda";
  }
  return "?";
}

std::string_view name(error_kind kind) {
  switch (kind) {
    case error_kind::bad_argument: return "bad argument";
    case error_kind::bad_input: return "bad input";
    case error_kind::not_available: return "not available";
    case error_kind::overflow: return "overflow";
    case error_kind::out_of_memory: return "out of memory";
    case error_kind::memory_limit: return "memory limit";
    case error_kind::io_failure: return "input/output failure";
    case error_kind::device_failure: return "device failure";
  }
  return "?";
}

}  // namespace gossamer
