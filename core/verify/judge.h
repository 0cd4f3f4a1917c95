// SPDX-License-Identifier: GPL-3.0-or-later
// Judging a candidate: several launches from poisoned outputs, on equal and on other inputs, each compared
// with the reference. The buffers stay for the measurement that follows, and its last answers are judged
// again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/plan.h"
#include "problem/problem.h"
#include "verify/compare.h"
#include "verify/inputs.h"
#include "verify/reference.h"
#include "verify/verdict.h"

namespace ridge::verify {

class Judge {
 public:
  /// `options.source_file` names the candidate's file in findings; counters and lines are collected from the
  /// first launch.
  Judge(device::Device& device, const problem::BoundProblem& problem, const device::LaunchSequence& plan,
        device::LaunchOptions options);
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  /// Outputs and scratch first, then inputs. Error code "out_of_memory" when the device cannot hold them.
  Result<void> allocate();
  Inputs& inputs() { return inputs_; }

  using OnLaunch = std::function<void(int launch, int launches)>;
  /// Launches and compares. `reference` may be null: then only faults and determinism are judged. An Error is
  /// a failure of the device, of the reference, or `cancelled`.
  Result<Verdict> judge(device::Module& module, Reference* reference, const OnLaunch& on_launch = {});

  /// What the stopwatch is to time: the same launches at the same addresses, with the workload's own inputs.
  const device::Sequence& sequence() const { return sequence_; }
  /// Judges the outputs and what surrounds them as they are now, after timing; a failure becomes the verdict.
  /// Without a reference the guard zones, the inputs and determinism are judged.
  Result<void> recheck(Reference* reference, Verdict& verdict);

  /// Of the first launch.
  const device::LaunchOutcome& first_outcome() const { return first_outcome_; }
  bool device_lost() const { return device_lost_; }

 private:
  struct Output;
  struct Answer;
  struct Step;

  Result<void> bind_symbols(device::Module& module);
  Result<void> poison(std::uint32_t pattern);
  Result<device::LaunchOutcome> launch(device::Module& module, Reference* reference,
                                       const device::LaunchOptions& options);
  Result<void> check_surroundings(std::vector<Finding>& findings);
  Result<void> survey(Reference& reference);
  Result<Answer> examine(Reference* reference, std::optional<std::uint32_t> pattern,
                         std::vector<PoisonMap>* unwritten);
  /// The answer whose numbers the verdict shows: the first failing one, of the workload's own inputs if
  /// possible.
  static const Answer* shown(const std::vector<Answer>& answers);
  /// Repeats the launch of a failing answer and asks the device who stored the wrong elements.
  Result<void> name_writers(device::Module& module, Reference* reference, const Answer& answer,
                            const Step& step, Verdict& verdict);
  void conclude(const std::vector<Answer>& answers, std::vector<Finding> findings, bool has_reference,
                Verdict& verdict);

  device::Device& device_;
  const problem::BoundProblem& problem_;
  const device::LaunchSequence& plan_;
  device::LaunchOptions options_;
  Inputs inputs_;
  std::vector<device::Address> addresses_;  ///< one per buffer of the plan
  std::vector<device::Address> owned_;
  std::vector<Output> outputs_;
  device::Sequence sequence_;
  device::LaunchOutcome first_outcome_;
  std::string own_fingerprint_;  ///< of the outputs that a judged launch made from the workload's own inputs
  bool zeros_pass_ = true;       ///< every reference so far is 0 everywhere, for inputs that vary
  std::vector<PoisonMap> unwritten_equal_, unwritten_other_;
  bool device_lost_ = false;
};

/// Bytes of the candidate's buffers.
std::int64_t needed_bytes(const device::LaunchSequence& plan);

/// Findings of equal status and place become one with their counts added; the cause comes first.
void rank(std::vector<Finding>& findings);

/// The cause among `findings` becomes status, message and line of the verdict.
void take_cause(Verdict& verdict, std::vector<Finding> findings);

}  // namespace ridge::verify
