// Kernels that give wrong results, for one purpose: to see that --check and bench notice. Linked
// into a second build of the command line, in front of the real product (the linker's --wrap).
#include "bench/subjects/product.hpp"

using gossamer::bench::prepared_product;
using gossamer::bench::product_result;

extern "C" {
// prepared_product<double>::run and ::run_whole
void __real__ZN8gossamer5bench16prepared_productIdE3runEv(prepared_product<double>*);
void __real__ZN8gossamer5bench16prepared_productIdE9run_wholeEv(prepared_product<double>*);
}

namespace {

void spoil(const prepared_product<double>& product) {
  auto& result = const_cast<product_result<double>&>(product.result());
  std::visit([](auto& matrix) { matrix.values().front() += 1; }, result);
}

}  // namespace

extern "C" {

void __wrap__ZN8gossamer5bench16prepared_productIdE3runEv(prepared_product<double>* product) {
  __real__ZN8gossamer5bench16prepared_productIdE3runEv(product);
  spoil(*product);
}

void __wrap__ZN8gossamer5bench16prepared_productIdE9run_wholeEv(prepared_product<double>* product) {
  __real__ZN8gossamer5bench16prepared_productIdE9run_wholeEv(product);
  spoil(*product);
}
}
