// Options shared by several commands, and the parsing of their values.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "cli/arguments/command.hpp"
#include "gossamer/context.hpp"
#include "gossamer/plan.hpp"

namespace gossamer::cli {

/// "2G", "512M", "1.5GiB", "4096": K M G T are powers of 1000, KiB MiB GiB TiB of 1024.
/// Throws usage_error that names the option.
index_t parse_bytes(const std::string& text, const std::string& option);

format parse_format(const std::string& text);

/// --on and --threads: backend and threads.
struct place {
  std::string on = "best";
  int threads = 0;
  context open() const;
};
void add_place(const command& to, place& where);

/// --algorithm, --memory-limit, --tuning, --tune and --deterministic: options of the plan.
struct plan_options {
  std::string algorithm;
  std::string memory_limit;
  std::string tuning;
  std::string tune = "predict";
  bool deterministic = false;
  options for_calls(index_t expected_calls) const;
};
void add_plan_options(const command& to, plan_options& wanted);

/// --name N with N >= least.
void add_count(const command& to, const std::string& name, index_t& count, index_t least,
               const std::string& help);
/// --name WORD with one of the words; the help text names them.
void add_choice(const command& to, const std::string& name, std::string& choice,
                std::initializer_list<const char*> words, const std::string& help);
/// --type of real values, f64 unless given.
void add_type(const command& to, std::string& type);
/// --type of any values; "" unless given, which type_for() replaces.
void add_any_type(const command& to, std::string& type);
/// The type that was asked for or, without one, c128 if one of the files is complex and f64 if none
/// is. Names of files may be empty; standard input is kept, pipes with names are not looked into.
std::string type_for(const std::string& asked, std::initializer_list<std::string> files);
void add_seed(const command& to, std::uint64_t& seed);
void add_threads(const command& to, int& threads);
void add_json(const command& to, bool& as_json);

/// Calls work(std::type_identity<float or double>{}) for "f32" or "f64".
template <class Work>
auto with_type(const std::string& type, Work&& work) {
  return type == "f32" ? work(std::type_identity<float>{}) : work(std::type_identity<double>{});
}
/// The same for all value types.
template <class Work>
auto with_any_type(const std::string& type, Work&& work) {
  if (type == "c64") return work(std::type_identity<std::complex<float>>{});
  if (type == "c128") return work(std::type_identity<std::complex<double>>{});
  return with_type(type, work);
}

}  // namespace gossamer::cli
