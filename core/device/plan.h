// SPDX-License-Identifier: GPL-3.0-or-later
// From a bound problem, directives and a compiled kernel to a LaunchSequence: which buffers there are, what
// each parameter gets, how large the grid is. No device memory is touched here.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "compile/compile.h"
#include "device/device.h"
#include "problem/problem.h"
#include "source/source.h"

namespace ridge::device {

enum class BufferRole { input, output, scratch };
struct BufferPlan {
  std::string name;
  BufferRole role = BufferRole::input;
  DType dtype = DType::float32;
  std::vector<std::int64_t> extents;
  std::int64_t elements = 1;
  std::int64_t bytes = 4;
  int tensor = -1;      ///< index among the problem's inputs or outputs
  int copy_of = -1;     ///< buffer index of the input that an in-place output starts as
  bool zeroed = false;  ///< by `//@ zero:`
};
struct PlannedArgument {
  std::string name;              ///< parameter
  int buffer = -1;               ///< index into buffers, or -1: `bytes`
  int tensor_map = -1;           ///< index into tensor_maps
  int texture = -1;              ///< index into textures
  std::vector<std::byte> bytes;  ///< a scalar or axis, converted to the parameter's type
};
struct PlannedLaunch {
  Launch shape;      ///< everything but the arguments
  std::string name;  ///< entry, for people
  std::vector<PlannedArgument> arguments;
};
struct SymbolFill {
  std::string symbol;
  int buffer = -1;
};

struct TensorMapPlan {
  TensorMapSpec spec;
  int buffer = -1;
};
struct TexturePlan {
  TextureSpec spec;
  int buffer = -1;
};

struct LaunchSequence {
  std::vector<BufferPlan> buffers;
  std::vector<PlannedLaunch> launches;
  std::vector<SymbolFill> symbols;
  std::vector<TensorMapPlan> tensor_maps;
  std::vector<TexturePlan> textures;
};

struct Planned {
  LaunchSequence sequence;
  Diagnostics diagnostics;                  ///< errors: exit 2
  std::vector<source::Question> questions;  ///< geometry that nothing gives
  std::vector<hardware::Finding> findings;  ///< launch_failed: beyond the device's limits
};

/// `output_types`: for references, the dtype that each output is stored in follows the parameter's type
/// (`double*`).
Planned plan(const problem::BoundProblem& problem, const source::KernelSource& source,
             const source::PreparedSource& prepared, const compile::CompiledKernel& kernel,
             const hardware::LaunchLimits& limits, bool output_types_from_parameters = false);

/// The launches with `addresses` (one per buffer), tensor maps and textures filled in, and what to restore
/// and zero before them.
Result<Sequence> bind(Device& device, const LaunchSequence& plan, const std::vector<Address>& addresses);
/// The same without handles, which are 0.
Sequence bind_addresses(const LaunchSequence& plan, const std::vector<Address>& addresses);

}  // namespace ridge::device
