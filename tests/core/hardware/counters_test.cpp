// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/counters.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <tuple>

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
  ASSERT_EQ(sectors->metrics.at("*").front().size(), 1u);
  EXPECT_EQ(sectors->metrics.at("*").front()[0].metric, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(sectors->metrics.at("*").front()[0].factor, 1);
  const CounterInfo* half = table.find("flops_tensor_fp16");
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(half->metrics.at("GH100").front()[0].metric, "sm__ops_path_tensor_src_fp16.sum");
  EXPECT_EQ(table.find("global_load_sector"), nullptr);
}

/// The numbers that one thread instruction of each kind adds to a counter of floating-point operations.
TEST(CounterTable, AFusedMultiplyAddCountsTwiceWhatAnAdditionCounts) {
  const auto factor = [](const std::string& counter, const std::string& operation) {
    const CounterInfo* info = counter_table().find(counter);
    if (info == nullptr) return -1.0;
    for (const MetricTerm& term : info->metrics.at("*").front())
      if (term.metric == "smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum")
        return term.factor;
    return 0.0;
  };
  for (const auto& [counter, letter, lanes] :
       {std::tuple("flops_fp64", "d", 1), std::tuple("flops_fp32", "f", 1),
        std::tuple("flops_fp16", "h", 2)}) {
    EXPECT_EQ(factor(counter, std::string(letter) + "add"), lanes) << counter;
    EXPECT_EQ(factor(counter, std::string(letter) + "mul"), lanes) << counter;
    EXPECT_EQ(factor(counter, std::string(letter) + "fma"), 2 * lanes) << counter;
  }
}

TEST(MetricSum, ReadsFactorsAndRefusesWhatIsNone) {
  const auto sum = metric_sum("a.sum + 2*b__c_1.sum+0.5 * d.ratio");
  ASSERT_TRUE(sum);
  ASSERT_EQ(sum->size(), 3u);
  EXPECT_EQ((*sum)[0].metric, "a.sum");
  EXPECT_EQ((*sum)[0].factor, 1);
  EXPECT_EQ((*sum)[1].metric, "b__c_1.sum");
  EXPECT_EQ((*sum)[1].factor, 2);
  EXPECT_EQ((*sum)[2].factor, 0.5);
  for (const char* text : {"", " ", "+", "a +", "+ a", "a + + b", "2 *", "* a", "x * a", "-1 * a", "0 * a",
                           "nan * a", "a - b", "a b", "2a * b", "2 * 3 * a"})
    EXPECT_FALSE(metric_sum(text)) << text;
}

TEST(CounterTable, FaultsAreNamedWithTheirLine) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "ridge_counters_faults.toml";
  std::ofstream(file)
      << "[[counter]]\nname = \"a\"\nunit = \"1\"\nmeaning = \"A.\"\nemulatr = true\nmetrics = {}\n"
         "[[counter]]\nname = \"b\"\nunit = 1\nmeaning = \"B.\"\nmetrics = {}\n"
         "[[counter]]\nname = \"c\"\nunit = \"1\"\nmeaning = \"C.\"\nmetrics = { \"*\" = [\"a.sum - b.sum\"] "
         "}\n";
  const CounterTable table = load_counter_table(file);
  EXPECT_TRUE(table.counters.empty());
  ASSERT_EQ(table.diagnostics.size(), 3u);
  EXPECT_EQ(table.diagnostics[0].line, 5);
  EXPECT_NE(table.diagnostics[0].hint.english().find("emulator"), std::string::npos);
  EXPECT_EQ(table.diagnostics[1].line, 9);
  EXPECT_EQ(table.diagnostics[2].line, 16);
  EXPECT_NE(table.diagnostics[2].message.english().find("'a.sum - b.sum'"), std::string::npos);
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
