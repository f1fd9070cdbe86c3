// Multiplies a stream of small products with every SpGEMM kernel for this machine's cores, by a
// whole product and by compute and fill, with one thread and with several; or with every kernel for
// its GPU. tests/cli/random_products.py makes the stream and judges what comes out.
//
// products IN OUT [cuda]: both are streams of 64-bit words. IN: per product the words
//   f32?, A transposed?, B transposed?, 64-bit indices?, alpha, semiring, mask (0: none, 1: where
//   it has entries, 2: where it has none), threshold (float64), largest, zeros dropped?, added?,
//   beta, A, B, then the mask and what is added, where there are such
// and a matrix is rows, cols, entries, offsets, columns, values (float64). OUT: per product the
// number of different results, and for each how many ways led to it, these ways, and the matrix.
// Ways that refuse a product (kernels without semirings and masks, plans of filtered products) are
// left out.
// The names of the ways go to stdout, a line each.
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

namespace {

using words = std::vector<std::int64_t>;

class reader {
 public:
  explicit reader(const std::string& path) : file_(path, std::ios::binary) {
    if (!file_) throw std::runtime_error("cannot read " + path);
  }
  bool more() { return file_.peek() != std::ifstream::traits_type::eof(); }
  std::int64_t word() {
    std::int64_t found = 0;
    if (!file_.read(reinterpret_cast<char*>(&found), sizeof found))
      throw std::runtime_error("the stream ends inside a product");
    return found;
  }
  double number() { return std::bit_cast<double>(word()); }

 private:
  std::ifstream file_;
};

template <class T>
gs::csr_matrix<T> read_matrix(reader& in, bool wide) {
  const gs::extents shape{in.word(), in.word()};
  const auto entries = in.word();
  const auto width = wide ? gs::index_width::i64 : gs::index_width::i32;
  gs::csr_matrix<T> matrix(shape, entries, {width, width});
  const auto read_indices = [&](const gs::index_span& to) {
    for (gs::index_t k = 0; k < to.size(); ++k) {
      if (wide)
        static_cast<std::int64_t*>(to.data())[k] = in.word();
      else
        static_cast<std::int32_t*>(to.data())[k] = static_cast<std::int32_t>(in.word());
    }
  };
  read_indices(matrix.mutable_view().offsets);
  read_indices(matrix.mutable_view().columns);
  for (T& value : matrix.values()) value = static_cast<T>(in.number());
  return matrix;
}

template <class T>
words in_words(const gs::csr_matrix<T>& matrix) {
  words out{matrix.rows(), matrix.cols(), matrix.nnz()};
  for (gs::index_t k = 0; k <= matrix.rows(); ++k) out.push_back(matrix.row_offsets()[k]);
  for (gs::index_t k = 0; k < matrix.nnz(); ++k) out.push_back(matrix.column_indices()[k]);
  for (const T value : matrix.values())
    out.push_back(std::bit_cast<std::int64_t>(static_cast<double>(value)));
  return out;
}

/// A kernel and how it is called.
struct way {
  std::string kernel;
  int threads;
  bool planned;
  std::string tuning = {};
};

std::ostream& operator<<(std::ostream& out, const way& w) {
  out << w.kernel << (w.planned ? ", planned" : "") << ", " << w.threads << " threads";
  if (!w.tuning.empty()) out << ", " << w.tuning;
  return out;
}

std::vector<way> device_ways() {
  std::vector<way> ways;
  for (const auto& k : gs::kernels()) {
    if (!k.id.starts_with("spgemm/") || !k.id.ends_with("/cuda") || !k.available) continue;
    for (const bool planned : {false, true}) ways.push_back({k.id, 1, planned});
  }
  if (ways.empty()) throw std::runtime_error("no kernel for a GPU can run here");
  ways.push_back({"spgemm/csr/adaptive/cuda", 1, false, "phases=two"});
  ways.push_back({"spgemm/csr/adaptive/cuda", 1, true, "terms=all"});
  return ways;
}

std::vector<way> host_ways() {
  std::vector<way> ways;
  for (const auto& k : gs::kernels()) {
    if (!k.id.starts_with("spgemm/") || !k.id.ends_with("/openmp") || !k.available) continue;
    if (k.id == "spgemm/csr/rows/openmp") continue;  // takes complex values only
    for (const int threads : {1, 3})
      for (const bool planned : {false, true}) ways.push_back({k.id, threads, planned});
  }
  return ways;
}

struct settings {
  bool transpose_a, transpose_b, wide;
  std::int64_t alpha;
  gs::options how;
  std::int64_t mask;
  bool added;
  std::int64_t beta;
};

settings read_settings(reader& in) {
  settings s{in.word() != 0, in.word() != 0, in.word() != 0, in.word(), {}, 0, false, 0};
  s.how.semiring = static_cast<gs::semiring>(in.word());
  s.mask = in.word();
  s.how.keep.magnitude = in.number();
  s.how.keep.largest = in.word();
  s.how.drop_zeros = in.word() != 0;
  s.added = in.word() != 0;
  s.beta = in.word();
  return s;
}

/// Where operands live, and the ways that multiply them.
struct contest {
  gs::context home;
  std::vector<way> ways;
};

/// All that is multiplied, in its types.
template <class T>
struct product {
  gs::expression<T> a, b;
  std::optional<gs::expression<T>> z;
  gs::options how;
};

template <class T>
words result_of(const gs::context& where, const way& by, const product<T>& of) {
  const auto here = [&](const gs::csr_matrix<T>& c) {
    return in_words(where.backend() == gs::backend::cuda ? gs::copy_to_host(where, c) : c);
  };
  gs::options how = of.how;
  how.algorithm = by.kernel;
  how.tuning = by.tuning;
  if (!by.planned && of.z) return here(gs::multiply(where, of.a, of.b, *of.z, how));
  if (!by.planned) return here(gs::multiply(where, of.a, of.b, how));
  const gs::plan plan = gs::multiply_compute(where, of.a, of.b, how);
  const auto shape = plan.result_shape();
  const auto nnz = plan.result_nnz();
  gs::csr_matrix<T> c(shape, nnz, gs::narrowest(shape, nnz), where.memory());
  gs::multiply_fill(plan, of.a, of.b, c);
  gs::multiply_fill(plan, of.a, of.b, c);  // a plan is not used up
  return here(c);
}

/// The next matrix of the stream, in the memory of the context.
template <class T>
gs::csr_matrix<T> next_matrix(reader& in, const settings& s, const gs::context& where) {
  auto matrix = read_matrix<T>(in, s.wide);
  if (where.backend() != gs::backend::cuda) return matrix;
  return gs::copy_to(where, matrix);
}

template <class T>
void answer(reader& in, const settings& s, const contest& by, words& out) {
  const auto a = next_matrix<T>(in, s, by.home), b = next_matrix<T>(in, s, by.home);
  const auto mask = s.mask != 0 ? next_matrix<float>(in, s, by.home) : gs::csr_matrix<float>();
  const auto z = s.added ? next_matrix<T>(in, s, by.home) : gs::csr_matrix<T>();
  const auto left = gs::scaled(static_cast<T>(s.alpha), a);
  product<T> of{s.transpose_a ? gs::transposed(left) : left,
                s.transpose_b ? gs::transposed(b) : gs::express(b),
                {},
                s.how};
  if (s.added) of.z = gs::scaled(static_cast<T>(s.beta), z);
  if (s.mask == 1) of.how.mask = gs::pattern_of(mask);
  if (s.mask == 2) of.how.mask = gs::complement(gs::pattern_of(mask));
  std::map<words, words> results;  // result -> the ways that led to it
  for (std::size_t k = 0; k < by.ways.size(); ++k) {
    const way& now = by.ways[k];
    if (now.planned && s.added) continue;
    const bool on_device = by.home.backend() == gs::backend::cuda;
    try {
      const auto where = on_device ? by.home : gs::context::openmp(now.threads);
      results[result_of(where, now, of)].push_back(static_cast<std::int64_t>(k));
    } catch (const gs::error& e) {
      const bool filtered = s.how.drop_zeros || s.how.keep != gs::filter{};
      if (e.kind() != gs::error_kind::not_available && !(now.planned && filtered)) throw;
    }
  }
  out.push_back(static_cast<std::int64_t>(results.size()));
  for (const auto& [result, led_here] : results) {
    out.push_back(static_cast<std::int64_t>(led_here.size()));
    out.insert(out.end(), led_here.begin(), led_here.end());
    out.insert(out.end(), result.begin(), result.end());
  }
}

void answer_all(const std::string& from, const std::string& to, const contest& by) {
  reader in(from);
  for (const auto& w : by.ways) std::cout << w << "\n";
  std::ofstream file(to, std::ios::binary);
  while (in.more()) {
    const bool single = in.word() != 0;
    const settings s = read_settings(in);
    words out;
    if (single)
      answer<float>(in, s, by, out);
    else
      answer<double>(in, s, by, out);
    file.write(reinterpret_cast<const char*>(out.data()),
               static_cast<std::streamsize>(out.size() * sizeof(std::int64_t)));
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + to);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const bool on_device = count == 4 && std::strcmp(arguments[3], "cuda") == 0;
    if (count != 3 && !on_device) throw std::runtime_error("usage: products IN OUT [cuda]");
    if (on_device)
      answer_all(arguments[1], arguments[2], {gs::context::cuda(), device_ways()});
    else
      answer_all(arguments[1], arguments[2], {gs::context::openmp(1), host_ways()});
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "products: " << e.what() << "\n";
    return 1;
  }
}
