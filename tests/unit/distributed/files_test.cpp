// Files read and written by all ranks, against the readers and writers of one process.
#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gossamer/distributed.hpp"
#include "io/files/compress.hpp"
#include "io/files/mapped_file.hpp"
#include "unit/distributed/support.hpp"

namespace gossamer::mpi {
namespace {

namespace fs = std::filesystem;

/// A folder that all ranks share; rank 0 makes and removes it.
class shared_folder {
 public:
  explicit shared_folder(const communicator& ranks) : ranks_(ranks) {
    long id = ::getpid();
    MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    path_ = fs::temp_directory_path() / formatted("gossamer-mpi-{}", id);
    if (ranks.rank() == 0) fs::create_directories(path_);
    ranks.barrier();
  }
  ~shared_folder() {
    ranks_.barrier();
    if (ranks_.rank() == 0) fs::remove_all(path_);
    ranks_.barrier();
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  /// Rank 0 writes text to a file; the others wait.
  fs::path with(const std::string& name, const std::string& text) const {
    if (ranks_.rank() == 0) std::ofstream(path_ / name, std::ios::binary) << text;
    ranks_.barrier();
    return path_ / name;
  }

 private:
  communicator ranks_;
  fs::path path_;
};

void expect_read_alike(const communicator& ranks, const fs::path& path) {
  const auto whole = read_sparse<double>(path);
  for (const auto how : {balance::rows, balance::nonzeros})
    expect_rows_of(read<double>(cpu, ranks, path, {.balance = how}), whole);
  expect_rows_of(read<float>(cpu, ranks, path), read_sparse<float>(path));
}

/// The text of a compressed file.
std::string inflated(const fs::path& path) {
  const io::mapped_file file(path);
  const auto text = io::inflate_gzip(file.named(), {});
  return std::string(text.bytes());
}

TEST(Files, ReadsWhatOneProcessReads) {
  const auto ranks = communicator::world();
  const shared_folder folder(ranks);
  int files = 0;
  for (const auto& file : fs::directory_iterator(GOSSAMER_TEST_DATA)) {
    if (file.path().extension() != ".gz") continue;
    ++files;
    const auto plain = folder.with("plain.mtx", inflated(file.path()));
    std::string refused;
    try {
      read_sparse<double>(plain);
    } catch (const error& e) {  // complex values
      refused = e.what();
    }
    if (refused.empty()) {
      expect_read_alike(ranks, plain);
      expect_rows_of(read<double>(cpu, ranks, file.path()), read_sparse<double>(file.path()));
    } else {
      const auto text =
          refusal(error_kind::not_available, [&] { read<double>(cpu, ranks, plain); });
      EXPECT_NE(text.find(refused), std::string::npos) << text;
    }
    ranks.barrier();
  }
  EXPECT_GT(files, 10);
}

TEST(Files, ReadsEveryKindOfMatrixMarket) {
  const auto ranks = communicator::world();
  const shared_folder folder(ranks);
  expect_read_alike(ranks, folder.with("symmetric.mtx",
                                       "%%MatrixMarket matrix coordinate real symmetric\n"
                                       "% a comment\n5 5 5\n1 1 1\n2 1 2.5\n\n5 3 -1e3\n"
                                       "% another\n4 4 4\n5 5 5"));  // no line end
  expect_read_alike(ranks, folder.with("skew.mtx",
                                       "%%MatrixMarket matrix coordinate integer skew-symmetric\n"
                                       "3 3 2\n2 1 7\n3 2 -8\n"));
  expect_read_alike(ranks, folder.with("pattern.mtx",
                                       "%%MatrixMarket matrix coordinate pattern general\n"
                                       "2 9 4\n1 9\n2 1\n1 9\n1 1\n"));
  expect_read_alike(
      ranks, folder.with("empty.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 0\n"));
  expect_read_alike(
      ranks,
      folder.with("dense.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n3\n4\n"));
}

TEST(Files, WritesWhatOneProcessReads) {
  const auto ranks = communicator::world();
  const shared_folder folder(ranks);
  for (const auto& whole :
       {generate::rmat<double>(cpu, 7, 5), generate::aspect<double>(cpu, 2, 500, 300),
        csr_matrix<double>({3, 4}, 0), csr_matrix<double>({0, 0}, 0)}) {
    const auto a = distributed(ranks, whole);
    for (const std::string name : {"a.mtx", "a.gsm", "a.npz", "a.mtx.gz"}) {
      write(cpu, folder / name, a, {.comment = "by all ranks"});
      ranks.barrier();
      EXPECT_TRUE(same(read_sparse<double>(folder / name), whole)) << name;
      expect_rows_of(read<double>(cpu, ranks, folder / name), whole);
      ranks.barrier();
    }
  }
}

TEST(Files, GsmIsByteForByteThatOfOneProcess) {
  const auto ranks = communicator::world();
  const shared_folder folder(ranks);
  // More than a block of the checksum in each section.
  const auto whole = generate::aspect<double>(cpu, 150'000, 1000, 310'000);
  const auto a = distributed(ranks, whole);
  write(cpu, folder / "all.gsm", a);
  if (ranks.rank() == 0) {
    gossamer::write(folder / "one.gsm", whole);
    const auto bytes = [](const fs::path& path) {
      std::ifstream file(path, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(file), {});
    };
    EXPECT_TRUE(bytes(folder / "all.gsm") == bytes(folder / "one.gsm"));
  }
  expect_rows_of(read<double>(cpu, ranks, folder / "all.gsm", {.balance = balance::nonzeros}),
                 whole);
}

TEST(Files, BrokenOnesEndOnAllRanks) {
  const auto ranks = communicator::world();
  const shared_folder folder(ranks);
  const bool guilty = ranks.rank() == ranks.size() - 1;
  const auto refused = [&](const fs::path& path) {
    return refusal(error_kind::bad_input, [&] { read<double>(cpu, ranks, path); });
  };
  std::string text = "%%MatrixMarket matrix coordinate real general\n9 9 40\n";
  for (int k = 0; k < 40; ++k) text += formatted("{} {} 1.5\n", k % 9 + 1, k % 8 + 1);
  const auto good = folder.with("good.mtx", text);
  // Missing on one rank, and another file there.
  const auto missing = refusal_of_last(ranks, error_kind::bad_input, [&] {
    read<double>(cpu, ranks, guilty ? folder / "missing.mtx" : good);
  });
  EXPECT_NE(missing.find("missing.mtx"), std::string::npos) << missing;
  if (ranks.size() > 1) {
    const auto other = folder.with("other.mtx", text + "% longer\n");
    EXPECT_THROW(read<double>(cpu, ranks, guilty ? other : good), agreed_error);
  }
  // Broken for all: the line is named, whichever rank reads it.
  auto broken = text;
  broken.replace(broken.rfind("1.5"), 3, "x.y");
  EXPECT_NE(refused(folder.with("broken.mtx", broken)).find("line 42"), std::string::npos);
  EXPECT_NE(refused(folder.with("short.mtx", text.substr(0, text.size() - 8))).find("39"),
            std::string::npos);
  EXPECT_NE(refused(folder.with("long.mtx", text + "1 1 1\n")).find("41"), std::string::npos);
  EXPECT_THROW(read<double>(cpu, ranks,
                            folder.with("range.mtx",
                                        "%%MatrixMarket matrix coordinate real "
                                        "general\n2 2 1\n3 1 1\n")),
               agreed_error);
  refused(folder.with("nothing.mtx", ""));
}

TEST(Files, DamagedGsmEndsOnAllRanks) {
  const auto ranks = communicator::world();
  const shared_folder folder(ranks);
  const auto whole = generate::rmat<double>(cpu, 6, 4);
  std::string bytes;
  if (ranks.rank() == 0) {
    gossamer::write(folder / "a.gsm", whole);
    std::ifstream file(folder / "a.gsm", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (const std::size_t at : {20u, 200u, 900u, 2000u}) {
    auto damaged = bytes;
    if (ranks.rank() == 0) damaged.at(at) = static_cast<char>(damaged.at(at) + 1);
    const auto path = folder.with("damaged.gsm", damaged);
    refusal(error_kind::bad_input, [&] { read<double>(cpu, ranks, path); });
    ranks.barrier();
  }
}

TEST(Files, PlacesThatCannotBeWrittenAreRefusedOnAllRanks) {
  const auto ranks = communicator::world();
  const shared_folder folder(ranks);
  const auto a = distributed(ranks, generate::poisson2d<double>(cpu, 3, 3));
  for (const std::string name : {"no/such/folder.mtx", "no/such/folder.gsm", "no/such/folder.npz"})
    refusal(error_kind::io_failure, [&] { write(cpu, folder / name, a); });
}

TEST(Generated, IsBitwiseTheMatrixOfOneProcess) {
  const auto ranks = communicator::world();
  for (const auto& [kind, settings] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"poisson2d", {"nx=13", "ny=7"}},
           {"poisson3d", {"nx=5", "stencil=27"}},
           {"random", {"rows=40", "cols=30", "per-row=4"}},
           {"dense-row", {"rows=33", "per-row=2", "dense=30"}},
           {"dense-column", {"rows=33", "per-row=2", "dense=30"}},
           {"rmat", {"scale=6"}},
           {"fem", {"n=200"}}})
    for (const auto how : {balance::rows, balance::nonzeros})
      expect_rows_of(generated<double>(cpu, ranks, kind, settings, {.balance = how}),
                     generate::by_name<double>(cpu, kind, settings));
  refusal(error_kind::bad_argument, [&] { generated<double>(cpu, ranks, "no-such", {}); });
}

}  // namespace
}  // namespace gossamer::mpi
