// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA sources for tests: compiled by NVRTC, run on the emulator.
#pragma once

#include <memory>
#include <string>

#include "compile/compile.h"
#include "source/source.h"
#include "support/emulated.h"

namespace ridge::device {

/// NVRTC, or null where there is none.
inline compile::Compiler* compiler() {
  static const auto opened = compile::Compiler::open();
  return opened ? opened->get() : nullptr;
}

/// The PTX of a CUDA source. Lines count from the first line of the text.
inline std::string ptx_of(const std::string& text) {
  Result<source::KernelSource> source = source::parse_source(text, "k.cu");
  EXPECT_TRUE(source.ok());
  if (!source) return {};
  compile::CompileRequest request;
  request.source = source::prepare(*source);
  request.arch = "compute_90";
  Result<compile::CompiledKernel> kernel = compiler()->compile(request);
  EXPECT_TRUE(kernel.ok()) << (kernel.ok() ? "" : kernel.error().message);
  if (!kernel) return {};
  EXPECT_TRUE(kernel->ok) << kernel->log;
  return kernel->ptx;
}

}  // namespace ridge::device
