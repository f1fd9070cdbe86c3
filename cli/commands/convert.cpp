// gossamer convert: from one file format to another.

#include "base/text.hpp"
#include "bench/race/timing.hpp"
#include "cli/arguments/operands.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/result_file.hpp"

namespace gossamer::cli {

namespace {

constexpr auto closing = R"(Examples:
  gossamer convert cant.mtx.gz cant.gsm        a fast copy for repeated use
  gossamer convert cant.gsm cant.npz           for SciPy's load_npz
  gossamer convert a.mtx b --to mtx.gz         a name without extension
  gossamer convert web.txt web.mtx             an edge list, as of SNAP
  gossamer convert a.gsm a.mtx --symmetric     one triangle
  zcat a.mtx.gz | gossamer convert - a.gsm     standard input

Dense (array) files stay dense and sparse ones sparse, except that .npz holds sparse matrices only
(of a dense one the nonzeros) and .npy dense ones only (a sparse one is expanded). Symmetric files
are expanded, duplicates are summed.)";

struct request {
  std::string in, out, to, type;
  int threads = 0;
  bool as_json = false, symmetric = false;
};

void print_text(const request& asked, const json& result) {
  print_field("read",
              formatted("{}  {} x {}, {} nonzeros, {}", asked.in, count_text(result["rows"]),
                        count_text(result["cols"]), count_text(result["nnz"]),
                        seconds_text(result["seconds"]["read"])));
  print_field("written", formatted("{}  {}, {}", asked.out, bytes_text(result["bytes"]),
                                   seconds_text(result["seconds"]["write"])));
}

// As the file has it, unless the target can hold only one of the two.
template <scalar T>
file_matrix<T> load_for(const output_file& target, const std::string& file, const context& where,
                        progress& ticker) {
  if (!target.takes_dense()) return load_sparse<T>(file, where, ticker);
  if (!target.takes_sparse()) return load_dense<T>(file, where, ticker);
  return load_any<T>(file, where, ticker);
}

template <scalar T>
exit_code convert_file(const request& asked) {
  const context where = context::openmp(asked.threads);
  output_file target(asked.out, asked.to);
  if (asked.symmetric) target.write_as_symmetric();
  progress ticker;
  const stopwatch reading;
  const file_matrix<T> matrix = load_for<T>(target, asked.in, where, ticker);
  const double read_seconds = reading.seconds();
  const double write_seconds = seconds_of(
      [&] { std::visit([&](const auto& m) { target.write(m, where, ticker); }, matrix); });
  ticker.finish();

  const auto shape = std::visit([](const auto& m) { return m.shape(); }, matrix);
  const index_t nnz = std::visit([](const auto& m) { return m.view().nnz(); }, matrix);
  const json result = {{"command", "convert"},
                       {"input", asked.in},
                       {"output", asked.out},
                       {"format", extension(target.kind())},
                       {"dense", std::holds_alternative<dense_matrix<T>>(matrix)},
                       {"type", asked.type},
                       {"rows", shape.rows},
                       {"cols", shape.cols},
                       {"nnz", nnz},
                       {"bytes", target.size()},
                       {"seconds", {{"read", read_seconds}, {"write", write_seconds}}}};
  if (asked.as_json)
    print_json(result);
  else
    print_text(asked, result);
  return exit_code::done;
}

}  // namespace

void add_convert(const command& program, action& chosen) {
  auto asked = std::make_shared<request>();
  const command convert =
      program.add_subcommand("convert", "Convert a matrix file to another format", closing);
  convert.add_option("IN", asked->in, "A matrix file", {.required = true});
  convert.add_option("OUT", asked->out, "The file to write", {.required = true});
  add_choice(convert, "--to", asked->to, {"mtx", "mtx.gz", "gsm", "npz", "npy"},
             "File format, whatever OUT's name: mtx, mtx.gz, gsm, npz, npy");
  convert.add_flag("--symmetric", asked->symmetric,
                   "Matrix Market: one triangle of a symmetric or Hermitian matrix");
  add_any_type(convert, asked->type);
  add_threads(convert, asked->threads);
  add_json(convert, asked->as_json);
  convert.when_chosen([asked, &chosen] {
    chosen = [asked] {
      asked->type = type_for(asked->type, {asked->in});
      return with_any_type(asked->type, [&](auto type) {
        return convert_file<typename decltype(type)::type>(*asked);
      });
    };
  });
}

}  // namespace gossamer::cli
