// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "commands.h"

namespace ridge::cli {
namespace {

/// The whole text as a number. No sign, no blanks, no other base: what is read is what is written.
template <class Number>
bool parse(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string shortest(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return error == std::errc() ? std::string(text, end) : std::string();
}

}  // namespace

const CLI::Validator kNotEmpty(
    [](const std::string& text) { return text.empty() ? std::string("may not be empty") : std::string(); },
    "");

const CLI::Validator kOutput(
    [](const std::string& text) {
      namespace fs = std::filesystem;
      if (text.empty()) return std::string("may not be empty");
      std::error_code ignored;
      const fs::path folder = fs::path(text).parent_path();
      if (text == "-" || folder.empty() || fs::is_directory(folder, ignored)) return std::string();
      return "'" + text + "' cannot be written: there is no folder " + folder.string();
    },
    "");

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return {[low, high](const std::string& text) {
            std::uint64_t number = 0;
            if (parse(text, number) && number >= low && number <= high) return std::string();
            return "'" + text + "' is no whole number from " + std::to_string(low) + " to " +
                   std::to_string(high);
          },
          ""};
}

CLI::Validator real_number(double low, double high) {
  return {[low, high](const std::string& text) {
            double number = 0;
            if (parse(text, number) && number >= low && number <= high) return std::string();
            return "'" + text + "' is no number from " + shortest(low) + " to " + shortest(high);
          },
          ""};
}

CLI::Validator one_of(std::vector<std::string> words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return {[words = std::move(words), list](const std::string& text) {
            return std::find(words.begin(), words.end(), text) != words.end()
                       ? std::string()
                       : "'" + text + "' is none of " + list;
          },
          "{" + list + "}"};
}

}  // namespace ridge::cli
