// Distributed matrices from files and generators, each rank making or reading its part, and to
// files.
#pragma once

#include <filesystem>

#include "gossamer/generate.hpp"
#include "gossamer/io.hpp"
#include "gossamer/mpi/distributed_matrix.hpp"

namespace gossamer::mpi {

/// Reads a file that all ranks see. Matrix Market (coordinate, plain) is read by ranges of bytes,
/// one a rank, and .gsm by rows, with its checksums shared between ranks; rank 0 alone reads any
/// other format. Sorted rows, duplicates added, symmetric elements expanded, as gossamer::read
/// does. Throws error(bad_input) on all ranks where the file is missing, broken or not the same on
/// one.
template <real_scalar T>
distributed_csr<T> read(const context& where, const communicator& ranks,
                        const std::filesystem::path& path, const distribution& how = {},
                        const read_options& reading = {});

/// Writes one file on a file system that all ranks see: Matrix Market and .gsm by all ranks at
/// once, each its own range of bytes, any other format by rank 0, which then holds the whole
/// matrix. The file appears complete or not at all.
template <real_scalar T>
void write(const context& where, const std::filesystem::path& path, const distributed_csr<T>& a,
           const write_options& writing = {});

/// A generator by name, as generate::by_name. Kinds with recipe::by_rows let each rank make its
/// rows; the others are made by rank 0 and scattered. Bitwise the matrix of one process either way.
template <real_scalar T>
distributed_csr<T> generated(const context& where, const communicator& ranks, std::string_view kind,
                             const std::vector<std::string>& settings,
                             const distribution& how = {});

}  // namespace gossamer::mpi
