#include "cli/arguments/operands.hpp"

#include <cstdlib>
#include <optional>

#include "base/text.hpp"
#include "cli/arguments/rereadable.hpp"
#include "formats/value_types.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::cli {

namespace {

read_options reading(const std::filesystem::path& file, const context& where, progress& ticker) {
  ticker.stage("reading " + file.string());
  read_options how = limits_of_files();
  how.threads = where.threads();
  how.progress = ticker.callback();
  return how;
}

}  // namespace

read_options limits_of_files() {
  read_options how;
  const char* const trusted = std::getenv("GOSSAMER_TRUST_FILES");
  if (trusted != nullptr && std::string_view(trusted) == "1")
    how.unbacked_limit = how.inflated_limit = 0;
  return how;
}

namespace {
std::optional<rereadable_file> kept_input;  // standard input, once it was asked for its type
}  // namespace

void keep_standard_input() {
  if (!kept_input) kept_input.emplace("/dev/stdin");
}

std::filesystem::path input_path(const std::filesystem::path& file) {
  if (file != "-") return file;
  return kept_input ? kept_input->path() : "/dev/stdin";
}

template <scalar T>
csr_matrix<T> load_sparse(const std::filesystem::path& file, const context& where,
                          progress& ticker) {
  return read_sparse<T>(input_path(file), reading(file, where, ticker));
}

template <scalar T>
dense_matrix<T> load_dense(const std::filesystem::path& file, const context& where,
                           progress& ticker) {
  return read_dense<T>(input_path(file), reading(file, where, ticker));
}

template <scalar T>
file_matrix<T> load_any(const std::filesystem::path& file, const context& where, progress& ticker) {
  return read<T>(input_path(file), reading(file, where, ticker));
}

template <scalar T>
dense_matrix<T> load_vector(const context& where, const vector_source& from, index_t size,
                            progress& ticker) {
  if (from.what == "ones" || from.what == "random") {
    dense_matrix<T> x(size, 1, layout::column_major);
    if (from.what == "random")
      generate::fill_random<T>(where, x.values(), from.seed);
    else
      std::fill(x.values().begin(), x.values().end(), T{1});
    return x;
  }
  dense_matrix<T> x = load_dense<T>(from.what, where, ticker);
  if (x.shape() != extents{size, 1})
    throw fail(error_kind::bad_input,
               "{} holds a {} matrix, but the vector of this product is {}: one column, one row "
               "per column of op(A)",
               from.what, shape_text(x.shape()), shape_text({size, 1}));
  return x;
}

void require_inner_match(const std::string& left, extents left_shape, const std::string& right,
                         extents right_shape) {
  if (left_shape.cols == right_shape.rows) return;
  throw fail(error_kind::bad_input,
             "{} is {} and {} is {}: the product needs as many rows on the right as columns on the "
             "left, but {} is not {}",
             left, shape_text(left_shape), right, shape_text(right_shape), right_shape.rows,
             left_shape.cols);
}

#define GOSSAMER_INSTANTIATE(T)                                                                 \
  template csr_matrix<T> load_sparse(const std::filesystem::path&, const context&, progress&);  \
  template dense_matrix<T> load_dense(const std::filesystem::path&, const context&, progress&); \
  template file_matrix<T> load_any(const std::filesystem::path&, const context&, progress&);    \
  template dense_matrix<T> load_vector(const context&, const vector_source&, index_t, progress&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::cli
