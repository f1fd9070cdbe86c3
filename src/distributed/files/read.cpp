// Which reader reads a file, and what ranks have to see alike.
#include "distributed/calls.hpp"
#include "distributed/files/readers.hpp"
#include "distributed/partitions.hpp"
#include "io/binary/binary.hpp"
#include "io/files.hpp"
#include "io/files/mapped_file.hpp"
#include "io/matrix_market/matrix_market.hpp"

namespace gossamer::mpi {
namespace {

/// How ranks share the work.
enum class manner { by_bytes, by_rows, by_one };

manner manner_of(const io::named_bytes& file) {
  const auto kind = io::kind_of(file.bytes);
  if (kind == file_kind::binary)
    return io::binary::parse_header(file).what == io::binary::content::csr ? manner::by_rows
                                                                           : manner::by_one;
  if (kind != file_kind::matrix_market) return manner::by_one;
  const auto head = io::matrix_market::require_header(file);
  return head.kind == io::matrix_market::shape_kind::coordinate ? manner::by_bytes : manner::by_one;
}

template <real_scalar T>
distributed_csr<T> read_by_one(const reading_of& job, const std::filesystem::path& path) {
  const auto whole = agreed(job.ranks, [&] {
    return job.ranks.rank() == 0 ? gossamer::read_sparse<T>(path, job.options) : csr_matrix<T>();
  });
  return scatter<T>(job.where, job.ranks, whole.view(), job.how);
}

}  // namespace

template <real_scalar T>
distributed_csr<T> read(const context& where, const communicator& ranks,
                        const std::filesystem::path& path, const distribution& how,
                        const read_options& options) {
  read_options reading = options;
  reading.progress = {};  // called on one rank and not on another it would be a trap
  if (reading.threads == 0) reading.threads = where.threads();
  std::unique_ptr<io::mapped_file> file;
  const auto shared = agreed(ranks, [&] {
    file = std::make_unique<io::mapped_file>(path);
    return manner_of(file->named());
  });
  require_alike(ranks, static_cast<index_t>(file->bytes().size()), "the size of the file in bytes");
  require_alike(ranks, static_cast<index_t>(shared), "the format of the file");
  const reading_of job{where, ranks, how, reading};
  switch (shared) {
    case manner::by_bytes: return read_coordinates<T>(job, file->named());
    case manner::by_rows: return read_binary<T>(job, file->named());
    case manner::by_one: break;
  }
  return read_by_one<T>(job, path);
}

template distributed_csr<float> read(const context&, const communicator&,
                                     const std::filesystem::path&, const distribution&,
                                     const read_options&);
template distributed_csr<double> read(const context&, const communicator&,
                                      const std::filesystem::path&, const distribution&,
                                      const read_options&);

}  // namespace gossamer::mpi
