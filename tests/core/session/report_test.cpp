// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/session/sample_run.h"
#include "session/report_svg.h"
#include "session/store.h"

namespace ridge::session {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string report(const std::vector<session::Run>& runs, const std::string& title = "Monday") {
  const auto page = export_runs(runs, "html", title);
  EXPECT_TRUE(page);
  return page ? *page : std::string();
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

std::vector<Numbered> numbered(const std::vector<session::Run>& runs) {
  std::vector<Numbered> list;
  for (std::size_t i = 0; i < runs.size(); ++i) list.push_back({&runs[i], i + 1});
  return list;
}

TEST(Report, NamesTheBlockAndThreadOfAFault) {
  session::Run run = test::emulator_run();
  run.verdict.status = verify::Status::out_of_bounds;
  run.verdict.message = "Out of bounds.";
  run.verdict.line = 7;
  hardware::Finding finding;
  finding.status = run.verdict.status;
  finding.line = 7;
  finding.block = {3, 0, 0};
  finding.thread = {232, 0, 0};
  run.verdict.findings = {finding};
  EXPECT_THAT(report({run}), HasSubstr("Out of bounds. (line 7) [block (3,0,0), thread (232,0,0)]"));
}

TEST(Report, ShowsTheWarningsOfAPass) {
  session::Run run = test::emulator_run();
  ASSERT_EQ(run.verdict.status, verify::Status::pass);
  const std::string silent = report({run});
  run.verdict.warnings = {"The reference is 0 everywhere."};
  EXPECT_THAT(silent, Not(HasSubstr("0 everywhere")));
  EXPECT_THAT(report({run}), HasSubstr("The reference is 0 everywhere."));
}

TEST(Report, NeedsNothingButItself) {
  const std::string page = report({test::gpu_run(), test::emulator_run()});
  for (const char* foreign : {"http:", "https:", "<script", "src=", "<link", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
}

TEST(Report, HoldsChartsTablesSourcesAndEnvironment) {
  const std::string page = report({test::gpu_run(), test::gpu_run("softmax_naive", 50)});
  EXPECT_EQ(count(page, "<svg"), 3u);
  EXPECT_EQ(count(page, "</svg>"), 3u);
  EXPECT_EQ(count(page, "role=\"img\""), 3u);
  for (const char* word : {"<h1>Monday</h1>", "12.5 µs<small>12.25 µs to 13 µs</small>", "softmax_naive",
                           "4.8 TB/s", "66.9 TFLOP/s", "(datasheet)", "__global__ void softmax_online() {}",
                           "&quot;toolkit&quot;: &quot;13.0&quot;", "first try"})
    EXPECT_THAT(page, HasSubstr(word));
  EXPECT_EQ(count(page, "<details><summary>softmax.cu"), 1u);  // equal sources once
}

TEST(Report, EveryWordFromOutsideIsEscaped) {
  const std::string evil = "<script>alert('x')</script>&\"";
  session::Run run = test::gpu_run(evil);
  run.problem = run.workload = run.notes = run.source.file = run.source.text = run.device.name =
      run.model.device = evil;
  run.verdict.message = evil;
  run.verdict.status = verify::Status::wrong_values;
  run.environment = Json{{evil, evil}};
  run.model.datasheet.ceilings[0].name = run.model.datasheet.ceilings[0].note = evil;
  const std::string page = report({run}, evil);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("alert('x')")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&#39;x&#39;)"));
}

TEST(Report, ControlCharactersAreReplaced) {
  EXPECT_EQ(escaped(std::string("a\0b\x1b[", 5)),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd[");
  EXPECT_EQ(escaped("two\n\tlines"), "two\n\tlines");
}

TEST(Report, EmulatedRunsHaveNoTimeAnywhere) {
  const std::string page = report({test::emulator_run()});
  EXPECT_THAT(page, HasSubstr("emulated: not timed"));
  EXPECT_THAT(page, HasSubstr("attainable, not timed"));
  EXPECT_THAT(page, HasSubstr("class=\"hollow s0\""));
  EXPECT_THAT(page, HasSubstr("T_SOL 211.7 ns"));
  EXPECT_THAT(page, Not(HasSubstr("class=\"box")));
  EXPECT_THAT(page, Not(HasSubstr("class=\"bar")));
  EXPECT_THAT(page, Not(HasSubstr("12.5 µs")));
}

TEST(Report, WhereNoRunIsTimedASentenceSaysSo) {
  const std::string page = report({test::emulator_run(), test::emulator_run()});
  EXPECT_EQ(count(page, "<svg"), 2u);
  EXPECT_THAT(page, HasSubstr("None of these runs is timed"));
}

TEST(Report, WhatIsWideScrollsWithinItself) {
  const std::string page = report({test::gpu_run()});
  EXPECT_EQ(count(page, "<svg"), count(page, "<div class=\"wide\" tabindex=\"0\"><svg"));
  EXPECT_EQ(count(page, "<table"), count(page, "<div class=\"wide\" tabindex=\"0\"><table"));
}

TEST(Roofline, MarksThatLieOnEachOtherShareTheirNumbers) {
  const std::vector<session::Run> runs{test::gpu_run("a"), test::gpu_run("b"), test::gpu_run("c"),
                                       test::gpu_run("far", 5000)};
  const std::string chart = roofline_chart(numbered(runs));
  EXPECT_THAT(chart, HasSubstr(">1–3</text>"));
  EXPECT_THAT(chart, HasSubstr(">4</text>"));
}

TEST(Report, FailedRunsSayWhyAndWhere) {
  session::Run run = test::gpu_run();
  run.timing.reset();
  run.verdict.status = verify::Status::out_of_bounds;
  run.verdict.message = "writes past the end of y";
  run.verdict.line = 12;
  const std::string page = report({run});
  EXPECT_THAT(page, HasSubstr("not timed: out_of_bounds"));
  EXPECT_THAT(page, HasSubstr("writes past the end of y (line 12)"));
}

TEST(Report, ProblemsComeInTheOrderOfTheirFirstRun) {
  session::Run other = test::gpu_run();
  other.problem = "a_later_problem";
  const std::string page = report({test::gpu_run(), other, test::gpu_run()});
  EXPECT_LT(page.find("<h2>softmax"), page.find("<h2>a_later_problem"));
  EXPECT_EQ(count(page, "<h2>softmax"), 1u);
}

TEST(Report, OfNothingIsAPage) {
  EXPECT_THAT(report({}), HasSubstr("0 runs"));
  EXPECT_THAT(report({session::Run{}}, ""), HasSubstr("Ridgepoint report"));
}

TEST(Roofline, PointAboveTheRoofIsAnErrorWithItsCause) {
  session::Run run = test::gpu_run("too_good", 0.1);
  run.model.suspect = "the output was not written";
  const std::vector<session::Run> runs{run};
  const std::string chart = roofline_chart(numbered(runs));
  EXPECT_THAT(chart, HasSubstr("class=\"wrong\""));
  EXPECT_THAT(chart, HasSubstr("above the roof: the output was not written"));
  EXPECT_THAT(chart, Not(HasSubstr("class=\"point")));
}

TEST(Roofline, RoofsThatLieOnEachOtherShareOneName) {
  session::Run run = test::gpu_run();
  run.model.derived = run.model.datasheet;
  for (hardware::Ceiling& ceiling : run.model.derived->ceilings) {
    ceiling.source = hardware::CeilingSource::derived;
    ceiling.value *= 1.0001;
  }
  const std::vector<session::Run> runs{run};
  const std::string chart = roofline_chart(numbered(runs));
  EXPECT_EQ(count(chart, "(datasheet, derived)"), run.model.datasheet.ceilings.size()) << chart;
  EXPECT_EQ(count(chart, "class=\"roof-label\""), run.model.datasheet.ceilings.size());
}

TEST(Report, AKernelHasOneColourInAllItsCharts) {
  std::vector<session::Run> runs{test::gpu_run(), test::gpu_run("softmax_naive", 50), test::gpu_run()};
  auto list = numbered(runs);
  number_series(list);
  EXPECT_EQ(list[0].series, list[2].series);
  EXPECT_NE(list[0].series, list[1].series);
}

TEST(Roofline, ZerosAndNansAreLeftOutAndCounted) {
  std::vector<session::Run> runs{test::gpu_run(), test::gpu_run(), test::gpu_run()};
  runs[0].model.intensity = 0;
  runs[1].model.flops = std::nan("");
  runs[2].model.datasheet.ceilings[0].value = std::numeric_limits<double>::infinity();
  const std::string chart = roofline_chart(numbered(runs));
  EXPECT_THAT(chart, HasSubstr("2 runs without FLOPs"));
  EXPECT_EQ(count(chart, "class=\"point"), 1u);
  for (const char* word : {"nan", "inf"}) EXPECT_THAT(chart, Not(HasSubstr(std::string("=\"") + word)));
}

TEST(Roofline, WithoutPointsThereIsNone) {
  session::Run run = test::gpu_run();
  run.model.intensity.reset();
  const std::vector<session::Run> runs{run};
  EXPECT_EQ(roofline_chart(numbered(runs)), "");
}

TEST(TimingChart, DrawsQuartilesMedianAndSamples) {
  const std::vector<session::Run> runs{test::gpu_run()};
  const std::string chart = timing_chart(numbered(runs));
  EXPECT_EQ(count(chart, "class=\"box s0\""), 1u);
  EXPECT_EQ(count(chart, "class=\"median s0\""), 1u);
  EXPECT_EQ(count(chart, "class=\"sample s0\""), 3u);
  EXPECT_THAT(chart, HasSubstr("quartiles 12.25 µs to 13 µs, n = 3"));
}

TEST(TimingChart, HostileSamplesStayFinite) {
  session::Run run = test::gpu_run();
  run.timing->cold->samples_us = {0,     -1,    std::nan(""), std::numeric_limits<double>::infinity(),
                                  1e308, 1e-308};
  const std::vector<session::Run> runs{run};
  const std::string chart = timing_chart(numbered(runs));
  EXPECT_THAT(chart, HasSubstr("4 values that are not positive were left out"));
  for (const char* word : {"=\"nan", "=\"inf", "=\"-nan"}) EXPECT_THAT(chart, Not(HasSubstr(word)));
}

TEST(TimingChart, ManySamplesAreThinned) {
  session::Run run = test::gpu_run();
  run.timing->cold->samples_us.assign(100000, 12.5);
  const std::vector<session::Run> runs{run};
  EXPECT_LE(count(timing_chart(numbered(runs)), "class=\"sample"), 201u);
}

TEST(SolChart, BarsAndTheirPercent) {
  const std::vector<session::Run> runs{test::gpu_run("k", 0.42334)};
  const std::string chart = sol_chart(numbered(runs));
  EXPECT_THAT(chart, HasSubstr("50 %"));
  EXPECT_THAT(chart, HasSubstr("class=\"bar s0\""));
}

TEST(SolChart, AboveTheLightIsAnError) {
  std::vector<session::Run> runs{test::gpu_run("k", 0.1)};
  EXPECT_THAT(sol_chart(numbered(runs)), HasSubstr("class=\"bar wrong\""));
}

TEST(LogAxis, PlacesAndBoundsItsTicks) {
  const LogAxis axis({1, 100}, 0, 100);
  EXPECT_NEAR(axis.at(10), 50, 1e-9);
  EXPECT_EQ(axis.at(0), 0);
  EXPECT_EQ(axis.at(1e9), 100);
  for (const double top : {1.0, 2.0, 1e3, 1e12, 1e300}) {
    const auto ticks = LogAxis({1, top}, 0, 100).ticks();
    EXPECT_FALSE(ticks.empty()) << top;
    EXPECT_LE(ticks.size(), 12u) << top;
  }
}

TEST(LogAxis, OfNothingUsableIsEmpty) {
  const LogAxis axis({0, -1, std::nan("")}, 5, 100);
  EXPECT_TRUE(axis.empty());
  EXPECT_EQ(axis.left_out(), 3u);
  EXPECT_TRUE(axis.ticks().empty());
  EXPECT_EQ(axis.at(7), 5);
}

TEST(Figures, ReadWell) {
  EXPECT_EQ(figure(12.5), "12.5");
  EXPECT_EQ(figure(1234.4), "1234");
  EXPECT_EQ(figure(100), "100");
  EXPECT_EQ(figure(0), "0");
  EXPECT_EQ(figure(0.21167), "0.2117");
  EXPECT_EQ(figure(std::nan("")), "—");
  EXPECT_EQ(time_text(0.5), "500 ns");
  EXPECT_EQ(time_text(1.6667e-6), "0.001667 ns");
  EXPECT_EQ(time_text(1e-9), "<0.001 ns");
  EXPECT_EQ(percent_text(50.582), "50.58 %");
  EXPECT_EQ(percent_text(0.034), "0.034 %");
  EXPECT_EQ(percent_text(1e-5), "<0.001 %");
  EXPECT_EQ(percent_text({}), "—");
  EXPECT_EQ(time_text(1500), "1.5 ms");
  EXPECT_EQ(time_text(2.5e6), "2.5 s");
  EXPECT_EQ(time_text({}), "—");
  EXPECT_EQ(rate_text(4.8e12, "bytes/s"), "4.8 TB/s");
  EXPECT_EQ(rate_text(6.69e13, "FLOP/s"), "66.9 TFLOP/s");
}

}  // namespace
}  // namespace ridge::session
