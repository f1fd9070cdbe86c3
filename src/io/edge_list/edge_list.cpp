#include "io/edge_list/edge_list.hpp"

#include <fast_float/fast_float.h>

#include <charconv>

#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "io/build_csr.hpp"

namespace gossamer::io::edge_list {

namespace {

struct edge {
  index_t from = 0, to = 0;
  double weight = 1;
};

bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }

[[nodiscard]] error broken(const named_bytes& text, index_t line, const std::string& problem) {
  return fail(error_kind::bad_input, "{}, line {}: {}", text.name, line, problem);
}

/// One line that is neither empty nor a comment.
class edge_line {
 public:
  edge_line(const named_bytes& text, std::string_view line, index_t number)
      : text_(text), line_(line), rest_(line), number_(number) {}

  edge parse() {
    edge found{.from = node(), .to = node()};
    if (skip_gaps(); !rest_.empty()) found.weight = weight();
    if (skip_gaps(); !rest_.empty())
      throw broken(text_, number_,
                   formatted("found {} after the weight; expected two nodes and perhaps a weight",
                             shown(rest_)));
    return found;
  }

 private:
  void skip_gaps() {
    while (!rest_.empty() && is_gap(rest_.front())) rest_.remove_prefix(1);
  }
  index_t node() {
    skip_gaps();
    index_t number = -1;
    const auto [stop, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    constexpr index_t most = index_t{1} << 61;
    if (problem != std::errc() || number < 0 || number > most ||
        (stop != rest_.data() + rest_.size() && !is_gap(*stop)))
      throw broken(
          text_, number_,
          formatted("found {}; expected two nodes, whole numbers from 0 on", shown(line_)));
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return number;
  }
  double weight() {
    double number = 0;
    const auto [stop, problem] =
        fast_float::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (problem != std::errc() || (stop != rest_.data() + rest_.size() && !is_gap(*stop)))
      throw broken(text_, number_, formatted("the weight is {}; expected a number", shown(rest_)));
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return number;
  }

  const named_bytes& text_;
  std::string_view line_, rest_;
  index_t number_;
};

/// Calls f(edge) for every edge.
template <class F>
void for_each_edge(const named_bytes& text, F&& f) {
  index_t number = 0;
  for (std::string_view rest = text.bytes; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    line = line.substr(0, line.find('#'));
    while (!line.empty() && is_gap(line.front())) line.remove_prefix(1);
    if (line.empty() || line.front() == '%') continue;
    f(edge_line(text, line, number).parse());
  }
}

template <stored_index I, scalar T>
csr_matrix<T> build(const std::vector<edge>& edges, extents shape, const read_options& how) {
  entry_block<I, T> block{buffer<entry<I, T>>(static_cast<index_t>(edges.size())),
                          static_cast<index_t>(edges.size())};
  for (std::size_t k = 0; k < edges.size(); ++k)
    block.entries[static_cast<index_t>(k)] = {
        static_cast<I>(edges[k].from), static_cast<I>(edges[k].to), cast<T>(edges[k].weight)};
  std::vector<entry_block<I, T>> blocks;
  blocks.push_back(std::move(block));
  return build_csr(shape, std::move(blocks), mirror::none, how);
}

}  // namespace

bool looks_like_edges(std::string_view bytes) {
  return !bytes.empty() && (bytes.front() == '#' || (bytes.front() >= '0' && bytes.front() <= '9'));
}

file_info describe(const named_bytes& text) {
  file_info info;
  info.kind = file_kind::edge_list;
  info.field = "pattern";
  info.symmetry = "general";
  index_t nodes = 0;
  for_each_edge(text, [&](const edge& e) {
    nodes = std::max({nodes, e.from + 1, e.to + 1});
    if (e.weight != 1) info.field = "real";
    ++info.stored;
  });
  info.shape = {nodes, nodes};
  return info;
}

template <scalar T>
csr_matrix<T> parse(const named_bytes& text, const read_options& how) {
  std::vector<edge> edges;
  index_t nodes = 0;
  for_each_edge(text, [&](const edge& e) {
    edges.push_back(e);
    nodes = std::max({nodes, e.from + 1, e.to + 1});
  });
  const extents shape{nodes, nodes};
  require_backed_rows(how, text.name, shape, text.bytes.size());
  return narrowest(shape, 0).indices == index_width::i32
             ? build<std::int32_t, T>(edges, shape, how)
             : build<std::int64_t, T>(edges, shape, how);
}

#define GOSSAMER_INSTANTIATE(T) \
  template csr_matrix<T> parse<T>(const named_bytes&, const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io::edge_list
