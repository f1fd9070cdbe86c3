// Parameters of a kernel as text: "name=value,name=value". A kernel lists the names it knows; any
// other name is an error that lists them, so a misspelt parameter never goes unnoticed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer {

class tuning {
 public:
  /// Throws error(bad_argument) on a name that is not in `known` ("bins,local_bytes"), a name given
  /// twice, or a setting without a value. `kernel` is only for messages.
  tuning(std::string_view text, std::string_view kernel, std::string_view known);

  /// A whole number of at least `least`.
  index_t number(std::string_view name, index_t otherwise, index_t least) const;
  /// One of the words; the first one when the name was not given.
  std::string_view word(std::string_view name, std::initializer_list<std::string_view> words) const;

 private:
  const std::string* find(std::string_view name) const;
  std::string kernel_;
  std::vector<std::pair<std::string, std::string>> given_;
};

}  // namespace gossamer
