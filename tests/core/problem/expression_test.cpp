// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Names kAxes = {{"rows", 127}, {"cols", 1000}, {"huge", std::int64_t{1} << 40}};

std::int64_t whole(const std::string& text) {
  const auto value = evaluate_whole(text, kAxes);
  EXPECT_TRUE(value) << text << ": " << (value ? "" : value.error().message);
  return value ? *value : -1;
}
std::string whole_error(const std::string& text) {
  const auto value = evaluate_whole(text, kAxes);
  EXPECT_FALSE(value) << text << " = " << (value ? *value : 0);
  return value ? "" : value.error().message.english() + " | " + value.error().hint.english();
}
std::string real_error(const std::string& text) {
  const auto value = evaluate_real(text, kAxes);
  EXPECT_FALSE(value) << text << " = " << (value ? *value : 0);
  return value ? "" : value.error().message.english() + " | " + value.error().hint.english();
}

TEST(WholeExpression, KeepsTheMeaningOfC) {
  EXPECT_EQ(whole("2 + 3 * 4"), 14);
  EXPECT_EQ(whole("(2 + 3) * 4"), 20);
  EXPECT_EQ(whole("7 / 2"), 3);
  EXPECT_EQ(whole("0 - (0 - 7) / 2"), 3);
  EXPECT_EQ(whole("cols % rows"), 1000 % 127);
  EXPECT_EQ(whole("10 - 3 - 2"), 5);
  EXPECT_EQ(whole("1 < 2 == 1"), 1);
  EXPECT_EQ(whole("!0 + !5"), 1);
  EXPECT_EQ(whole("0x10"), 16);
  EXPECT_EQ(whole("-(-4)"), 4);
  EXPECT_EQ(whole("9223372036854775807"), INT64_MAX);
}

TEST(WholeExpression, KnowsItsFunctions) {
  EXPECT_EQ(whole("ceil_div(cols, 64)"), 16);
  EXPECT_EQ(whole("0 - ceil_div(-7, 2)"), 3);
  EXPECT_EQ(whole("0 - floor_div(-7, 2)"), 4);
  EXPECT_EQ(whole("min(rows, cols, 5)"), 5);
  EXPECT_EQ(whole("max(rows, cols)"), 1000);
  EXPECT_EQ(whole("pow2_ceil(129)"), 256);
  EXPECT_EQ(whole("pow2_ceil(0)"), 1);
  EXPECT_EQ(whole("align_up(1000, 128)"), 1024);
  EXPECT_EQ(whole("log2(1024)"), 10);
  EXPECT_EQ(whole("log2(1023)"), 9);
}

TEST(WholeExpression, ABranchThatIsNotTakenCannotFail) {
  EXPECT_EQ(whole("rows > 0 ? rows : 1 / 0"), 127);
  EXPECT_EQ(whole("0 && 1 / 0"), 0);
  EXPECT_EQ(whole("1 || 1 / 0"), 1);
  EXPECT_EQ(whole("rows > 100 ? 1 : rows > 10 ? 2 : 3"), 1);
}

TEST(WholeExpression, RefusesWhatDoesNotFit) {
  EXPECT_THAT(whole_error("huge * huge"), HasSubstr("does not fit into 63 bits"));
  EXPECT_THAT(whole_error("9223372036854775808"), HasSubstr("does not fit"));
  EXPECT_THAT(whole_error("9223372036854775807 + 1"), HasSubstr("does not fit"));
  EXPECT_THAT(whole_error("(0 - 9223372036854775807 - 1) / (0 - 1)"), HasSubstr("does not fit"));
  EXPECT_THAT(whole_error("(0 - 9223372036854775807 - 1) % (0 - 1)"), HasSubstr("does not fit"));
  EXPECT_THAT(whole_error("pow2_ceil(4611686018427387905)"), HasSubstr("does not fit"));
  EXPECT_THAT(whole_error("rows / 0"), HasSubstr("divides by zero"));
  EXPECT_THAT(whole_error("ceil_div(rows, 0)"), HasSubstr("divides by zero"));
  EXPECT_THAT(whole_error("rows - cols"), HasSubstr("-873"));
  EXPECT_THAT(whole_error("log2(0)"), HasSubstr("at least 1"));
}

TEST(WholeExpression, SaysWhatIsMeant) {
  EXPECT_THAT(whole_error("ceil(rows / 4)"), HasSubstr("ceil_div"));
  EXPECT_THAT(whole_error("ceil_dv(rows, 4)"), HasSubstr("did you mean ceil_div"));
  EXPECT_THAT(whole_error("colz + 1"), HasSubstr("did you mean cols"));
  EXPECT_THAT(whole_error("rows // 4"), HasSubstr("floor_div"));
  EXPECT_THAT(whole_error("2 ** 4"), HasSubstr("power"));
  EXPECT_THAT(whole_error("1.5 * rows"), HasSubstr("fraction"));
  EXPECT_THAT(whole_error("ceil_div(rows, 4"), HasSubstr("not closed"));
  EXPECT_THAT(whole_error("(rows"), HasSubstr("not closed"));
  EXPECT_THAT(whole_error("rows)"), HasSubstr("has no ("));
  EXPECT_THAT(whole_error("ceil_div(rows)"), HasSubstr("takes 2"));
  EXPECT_THAT(whole_error("010"), HasSubstr("zero"));
  EXPECT_THAT(whole_error("12abc"), HasSubstr("no whole number"));
  EXPECT_THAT(whole_error("rows +"), HasSubstr("too early"));
  EXPECT_THAT(whole_error(""), HasSubstr("empty"));
  EXPECT_THAT(whole_error("rows = 4"), HasSubstr("="));
  EXPECT_THAT(whole_error("rows & 4"), HasSubstr("column 6"));
  EXPECT_THAT(whole_error("rows cols"), HasSubstr("not expected"));
  EXPECT_THAT(whole_error("rows ? 1"), HasSubstr("too early"));
}

TEST(WholeExpression, LengthAndDepthAreLimited) {
  EXPECT_THAT(whole_error(std::string(5000, '1')), HasSubstr("4096"));
  EXPECT_THAT(whole_error(std::string(2000, '(') + "1" + std::string(2000, ')')), HasSubstr("64 deep"));
  EXPECT_THAT(whole_error(std::string(4000, '-') + "1"), HasSubstr("64 deep"));
  EXPECT_EQ(whole(std::string(60, '(') + "1" + std::string(60, ')')), 1);
  std::string sum = "1";
  for (int i = 0; i < 2000; ++i) sum += "+1";
  EXPECT_EQ(whole(sum), 2001);
}

TEST(WholeExpression, ListsItsNames) {
  EXPECT_THAT(*names_in_whole("ceil_div(cols, rows) * cols + 4"), ElementsAre("cols", "rows"));
  EXPECT_FALSE(names_in_whole("cols +"));
}

TEST(Extents, FillUpWithOne) {
  EXPECT_THAT(*evaluate_extents("rows", kAxes), ElementsAre(127, 1, 1));
  EXPECT_THAT(*evaluate_extents("ceil_div(cols, 32), min(rows, 4), 2", kAxes), ElementsAre(32, 4, 2));
  EXPECT_FALSE(evaluate_extents("1, 2, 3, 4", kAxes));
  EXPECT_FALSE(evaluate_extents("", kAxes));
  EXPECT_FALSE(evaluate_extents("rows,,1", kAxes));
}

TEST(RealExpression, IsDoubleArithmetic) {
  EXPECT_DOUBLE_EQ(*evaluate_real("5*rows*cols", kAxes), 635000);
  EXPECT_DOUBLE_EQ(*evaluate_real("7 / 2", kAxes), 3.5);
  EXPECT_DOUBLE_EQ(*evaluate_real("2 ^ 10 + 1e-3", kAxes), 1024.001);
  EXPECT_DOUBLE_EQ(*evaluate_real("1 / sqrt(64)", kAxes), 0.125);
  EXPECT_DOUBLE_EQ(*evaluate_real("log2(8) + log10(100) + log(exp(1)) + pow(2, 3)", kAxes), 14);
  EXPECT_DOUBLE_EQ(*evaluate_real("max(min(rows, 4), 3) + floor(1.5) + ceil(1.5) + abs(-1)", kAxes), 8);
  EXPECT_DOUBLE_EQ(*evaluate_real("rows > 100 ? 1 : 2", kAxes), 1);
  EXPECT_DOUBLE_EQ(*evaluate_real("huge * huge", kAxes), 0x1p80);
}

TEST(RealExpression, SaysWhatIsWrong) {
  EXPECT_THAT(real_error("rows*cols + logg(rows)"), HasSubstr("did you mean log"));
  EXPECT_THAT(real_error("colz"), HasSubstr("did you mean cols"));
  EXPECT_THAT(real_error("1 / (rows - 127)"), HasSubstr("infinite"));
  EXPECT_THAT(real_error("sqrt(0 - 1)"), HasSubstr("not a number"));
  EXPECT_THAT(real_error("1e400"), HasSubstr("1e400"));
  EXPECT_THAT(real_error("rows = 4"), HasSubstr("="));
  EXPECT_THAT(real_error("1, 2"), HasSubstr("several"));
  EXPECT_THAT(real_error("rows +"), HasSubstr("rows +"));
  EXPECT_THAT(real_error("2rows"), HasSubstr("letters"));
  EXPECT_THAT(real_error("sin(rows)"), HasSubstr("sin"));
  EXPECT_THAT(real_error("rows ** 2"), HasSubstr("^"));
  EXPECT_THAT(real_error("_pi"), HasSubstr("_pi"));
  EXPECT_THAT(real_error("\"text\""), HasSubstr("column 1"));
  EXPECT_THAT(real_error(""), HasSubstr("\"\""));
  EXPECT_THAT(real_error(std::string(100, '(') + "1" + std::string(100, ')')), HasSubstr("64 deep"));
  EXPECT_THAT(real_error(std::string(5000, '1')), HasSubstr("4096"));
}

TEST(RealExpression, ListsItsNames) {
  EXPECT_THAT(*names_in_real("2*rows + sqrt(cols)/rows"), ElementsAre("rows", "cols"));
  EXPECT_FALSE(names_in_real("2*(rows"));
}

}  // namespace
}  // namespace ridge::problem
