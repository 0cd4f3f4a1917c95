// SPDX-License-Identifier: GPL-3.0-or-later
// Where expected values come from: a reference kernel on the same device, recorded files, or a Python
// function.
#pragma once

#include <memory>
#include <span>

#include "compile/compile.h"
#include "device/plan.h"
#include "problem/problem.h"
#include "verify/inputs.h"

namespace ridge::verify {

class Reference {
 public:
  virtual ~Reference() = default;
  /// Makes the expected outputs for what `inputs` holds now.
  virtual Result<void> compute(Inputs& inputs) = 0;
  /// False where only the workload's own inputs have an answer (recorded files).
  virtual bool follows_inputs() const { return true; }
  /// While it is concealed, kernels cannot reach what it keeps on the device (where the device can tell).
  virtual void conceal(bool) {}
  virtual DType dtype(std::size_t output) const = 0;
  /// Elements from `first` on, as many as `data` holds.
  virtual Result<void> read(std::size_t output, std::int64_t first, std::span<std::byte> data) = 0;
};

/// Bytes that the reference's own outputs and scratch take on the device, on top of the candidate's.
std::int64_t reference_bytes(const device::LaunchSequence& plan);

/// Runs `plan` on `device` with a module of its own; `options.source_file` names the reference's file. Takes
/// its inputs from `inputs`; call it before the first load().
Result<std::unique_ptr<Reference>> kernel_reference(device::Device& device,
                                                    const problem::BoundProblem& problem,
                                                    const compile::CompiledKernel& kernel,
                                                    const device::LaunchSequence& plan, Inputs& inputs,
                                                    const device::LaunchOptions& options);

/// <folder>/<workload>/<tensor>.npy of every output.
Result<std::unique_ptr<Reference>> recorded_reference(const problem::BoundProblem& problem);

/// Function `run` of reference.py in the problem's folder, in a python3 process of its own, which has the
/// time limit of `options` and heeds its stop.
Result<std::unique_ptr<Reference>> python_reference(const problem::BoundProblem& problem, Inputs& inputs,
                                                    const device::LaunchOptions& options);

}  // namespace ridge::verify
