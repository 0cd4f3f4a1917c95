// SPDX-License-Identifier: GPL-3.0-or-later
#include "wrong_use.h"

#include <algorithm>

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
  return wrong_use("ridge " + joined(words, " ") + ": " + fault.what(), help);
}

}  // namespace ridge::cli
