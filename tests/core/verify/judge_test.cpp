// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/judge.h"

#include <gtest/gtest.h>

#include "support/scripted_device.h"

using namespace ridge;
using namespace ridge::verify;
using test::ScriptedDevice;

namespace {

constexpr std::int64_t kCount = 1000;

/// y = 2 x over kCount elements; the reference stores doubles.
class JudgeTest : public testing::Test {
 protected:
  JudgeTest() {
    problem.problem = "twice";
    problem.workload = "tiny";
    problem.axes = {{"n", kCount}};
    problem.unit = hardware::Unit::fp32;
    problem::BoundTensor x;
    x.name = "x";
    x.extents = {kCount};
    x.elements = kCount;
    x.bytes = 4 * kCount;
    problem.inputs = {x};
    x.name = "y";
    problem.outputs = {x};
    problem.reference = problem::ReferenceKind::cuda;

    plan.buffers = {
        {"x", device::BufferRole::input, DType::float32, {kCount}, kCount, 4 * kCount, 0, -1, false},
        {"y", device::BufferRole::output, DType::float32, {kCount}, kCount, 4 * kCount, 0, -1, false}};
    plan.launches.resize(1);
    plan.launches[0].shape.symbol = "candidate";
    plan.launches[0].arguments = {{"x", 0, -1, -1, {}}, {"y", 1, -1, -1, {}}};
    reference_plan = plan;
    reference_plan.buffers[1].dtype = DType::float64;
    reference_plan.buffers[1].bytes = 8 * kCount;
    reference_plan.launches[0].shape.symbol = "reference";

    device.kernels["reference"] = [](const ScriptedDevice::Call& call) {
      for (std::int64_t i = 0; i < kCount; ++i) call.pointer<double>(1)[i] = 2.0 * call.pointer<float>(0)[i];
      return device::LaunchOutcome{};
    };
  }

  using Body = std::function<void(const float* x, float* y, int number)>;
  void candidate(Body body) {
    device.kernels["candidate"] = [body](const ScriptedDevice::Call& call) {
      body(call.pointer<float>(0), call.pointer<float>(1), call.number);
      return device::LaunchOutcome{};
    };
  }
  static void twice(const float* x, float* y) {
    for (std::int64_t i = 0; i < kCount; ++i) y[i] = 2 * x[i];
  }

  Verdict judge(bool with_reference = true, std::optional<device::TraceRequest> trace = {}) {
    device::LaunchOptions options;
    options.trace = std::move(trace);
    options.source_file = "twice.cu";
    options.threads = 1;
    Judge judge(device, problem, plan, options);
    EXPECT_TRUE(judge.allocate().ok());
    std::unique_ptr<Reference> reference;
    if (with_reference) {
      auto made = kernel_reference(device, problem, {}, reference_plan, judge.inputs(), options);
      EXPECT_TRUE(made.ok());
      reference = std::move(*made);
    }
    auto module = device.load({});
    auto verdict = judge.judge(**module, reference.get());
    if (!verdict) {
      ADD_FAILURE() << verdict.error().message;
      return {};
    }
    lost = judge.device_lost();
    if (after_timing) {
      after_timing(judge);
      EXPECT_TRUE(judge.recheck(reference.get(), *verdict).ok());
    }
    return *verdict;
  }

  /// For faults of the reference, which end without a verdict.
  Result<Verdict> judged_against_reference() {
    device::LaunchOptions options;
    options.source_file = "reference.cu";
    Judge judge(device, problem, plan, options);
    EXPECT_TRUE(judge.allocate().ok());
    auto reference = kernel_reference(device, problem, {}, reference_plan, judge.inputs(), options);
    EXPECT_TRUE(reference.ok());
    auto module = device.load({});
    return judge.judge(**module, reference->get());
  }

  ScriptedDevice device;
  problem::BoundProblem problem;
  device::LaunchSequence plan, reference_plan;
  std::function<void(Judge&)> after_timing;
  bool lost = false;
};

TEST_F(JudgeTest, ACorrectKernelPassesAllLaunches) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::pass) << verdict.message;
  EXPECT_EQ(verdict.launches, 3);
  EXPECT_EQ(verdict.deterministic, true);
  EXPECT_EQ(verdict.elements, kCount);
  EXPECT_EQ(verdict.mismatches, 0);
  EXPECT_EQ(verdict.max_abs, 0);
  ASSERT_EQ(verdict.tolerances.size(), 1u);
  EXPECT_EQ(verdict.tolerances[0].margin, 0);
  EXPECT_TRUE(verdict.tolerances[0].derived);
  EXPECT_TRUE(verdict.warnings.empty());
}

TEST_F(JudgeTest, OutputsAreAllocatedBeforeInputs) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  judge();
  ASSERT_GE(device.allocations.size(), 3u);
  EXPECT_EQ(device.allocations[0], "y");
  EXPECT_EQ(device.allocations[1], "x");
}

TEST_F(JudgeTest, BlocksRunInAscendingOrderFirst) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  judge();
  ASSERT_GE(device.orders.size(), 2u);
  EXPECT_FALSE(device.orders.front().permuted);
  EXPECT_TRUE(std::any_of(device.orders.begin(), device.orders.end(),
                          [](const auto& order) { return order.permuted; }));
}

TEST_F(JudgeTest, WrongValuesNameTheFirst) {
  candidate([](const float* x, float* y, int) {
    twice(x, y);
    y[7] += 1;
    y[900] += 2;
  });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::wrong_values);
  EXPECT_EQ(verdict.mismatches, 2);
  ASSERT_EQ(verdict.first.size(), 2u);
  EXPECT_EQ(verdict.first[0].index, std::vector<std::int64_t>{7});
  EXPECT_NEAR(*verdict.max_abs, 2, 1e-6);
  ASSERT_EQ(verdict.error_maps.size(), 1u);
  EXPECT_NE(verdict.message.english().find("y[7]"), std::string::npos) << verdict.message;
}

TEST_F(JudgeTest, AnElementThatNoLaunchWritesIsUnwritten) {
  candidate([](const float* x, float* y, int) {
    for (std::int64_t i = 0; i + 3 < kCount; ++i) y[i] = 2 * x[i];
  });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::unwritten);
  EXPECT_NE(verdict.message.english().find("3 elements of 1000"), std::string::npos) << verdict.message;
  EXPECT_NE(verdict.message.english().find("y[997]"), std::string::npos) << verdict.message;
}

TEST_F(JudgeTest, WhatAnAbandonedLaunchLeftIsNotJudged) {
  device.kernels["candidate"] = [](const ScriptedDevice::Call&) {
    device::LaunchOutcome outcome;
    outcome.findings.push_back({Status::race, "Race.", "twice.cu", 3, {}, {}, 20001});
    outcome.given_up = true;
    return outcome;
  };
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::race);
  EXPECT_EQ(verdict.findings.size(), 1u);
  EXPECT_FALSE(verdict.mismatches);
}

TEST_F(JudgeTest, TheFirstLaunchAloneIsTraced) {
  candidate([](const float* x, float* y, int) {
    twice(x, y);
    y[7] += 1;  // wrong, so that the writers are looked for too
  });
  EXPECT_GT(judge(false, device::TraceRequest{}).launches, 1);
  EXPECT_EQ(device.traced, 1);
}

TEST_F(JudgeTest, NanIsNamedAsSuch) {
  candidate([](const float* x, float* y, int) {
    twice(x, y);
    y[3] = std::numeric_limits<float>::quiet_NaN();
  });
  EXPECT_EQ(judge().status, Status::nan);
}

TEST_F(JudgeTest, ZerosFailEvenWithAWideTolerance) {
  problem.atol = 1e6;
  problem.rtol = 1;
  candidate([](const float*, float* y, int) { std::fill_n(y, kCount, 0.0f); });
  EXPECT_EQ(judge().status, Status::wrong_values);
}

TEST_F(JudgeTest, AChangedInputOutranksARightAnswer) {
  candidate([](const float* x, float* y, int) {
    twice(x, y);
    const_cast<float*>(x)[12] = 5;
  });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::input_modified);
  EXPECT_NE(verdict.message.english().find("x[12]"), std::string::npos) << verdict.message;
}

TEST_F(JudgeTest, TheReferenceSeesInputsThatTheCandidateChanged) {
  candidate([](const float* x, float* y, int) {
    for (std::int64_t i = 0; i < kCount; ++i) const_cast<float*>(x)[i] = 0;
    std::fill_n(y, kCount, 0.0f);
  });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::input_modified);
  EXPECT_GT(verdict.mismatches, 0);
}

TEST_F(JudgeTest, AnAnswerKeptFromEarlierInputsIsWrong) {
  std::vector<float> memo;
  candidate([&](const float* x, float* y, int) {
    if (memo.empty()) {
      twice(x, y);
      memo.assign(y, y + kCount);
    }
    std::copy(memo.begin(), memo.end(), y);
  });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::wrong_values);
  EXPECT_NE(verdict.message.english().find("other inputs"), std::string::npos) << verdict.message;
  EXPECT_EQ(verdict.deterministic, true);
}

TEST_F(JudgeTest, LaunchesThatDisagreeAreNondeterministic) {
  candidate([](const float* x, float* y, int number) {
    twice(x, y);
    y[0] += static_cast<float>(number);
  });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::nondeterministic);
  EXPECT_EQ(verdict.deterministic, false);
}

TEST_F(JudgeTest, BitsThatVaryWithinTheTolerancePass) {
  candidate([](const float* x, float* y, int number) {
    twice(x, y);
    y[0] = std::nextafter(y[0], number % 2 == 0 ? 1e9f : -1e9f);
  });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::pass) << verdict.message;
  EXPECT_EQ(verdict.deterministic, false);
}

TEST_F(JudgeTest, DamagedGuardsAreOutOfBounds) {
  device.guards = {"y: 4 bytes after its end"};
  candidate([](const float* x, float* y, int) { twice(x, y); });
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::out_of_bounds);
  EXPECT_NE(verdict.message.english().find("4 bytes after its end"), std::string::npos);
}

TEST_F(JudgeTest, FindingsOfTheDeviceComeWithTheirPlace) {
  device.kernels["candidate"] = [](const ScriptedDevice::Call& call) {
    twice(call.pointer<float>(0), call.pointer<float>(1));
    device::LaunchOutcome outcome;
    hardware::Finding race;
    race.status = Status::race;
    race.message = "two threads";
    race.file = call.options.source_file;
    race.line = 9;
    hardware::Finding bounds = race;
    bounds.status = Status::out_of_bounds;
    bounds.line = 17;
    outcome.findings = {race, bounds};
    return outcome;
  };
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::out_of_bounds);
  EXPECT_EQ(verdict.line, 17);
  EXPECT_EQ(verdict.launches, 1) << "after a fault that ends a launch there is nothing more to see";
  EXPECT_EQ(verdict.findings.size(), 2u);
}

TEST_F(JudgeTest, ALostDeviceEndsTheJudging) {
  device.kernels["candidate"] = [](const ScriptedDevice::Call&) {
    device::LaunchOutcome outcome;
    outcome.device_lost = true;
    hardware::Finding finding;
    finding.status = Status::timeout;
    finding.message = "10 s";
    outcome.findings = {finding};
    return outcome;
  };
  EXPECT_EQ(judge().status, Status::timeout);
  EXPECT_TRUE(lost);
}

TEST_F(JudgeTest, WithoutReferenceOnlyFaultsAreJudged) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  Verdict verdict = judge(false);
  EXPECT_EQ(verdict.status, Status::no_reference);
  EXPECT_FALSE(verdict.mismatches.has_value());
  candidate([](const float*, float*, int) {});
  EXPECT_EQ(judge(false).status, Status::unwritten);
}

TEST_F(JudgeTest, InPlaceOutputsStartAsTheirInput) {
  plan.buffers[1].copy_of = 0;
  plan.launches[0].arguments = {{"y", 1, -1, -1, {}}};
  device.kernels["candidate"] = [](const ScriptedDevice::Call& call) {
    for (std::int64_t i = 0; i < kCount; ++i) call.pointer<float>(0)[i] *= 2;
    return device::LaunchOutcome{};
  };
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::pass) << verdict.message;
}

TEST_F(JudgeTest, ZeroedOutputsAreZeroedBeforeEveryLaunch) {
  plan.buffers[1].zeroed = true;
  candidate([](const float* x, float* y, int) {
    for (std::int64_t i = 0; i < kCount; ++i) y[i] += 2 * x[i];
  });
  EXPECT_EQ(judge().status, Status::pass);
}

TEST_F(JudgeTest, OutputsOfTimedLaunchesAreJudgedAgain) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  after_timing = [&](Judge& judge) {
    const auto& argument = judge.sequence().launches[0].arguments[1];
    device::Address address = 0;
    std::memcpy(&address, argument.data(), sizeof address);
    reinterpret_cast<float*>(address)[5] = 1e9f;
  };
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.status, Status::nondeterministic);
  EXPECT_NE(verdict.message.english().find("timed launches"), std::string::npos) << verdict.message;
}

TEST_F(JudgeTest, WithoutAReferenceTimedLaunchesAreJudgedByWhatTheyDamage) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  const auto buffer = [](Judge& judge, std::size_t argument) {
    device::Address address = 0;
    std::memcpy(&address, judge.sequence().launches[0].arguments[argument].data(), sizeof address);
    return reinterpret_cast<float*>(address);
  };
  after_timing = [&](Judge&) { device.guards = {"y: 4 bytes after its end"}; };
  Verdict verdict = judge(false);
  EXPECT_EQ(verdict.status, Status::out_of_bounds);
  EXPECT_NE(verdict.message.english().find("y: 4 bytes after its end"), std::string::npos) << verdict.message;

  after_timing = [&](Judge& judge) { buffer(judge, 0)[3] += 1; };
  verdict = judge(false);
  EXPECT_EQ(verdict.status, Status::input_modified);
  EXPECT_NE(verdict.message.english().find("x[3]"), std::string::npos) << verdict.message;

  after_timing = [&](Judge& judge) { buffer(judge, 1)[5] = 0; };
  verdict = judge(false);
  EXPECT_EQ(verdict.status, Status::no_reference);
  EXPECT_EQ(verdict.deterministic, false);

  after_timing = [](Judge&) {};
  verdict = judge(false);
  EXPECT_EQ(verdict.status, Status::no_reference);
  EXPECT_EQ(verdict.deterministic, true);
  EXPECT_TRUE(verdict.findings.empty());
}

TEST_F(JudgeTest, WhatTheReferenceDamagesIsTheReferencesFault) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  const auto sound = device.kernels["reference"];
  const auto error_of = [&] {
    auto verdict = judged_against_reference();
    return verdict ? Error{ErrorKind::internal, "none", "there is a verdict", {}, {}, 0} : verdict.error();
  };
  device.kernels["reference"] = [&](const ScriptedDevice::Call& call) {
    device.guards = {"y of the reference: 4 bytes after its end"};
    return sound(call);
  };
  Error error = error_of();
  EXPECT_EQ(error.code, "reference_failed");
  EXPECT_EQ(error.kind, ErrorKind::definition);
  EXPECT_EQ(error.file, "reference.cu");
  EXPECT_NE(error.message.english().find("reference kernel wrote outside"), std::string::npos)
      << error.message;

  device.kernels["reference"] = [&](const ScriptedDevice::Call& call) {
    const auto outcome = sound(call);
    call.pointer<float>(0)[1] += 1;
    return outcome;
  };
  error = error_of();
  EXPECT_EQ(error.code, "reference_failed");
  EXPECT_NE(error.message.english().find("changes its input x"), std::string::npos) << error.message;
}

TEST_F(JudgeTest, NoKernelRunsWhileTheReferenceLiesOpen) {
  candidate([&](const float* x, float* y, int) {
    EXPECT_EQ(device.concealed, (std::vector<std::string>{"y of the reference"}));
    twice(x, y);
  });
  EXPECT_EQ(judge().status, Status::pass);
  EXPECT_TRUE(device.concealed.empty());
}

TEST_F(JudgeTest, AFaultyReferenceIsAnErrorNotAVerdict) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  device.kernels["reference"] = [](const ScriptedDevice::Call&) {
    device::LaunchOutcome outcome;
    hardware::Finding finding;
    finding.status = Status::out_of_bounds;
    finding.message = "row 3";
    finding.line = 4;
    outcome.findings = {finding};
    return outcome;
  };
  device::LaunchOptions options;
  Judge judge(device, problem, plan, options);
  ASSERT_TRUE(judge.allocate().ok());
  auto reference = kernel_reference(device, problem, {}, reference_plan, judge.inputs(), options);
  ASSERT_TRUE(reference.ok());
  auto module = device.load({});
  auto verdict = judge.judge(**module, reference->get());
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().kind, ErrorKind::definition);
  EXPECT_EQ(verdict.error().line, 4);
}

TEST_F(JudgeTest, AnElementThatTheReferenceLeavesOutIsTheReferencesFault) {
  candidate([](const float* x, float* y, int) { twice(x, y); });
  device.kernels["reference"] = [](const ScriptedDevice::Call& call) {
    for (std::int64_t i = 0; i + 1 < kCount; ++i)
      call.pointer<double>(1)[i] = 2.0 * call.pointer<float>(0)[i];
    return device::LaunchOutcome{};
  };
  const auto verdict = judged_against_reference();
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().code, "reference_failed");
  EXPECT_EQ(verdict.error().file, "reference.cu");
  EXPECT_EQ(verdict.error().message.english(),
            "the reference does not write y[999]: 1 of 1000 elements of y are left as they were");

  reference_plan.buffers[1].zeroed = true;  // its zeros are meant
  const auto zeroed = judged_against_reference();
  ASSERT_TRUE(zeroed.ok()) << zeroed.error().message;
  EXPECT_EQ(zeroed->status, Status::wrong_values);
  EXPECT_EQ(zeroed->mismatches, 1);
}

/// A reference that answers `value(x, i)`, and a candidate that gives the same.
class ZeroReference : public JudgeTest {
 protected:
  template <class Value>
  Verdict judged(Value value) {
    device.kernels["reference"] = [value](const ScriptedDevice::Call& call) {
      for (std::int64_t i = 0; i < kCount; ++i) call.pointer<double>(1)[i] = value(call.pointer<float>(0), i);
      return device::LaunchOutcome{};
    };
    candidate([value](const float* x, float* y, int) {
      for (std::int64_t i = 0; i < kCount; ++i) y[i] = static_cast<float>(value(x, i));
    });
    return judge();
  }
};

TEST_F(ZeroReference, WarnsAndPasses) {
  const Verdict verdict = judged([](const float*, std::int64_t i) { return i % 2 == 0 ? 0.0 : -0.0; });
  EXPECT_EQ(verdict.status, Status::pass) << verdict.message;
  ASSERT_EQ(verdict.warnings.size(), 1u);
  EXPECT_NE(verdict.warnings[0].english().find("only zeros"), std::string::npos) << verdict.warnings[0];
  EXPECT_TRUE(verdict.findings.empty());
}

TEST_F(ZeroReference, OneOtherElementIsEnough) {
  EXPECT_TRUE(judged([](const float*, std::int64_t i) { return i == 999 ? 1e-30 : 0.0; }).warnings.empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(judged([nan](const float*, std::int64_t i) { return i == 7 ? nan : 0.0; }).warnings.empty());
}

TEST_F(ZeroReference, OfOneInputIsNoneOfAnother) {
  float first = 0;  // of the workload's own inputs
  const Verdict verdict = judged([&first](const float* x, std::int64_t) {
    if (first == 0) first = x[0];
    return x[0] == first ? 0.0 : 1.0;
  });
  EXPECT_EQ(verdict.status, Status::pass) << verdict.message;
  EXPECT_TRUE(verdict.warnings.empty());
}

TEST_F(ZeroReference, OfConstantInputsIsAsItShouldBe) {
  problem.inputs[0].init.kind = problem::InitKind::constant;
  EXPECT_TRUE(judged([](const float*, std::int64_t) { return 0.0; }).warnings.empty());
}

TEST_F(ZeroReference, OfAFewElementsProvesNothing) {
  for (device::BufferPlan& buffer : plan.buffers) buffer.extents = {buffer.elements = 63};
  for (problem::BoundTensor* tensor : {&problem.inputs[0], &problem.outputs[0]})
    tensor->extents = {tensor->elements = 63};
  EXPECT_TRUE(judged([](const float*, std::int64_t) { return 0.0; }).warnings.empty());
}

TEST_F(JudgeTest, AnAnswerThatLooksLikePoisonIsAnAnswer) {
  problem.outputs[0].dtype = plan.buffers[1].dtype = reference_plan.buffers[1].dtype = DType::int32;
  reference_plan.buffers[1].bytes = 4 * kCount;
  const auto answer = [](const ScriptedDevice::Call& call) {
    std::fill_n(call.pointer<std::uint32_t>(1), kCount, 0xFFC1FFC1u);
    call.pointer<std::uint32_t>(1)[3] = 0x5B3C4D2Eu;
    return device::LaunchOutcome{};
  };
  device.kernels["reference"] = device.kernels["candidate"] = answer;
  EXPECT_EQ(judge().status, Status::pass);
}

TEST(Rank, MergesEqualPlacesAndPutsTheCauseFirst) {
  const auto at = [](Status status, int line) {
    Finding finding;
    finding.status = status;
    finding.line = line;
    return finding;
  };
  std::vector<Finding> findings{at(Status::wrong_values, 0), at(Status::race, 5), at(Status::race, 5),
                                at(Status::race, 6)};
  rank(findings);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].line, 5);
  EXPECT_EQ(findings[0].count, 2u);
  EXPECT_EQ(findings[2].status, Status::wrong_values);
}

}  // namespace
