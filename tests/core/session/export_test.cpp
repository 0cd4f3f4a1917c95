// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <clocale>

#include "base/text.h"
#include "core/session/sample_run.h"
#include "session/store.h"

namespace ridge::session {
namespace {

std::string exported(const std::vector<session::Run>& runs, const std::string& format,
                     const std::string& title = "T") {
  const auto text = export_runs(runs, format, title);
  EXPECT_TRUE(text);
  return text ? *text : std::string();
}

TEST(ExportCsv, OneLineARun) {
  const std::string csv = exported({test::gpu_run(), test::emulator_run()}, "csv");
  const auto lines = split_lines(csv);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[0].substr(0, 26), "problem,workload,axes,seed");
  EXPECT_EQ(lines[1].substr(0, 52), "softmax,ragged,cols=1000 rows=127,184467440737095516");
  EXPECT_NE(lines[1].find(",12.5,12.25,13,3,activity,"), std::string::npos) << lines[1];
  EXPECT_TRUE(lines[0].ends_with(",notes,file")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(",softmax.cu")) << lines[1];
  EXPECT_EQ(split_list(lines[0]).size(), split_list(lines[1]).size());
  EXPECT_EQ(split_list(lines[0]).size(), split_list(lines[2]).size());
}

TEST(ExportCsv, UnknownIsEmpty) {
  const std::string csv = exported({test::emulator_run()}, "csv");
  EXPECT_NE(csv.find("is within tolerance,,,,,,,,,,,,,,,,635000,"), std::string::npos) << csv;
}

TEST(ExportCsv, QuotesWhatNeedsQuotes) {
  session::Run run = test::gpu_run("softmax<128, \"x\">");
  run.notes = "two\nlines";
  const std::string csv = exported({run}, "csv");
  EXPECT_NE(csv.find("\"softmax<128, \"\"x\"\">\""), std::string::npos);
  EXPECT_NE(csv.find("\"two\nlines\""), std::string::npos);
}

TEST(ExportJson, IsADocumentOfWholeRuns) {
  const auto json = parse_json(exported({test::gpu_run(), test::emulator_run()}, "json", "Monday"));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["protocol"], 1);
  EXPECT_EQ((*json)["title"], "Monday");
  ASSERT_EQ((*json)["runs"].size(), 2u);
  EXPECT_EQ((*json)["runs"][0]["device"]["name"], "NVIDIA H200");
  const auto run = run_from_json((*json)["runs"][0]);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->timing->cold->samples_us.size(), 3u);
}

TEST(Export, UnknownFormatIsNamed) {
  const auto text = export_runs({}, "docx", "T");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::usage);
  EXPECT_NE(text.error().message.english().find("docx"), std::string::npos);
}

}  // namespace
}  // namespace ridge::session
