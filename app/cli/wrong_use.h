// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a command line, in words that name what was written.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridge::cli {

/// `words`: the command line without the program.
Error explain(const CLI::App& app, const CLI::ParseError& fault, const std::vector<std::string>& words);

/// The word that stands where a command should, if it names none. Help that is asked for beside it would pass
/// it over.
std::string unknown_command(const CLI::App& app);

}  // namespace ridge::cli
