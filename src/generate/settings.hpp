// "name=value" settings of a recipe: defaults, names checked, values parsed strictly.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/generate.hpp"

namespace gossamer::generate {

/// Every accessor throws error(bad_argument) that names the generator, the parameter, what was
/// found and what was expected.
class settings {
 public:
  settings(const recipe& what, const std::vector<std::string>& given, row_share which = {});

  /// The value as text. A value that is the name of another parameter stands for that one's value.
  const std::string& text(std::string_view name) const { return resolve(name).value; }
  /// 0 or more: digits, or a power such as 2^20.
  index_t size(std::string_view name) const;
  /// A size that fits an int.
  int small(std::string_view name) const;
  double real(std::string_view name) const;
  std::uint64_t seed() const;
  /// Which rows are to be made.
  row_share share() const { return share_; }
  /// One of the texts given.
  const std::string& choice(std::string_view name,
                            std::initializer_list<std::string_view> allowed) const;
  /// The product of two sizes; throws error(overflow) when it does not fit.
  index_t product(std::string_view a, std::string_view b) const;

 private:
  parameter& find(std::string_view name);
  /// The parameter whose value counts: the last one in a chain of names.
  const parameter& resolve(std::string_view name) const;
  recipe recipe_;
  row_share share_;
};

}  // namespace gossamer::generate
