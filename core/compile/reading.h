// SPDX-License-Identifier: GPL-3.0-or-later
// From what NVRTC returned to a CompiledKernel: entries, resources, diagnostics a person can act on.
#pragma once

#include <functional>
#include <string>

#include "compile/closure.h"
#include "compile/compile.h"
#include "compile/nvrtc.h"

namespace ridge::compile {

struct Reading {
  const CompileRequest& request;
  const Program& program;
  const Closure& closure;
  const Toolkit& toolkit;
  std::function<std::string()> ptx;  ///< of a program whose PTX the assembler refused
};

/// Fills everything but ok, key, cached and the times.
void read_compilation(const Compilation& compilation, const Reading& reading, CompiledKernel& kernel);

/// Entries and faults of a PTX source; `newest` is the PTX version that the toolkit knows, empty: unknown.
/// Until an assembler has spoken, entries have no resources.
void read_ptx_source(const source::PreparedSource& source, const std::string& newest,
                     const std::string& toolkit, CompiledKernel& kernel);

/// What an assembler said of a PTX source whose entries have been read: diagnostics with lines of the source,
/// and resources.
void read_assembly(const std::string& log, bool ok, const CompileRequest& request, const Toolkit& toolkit,
                   CompiledKernel& kernel);

}  // namespace ridge::compile
