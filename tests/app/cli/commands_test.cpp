// SPDX-License-Identifier: GPL-3.0-or-later
// The other commands of `ridge`.
#include <gtest/gtest.h>

#include "command.h"
#include "compile/assemble.h"
#include "compile/compile.h"

using namespace ridge;
using namespace ridge::test;
namespace fs = std::filesystem;

namespace {

TEST(Help, EveryCommandShowsAnExample) {
  const Outcome all = run_ridge({"--help"});
  EXPECT_EQ(all.status, 0);
  for (const char* command :
       {"run", "compile", "devices", "problems", "check", "zoo", "compare", "report", "export", "worker"}) {
    EXPECT_NE(all.out.find(command), std::string::npos) << command;
    const Outcome help = run_ridge({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("ridge " + std::string(command)), std::string::npos) << command << "\n"
                                                                                 << help.out;
    EXPECT_NE(help.out.find("Example"), std::string::npos) << command;
  }
}

TEST(Compile, AnErrorInLineSevenIsNamedAndExitsFour) {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("seven.cu",
                   "__global__ void k(float* y, int n)\n{\n    int i = threadIdx.x;\n    if (i < n)\n"
                   "        y[i] = 1;\n    // next\n    y[0] = nothing;\n}\n");
  const Outcome outcome = run_ridge({"compile", file.string(), "--arch", "sm_90", "--json", "-"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("seven.cu:7"), std::string::npos) << outcome.err;
  const Json document = outcome.document();
  EXPECT_EQ(document["diagnostics"][0]["line"], 7);
  EXPECT_TRUE(document["runs"].empty());
}

TEST(Compile, EntriesComeWithParametersAndResources) {
  const Outcome outcome = run_ridge(
      {"compile", (source_tree() / "kernels/saxpy/naive.cu").string(), "--arch", "sm_90", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  ASSERT_EQ(document["entries"].size(), 1u);
  EXPECT_EQ(document["protocol"], 1);
  EXPECT_GE(document["entries"][0]["parameters"].size(), 4u);
  EXPECT_GT(document["entries"][0]["resources"]["registers"], 0);
  EXPECT_EQ(document["arch"], "sm_90");
}

TEST(Compile, PtxGoesToStandardOutputAlone) {
  const Outcome outcome = run_ridge(
      {"compile", (source_tree() / "kernels/saxpy/naive.cu").string(), "--arch", "sm_80", "--emit", "ptx"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(".target sm_80"), std::string::npos);
  EXPECT_EQ(outcome.out.find("registers"), std::string::npos);
}

TEST(Compile, FilesThatAreNoTextAreRefusedWithTheReason) {
  for (const char* name : {"encodings/nul_byte.cu", "encodings/binary.cu"}) {
    const Outcome outcome = run_ridge({"compile", input(name), "--arch", "sm_90", "--json", "-"});
    EXPECT_EQ(outcome.status, 2) << name << outcome.err;
    EXPECT_FALSE(outcome.document()["diagnostics"].empty());
  }
}

TEST(Compile, BytesThatAreNotUtf8LeaveTheDocumentValid) {
  const Outcome outcome =
      run_ridge({"compile", input("encodings/latin1_in_string.cu"), "--arch", "sm_90", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.document()["entries"].size(), 1u);
}

TEST(Devices, ListTheEmulator) {
  const Outcome outcome = run_ridge({"devices", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  bool found = false;
  for (const Json& device : document["devices"]) found = found || device["kind"] == "emulator";
  EXPECT_TRUE(found) << document.dump(1);
  EXPECT_TRUE(document["tool"]["version"].is_string());
}

TEST(Problems, ListTheLibraryWithKernels) {
  const Outcome outcome = run_ridge({"problems", (source_tree() / "kernels").string(), "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  EXPECT_GE(document["problems"].size(), 8u);
  for (const Json& problem : document["problems"]) {
    EXPECT_FALSE(problem["kernels"].empty());
    EXPECT_FALSE(problem["title"]["en"].get<std::string>().empty());
  }
}

TEST(Check, SoundDefinitionsPassWithWhatTheyNeed) {
  const Outcome outcome = run_ridge({"check", input("definitions/ten_terabytes")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("21.99 TB"), std::string::npos) << outcome.out;
}

/// Every folder of definitions that is not accepted: each fault with its line and its words.
TEST(Check, NamesEveryFaultOfTheDefinitions) {
  const Json expected = *parse_json(text_of(input("definitions/expected.json")));
  int folders = 0;
  for (const Json& problem : expected["problems"]) {
    const std::string folder = problem["folder"];
    const Outcome outcome = run_ridge({"check", input("definitions/" + folder), "--json", "-"});
    const Json document = outcome.document();
    const bool kernel_fault = folder == "output_without_argument";  // seen by ridge run
    EXPECT_EQ(outcome.status, problem["accepted"].get<bool>() || kernel_fault ? 0 : 2) << folder << "\n"
                                                                                       << outcome.err;
    ++folders;
    if (kernel_fault) continue;
    for (const Json& fault : problem["faults"]) {
      bool found = false;
      for (const Json& diagnostic : document["diagnostics"]) {
        if (diagnostic["line"] != fault["line"]) continue;
        const std::string text =
            diagnostic["message"].get<std::string>() + " " + diagnostic["hint"].get<std::string>();
        bool words = true;
        for (const Json& name : fault["names"])
          words = words && text.find(name.get<std::string>()) != std::string::npos;
        found = found || words;
      }
      EXPECT_TRUE(found) << folder << ":" << fault["line"] << " " << fault["names"].dump() << "\n"
                         << outcome.err;
    }
  }
  EXPECT_GE(folders, 18);
}

TEST(Check, ReadsForeignDefinitions) {
  const Outcome sound = run_ridge({"check", input("definitions/sol_rmsnorm"), "--json", "-"});
  EXPECT_EQ(sound.status, 0) << sound.err;
  EXPECT_EQ(sound.document()["problems"][0]["workloads"].size(), 3u);
  const Outcome faulty = run_ridge({"check", input("definitions/sol_bad_workloads"), "--json", "-"});
  EXPECT_EQ(faulty.status, 2);
  EXPECT_EQ(faulty.document()["diagnostics"].size(), 10u);
}

TEST(Check, ReadsAllOfAPtxSource) {
  const TemporaryFolder folder;
  const Outcome emitted =
      run_ridge({"compile", (source_tree() / "kernels/saxpy/naive.cu").string(), "--emit", "ptx"});
  ASSERT_EQ(emitted.status, 0) << emitted.err;
  const Outcome sound = run_ridge({"check", folder.write("sound.ptx", emitted.out).string()});
  EXPECT_EQ(sound.status, 0) << sound.err;
  std::string strange = emitted.out;
  strange.insert(strange.find("ret;"), "frobnicate.b32 %r1, %r2;\n\t");
  // Without an assembler, an instruction that nobody here knows may be one of a newer GPU.
  const auto toolkit = compile::find_toolkit();
  const bool assembles = toolkit && !compile::assembler_of(*toolkit).name.empty();
  const Outcome unknown = run_ridge({"check", folder.write("strange.ptx", strange).string()});
  EXPECT_EQ(unknown.status, assembles ? 4 : 0) << unknown.err;
  EXPECT_NE(unknown.err.find("frobnicate"), std::string::npos) << unknown.err;
  const std::vector<std::tuple<std::string, std::string, std::string>> faulty{
      {"half.ptx", emitted.out.substr(0, emitted.out.find("ret;")), "truncated"},
      {"names.ptx",
       ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\nmov.u32 %r1, 0;\nret;\n}\n",
       "names.ptx:5: error"}};
  for (const auto& [name, text, said] : faulty) {
    const Outcome outcome = run_ridge({"check", folder.write(name, text).string()});
    EXPECT_EQ(outcome.status, 4) << name << outcome.out;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
  }
}

TEST(Check, OtherFilesAreRefused) {
  EXPECT_EQ(run_ridge({"check", input("definitions/expected.json")}).status, 2);
  EXPECT_EQ(run_ridge({"check", input("definitions/sessions/not_a_session.ridge")}).status, 2);
  EXPECT_EQ(run_ridge({"check", "/nowhere"}).status, 2);
}

TEST(Sessions, FilesThatAreNoneAreRefused) {
  for (const char* name : {"not_a_session.ridge", "other_application.ridge", "cut_short.ridge"}) {
    const Outcome outcome = run_ridge({"export", input("definitions/sessions/" + std::string(name))});
    EXPECT_NE(outcome.status, 0) << name;
    EXPECT_LT(outcome.status, 5) << name;
    EXPECT_FALSE(outcome.err.empty());
    EXPECT_TRUE(outcome.out.empty());
  }
}

TEST(Json, GoesToAFileWithNothingOnStandardOutput) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "out.json").string();
  const Outcome outcome = run_ridge({"problems", (source_tree() / "kernels").string(), "--json", file});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  EXPECT_TRUE(parse_json(text_of(file)).ok());
}

TEST(Json, AFileThatCannotBeWrittenIsSaid) {
  const Outcome outcome = run_ridge({"problems", "--json", "/dev/null/out.json"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("/dev/null"), std::string::npos) << outcome.err;
}

TEST(Zoo, OneProblemHolds) {
  const Outcome outcome =
      run_ridge({"zoo", "--dir", input("zoo"), "--device", "emulator", "--only", "saxpy/", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  EXPECT_EQ(document["held"], document["total"]);
  EXPECT_GE(document["total"], 40);
}

}  // namespace
