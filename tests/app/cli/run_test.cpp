// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge run` as scripts see it.
#include <gtest/gtest.h>

#include "command.h"

using namespace ridge;
using namespace ridge::test;
namespace fs = std::filesystem;

namespace {

std::string definition(const std::string& name) {
  return (source_tree() / "tests" / "inputs" / "definitions" / name).string();
}

/// A copy of a library kernel with one text replaced, beside a copy of its problem.
fs::path altered(const TemporaryFolder& folder, const std::string& problem, const std::string& file,
                 const std::string& from, const std::string& to) {
  for (const char* name : {"problem.toml", "reference.cu"})
    folder.write(problem + "/" + name, text_of(source_tree() / "kernels" / problem / name));
  std::string text = text_of(source_tree() / "kernels" / problem / file);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return folder.write(problem + "/" + file, text);
}

class Library : public testing::TestWithParam<const char*> {};

TEST_P(Library, EveryWorkloadPassesOnTheEmulator) {
  const Outcome outcome =
      run_ridge({"run", kernel(GetParam()), "--all", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  ASSERT_FALSE(member(document, "runs").empty());
  for (const Json& run : document["runs"]) {
    const std::string status = run["verdict"]["status"];
    EXPECT_TRUE(status == "pass" || status == "skipped") << run["workload"] << " " << run["verdict"].dump();
    EXPECT_TRUE(run["timing"].is_null());
    EXPECT_TRUE(run["model"]["t_sol_us"].is_number()) << run["model"].dump();
    EXPECT_TRUE(run["model"]["bound"].is_string());
    EXPECT_TRUE(run["model"]["sol_percent"].is_null());
    EXPECT_EQ(run["model"]["device"], "H200");
    if (status == "skipped") continue;
    EXPECT_TRUE(run["verdict"]["warnings"].empty()) << run["verdict"]["warnings"];
    EXPECT_EQ(run["counter_source"], "emulator");
    EXPECT_FALSE(run["counters"].empty());
  }
}
INSTANTIATE_TEST_SUITE_P(Kernels, Library,
                         testing::Values("saxpy/vector.cu", "reduce_sum/two_stage.cu", "transpose/tiled.cu",
                                         "softmax/online.cu", "layernorm/fast.cu", "sgemm/tiled.cu",
                                         "o_proj/fused.cu", "conv2d_relu/tiled.cu"),
                         [](const auto& one) {
                           std::string name = one.param;
                           for (char& c : name) {
                             if (c == '/' || c == '.') c = '_';
                           }
                           return name;
                         });

TEST(Run, AxesMakeAWorkloadOfTheirOwn) {
  const Outcome outcome = run_ridge({"run", kernel("sgemm/naive.cu"), "--axis", "M=65", "--axis", "N=33",
                                     "--axis", "K=17", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  ASSERT_EQ(document["runs"].size(), 1u);
  const Json& run = document["runs"][0];
  EXPECT_EQ(run["axes"]["M"], 65);
  EXPECT_EQ(run["axes"]["K"], 17);
  EXPECT_EQ(run["verdict"]["status"], "pass");
  EXPECT_EQ(run["verdict"]["elements"], 65 * 33);
}

TEST(Run, TheTiledSgemmCountsByLine) {
  const Outcome outcome = run_ridge({"run", kernel("sgemm/tiled.cu"), "--axis", "M=64", "--axis", "N=64",
                                     "--axis", "K=64", "--device", "emulator", "--lines", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  const Json& run = document.at("runs").at(0);
  EXPECT_EQ(run.at("counters").at("flops_fp32"), 2 * 64 * 64 * 64);
  double flops = 0, sectors = 0;
  for (const Json& line : run.at("lines")) {
    flops += line.at("counters").value("flops_fp32", 0.0);
    sectors += line.at("counters").value("global_load_sectors", 0.0);
    EXPECT_EQ(line.at("counters").value("shared_load_bank_conflicts", 0.0), 0) << line;
  }
  EXPECT_EQ(flops, 2 * 64 * 64 * 64);
  EXPECT_EQ(sectors, run.at("counters").at("global_load_sectors").get<double>());
  EXPECT_NE(outcome.err.find("sum += a_tile[ty][k] * b_tile[k][tx];"), std::string::npos) << outcome.err;
}

TEST(Run, ABoundTooFarIsOutOfBoundsWithItsLine) {
  const TemporaryFolder folder;
  const fs::path file = altered(folder, "sgemm", "naive.cu", "row < M", "row <= M");
  const Outcome outcome = run_ridge({"run", file.string(), "--axis", "M=65", "--axis", "N=33", "--axis",
                                     "K=17", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const Json document = outcome.document();
  ASSERT_EQ(document["runs"].size(), 1u);
  EXPECT_EQ(document["runs"][0]["verdict"]["status"], "out_of_bounds") << document.dump(1);
  EXPECT_GT(document["runs"][0]["verdict"]["line"], 0);
}

TEST(Run, WrongElementsNameTheThreadsThatStoredThem) {
  const TemporaryFolder folder;
  // Lane 5 of the second warp of each block spoils its rows.
  std::string text = text_of(source_tree() / "kernels" / "softmax" / "naive.cu");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  replace("ceil_div(rows, 32)", "ceil_div(rows, 64)");
  replace("block: 32", "block: 64");
  replace("/ total;", "/ total + (threadIdx.x == 37 ? 0.5f : 0.0f);");
  for (const char* name : {"problem.toml", "reference.cu"})
    folder.write(std::string("softmax/") + name, text_of(source_tree() / "kernels" / "softmax" / name));
  const fs::path file = folder.write("softmax/naive.cu", text);
  const Outcome outcome =
      run_ridge({"run", file.string(), "--workload", "ragged", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const Json verdict = outcome.document()["runs"][0]["verdict"];
  EXPECT_EQ(verdict["status"], "wrong_values");
  ASSERT_FALSE(verdict["first"].empty());
  const Json writer = verdict["first"][0]["writer"];
  EXPECT_EQ(writer["warp"], 1);
  EXPECT_EQ(writer["lane"], 5);
  EXPECT_EQ(writer["thread"], Json::array({37, 0, 0}));
  bool threads = false;
  for (const Json& map : verdict["error_maps"]) {
    if (map["kind"] != "threads") continue;
    threads = true;
    EXPECT_EQ(map["unknown"], 0);
    for (std::size_t cell = 0; cell < map["wrong"].size(); ++cell)
      EXPECT_EQ(map["wrong"][cell] != 0, cell == 32 + 5) << cell;
    EXPECT_EQ(map["wrong"][32 + 5], verdict["mismatches"]);
  }
  EXPECT_TRUE(threads) << verdict["error_maps"].dump();
}

TEST(Run, TheTextNamesWhoDidIt) {
  const TemporaryFolder folder;
  // Thread 5 of the second block stores a wrong value.
  const fs::path wrong = altered(folder, "saxpy", "naive.cu", "alpha *",
                                 "(blockIdx.x == 1 && threadIdx.x == 5 ? 9.0f : 0.0f) + alpha *");
  const Outcome stored = run_ridge({"run", wrong.string(), "--axis", "n=1000", "--device", "emulator"});
  EXPECT_EQ(stored.status, 1) << stored.err;
  EXPECT_NE(stored.out.find(" [written by block (1,0,0), thread (5,0,0)]\n"), std::string::npos)
      << stored.out;
  const fs::path beyond = altered(folder, "saxpy", "naive.cu", "i < n", "i <= n");
  const Outcome outside = run_ridge({"run", beyond.string(), "--axis", "n=1000", "--device", "emulator"});
  EXPECT_EQ(outside.status, 1) << outside.err;
  EXPECT_NE(outside.out.find("out_of_bounds"), std::string::npos) << outside.out;
  EXPECT_NE(outside.out.find(" [block (3,0,0), thread (232,0,0)"), std::string::npos) << outside.out;
}

TEST(Run, AReferenceOfZerosIsWarnedOf) {
  const TemporaryFolder folder;
  const fs::path file = altered(folder, "saxpy", "naive.cu", "+ y[i]", "* 0");
  std::string reference = text_of(folder.path() / "saxpy/reference.cu");
  const std::size_t at = reference.find("+ y[i]");
  ASSERT_NE(at, std::string::npos);
  folder.write("saxpy/reference.cu", reference.replace(at, 6, "* 0"));
  const auto run = [&](const char* elements) {
    return run_ridge({"run", file.string(), "--axis", elements, "--device", "emulator", "--json", "-"});
  };
  const Outcome outcome = run("n=1000");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json verdict = outcome.document()["runs"][0]["verdict"];
  EXPECT_EQ(verdict["status"], "pass");
  ASSERT_EQ(verdict["warnings"].size(), 1u) << verdict.dump();
  EXPECT_NE(outcome.err.find(": warning: " + verdict["warnings"][0].get<std::string>()), std::string::npos)
      << outcome.err;
  EXPECT_TRUE(run("n=63").document()["runs"][0]["verdict"]["warnings"].empty());
}

TEST(Run, ASourceThatDoesNotCompileExitsFourWithARunForEachWorkload) {
  const TemporaryFolder folder;
  const fs::path file = altered(folder, "saxpy", "naive.cu", "alpha *", "beta *");
  const Outcome outcome = run_ridge({"run", file.string(), "--all", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  const Json document = outcome.document();
  ASSERT_GE(document["runs"].size(), 2u);
  EXPECT_EQ(document["runs"][0]["verdict"]["status"], "compile_error");
  EXPECT_GT(document["runs"][0]["verdict"]["line"], 0);
  EXPECT_TRUE(document["runs"][0]["timing"].is_null());
}

TEST(Run, OutputThatNoParameterTakesStopsBeforeTheLaunch) {
  const Outcome outcome = run_ridge(
      {"run", definition("output_without_argument/row_scale.cu"), "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  const Json document = outcome.document();
  EXPECT_TRUE(document["runs"].empty());
  bool named = false;
  for (const Json& diagnostic : document["diagnostics"]) {
    named = named || (diagnostic["line"] == 4 &&
                      diagnostic["message"].get<std::string>().find(" y") != std::string::npos);
  }
  EXPECT_TRUE(named) << document.dump(1);
}

TEST(Run, GoodDefinitionsPassWithTheirByteCounts) {
  for (const char* folder : {"good_row_scale", "good_bom_crlf"}) {
    const Outcome outcome = run_ridge({"run", definition(std::string(folder) + "/row_scale.cu"), "--all",
                                       "--device", "emulator", "--json", "-"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Json document = outcome.document();
    ASSERT_EQ(document["runs"].size(), 2u);
    EXPECT_EQ(document["runs"][0]["model"]["flops"], 128);
    EXPECT_EQ(document["runs"][0]["model"]["bytes"], 1040);
    EXPECT_EQ(document["runs"][1]["model"]["bytes"], 1016508);
  }
}

TEST(Run, TenTerabytesAreRefusedBeforeAllocationAndTheRestRuns) {
  const Outcome outcome = run_ridge(
      {"run", definition("ten_terabytes/row_scale.cu"), "--all", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const Json document = outcome.document();
  int seen = 0;
  for (const Json& run : document["runs"]) {
    if (run["workload"] == "small") {
      EXPECT_EQ(run["verdict"]["status"], "pass");
      ++seen;
    } else {
      EXPECT_EQ(run["verdict"]["status"], "out_of_memory");
      EXPECT_NE(run["verdict"]["message"].get<std::string>().find("needs 21.99 TB, free "), std::string::npos)
          << run["verdict"].dump();
      ++seen;
    }
  }
  EXPECT_EQ(seen, 2);
}

TEST(Run, ABlockBeyondTheLimitIsTheCandidatesFault) {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("wide.cu",
                   "//@ problem: saxpy\n//@ grid: 1\n//@ block: 2048\n"
                   "__global__ void wide(const float* x, const float* y, float* z, float alpha, int n) {}\n");
  const Outcome outcome =
      run_ridge({"run", file.string(), "--problem", (source_tree() / "tests/inputs/zoo/saxpy").string(),
                 "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const Json run = outcome.document()["runs"][0];
  EXPECT_EQ(run["verdict"]["status"], "launch_failed");
  EXPECT_EQ(run["verdict"]["line"], 3);
  EXPECT_NE(run["verdict"]["message"].get<std::string>().find("1024"), std::string::npos);
}

TEST(Run, MissingGeometryIsAQuestion) {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("plain.cu", "__global__ void k(const float* x, const float* y, float* z, int n) {}\n");
  const Outcome outcome =
      run_ridge({"run", file.string(), "--problem", (source_tree() / "tests/inputs/zoo/saxpy").string(),
                 "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  const Json document = outcome.document();
  ASSERT_FALSE(document["questions"].empty());
  EXPECT_EQ(document["questions"][0]["kind"], "geometry");
  EXPECT_NE(outcome.err.find("question"), std::string::npos);
}

TEST(Run, AKernelWithoutAProblemIsAQuestion) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("alone.cu", "__global__ void k(float* z) { z[0] = 1; }\n");
  const Outcome outcome = run_ridge({"run", file.string(), "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 2);
  const Json document = outcome.document();
  ASSERT_EQ(document["questions"].size(), 1u);
  EXPECT_EQ(document["questions"][0]["kind"], "problem");
}

TEST(Run, ADirectiveNamesAProblemOfTheLibrary) {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("mine.cu", "//@ problem: saxpy\n" + text_of(source_tree() / "kernels/saxpy/naive.cu"));
  const Outcome outcome = run_ridge({"run", file.string(), "--axis", "n=77", "--device", "emulator"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("emulated"), std::string::npos) << outcome.out;
}

struct WrongUse {
  const char* name;
  std::vector<std::string> arguments;
  const char* says;
};
class WrongUses : public testing::TestWithParam<WrongUse> {};
TEST_P(WrongUses, ExitTwoAndSayWhy) {
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& argument : arguments) {
    if (argument == "KERNEL") argument = kernel("saxpy/naive.cu");
  }
  const Outcome outcome = run_ridge(arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
}
INSTANTIATE_TEST_SUITE_P(
    CommandLine, WrongUses,
    testing::Values(
        WrongUse{"no_command", {}, "a command is missing"},
        WrongUse{"no_file", {"run"}, "ridge run needs file (file: Kernel source"},
        WrongUse{"unknown_command", {"bogus"}, "no command 'bogus'"},
        WrongUse{"unknown_command_after_options", {"--bogus", "rum", "x"}, "no command 'rum' (run is near"},
        WrongUse{"unknown_command_beside_help", {"bogus", "--help"}, "no command 'bogus'"},
        WrongUse{"option_without_command", {"--bogus"}, "no option '--bogus'"},
        WrongUse{"stray_word_where_something_is_missing", {"report", "bogus"}, "ridge report needs --output"},
        WrongUse{"stray_word", {"run", "KERNEL", "second.cu"}, "ridge run takes no 'second.cu'"},
        WrongUse{"stray_word_of_a_command_without_any", {"devices", "all"}, "ridge devices takes no 'all'"},
        WrongUse{"misspelt_option", {"run", "KERNEL", "--modle=H200"}, "--model is near"},
        WrongUse{"missing_file", {"run", "/nowhere/kernel.cu"}, "/nowhere/kernel.cu"},
        WrongUse{"unknown_option", {"run", "KERNEL", "--fast"}, "--fast"},
        WrongUse{"axis_without_value", {"run", "KERNEL", "--axis", "n"}, "--axis NAME=VALUE"},
        WrongUse{"axis_not_a_number", {"run", "KERNEL", "--axis", "n=1e3"}, "whole number"},
        WrongUse{"unknown_axis", {"run", "KERNEL", "--axis", "m=3", "--device", "emulator"}, "no axis m"},
        WrongUse{"empty_axis",
                 {"run", "KERNEL", "--axis", "n=0", "--device", "emulator"},
                 "error: --axis n=0: it is below 1 (give an extent of at least 1)"},
        WrongUse{
            "trace_of_no_thread",
            {"run", "KERNEL", "--device", "emulator", "--axis", "n=77", "--trace", "9:0"},
            "--trace 9:0 names a thread that no launch has (saxpy_naive of n=77: grid 1,1,1, block 256,1,1)"},
        WrongUse{"unknown_workload", {"run", "KERNEL", "--workload", "nope", "--device", "emulator"}, "nope"},
        WrongUse{"unknown_device", {"run", "KERNEL", "--device", "tpu"}, "tpu"},
        WrongUse{"unknown_model", {"run", "KERNEL", "--device", "emulator", "--model", "H300"}, "H300"},
        WrongUse{"model_for_a_gpu", {"run", "KERNEL", "--device", "cuda:0", "--model", "H200"}, "--model"},
        WrongUse{"unknown_problem", {"run", "KERNEL", "--problem", "nothing_here"}, "nothing_here"},
        WrongUse{"bad_flush",
                 {"run", "KERNEL", "--flush", "often"},
                 "--flush 'often' is none of read, write, none (L2 before cold samples"},
        WrongUse{"negative_seed", {"run", "KERNEL", "--seed", "-1"}, "--seed '-1' is no whole number from 0"},
        WrongUse{
            "seed_too_large", {"run", "KERNEL", "--seed", "18446744073709551616"}, "to 18446744073709551615"},
        WrongUse{"seed_in_hexadecimal", {"run", "KERNEL", "--seed=0x10"}, "'0x10' is no whole number"},
        WrongUse{"budget_of_nothing",
                 {"run", "KERNEL", "--budget", "0"},
                 "--budget '0' is no whole number from 1"},
        WrongUse{"endless_time", {"run", "KERNEL", "--time-limit", "nan"}, "--time-limit 'nan' is no number"},
        WrongUse{"more_threads_than_there_are", {"run", "KERNEL", "--threads", "99999999999"}, "--threads"},
        WrongUse{"empty_trace", {"run", "KERNEL", "--trace", ""}, "--trace may not be empty"},
        WrongUse{"empty_json", {"devices", "--json", ""}, "--json may not be empty"},
        WrongUse{"axis_twice",
                 {"run", "KERNEL", "--axis", "n=4", "--axis", "n=8"},
                 "--axis n=4 and --axis n=8 both set n"},
        WrongUse{"macro_twice",
                 {"run", "KERNEL", "--define", "A=1", "--define", "A=2"},
                 "--define A=1 and --define A=2 both set A"},
        WrongUse{"option_twice",
                 {"run", "KERNEL", "--seed", "1", "--seed", "2"},
                 "--seed is given more than once"},
        WrongUse{"option_without_its_value", {"run", "KERNEL", "--model"}, "--model needs a value"},
        WrongUse{"value_for_a_flag", {"run", "KERNEL", "--all=maybe"}, "--all takes no value"},
        WrongUse{
            "record_and_replay", {"run", "KERNEL", "--record", "a", "--replay", "b"}, "exclude each other"},
        WrongUse{"folder_of_the_document",
                 {"devices", "--json", "/nowhere/x.json"},
                 "there is no folder /nowhere"},
        WrongUse{"folder_of_the_session",
                 {"run", "KERNEL", "--session", "/nowhere/x.ridge"},
                 "there is no folder /nowhere"}),
    [](const auto& one) { return one.param.name; });

/// Architectures that no NVRTC compiles for, and texts that are none.
class Architectures : public testing::TestWithParam<const char*> {};
TEST_P(Architectures, UnknownOnesAreWrongUseWhoeverAsksForThem) {
  const TemporaryFolder folder;
  const std::string cuda = kernel("saxpy/naive.cu"), arch = GetParam();
  const fs::path ptx = folder.write("k.ptx",
                                    ".version 8.0\n.target sm_80\n.address_size 64\n"
                                    ".visible .entry k(.param .u64 .ptr z)\n{\n ret;\n}\n");
  std::vector<std::vector<std::string>> commands = {
      {"compile", cuda, "--arch", arch},
      {"compile", ptx.string(), "--arch", arch},
      {"run", cuda, "--workload", "tiny", "--device", "emulator", "--arch", arch},
      {"run", ptx.string(), "--problem", "saxpy", "--device", "emulator", "--arch", arch}};
  if (!arch.empty()) {
    const std::string text = text_of(source_tree() / "kernels/saxpy/naive.cu");
    const std::string file = folder.write("directive.cu", "//@ arch: " + arch + "\n" + text).string();
    commands.push_back({"compile", file});
    commands.push_back({"run", file, "--problem", "saxpy", "--workload", "tiny", "--device", "emulator"});
  }
  for (std::vector<std::string>& command : commands) {
    command.insert(command.end(), {"--json", "-"});
    const Outcome outcome = run_ridge(command);
    EXPECT_EQ(outcome.status, 2) << command[0] << " " << command[1] << ": " << outcome.err;
    if (arch.empty()) continue;  // the parser's own refusal
    EXPECT_NE(outcome.err.find(arch), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("sm_90a"), std::string::npos) << "what may be written: " << outcome.err;
    EXPECT_TRUE(outcome.document()["runs"].empty());
  }
}
INSTANTIATE_TEST_SUITE_P(CommandLine, Architectures,
                         testing::Values("sm_1", "sm_9000", "sm_90f", "banana", "sm_", ""));

TEST(Arch, TheOptionComesBeforeTheDirective) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("directive.cu", "//@ arch: sm_999\n" + text_of(source_tree() / "kernels/saxpy/naive.cu"))
          .string();
  const Outcome refused = run_ridge({"compile", file});
  EXPECT_EQ(refused.status, 2) << refused.err;
  EXPECT_NE(refused.err.find("directive.cu:1: error: 'sm_999' is no architecture"), std::string::npos)
      << refused.err;
  const Outcome overruled = run_ridge({"compile", file, "--arch", "sm_80"});
  EXPECT_EQ(overruled.status, 0) << overruled.err;
  EXPECT_NE(overruled.out.find("sm_80"), std::string::npos) << overruled.out;
}

TEST(Run, AGpuThatIsNotThereExitsThree) {
  const Outcome outcome = run_ridge({"run", kernel("saxpy/naive.cu"), "--device", "cuda:99", "--json", "-"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(outcome.document()["runs"].empty());
}

TEST(Run, AModelChangesArchitectureAndRoof) {
  const Outcome outcome = run_ridge({"run", kernel("saxpy/naive.cu"), "--axis", "n=1000", "--device",
                                     "emulator", "--model", "L4", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  EXPECT_EQ(document["runs"][0]["model"]["device"], "L4");
  EXPECT_EQ(document["device"]["arch"], "sm_89");
}

TEST(Run, SessionsGrowAndExport) {
  const TemporaryFolder folder;
  const std::string session = (folder.path() / "day.ridge").string();
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = run_ridge(
        {"run", kernel("saxpy/naive.cu"), "--axis", "n=100", "--device", "emulator", "--session", session});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  const Outcome json = run_ridge({"export", session, "--format", "json"});
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(json.document()["runs"].size(), 2u);
  const std::string html = (folder.path() / "day.html").string();
  EXPECT_EQ(run_ridge({"report", session, "-o", html}).status, 0);
  EXPECT_NE(text_of(html).find("saxpy"), std::string::npos);
  const Outcome compared = run_ridge({"compare", session, session, "--json", "-"});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_EQ(compared.document()["comparisons"][0]["verdict"], "CANNOT TELL");
}

TEST(Run, ALoopWithoutEndIsATimeoutAndTheNextRunWorks) {
  const TemporaryFolder folder;
  const fs::path file =
      altered(folder, "saxpy", "naive.cu", "if (", "volatile int go = 1; while (go) {}\n    if (");
  const Outcome outcome = run_ridge(
      {"run", file.string(), "--axis", "n=64", "--device", "emulator", "--budget", "100000", "--json", "-"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(outcome.document()["runs"][0]["verdict"]["status"], "timeout");
}

// A GPU's behaviour without a GPU: the conversation of a whole run, recorded on an H200, answers for the
// device.
TEST(Replay, ARunRecordedOnAnH200) {
  const std::string transcript = (source_tree() / "tests" / "transcripts" / "softmax_h200.jsonl").string();
  const Outcome outcome =
      run_ridge({"run", kernel("softmax/fast.cu"), "--all", "--replay", transcript, "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  EXPECT_EQ(document["device"]["name"], "NVIDIA H200");
  ASSERT_EQ(document["runs"].size(), 9u);
  for (const Json& run : document["runs"]) {
    EXPECT_EQ(run["verdict"]["status"], "pass") << run["workload"];
    EXPECT_EQ(run["timing"]["cold"]["source"], "activity");
    EXPECT_GT(run["timing"]["cold"]["median_us"].get<double>(), 0);
    EXPECT_TRUE(run["model"]["sol_percent"].is_number());
  }
  const Outcome other = run_ridge({"run", kernel("saxpy/naive.cu"), "--replay", transcript});
  EXPECT_EQ(other.status, 3) << "nobody asked the H200 about saxpy";
}

}  // namespace
