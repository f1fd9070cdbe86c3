// Multiplies a stream of small products with every SpGEMM kernel for this machine's cores, by a
// whole product and by compute and fill, with one thread and with several;
// tests/cli/random_products.py makes the stream and judges what comes out.
//
// products IN OUT: both are streams of 64-bit words. IN: per product the words
//   f32?, A transposed?, B transposed?, 64-bit indices?, alpha, A, B
// and a matrix is rows, cols, entries, offsets, columns, values (float64). OUT: per product the
// number of different results, and for each how many ways led to it, these ways, and the matrix.
// The names of the ways go to stdout, a line each.
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

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
};

std::vector<way> all_ways() {
  std::vector<way> ways;
  for (const auto& k : gs::kernels()) {
    if (!k.id.starts_with("spgemm/") || !k.id.ends_with("/openmp") || !k.available) continue;
    for (const int threads : {1, 3})
      for (const bool planned : {false, true}) ways.push_back({k.id, threads, planned});
  }
  return ways;
}

template <class T>
words result_of(const way& how, const gs::expression<T>& a, const gs::expression<T>& b) {
  const auto where = gs::context::openmp(how.threads);
  const gs::options options{.algorithm = how.kernel};
  if (!how.planned) return in_words(gs::multiply(where, a, b, options));
  const gs::plan plan = gs::multiply_compute(where, a, b, options);
  gs::csr_matrix<T> c(plan.result_shape(), plan.result_nnz());
  gs::multiply_fill(plan, a, b, c);
  gs::multiply_fill(plan, a, b, c);  // a plan is not used up
  return in_words(c);
}

struct settings {
  bool transpose_a, transpose_b, wide;
  std::int64_t alpha;
};

template <class T>
void answer(reader& in, const settings& s, const std::vector<way>& ways, words& out) {
  const auto a = read_matrix<T>(in, s.wide), b = read_matrix<T>(in, s.wide);
  const auto left = gs::scaled(static_cast<T>(s.alpha), a);
  const auto right = gs::scaled(T{1}, b);
  std::map<words, words> results;  // result -> the ways that led to it
  for (std::size_t k = 0; k < ways.size(); ++k) {
    auto found = result_of<T>(ways[k], s.transpose_a ? gs::transposed(left) : left,
                              s.transpose_b ? gs::transposed(right) : right);
    results[std::move(found)].push_back(static_cast<std::int64_t>(k));
  }
  out.push_back(static_cast<std::int64_t>(results.size()));
  for (const auto& [result, led_here] : results) {
    out.push_back(static_cast<std::int64_t>(led_here.size()));
    out.insert(out.end(), led_here.begin(), led_here.end());
    out.insert(out.end(), result.begin(), result.end());
  }
}

void answer_all(const std::string& from, const std::string& to) {
  reader in(from);
  const auto ways = all_ways();
  for (const auto& w : ways)
    std::cout << w.kernel << (w.planned ? ", planned" : "") << ", " << w.threads << " threads\n";
  std::ofstream file(to, std::ios::binary);
  while (in.more()) {
    const bool single = in.word() != 0;
    const settings s{in.word() != 0, in.word() != 0, in.word() != 0, in.word()};
    words out;
    if (single)
      answer<float>(in, s, ways, out);
    else
      answer<double>(in, s, ways, out);
    file.write(reinterpret_cast<const char*>(out.data()),
               static_cast<std::streamsize>(out.size() * sizeof(std::int64_t)));
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + to);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 3) throw std::runtime_error("usage: products IN OUT");
    answer_all(arguments[1], arguments[2]);
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "products: " << e.what() << "\n";
    return 1;
  }
}
