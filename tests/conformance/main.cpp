#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "conformance/suite.hpp"
#include "kernels/catalog.hpp"

namespace gossamer::conformance {

context context_for(const kernel& k, int threads) {
  const auto backend = path_of(k).backend;
  if (backend == "reference") return context::reference();
  if (backend == "cuda") {
    static const context device = context::cuda();
    return device;
  }
  return context::openmp(threads);
}

std::vector<format> formats_of(const kernel& k) {
  const std::vector all{format::csr, format::csc,   format::coo,
                        format::ell, format::sellp, format::hyb};
  std::vector<format> found;
  for (const auto f : all)
    if (path_of(k).format == "any" || path_of(k).format == name(f)) found.push_back(f);
  return found;
}

namespace {

using check = void (*)(const subject&);

class kernel_test : public testing::Test {
 public:
  kernel_test(subject s, check c) : subject_(s), check_(c) {}
  void TestBody() override {
    const auto backend_name = path_of(*subject_.tested).backend;
    if (backend_name == "cuda" && !available(backend::cuda)) {
      // On a machine that is there for its GPU a skipped test is a failed one.
      if (std::getenv("GOSSAMER_REQUIRE_GPU")) FAIL() << why_not_available(backend::cuda);
      GTEST_SKIP() << why_not_available(backend::cuda);
    }
    check_(subject_);
  }

 private:
  subject subject_;
  check check_;
};

template <class T>
check check_for(const kernel& k) {
  const auto operation = path_of(k).operation;
  if (operation == "spmv") return check_spmv<T>;
  if (operation == "spmm") return check_spmm<T>;
  return check_spgemm<T>;
}

void add_test(const kernel& k, const cases::matrix_case& c, const char* type, check body) {
  const subject s{&k, &c};
  testing::RegisterTest(std::string(k.id).c_str(), (c.name + "/" + type).c_str(), nullptr, nullptr,
                        __FILE__, __LINE__,
                        [s, body]() -> testing::Test* { return new kernel_test(s, body); });
}

}  // namespace
}  // namespace gossamer::conformance

int main(int argc, char** argv) {
  using namespace gossamer;
  testing::InitGoogleTest(&argc, argv);
  for (const auto* k : all_kernels())
    for (const auto& c : cases::all()) {
      if (k->takes(value_type::c128)) {
        conformance::add_test(*k, c, "c64", conformance::check_complex<std::complex<float>>);
        conformance::add_test(*k, c, "c128", conformance::check_complex<std::complex<double>>);
      }
      if (!k->takes(value_type::f64)) continue;
      conformance::add_test(*k, c, "f32", conformance::check_for<float>(*k));
      conformance::add_test(*k, c, "f64", conformance::check_for<double>(*k));
      // The smaller of A A' and A' A must be a table one can fill.
      const index_t least = std::min(c.shape.rows, c.shape.cols);
      if (!k->spgemm.multiply_once_masked || least * least > conformance::largest_table) continue;
      conformance::add_test(*k, c, "general/f32", conformance::check_masked<float>);
      conformance::add_test(*k, c, "general/f64", conformance::check_masked<double>);
    }
  return RUN_ALL_TESTS();
}
