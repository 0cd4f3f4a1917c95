// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/witness.h"

namespace ridge::verify {
namespace {

std::string position(const char* what, const std::array<std::int64_t, 3>& at) {
  return what + (" (" + std::to_string(at[0])) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) +
         ")";
}

}  // namespace

std::string witness_of(const Finding& finding) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (finding.block) add(position("block", *finding.block));
  if (finding.thread) add(position("thread", *finding.thread));
  if (finding.count > 1) add(std::to_string(finding.count) + " times");
  return text.empty() ? text : " [" + text + "]";
}

std::string witness_of(const Verdict& verdict) {
  for (const Finding& finding : verdict.findings) {
    if (finding.status != verdict.status || finding.line != verdict.line) continue;
    if (std::string text = witness_of(finding); !text.empty()) return text;
    break;
  }
  const bool wrong = verdict.status == Status::wrong_values || verdict.status == Status::nan ||
                     verdict.status == Status::nondeterministic;
  if (!wrong || verdict.first.empty() || !verdict.first.front().writer) return {};
  const Writer& writer = *verdict.first.front().writer;
  return " [written by " + position("block", writer.block) + ", " + position("thread", writer.thread) + "]";
}

}  // namespace ridge::verify
