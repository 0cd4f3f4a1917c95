// SPDX-License-Identifier: GPL-3.0-or-later
#include "wrong_use.h"

#include <algorithm>
#include <cctype>

#include "base/diagnostic.h"

namespace ridge::cli {
namespace {

Error wrong_use(std::string message, std::string hint) {
  return {ErrorKind::usage, "usage", std::move(message), std::move(hint), {}, 0};
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// "--json", …: what `command` has, as it is written.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Whether `word` stands in `text` with nothing that goes on with it.
bool names(const std::string& text, const std::string& word) {
  const auto goes_on = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !goes_on(static_cast<unsigned char>(text[at - 1]))) &&
        (end == text.size() || !goes_on(static_cast<unsigned char>(text[end]))))
      return true;
  }
  return false;
}

/// The option or word that the parser's message is about.
const CLI::Option* option_of(const CLI::App& command, const std::string& message) {
  const CLI::Option* word = nullptr;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      if (names(message, "--" + name)) return option;
    for (const std::string& name : option->get_snames())
      if (names(message, "-" + name)) return option;
    if (option->get_positional() && names(message, option->get_name(true))) word = option;
  }
  return word;
}

/// What was written behind the option the last time; empty: nothing.
std::string value_of(const CLI::Option& option, const std::vector<std::string>& words) {
  std::string value;
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::string& name : option.get_lnames()) {
      if (words[i].starts_with("--" + name + "=")) value = words[i].substr(name.size() + 3);
      if (words[i] == "--" + name && i + 1 < words.size()) value = words[i + 1];
    }
  return value;
}

/// CLI11 tells what is wrong by the class of its exception and in words of its own.
Error explain_option(const CLI::App& command, const std::string& name, const CLI::ParseError& fault,
                     const std::vector<std::string>& words) {
  const std::string said = fault.what(), help = name + " --help explains it";
  const CLI::Option* option = option_of(command, said);
  if (option == nullptr) return wrong_use(name + ": " + said, help);
  const std::string title =
      option->get_positional() ? option->get_name(true) : "--" + option->get_lnames().front();
  const std::string meaning = option->get_description() + "; " + help;
  if (dynamic_cast<const CLI::RequiredError*>(&fault) != nullptr)
    return wrong_use(name + " needs " + title, title + ": " + meaning);
  if (dynamic_cast<const CLI::ExcludesError*>(&fault) != nullptr) {
    constexpr std::string_view kBetween = " excludes ";
    std::string both = said;
    if (const std::size_t at = both.find(kBetween); at != std::string::npos)
      both.replace(at, kBetween.size(), " and ");
    return wrong_use(both + " exclude each other", "leave one of them out");
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&fault) != nullptr) {
    if (option->get_expected_max() == 0) return wrong_use(title + " takes no value", meaning);
    const bool often =
        std::count(words.begin(), words.end(), title) > 1 || said.find("received") != said.npos;
    return often ? wrong_use(title + " is given more than once", "give it once")
                 : wrong_use(title + " needs a value", title + ": " + meaning);
  }
  const std::string value = value_of(*option, words);
  if (dynamic_cast<const CLI::ConversionError*>(&fault) != nullptr)
    return option->get_expected_max() == 0 ? wrong_use(title + " takes no value", meaning)
                                           : wrong_use(title + " does not take '" + value + "'", meaning);
  // Validators of commands.h say what the value is not: "--flush: 'often' is none of …".
  const std::size_t colon = said.find(": ");
  return wrong_use(title + (colon == std::string::npos ? ": " + said : " " + said.substr(colon + 2)),
                   meaning);
}

}  // namespace

std::string unknown_command(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return {};
  const std::vector<std::string> rest = app.remaining();
  const auto word =
      std::find_if(rest.begin(), rest.end(), [](const std::string& w) { return !w.starts_with('-'); });
  return word == rest.end() ? std::string() : *word;
}

Error explain(const CLI::App& app, const CLI::ParseError& fault, const std::vector<std::string>& words) {
  if (const std::string word = unknown_command(app); !word.empty()) {
    const std::vector<std::string> known = commands_of(app);
    const std::string near = nearest(word, known);
    return wrong_use("there is no command '" + word + "'", near.empty()
                                                               ? "commands: " + joined(known, ", ")
                                                               : near + " is near; ridge --help lists all");
  }
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string name = chosen.empty() ? "ridge" : "ridge " + command.get_name();
  const std::string help = name + " --help explains it";
  if (const std::vector<std::string> stray = app.remaining(true); !stray.empty()) {
    const std::string& word = stray.front();
    const std::string near =
        word.starts_with('-') ? nearest(word.substr(0, word.find('=')), options_of(command)) : "";
    return wrong_use(name + (word.starts_with('-') ? " has no option '" : " takes no '") + word + "'",
                     near.empty() ? help : near + " is near; " + help);
  }
  if (chosen.empty()) return wrong_use("a command is missing", "commands: " + joined(commands_of(app), ", "));
  return explain_option(command, name, fault, words);
}

}  // namespace ridge::cli
