#include <iostream>
#include "gossamer/gossamer.hpp"
int main() {
  gossamer::csr_matrix<double> a({2, 2}, 3);
  std::cout << gossamer::build_description() << gossamer::context::best().threads() << a.nnz()
            << "\n";
  return a.nnz() == 3 && gossamer::context::best().threads() > 0 ? 0 : 1;
}
