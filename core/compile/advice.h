// SPDX-License-Identifier: GPL-3.0-or-later
// From what a compiler says to what a person can do about it.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "compile/compile.h"

namespace ridge::compile {

/// Rewrites code, message and hint of a message whose cause is known; others stay as they are.
void advise(Diagnostic& diagnostic, const CompileRequest& request, const Toolkit& toolkit);

/// What a name expression that names no kernel should have been; `said` is NVRTC's message.
Diagnostic unknown_kernel(const std::string& expression, const std::string& said,
                          const source::PreparedSource& source, const std::vector<Entry>& entries);

/// A module without any kernel: why, and how to get one.
Diagnostic no_kernel(const source::PreparedSource& source);

/// Static shared memory above what a block may have without opting in.
Diagnostic too_much_shared(const std::string& kernel, std::int64_t bytes, const std::string& largest,
                           const source::PreparedSource& source);

/// A header of the toolkit that NVRTC cannot take: `first` is the first of `count` errors inside of it.
Diagnostic header_not_for_nvrtc(const std::string& header, int line, const Diagnostic& first, int count,
                                const CompileRequest& request, const Toolkit& toolkit);

}  // namespace ridge::compile
