// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/witness.h"

#include <gtest/gtest.h>

using namespace ridge::verify;

namespace {

TEST(Witness, NamesBlockThreadAndCount) {
  Finding finding;
  finding.status = Status::out_of_bounds;
  EXPECT_EQ(witness_of(finding), "");
  finding.block = {3, 0, 0};
  finding.count = 2;
  EXPECT_EQ(witness_of(finding), " [block (3,0,0), 2 times]");
  finding.thread = {232, 0, 1};
  Verdict verdict;
  verdict.status = finding.status;
  verdict.findings = {finding};
  EXPECT_EQ(witness_of(verdict), " [block (3,0,0), thread (232,0,1), 2 times]");
}

TEST(Witness, OfWrongValuesIsWhoWroteTheFirst) {
  Verdict verdict;
  verdict.status = Status::wrong_values;
  verdict.findings = {{Status::wrong_values, "1 element is wrong", "k.cu", 0, {}, {}, 1}};
  verdict.first = {{"y", {7}, 1, 2, {}}};
  EXPECT_EQ(witness_of(verdict), "");
  verdict.first[0].writer = Writer{0, {1, 0, 0}, {7, 0, 0}, 0, 7};
  EXPECT_EQ(witness_of(verdict), " [written by block (1,0,0), thread (7,0,0)]");
}

}  // namespace
