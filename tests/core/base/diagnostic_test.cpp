// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Diagnostic, FormatIsTheLinkableForm) {
  const Diagnostic fault{Severity::error, "a/problem.toml", 8, 3, "unknown_key",
                         "no such key",   "write title"};
  EXPECT_EQ(format(fault), "a/problem.toml:8:3: error: no such key (write title)");
}

TEST(Diagnostic, FormatLeavesOutWhatIsUnknown) {
  Diagnostic fault;
  fault.severity = Severity::warning;
  fault.message = "odd";
  EXPECT_EQ(format(fault), "warning: odd");
  fault.file = "x.cu";
  EXPECT_EQ(format(fault), "x.cu: warning: odd");
}

TEST(Diagnostic, AnErrorKeepsEverythingAndItsOwnPlaceFirst) {
  Error error{ErrorKind::usage, "code", "message", "hint", "own.cu", 7};
  Diagnostic made = to_diagnostic(error, "other.cu");
  EXPECT_EQ(format(made), "own.cu:7: error: message (hint)");
  EXPECT_EQ(made.code, "code");
  error.file.clear();
  EXPECT_EQ(to_diagnostic(error, "other.cu").file, "other.cu");
  EXPECT_EQ(to_diagnostic(error).file, "");
}

TEST(Severity, NamesLeadBack) {
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
    EXPECT_EQ(severity_named(name_of(severity)), severity);
  EXPECT_FALSE(severity_named("fatal"));
}

TEST(Diagnostic, OnlyErrorsCountAsErrors) {
  Diagnostics list{{Severity::note, "", 0, 0, "", "", ""}, {Severity::warning, "", 0, 0, "", "", ""}};
  EXPECT_FALSE(has_errors(list));
  list.push_back({Severity::error, "", 0, 0, "", "", ""});
  EXPECT_TRUE(has_errors(list));
}

TEST(Nearest, FindsSlips) {
  const std::vector<std::string> keys{"title", "init", "flops", "verify", "float32"};
  EXPECT_EQ(nearest("titel", keys), "title");
  EXPECT_EQ(nearest("inti", keys), "init");
  EXPECT_EQ(nearest("flop", keys), "flops");
  EXPECT_EQ(nearest("VERFY", keys), "verify");
  EXPECT_EQ(nearest("float31", keys), "float32");
}

TEST(Nearest, DoesNotGuessWildly) {
  EXPECT_EQ(nearest("banana", {"title", "init"}), "");
  EXPECT_EQ(nearest("", {}), "");
  EXPECT_EQ(nearest(std::string(1000, 'x'), {"x"}), "");
}

}  // namespace
}  // namespace ridge
