// Latency and bandwidth of messages between ranks 0 and 1, the constants of the predictions in
// docs/notes/distributed-products.md. Prints one JSON record a size; the time is half of the
// fastest round trip.
//
//   mpirun -n 2 gossamer_bench_messages
#include <mpi.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    std::cerr << "run it on two ranks: mpirun -n 2\n";
    return MPI_Finalize();
  }
  for (const int bytes : {8, 1024, 65536, 1 << 20, 1 << 24}) {
    std::vector<char> message(static_cast<std::size_t>(bytes));
    double fastest = 1e9;
    for (int trip = 0; trip < 400 && rank < 2; ++trip) {
      const double begin = MPI_Wtime();
      if (rank == 0) MPI_Send(message.data(), bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(message.data(), bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(message.data(), bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
      fastest = std::min(fastest, MPI_Wtime() - begin);
    }
    if (rank == 0)
      std::cout << nlohmann::ordered_json{{"bytes", bytes},
                                          {"seconds", fastest / 2},
                                          {"bytes_per_second", bytes / (fastest / 2)}}
                << std::endl;
  }
  MPI_Finalize();
  return 0;
}
