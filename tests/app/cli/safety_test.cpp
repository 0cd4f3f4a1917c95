// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that a command reads is lost, and nothing that it could not write is passed over.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "command.h"

using namespace ridge;
using namespace ridge::test;
namespace fs = std::filesystem;

namespace {

std::string recorded() {
  return (source_tree() / "resources" / "demo" / "h200.ridge").string();
}

TEST(Output, IsNeverTheInput) {
  const TemporaryFolder folder;
  const fs::path session = folder.path() / "s.ridge";
  fs::copy_file(recorded(), session);
  const fs::path source = folder.write("k.cu", "__global__ void k(int* x) { x[0] = 1; }\n");
  fs::create_symlink(session, folder.path() / "link.ridge");
  const std::string before = text_of(session), text = text_of(source);
  const std::string s = session.string(), k = source.string();
  const std::vector<std::vector<std::string>> commands = {
      {"export", s, "-o", s},
      {"export", s, "-o", (folder.path() / "link.ridge").string()},
      {"report", s, "-o", s},
      {"compare", s, recorded(), "--json", s},
      {"compile", k, "--emit", "ptx", "-o", k},
      {"compile", k, "--json", k},
      {"run", k, "--problem", "saxpy", "--json", k},
      {"run", k, "--problem", "saxpy", "--record", k},
      {"run", kernel("saxpy/naive.cu"), "--session", s, "--json", s},
      {"export", s, "-o", folder.path().string()}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = run_ridge(command);
    EXPECT_EQ(outcome.status, 2) << command[0] << ": " << outcome.err;
    EXPECT_FALSE(outcome.err.empty()) << command[0];
  }
  EXPECT_EQ(text_of(session), before);
  EXPECT_EQ(text_of(source), text);
}

TEST(Output, ThatStandardOutputDoesNotTakeIsAnError) {
  for (const std::string& command :
       {"export " + recorded(), "compile " + kernel("saxpy/naive.cu") + " --emit ptx", std::string("devices"),
        std::string("devices --json -"), std::string("--help"), std::string("run --help"),
        std::string("--version"),
        "run " + kernel("saxpy/naive.cu") + " --workload tiny --device emulator --json -"}) {
    const int status = std::system(
        (std::string(RIDGE_BINARY_DIR) + "/bin/ridge " + command + " >/dev/full 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3) << command;
  }
}

TEST(Output, MakesNoFolders) {
  const TemporaryFolder folder;
  const fs::path missing = folder.path() / "missing";
  EXPECT_EQ(run_ridge({"devices", "--json", (missing / "d.json").string()}).status, 2);
  EXPECT_EQ(run_ridge({"export", recorded(), "-o", (missing / "d.csv").string()}).status, 2);
  EXPECT_FALSE(fs::exists(missing));
}

/// How often `part` stands in `text`.
int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Faults, AreToldOnce) {
  const Outcome outcome = run_ridge(
      {"run", kernel("saxpy/naive.cu"), "--workload", "tiny", "--kernel", "nope", "--device", "emulator"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_EQ(count_of(outcome.out + outcome.err, "nope"), count_of(outcome.err, "nope")) << outcome.out;
  EXPECT_EQ(count_of(outcome.err, "error:"), 1) << outcome.err;
}

TEST(Budget, ThatEndsSaysWhichAndHowToRaiseIt) {
  const Outcome outcome = run_ridge(
      {"run", kernel("saxpy/naive.cu"), "--workload", "tiny", "--budget", "1", "--device", "emulator"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("budget of 1 instructions"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("--budget"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("may never end"), std::string::npos) << "there is no loop: " << outcome.out;
}

TEST(Names, MayHoldAnyCharacter) {
  const TemporaryFolder folder;
  const std::string text = text_of(source_tree() / "kernels/saxpy/naive.cu");
  for (const char* name :
       {"a \"b\".cu", "back\\slash.cu", "\xed\x95\xb5 \xc3\xa9.cu", "new\nline.cu", "-k.cu"}) {
    const std::string file = folder.write(name, text).string();
    const Outcome outcome = run_ridge({"run", file, "--problem", "saxpy", "--workload", "tiny", "--lines",
                                       "--device", "emulator", "--json", "-"});
    EXPECT_EQ(outcome.status, 0) << name << outcome.err;
  }
}

TEST(Inputs, ThatCannotBeReadAreTheUsersFault) {
  const TemporaryFolder folder;
  fs::create_symlink("loop.cu", folder.path() / "loop.cu");
  EXPECT_EQ(run_ridge({"compile", (folder.path() / "loop.cu").string()}).status, 2);
  EXPECT_EQ(run_ridge({"compile", std::string(5000, 'k') + ".cu"}).status, 2);
  const std::string file = folder.write("k.txt", "").string();
  for (const std::string& path : {file, (folder.path() / "missing").string()}) {
    const Outcome problems = run_ridge({"problems", path});
    EXPECT_EQ(problems.status, 2) << path;
    EXPECT_NE(problems.err.find(path), std::string::npos) << problems.err;
  }
}

TEST(Workloads, NamedTwiceRunOnce) {
  const Outcome outcome = run_ridge({"run", kernel("saxpy/naive.cu"), "--workload", "tiny", "--workload",
                                     "tiny", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.document()["runs"].size(), 1u);
}

TEST(Compare, SetsKernelsOfOneNameAgainstEachOther) {
  const Outcome outcome = run_ridge({"compare", recorded(), recorded(), "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  std::size_t sgemm = 0;
  for (const Json& one : document["comparisons"]) {
    EXPECT_EQ(one["a_kernel"], one["b_kernel"]);
    sgemm += one["problem"] == "sgemm" && one["workload"] == "square_4096" ? 1 : 0;
  }
  EXPECT_EQ(sgemm, 4u) << "naive, tiled, pipelined and fast";
}

TEST(Zoo, AFilterThatMatchesNothingIsWrongUse) {
  const Outcome outcome = run_ridge({"zoo", "--only", "no such kernel", "--device", "emulator"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--only"), std::string::npos) << outcome.err;
}

TEST(Zoo, ExpectationsThatNameNothingAreAFault) {
  const fs::path zoo = source_tree() / "tests/inputs/zoo/saxpy";
  for (const char* expected : {"{\"kernel\": {}}", "{\"kernels\": {}}",
                               "{\"kernels\": {\"naive.cu\": {\"workload\": {\"tiny\": \"pass\"}}}}"}) {
    const TemporaryFolder folder;
    fs::copy(zoo, folder.path() / "saxpy", fs::copy_options::recursive);
    folder.write("saxpy/naive.cu", text_of(source_tree() / "kernels/saxpy/naive.cu"));
    folder.write("saxpy/expected.json", expected);
    const Outcome outcome = run_ridge({"zoo", "--dir", folder.path().string(), "--device", "emulator"});
    EXPECT_EQ(outcome.status, 2) << expected;
    EXPECT_NE(outcome.err.find("expected.json"), std::string::npos) << outcome.err;
  }
}

TEST(Zoo, WithoutAWorkloadThatIsNotLargeJudgesNothing) {
  const TemporaryFolder folder;
  fs::copy(source_tree() / "kernels/saxpy", folder.path() / "saxpy", fs::copy_options::recursive);
  folder.write("saxpy/expected.json",
               "{\"kernels\": {\"naive.cu\": {\"workloads\": {\"large\": \"pass\"}}}}");
  const Outcome outcome = run_ridge({"zoo", "--dir", folder.path().string(), "--device", "emulator"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--large"), std::string::npos) << outcome.err;
}

TEST(Findings, BesideTheReasonAreToldToo) {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("k.cu",
                   "//@ grid: 1\n//@ block: 32\n"
                   "__global__ void k(const float* x, const float* y, float* z, float alpha, int n) {\n"
                   "  for (int i = threadIdx.x; i < n; i += 32)\n"
                   "    z[i] = alpha * x[i] + y[i] + (i == 3 ? float(i / (n - 5)) : 0.0f);\n}\n");
  const Outcome outcome =
      run_ridge({"run", file.string(), "--problem", "saxpy", "--axis", "n=5", "--device", "emulator"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("wrong_values"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("k.cu:5: suspect"), std::string::npos) << outcome.out;
}

TEST(Axes, ThatSetEverythingMakeOneWorkload) {
  const Outcome outcome = run_ridge(
      {"run", kernel("saxpy/naive.cu"), "--all", "--axis", "n=5", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  ASSERT_EQ(document["runs"].size(), 1u);
  EXPECT_EQ(document["runs"][0]["verdict"]["status"], "pass");
}

TEST(Defines, ThatAreNoMacroAreWrongUse) {
  for (const char* define : {"1A=2", "A;B=1", "A\nB=1", "-D=1", "=3", "A B=1", "A(x)=x", "A=1\n2"}) {
    const Outcome outcome = run_ridge(
        {"run", kernel("saxpy/naive.cu"), "--workload", "tiny", "--define", define, "--device", "emulator"});
    EXPECT_EQ(outcome.status, 2) << define;
    EXPECT_NE(outcome.err.find("--define"), std::string::npos) << define;
  }
}

TEST(Record, ToAFullDiskCostsTheTranscriptAndIsTold) {
  const Outcome outcome = run_ridge({"run", kernel("saxpy/naive.cu"), "--workload", "tiny", "--device",
                                     "emulator", "--record", "/dev/full", "--json", "-"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("/dev/full"), std::string::npos) << outcome.err;
  const Json document = outcome.document();
  ASSERT_EQ(document["runs"].size(), 1u);
  EXPECT_EQ(document["runs"][0]["verdict"]["status"], "pass");
  EXPECT_EQ(document["diagnostics"].back()["code"], "transcript_incomplete");
}

TEST(Replay, OfWhatIsNoFileIsWrongUse) {
  const Outcome outcome = run_ridge({"run", kernel("saxpy/naive.cu"), "--replay", "/nowhere/x.jsonl"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--record"), std::string::npos) << outcome.err;
}

TEST(Numbers, OutsideOfTheirRangeAreWrongUse) {
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--time-limit", "nan"}, {"--time-limit", "inf"}, {"--time-limit", "0"}, {"--budget", "0"}}) {
    std::vector<std::string> command = {"run", kernel("saxpy/naive.cu"), "--device", "emulator"};
    command.insert(command.end(), option.begin(), option.end());
    EXPECT_EQ(run_ridge(command).status, 2) << option[0] << ' ' << option[1];
  }
}

TEST(Ptx, OfAKernelRunsAsAKernel) {
  const TemporaryFolder folder;
  const Outcome emitted = run_ridge({"compile", kernel("saxpy/naive.cu"), "--emit", "ptx"});
  ASSERT_EQ(emitted.status, 0) << emitted.err;
  const fs::path file = folder.write("saxpy.ptx",
                                     "//@ problem: saxpy\n//@ grid: ceil_div(n, 256)\n//@ block: 256\n"
                                     "//@ args: x, y, z, alpha, n\n" +
                                         emitted.out);
  const Outcome outcome =
      run_ridge({"run", file.string(), "--workload", "tiny", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Cooperative, ALaunchThatTheDeviceCannotHoldFails) {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("many.cu",
                   "//@ problem: saxpy\n//@ grid: 5000\n//@ block: 32\n//@ cooperative: true\n"
                   "__global__ void k(const float* x, const float* y, float* z, float alpha, int n) {\n"
                   "  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 32 * gridDim.x) z[i] = alpha * "
                   "x[i] + y[i];\n}\n");
  const Outcome outcome =
      run_ridge({"run", file.string(), "--axis", "n=1000", "--device", "emulator", "--json", "-"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const Json verdict = outcome.document()["runs"][0]["verdict"];
  EXPECT_EQ(verdict["status"], "launch_failed");
  EXPECT_NE(verdict["message"].get<std::string>().find("4224"), std::string::npos) << verdict["message"];
}

}  // namespace
