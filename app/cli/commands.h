// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of `ridge`: each adds its options to the parser and, when chosen, sets `chosen` to what is to
// be run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "console.h"

namespace ridge::cli {

using Action = std::function<Exit()>;

/// For options whose value may not be "".
inline const CLI::Validator kNotEmpty(
    [](const std::string& text) { return text.empty() ? std::string("may not be empty") : std::string(); },
    "");

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
