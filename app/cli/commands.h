// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of `ridge`: each adds its options to the parser and, when chosen, sets `chosen` to what is to
// be run.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "console.h"

namespace ridge::cli {

using Action = std::function<Exit()>;

// Validators. Each says what a value is not, in words that follow the option's name.
extern const CLI::Validator kNotEmpty;
extern const CLI::Validator kOutput;  ///< a file that can be made: its folder is there; or "-"
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
CLI::Validator real_number(double low, double high);
CLI::Validator one_of(std::vector<std::string> words);

void add_run(CLI::App& app, Action& chosen);
void add_compile(CLI::App& app, Action& chosen);
void add_devices(CLI::App& app, Action& chosen);
void add_problems(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_zoo(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);
void add_export(CLI::App& app, Action& chosen);
void add_worker(CLI::App& app, Action& chosen);

}  // namespace ridge::cli
