// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/counters.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "base/files.h"

namespace ridge::hardware {
namespace {

TEST(CounterTable, TheShippedTableIsWithoutFault) {
  const CounterTable table =
      load_counter_table(std::filesystem::path(RIDGE_SOURCE_DIR) / "resources/counters.toml");
  for (const Diagnostic& diagnostic : table.diagnostics) ADD_FAILURE() << format(diagnostic);
  EXPECT_GE(table.counters.size(), 40u);
  for (const CounterInfo& counter : table.counters) {
    EXPECT_FALSE(counter.meaning.empty()) << counter.name;
    EXPECT_TRUE(counter.emulator || !counter.metrics.empty()) << counter.name << " can come from nowhere";
  }
}

TEST(CounterTable, NamesTheMetricsOfAChip) {
  const CounterTable& table = counter_table();
  const CounterInfo* sectors = table.find("global_load_sectors");
  ASSERT_NE(sectors, nullptr);
  EXPECT_EQ(sectors->metrics.at("*").front(), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  const CounterInfo* half = table.find("flops_tensor_fp16");
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(half->metrics.at("GH100").front(), "sm__ops_path_tensor_src_fp16.sum");
  EXPECT_EQ(table.find("global_load_sector"), nullptr);
}

TEST(CounterTable, FaultsAreNamedWithTheirLine) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "ridge_counters_faults.toml";
  std::ofstream(file)
      << "[[counter]]\nname = \"a\"\nunit = \"1\"\nmeaning = \"A.\"\nemulatr = true\nmetrics = {}\n"
         "[[counter]]\nname = \"b\"\nunit = 1\nmeaning = \"B.\"\nmetrics = {}\n";
  const CounterTable table = load_counter_table(file);
  EXPECT_TRUE(table.counters.empty());
  ASSERT_EQ(table.diagnostics.size(), 2u);
  EXPECT_EQ(table.diagnostics[0].line, 5);
  EXPECT_NE(table.diagnostics[0].hint.find("emulator"), std::string::npos);
  EXPECT_EQ(table.diagnostics[1].line, 9);
  std::filesystem::remove(file);
}

TEST(CounterTable, AMissingFileIsADiagnostic) {
  const CounterTable table = load_counter_table("/nonexistent/counters.toml");
  EXPECT_TRUE(table.counters.empty());
  EXPECT_TRUE(has_errors(table.diagnostics));
}

TEST(CounterSet, SurvivesJson) {
  const CounterSet counters{{"flops_fp32", 8589934592.0}, {"active_lanes", 31.5}};
  EXPECT_EQ(counters_from_json(to_json(counters)), counters);
  EXPECT_EQ(to_json(counters)["flops_fp32"].dump(), "8589934592");
  EXPECT_TRUE(counters_from_json(Json{{"a", "nothing"}, {"b", nullptr}}).empty());
  EXPECT_TRUE(counters_from_json(Json::array({1})).empty());
}

TEST(LineCounters, SurviveJson) {
  const std::vector<LineCounters> lines{{"a.cu", 3, {{"warp_instructions", 4}}}, {"a.cu", 5, {}}};
  const std::vector<LineCounters> back = lines_from_json(to_json(lines));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].file, "a.cu");
  EXPECT_EQ(back[0].line, 3);
  EXPECT_EQ(back[0].counters, lines[0].counters);
}

}  // namespace
}  // namespace ridge::hardware
