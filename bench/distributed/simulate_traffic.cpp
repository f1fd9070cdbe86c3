// What C = A A would send on 16 to 4,096 ranks, from the structure of A alone: one process, no
// messages. Prints one JSON record a line, for each number of ranks and each way:
//
//   gossamer_simulate_traffic A.mtx rmat:scale=16 > traffic.jsonl
#include <iostream>
#include <nlohmann/json.hpp>

#include "gossamer/distributed.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/io.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;

namespace {

/// A file, or a generator with its settings: rmat:scale=16,edges=8.
gs::csr_matrix<double> load(const gs::context& cpu, const std::string& what) {
  const auto colon = what.find(':');
  if (colon == std::string::npos) return gs::read_sparse<double>(what);
  std::vector<std::string> settings;
  for (std::size_t at = colon + 1; at < what.size();) {
    const auto end = std::min(what.find(',', at), what.size());
    settings.push_back(what.substr(at, end - at));
    at = end + 1;
  }
  return gs::generate::by_name<double>(cpu, what.substr(0, colon), settings);
}

void print(const std::string& what, const gs::csr_matrix<double>& a, int ranks,
           const mpi::predicted_traffic& sent) {
  std::cout << nlohmann::ordered_json{{"matrix", what},
                                      {"rows", a.rows()},
                                      {"nnz", a.nnz()},
                                      {"ranks", ranks},
                                      {"algorithm", sent.algorithm},
                                      {"grid",
                                       {sent.grid.rows, sent.grid.columns, sent.grid.layers}},
                                      {"bytes", sent.bytes},
                                      {"messages", sent.messages},
                                      {"most_bytes", sent.most_bytes},
                                      {"most_messages", sent.most_messages}}
            << std::endl;
}

void simulate(const gs::context& cpu, const std::string& what) {
  const auto a = load(cpu, what);
  std::vector<gs::index_t> lengths;
  for (gs::index_t i = 0; i < a.rows(); ++i)
    lengths.push_back(a.row_offsets()[i + 1] - a.row_offsets()[i]);
  for (const int ranks : {16, 64, 256, 1024, 4096}) {
    const auto rows = mpi::partition::by_weight(lengths, ranks);
    const mpi::product_structure of{gs::pattern_of(a), gs::pattern_of(a), rows, rows};
    print(what, a, ranks, mpi::summary("1d", {}, mpi::predict_traffic(of)));
    for (const int layers : {1, 4, 16}) {
      const auto grid = mpi::process_grid::near_square(ranks, layers);
      print(what, a, ranks,
            mpi::summary(layers == 1 ? "2d" : "3d", grid, mpi::predict_traffic(of, grid)));
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const auto cpu = gs::context::openmp();
  for (int k = 1; k < argc; ++k) simulate(cpu, argv[k]);
  return 0;
} catch (const gs::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
