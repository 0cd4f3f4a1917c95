// SPDX-License-Identifier: GPL-3.0-or-later
// Requests for a trace, and traces as JSON.
#include "device/trace.h"

#include <gmock/gmock.h>

namespace ridge::device {
namespace {

using testing::ElementsAre;

TEST(Trace, ReadsBlockAndThread) {
  const auto request = read_trace_request("3:17");
  ASSERT_TRUE(request);
  EXPECT_THAT(request->block, ElementsAre(3, 0, 0));
  EXPECT_THAT(request->thread, ElementsAre(17, 0, 0));
  const auto whole = read_trace_request("1,2,3:4,5,6");
  ASSERT_TRUE(whole);
  EXPECT_THAT(whole->block, ElementsAre(1, 2, 3));
  EXPECT_THAT(whole->thread, ElementsAre(4, 5, 6));
}

TEST(Trace, RefusesWhatNamesNoThread) {
  for (const char* text : {"", ":", "3", "3:", ":3", "a:b", "-1:0", "1:2:3", "1,2,3,4:0", "1,:0", "0:1.5",
                           "99999999999999999999:0"}) {
    const auto request = read_trace_request(text);
    ASSERT_FALSE(request) << text;
    EXPECT_EQ(request.error().kind, ErrorKind::usage);
    EXPECT_FALSE(request.error().hint.empty());
  }
}

TEST(Trace, SurvivesJson) {
  Trace trace;
  trace.request = {{1, 2, 3}, {4, 5, 6}, 7};
  trace.cut = true;
  TraceStep step{"k.cu", 12, 99, "ld.global.f32 %f1, [%rd4]", 0xff, {{"%f1", "f32", "1.5"}}, WarpAccess{}};
  step.access->space = "global";
  step.access->lanes[3] = 0x100000040;
  step.access->sectors = 1;
  trace.steps.push_back(step);
  const Json json = to_json(trace);
  const Trace back = trace_from_json(Json::parse(json.dump()));
  EXPECT_EQ(to_json(back), json);
  ASSERT_EQ(back.steps.size(), 1u);
  ASSERT_TRUE(back.steps[0].access);
  EXPECT_FALSE(back.steps[0].access->lanes[2]);
  EXPECT_EQ(back.steps[0].access->lanes[3], 0x100000040u);
}

TEST(Trace, JsonOfSomethingElseGivesAnEmptyTrace) {
  for (const char* text :
       {"{}", "[]", "{\"steps\": 3}", "{\"steps\": [{}, 1, null]}", "{\"block\": \"x\"}"}) {
    const Trace trace = trace_from_json(Json::parse(text));
    EXPECT_THAT(trace.request.block, ElementsAre(0, 0, 0)) << text;
    EXPECT_LE(trace.steps.size(), 3u) << text;
  }
}

}  // namespace
}  // namespace ridge::device
