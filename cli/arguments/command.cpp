#include "cli/arguments/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>
#include <type_traits>

#include "base/text.hpp"
#include "cli/arguments/words.hpp"
#include "cli/output/failure.hpp"
#include "cli/output/report.hpp"

namespace gossamer::cli {

namespace {

/// A word of the user, in a message.
std::string shortened(const std::string& word) {
  constexpr std::size_t most = 40;
  return word.size() <= most ? word : word.substr(0, most) + "...";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Numbers from least to most; the message has them as people write them.
CLI::Validator range_of(bounds within) {
  return {[within](const std::string& word) {
            double number = 0;
            if (CLI::detail::lexical_cast(word, number) &&
                number >= static_cast<double>(within.least) &&
                number <= static_cast<double>(within.most))
              return std::string();
            return formatted("expected a number from {} to {}, found {}", within.least, within.most,
                             shortened(word));
          },
          "", "range"};
}

CLI::Validator above_zero() {
  return {[](const std::string& word) {
            double number = 0;
            if (CLI::detail::lexical_cast(word, number) && number > 0 && number < 1e300)
              return std::string();
            return formatted("expected a number above 0, found {}", shortened(word));
          },
          "", "above zero"};
}

/// One of some words; a word that is nearly one of them is told so.
CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[words](const std::string& word) {
            if (std::find(words.begin(), words.end(), word) != words.end()) return std::string();
            const auto meant = nearest(word, words);
            return formatted("{} is not one of {}{}", shortened(word), joined(words),
                             meant.empty() ? "" : formatted("; did you mean {}?", meant));
          },
          "", "one of"};
}

/// An empty word is a variable of a script that was not set; CLI11 would read it as 0 or as no
/// name.
CLI::Validator not_empty() {
  return {[](const std::string& word) {
            return word.empty() ? std::string("is empty; give a value, or leave the option out")
                                : std::string();
          },
          "", "not empty"};
}

/// CLI11 lets a negative number, and one beyond 64 bits, wrap around.
CLI::Validator natural() {
  return {[](const std::string& word) {
            std::uint64_t number = 0;
            const auto* const end = word.data() + word.size();
            const auto [stop, problem] = std::from_chars(word.data(), end, number);
            return problem == std::errc() && stop == end
                       ? std::string()
                       : "expected a whole number from 0 to 2^64 - 1, found " + word;
          },
          "", "natural"};
}

void apply(const option_rules& rules, const option_value& value, CLI::App& parser,
           CLI::Option& option) {
  option.required(rules.required);
  if (!rules.shown_as.empty()) option.type_name(rules.shown_as);
  if (rules.by_commas) option.delimiter(',');
  option.check(not_empty());
  if (std::holds_alternative<std::uint64_t*>(value)) option.check(natural());
  if (rules.positive) option.check(above_zero());
  if (rules.within) option.check(range_of(*rules.within));
  if (!rules.one_of.empty()) option.check(one_of(rules.one_of));
  if (!rules.environment.empty()) option.envname(rules.environment);
  if (!rules.excludes.empty()) option.excludes(parser.get_option(rules.excludes));
}

}  // namespace

command command::add_subcommand(const std::string& name, const std::string& about,
                                const std::string& closing) const {
  CLI::App& added = *parser_->add_subcommand(name, about);
  added.footer(closing);
  return command(added);
}

void command::require_one_subcommand() const { parser_->require_subcommand(1); }

void command::take_any_arguments() const { parser_->prefix_command(); }

void command::add(const std::string& names, option_value into, const std::string& help,
                  const option_rules& rules) const {
  CLI::Option* added =
      std::visit([&](auto* value) { return parser_->add_option(names, *value, help); }, into);
  // A list is one word, split at its commas, or the option several times: what follows is the
  // matrix.
  if (names.starts_with('-') && rules.by_commas) added->allow_extra_args(false);
  apply(rules, into, *parser_, *added);
}

void command::add_flag(const std::string& names, bool& into, const std::string& help) const {
  parser_->add_flag(names, into, help);
}

bool command::given(const std::string& name) const { return parser_->count(name) > 0; }

void command::when_chosen(std::function<void()> todo) const { parser_->callback(std::move(todo)); }

command_line::command_line(const std::string& name, const std::string& about,
                           const std::string& closing)
    : parser_(std::make_unique<CLI::App>(about, name)) {
  parser_->footer(closing);
  parser_->require_subcommand(0, 1);
}

command_line::~command_line() = default;

namespace {

/// The command that the words had come to.
const CLI::App& innermost(const CLI::App& from) {
  const CLI::App* app = &from;
  for (auto below = app->get_subcommands(); !below.empty(); below = app->get_subcommands())
    app = below.front();
  return *app;
}

/// What may follow a command: its options, and the commands below it.
std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) words.push_back("--" + name);
    for (const auto& name : option->get_snames()) words.push_back("-" + name);
  }
  for (const auto* below : app.get_subcommands({})) words.push_back(below->get_name());
  return words;
}

/// "did you mean --square?" for a word that was not understood; options before others.
std::string suggestion(const CLI::App& root, const CLI::ExtrasError& e) {
  const std::string text = e.what();
  std::vector<std::string> words;
  std::istringstream rest(text.substr(std::min(text.rfind(':') + 1, text.size())));
  for (std::string word; rest >> word;) words.push_back(word.substr(0, word.find('=')));
  std::stable_partition(words.begin(), words.end(),
                        [](const std::string& word) { return word.starts_with('-'); });
  for (const auto& word : words)
    if (const auto meant = nearest(word, words_of(innermost(root))); !meant.empty())
      return formatted("did you mean {}?", meant);
  return "";
}

}  // namespace

bool command_line::parse(int argc, const char* const* argv) {
  try {
    parser_->parse(argc, argv);
    return true;
  } catch (const CLI::CallForHelp&) {
    print("{}", within_80_columns(innermost(*parser_).help()));
    return false;
  } catch (const CLI::ExtrasError& e) {
    throw usage_error(e.what(), suggestion(*parser_, e));
  } catch (const CLI::ParseError& e) {
    throw usage_error(e.what());
  }
}

std::string command_line::help() const { return within_80_columns(parser_->help()); }

std::string command_line::help_of(const std::vector<std::string>& words) const {
  const CLI::App* app = parser_.get();
  for (const auto& word : words) {
    const auto below = app->get_subcommands({});
    const auto found = std::find_if(below.begin(), below.end(),
                                    [&](const auto* one) { return one->get_name() == word; });
    if (found == below.end()) {
      std::vector<std::string> names;
      for (const auto* one : below) names.push_back(one->get_name());
      const auto meant = nearest(word, names);
      throw usage_error(formatted("there is no command {}", shortened(word)),
                        meant.empty() ? formatted("commands are {}", joined(names))
                                      : formatted("did you mean {}?", meant));
    }
    app = *found;
  }
  return within_80_columns(app->help());
}

std::string command_line::command_name() const {
  const auto parsed = parser_->get_subcommands();
  return parser_->get_name() + (parsed.empty() ? "" : " " + parsed.front()->get_name());
}

}  // namespace gossamer::cli
