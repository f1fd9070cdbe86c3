// Subjects of a benchmark: matrices from files and generators, with the product they are used in.
// docs/guide/suites.md describes the files that list them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/subjects/factors.hpp"
#include "gossamer/io.hpp"

namespace gossamer::bench {

struct subject {
  std::string name;                 ///< unique in a run
  std::string source;               ///< a file, or a recipe like rmat:scale=14,edge-factor=8
  std::string kind;                 ///< class of matrices it stands for: mesh, random, real, ...
  std::vector<std::string> labels;  ///< tables and figures it reproduces
  std::vector<std::string> operations;  ///< empty: all that fit its shape
  bool transpose = false;               ///< the left factor is the transpose of the source
  /// SpGEMM, the right factor: "A" (the source), "transposed" (of the source), a file, a recipe,
  /// or two of these to be multiplied first ("A" and a prolongator).
  std::vector<std::string> right = {"A"};
  std::vector<index_t> columns;  ///< SpMM; empty: the run's
  bool large = false;            ///< for a GPU or a large host

  bool takes_part_in(const std::string& operation) const;
  /// "A", "P^T (A P)"-like text for records.
  std::string right_text() const;
};

/// Whether the source is a generator with its parameters (and not a file of that name).
bool is_recipe(const std::string& source);

/// Files, folders (all matrices in them) and recipes, as given on a command line. Throws
/// error(bad_input) on a word that is none of these.
std::vector<subject> subjects_from(const std::vector<std::string>& words);

/// A suite by the name of a built-in one or by file. Folders and files in it are relative to
/// `matrices` (built-in suites) or to the suite's own folder. Throws error(bad_input) that names
/// the file and the entry when something is wrong with it.
struct suite {
  std::string name, about;
  std::vector<subject> subjects;
};
suite load_suite(const std::string& name_or_file, const std::filesystem::path& matrices);
std::vector<std::string> built_in_suites();

/// Progress of loading: a stage ("generating ..."), and how far reading has come.
struct load_watch {
  virtual ~load_watch() = default;
  virtual void stage(const std::string&) {}
  virtual progress_callback share() { return {}; }
};

/// The factors of A times something; `columns` and `seed` are for dense right factors. Columns are
/// sorted and duplicates added up, so that every contestant may rely on it. Throws error(bad_input)
/// when the shapes do not fit.
struct dense_options {
  index_t columns = 1;
  std::uint64_t seed = 1;
};
template <scalar T>
factors<T> load_factors(const subject& from, operation product, const dense_options& dense,
                        load_watch& watch);

}  // namespace gossamer::bench
