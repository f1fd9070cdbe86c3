// Loads operands: matrices and vectors from files, patterns and seeds.
#pragma once

#include <filesystem>
#include <string>

#include "bench/subjects/factors.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "gossamer/io.hpp"

namespace gossamer::cli {

using bench::any_matrix;
using bench::express_any;
using bench::factors;
using bench::in_format;
using bench::random_block;
using bench::shape_of;
using bench::stored_bytes;

/// The library's limits on what a small file may cost; none with GOSSAMER_TRUST_FILES=1 in the
/// environment.
read_options limits_of_files();

/// Reads with progress; the stage names the file.
/// The file that a name on the command line means: - is standard input.
std::filesystem::path input_path(const std::filesystem::path& file);
/// Copies standard input, so that "-" can be read more than once.
void keep_standard_input();

template <scalar T>
csr_matrix<T> load_sparse(const std::filesystem::path& file, const context& where,
                          progress& ticker);
template <scalar T>
dense_matrix<T> load_dense(const std::filesystem::path& file, const context& where,
                           progress& ticker);
template <scalar T>
file_matrix<T> load_any(const std::filesystem::path& file, const context& where, progress& ticker);

/// `what` is "ones", "random" or an n x 1 file (a file called "ones" is reached as ./ones).
struct vector_source {
  std::string what;
  std::uint64_t seed = 1;
};
template <scalar T>
dense_matrix<T> load_vector(const context& where, const vector_source& from, index_t size,
                            progress& ticker);

/// Throws error(bad_input) when op(A) and the right factor do not fit; the names are for people.
void require_inner_match(const std::string& left, extents left_shape, const std::string& right,
                         extents right_shape);

}  // namespace gossamer::cli
