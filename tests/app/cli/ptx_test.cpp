// SPDX-License-Identifier: GPL-3.0-or-later
// PTX sources on the command line: assembled where the toolkit can, read by the emulator where it cannot.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "command.h"
#include "compile/assemble.h"
#include "compile/compile.h"

using namespace ridge;
using namespace ridge::test;
namespace fs = std::filesystem;

namespace {

/// y = alpha * x + y, with `statement` in its line 12.
std::string saxpy_with(const std::string& statement) {
  return "//@ grid: ceil_div(n, 32)\n//@ block: 32\n.version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 x, .param .u64 y, .param .u64 z, .param .f32 alpha, .param .u32 n)\n"
         "{\n .reg .b32 %r<9>;\n .reg .pred %p<3>;\n\n\n " +
         statement + "\n ret;\n}\n";
}

/// A toolkit that has NVRTC and its headers, and neither ptxas nor nvJitLink; the programs started meanwhile
/// use it.
class NvrtcAlone {
 public:
  NvrtcAlone() {
    const Result<compile::Toolkit> toolkit = compile::find_toolkit();
    if (!toolkit) return;
    fs::create_directories(folder_.path() / "lib64");
    fs::create_symlink(fs::canonical(toolkit->nvrtc), folder_.path() / "lib64" / toolkit->nvrtc.filename());
    if (!toolkit->include_folders.empty())
      fs::create_symlink(toolkit->include_folders.front(), folder_.path() / "include");
    if (const char* old = getenv("RIDGE_CUDA_ROOT")) old_ = old;
    setenv("RIDGE_CUDA_ROOT", folder_.path().c_str(), 1);
  }
  ~NvrtcAlone() {
    if (old_.empty())
      unsetenv("RIDGE_CUDA_ROOT");
    else
      setenv("RIDGE_CUDA_ROOT", old_.c_str(), 1);
  }
  NvrtcAlone(const NvrtcAlone&) = delete;
  NvrtcAlone& operator=(const NvrtcAlone&) = delete;

 private:
  TemporaryFolder folder_;
  std::string old_;
};

bool has_assembler() {
  const Result<compile::Toolkit> toolkit = compile::find_toolkit();
  return toolkit && !compile::assembler_of(*toolkit).name.empty();
}

TEST(CompilePtx, IsAssembledWhereTheToolkitCan) {
  if (!has_assembler()) GTEST_SKIP() << "the toolkit has neither ptxas nor nvJitLink";
  const TemporaryFolder folder;
  const fs::path cubin = folder.path() / "k.cubin";
  const Outcome outcome = run_ridge({"compile", input("ptx/two_entries.ptx"), "--arch", "sm_90a", "--emit",
                                     "cubin", "-o", cubin.string(), "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  const std::string compiler = document["compiler"];
  EXPECT_TRUE(compiler.starts_with("ptxas ") || compiler.starts_with("nvJitLink ")) << compiler;
  ASSERT_EQ(document["entries"].size(), 2u);
  for (const Json& entry : document["entries"]) {
    EXPECT_GT(entry["resources"]["registers"], 0) << entry.dump();
    EXPECT_EQ(entry["resources"]["spill_bytes"], 0);
  }
  EXPECT_TRUE(
      text_of(cubin).starts_with("\x7f"
                                 "ELF"));
}

TEST(CompilePtx, IsReadByTheEmulatorWhereNothingAssembles) {
  const NvrtcAlone toolkit;
  const Outcome outcome =
      run_ridge({"compile", input("ptx/two_entries.ptx"), "--arch", "sm_90a", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json document = outcome.document();
  EXPECT_TRUE(document["compiler"].is_null()) << document["compiler"];
  ASSERT_EQ(document["entries"].size(), 2u);
  EXPECT_TRUE(document["entries"][0]["resources"].is_null());
  ASSERT_EQ(document["diagnostics"].size(), 1u) << outcome.err;
  EXPECT_EQ(document["diagnostics"][0]["code"], "not_assembled");
  EXPECT_EQ(document["diagnostics"][0]["severity"], "note");
  const Outcome emitted = run_ridge({"compile", input("ptx/two_entries.ptx"), "--emit", "cubin"});
  EXPECT_EQ(emitted.status, 2);
  EXPECT_NE(emitted.err.find("no machine code"), std::string::npos) << emitted.err;
}

TEST(CompilePtx, ComputeArchitecturesAreNotAssembled) {
  const Outcome outcome =
      run_ridge({"compile", input("ptx/two_entries.ptx"), "--arch", "compute_90", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.document()["compiler"].is_null());
  EXPECT_EQ(outcome.document()["diagnostics"][0]["code"], "not_assembled");
}

TEST(CompilePtx, ForANewerArchitectureBlamesTheTarget) {
  if (!has_assembler()) GTEST_SKIP() << "the toolkit has neither ptxas nor nvJitLink";
  const Outcome outcome = run_ridge({"compile", input("ptx/triton_scaled_add.ptx"), "--arch", "sm_80"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("triton_scaled_add.ptx:6: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--arch"), std::string::npos) << outcome.err;
}

struct Broken {
  const char* name;
  const char* statement;
};
class BrokenPtx : public testing::TestWithParam<Broken> {
 protected:
  void expect_named() {
    const TemporaryFolder folder;
    const std::string file = folder.write("broken.ptx", saxpy_with(GetParam().statement)).string();
    const std::string place = file + ":12";
    const Outcome compiled = run_ridge({"compile", file, "--json", "-"});
    EXPECT_EQ(compiled.status, 4) << compiled.err;
    EXPECT_NE(compiled.err.find(place), std::string::npos) << compiled.err;
    const Json document = compiled.document();
    ASSERT_FALSE(document["diagnostics"].empty());
    EXPECT_EQ(document["diagnostics"][0]["line"], 12);
    EXPECT_EQ(document["diagnostics"][0]["file"], file);
    const Outcome checked = run_ridge({"check", file});
    EXPECT_EQ(checked.status, 4) << checked.out;
    EXPECT_NE(checked.err.find(place), std::string::npos) << checked.err;
    const Outcome run = run_ridge(
        {"run", file, "--problem", "saxpy", "--workload", "tiny", "--device", "emulator", "--json", "-"});
    EXPECT_EQ(run.status, 4) << run.err;
    const Json runs = run.document()["runs"];
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0]["verdict"]["status"], "compile_error");
    EXPECT_EQ(runs[0]["verdict"]["line"], 12);
    ASSERT_FALSE(runs[0]["verdict"]["findings"].empty());
    EXPECT_EQ(runs[0]["verdict"]["findings"][0]["file"], file);
  }
};
TEST_P(BrokenPtx, ExitsFourWithItsLine) {
  expect_named();
}
TEST_P(BrokenPtx, ExitsFourWithItsLineWithoutAnAssembler) {
  const NvrtcAlone toolkit;
  expect_named();
}
INSTANTIATE_TEST_SUITE_P(CommandLine, BrokenPtx,
                         testing::Values(Broken{"no_comma", "mov.u32 %r1 %r2;"},
                                         Broken{"no_semicolon_word", "mov.u32 %r1, ;"},
                                         Broken{"unknown_directive", ".nonsense 5;"},
                                         Broken{"negative_array", ".local .b8 qq[-1];"}),
                         [](const auto& one) { return std::string(one.param.name); });

/// What only an assembler can know: without one it may be of a newer GPU.
TEST(AssembledPtx, NamesWhatNoAssemblerKnows) {
  if (!has_assembler()) GTEST_SKIP() << "the toolkit has neither ptxas nor nvJitLink";
  const std::string sound = saxpy_with("add.u32 %r1, %r2, %r3;");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = sound;
    return text.replace(text.find(from), from.size(), to);
  };
  struct Case {
    const char* name;
    std::string text, place, said;
  };
  for (const Case& one : {Case{"future.ptx", with("sm_80", "sm_999"), ":4: ", "sm_999"},
                          Case{"strange.ptx", with("sm_80", "banana"), ":4: ", "kernel.ptx"},
                          Case{"type.ptx", with("add.u32", "add.f33"), ":12: ", ".f33"}}) {
    const TemporaryFolder folder;
    const std::string file = folder.write(one.name, one.text).string();
    for (const char* command : {"check", "compile"}) {
      const Outcome outcome = run_ridge({command, file});
      EXPECT_EQ(outcome.status, 4) << command << " " << one.name << outcome.err;
      EXPECT_NE(outcome.err.find(file + one.place + "error: "), std::string::npos) << outcome.err;
      EXPECT_NE(outcome.err.find(one.said), std::string::npos) << outcome.err;
      EXPECT_EQ(outcome.err.find("ridge-compile-"), std::string::npos) << outcome.err;
    }
    const Outcome run =
        run_ridge({"run", file, "--problem", "saxpy", "--workload", "tiny", "--device", "emulator"});
    EXPECT_EQ(run.status, 4) << one.name << run.err;
    EXPECT_NE(run.err.find(file + one.place), std::string::npos) << run.err;
  }
}

TEST(RunPtx, TruncatedAndTooNewFilesAreCompileErrors) {
  const std::vector<std::pair<const char*, const char*>> cases{{"truncated.ptx", "fused_add_relu_kernel"},
                                                               {"newer_version.ptx", "scale_rows"}};
  for (const auto& [name, kernel] : cases) {
    const Outcome outcome =
        run_ridge({"run", input(std::string("ptx/") + name), "--problem", "saxpy", "--workload", "tiny",
                   "--kernel", kernel, "--device", "emulator", "--json", "-"});
    ASSERT_EQ(outcome.status, 4) << name << outcome.err;
    const Json document = outcome.document();
    ASSERT_EQ(document["runs"].size(), 1u);
    EXPECT_EQ(document["runs"][0]["verdict"]["status"], "compile_error") << name;
    EXPECT_NE(outcome.err.find(std::string(name) + ":"), std::string::npos) << outcome.err;
  }
}

/// Debug information of another file does not lend its lines to the PTX.
TEST(RunPtx, FindingsAndCountersHaveTheLinesOfTheText) {
  const TemporaryFolder folder;
  std::string text = saxpy_with(".loc 1 77 5\n ld.param.u64 %rd1, [x];\n ld.global.u32 %r1, [%rd1+-4];");
  const std::string registers = " .reg .b32 %r<9>;";
  text.replace(text.find(registers), registers.size(), registers + " .reg .b64 %rd<3>;");
  text += ".file 1 \"other.cu\"\n";
  const fs::path file = folder.write("saxpy.ptx", text);
  const Outcome outcome =
      run_ridge({"run", file.string(), "--problem", (source_tree() / "kernels" / "saxpy").string(),
                 "--device", "emulator", "--json", "-"});
  ASSERT_EQ(outcome.status, 1) << outcome.err;
  const Json run = outcome.document()["runs"][0];
  EXPECT_EQ(run["verdict"]["status"], "out_of_bounds") << outcome.err;
  EXPECT_EQ(run["verdict"]["line"], 14);
  for (const Json& line : run["lines"]) EXPECT_LE(line["line"], 16) << line;
}

}  // namespace
