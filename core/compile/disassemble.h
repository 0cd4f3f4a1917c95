// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace ridge::compile {

/// SASS of a cubin, with line information where the cubin has it. `program` empty: an error with the way out.
Result<std::string> run_nvdisasm(const std::filesystem::path& program, const std::string& cubin);

}  // namespace ridge::compile
