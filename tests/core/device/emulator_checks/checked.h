// SPDX-License-Identifier: GPL-3.0-or-later
// One CUDA kernel `k`, its buffers, and what the emulator finds in it.
#pragma once

#include <string>
#include <vector>

#include "support/compiled.h"

namespace ridge::device {

using hardware::Finding;
using hardware::Status;

/// Compiles `text` and runs its kernel `k(int* x, …)` on a buffer x of `words` words, all 7.
class Checked {
 public:
  explicit Checked(const std::string& text, std::size_t words = 64)
      : emulated_(ptx_of(text)), x_(emulated_.buffer(std::vector<std::int32_t>(words, 7), "x")) {
    EXPECT_EQ(emulated_.load_error.message, "");
  }
  LaunchOutcome run(Extent grid, Extent block, std::int64_t shared = 0) {
    std::vector<std::vector<std::byte>> arguments{argument(x_)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return emulated_.run("k", grid, block, arguments, shared);
  }
  std::vector<Finding> findings(Extent grid, Extent block, std::int64_t shared = 0) {
    return run(grid, block, shared).findings;
  }
  Emulated& emulated() { return emulated_; }
  Address x() const { return x_; }
  std::vector<std::vector<std::byte>> more;  ///< arguments behind x

 private:
  Emulated emulated_;
  Address x_;
};

inline std::vector<Finding> found(const std::string& text, Extent grid, Extent block, std::size_t words = 64,
                                  std::int64_t shared = 0) {
  return Checked(text, words).findings(grid, block, shared);
}

inline std::string told(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings)
    text += std::string(hardware::name_of(finding.status)) + " line " + std::to_string(finding.line) + ": " +
            finding.message.english() + "\n";
  return text.empty() ? "no findings" : text;
}

/// The first finding is of this status and names this line, a block and a sentence.
inline void expect_finding(const std::vector<Finding>& findings, Status status, int line,
                           const std::string& words = "") {
  ASSERT_FALSE(findings.empty()) << "expected " << hardware::name_of(status) << " in line " << line;
  EXPECT_EQ(findings[0].status, status) << told(findings);
  EXPECT_EQ(findings[0].line, line) << told(findings);
  EXPECT_TRUE(findings[0].block.has_value());
  EXPECT_TRUE(findings[0].message.english().ends_with(".")) << findings[0].message;
  EXPECT_NE(findings[0].message.english().find(words), std::string::npos) << findings[0].message;
}

#define RIDGE_NEEDS_NVRTC() \
  if (compiler() == nullptr) GTEST_SKIP() << "NVRTC is not here"

}  // namespace ridge::device
