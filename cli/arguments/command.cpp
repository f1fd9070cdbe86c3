#include "cli/arguments/command.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <type_traits>

#include "cli/output/failure.hpp"

namespace gossamer::cli {

namespace {

// Help texts say in words what a value may be; CLI11's own descriptions would say it again.
CLI::Validator without_description(CLI::Validator check) { return check.description(""); }

CLI::Validator range_of(const option_value& value, bounds within) {
  if (std::holds_alternative<double*>(value))
    return CLI::Range(static_cast<double>(within.least), static_cast<double>(within.most));
  return CLI::Range(within.least, within.most);
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
  if (rules.positive) option.check(without_description(CLI::PositiveNumber));
  if (rules.within) option.check(without_description(range_of(value, *rules.within)));
  if (!rules.one_of.empty()) option.check(without_description(CLI::IsMember(rules.one_of)));
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

bool command_line::parse(int argc, const char* const* argv) {
  try {
    parser_->parse(argc, argv);
    return true;
  } catch (const CLI::CallForHelp& asked) {
    parser_->exit(asked);
    return false;
  } catch (const CLI::ParseError& e) {
    throw usage_error(e.what());
  }
}

std::string command_line::help() const { return parser_->help(); }

std::string command_line::command_name() const {
  const auto parsed = parser_->get_subcommands();
  return parser_->get_name() + (parsed.empty() ? "" : " " + parsed.front()->get_name());
}

}  // namespace gossamer::cli
