// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels `k(u64 x, u64 y)` over words: x holds 0, 1, 2…, y counts as uninitialised.
#pragma once

#include <numeric>

#include "support/emulated.h"

namespace ridge::device {

using Words = std::vector<std::uint32_t>;

struct Ran {
  Words y;
  std::vector<hardware::Finding> findings;
  hardware::CounterSet counters;

  hardware::Status first() const { return findings.empty() ? hardware::Status::pass : findings[0].status; }
  std::string message() const { return findings.empty() ? "" : findings[0].message.english(); }
};

struct Shape {
  Extent grid{1, 1, 1}, block{32, 1, 1}, cluster{1, 1, 1};
  std::size_t words = 1024;
  bool checks = true;
  BlockOrder order = {};
  unsigned threads = 0;
};

/// %r1 is the thread, %rd1 and %rd2 are x and y, %rd3 and %rd4 the thread's own words of both.
inline const std::string kPrologue =
    "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nmul.wide.u32 %rd5, %r1, 4;\n"
    "add.s64 %rd3, %rd1, %rd5;\nadd.s64 %rd4, %rd2, %rd5;\n";

/// What lies in this thread's word of shared memory (%r3) goes to its word of y (%rd4).
inline const std::string kStoreWord = "ld.shared.u32 %r4, [%r3];\nst.global.u32 [%rd4], %r4;\n";

inline Ran run_async(const std::string& body, const Shape& shape = {}, const std::string& module_level = "") {
  Emulated emulated(kernel_text("u64 x, u64 y", kPrologue + body, module_level));
  EXPECT_EQ(emulated.load_error.message, "");
  if (emulated.module() == nullptr) return {};
  emulated.options.budget = 4000000;
  emulated.options.checks = shape.checks;
  emulated.options.order = shape.order;
  emulated.options.threads = shape.threads;
  Words values(shape.words);
  std::iota(values.begin(), values.end(), 0u);
  const Address x = emulated.buffer(values, "x");
  const Address y = emulated.scratch(static_cast<std::int64_t>(4 * shape.words), "y");
  Sequence sequence;
  Launch launch;
  launch.symbol = "k";
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.cluster = shape.cluster;
  launch.arguments = {argument(x), argument(y)};
  sequence.launches.push_back(std::move(launch));
  const Result<LaunchOutcome> outcome =
      emulated.device().execute(*emulated.module(), sequence, emulated.options);
  EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : outcome.error().message);
  if (!outcome.ok()) return {};
  return {emulated.read<std::uint32_t>(y, shape.words), outcome->findings, outcome->counters};
}

}  // namespace ridge::device
