// SPDX-License-Identifier: GPL-3.0-or-later
// The scripts of packaging/: what they say, and how they find a toolkit. Nothing is installed or built here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace ridge {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Outcome {
  int status = -1;
  std::string text;  ///< standard output and error together
};

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen(("cd '" RIDGE_SOURCE_DIR "' && { " + command + "; } 2>&1").c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

/// Runs `command` with the functions of setup.sh at hand.
Outcome with_setup(const std::string& command) {
  return shell("bash -c 'set -euo pipefail; . packaging/setup.sh; " + command + "'");
}

/// A folder with the files that make a CUDA toolkit, as empty as they may be.
class Toolkit {
 public:
  explicit Toolkit(const std::string& version) {
    fs::create_directories(root_ / "include");
    fs::create_directories(root_ / "lib");
    std::ofstream(root_ / "include/cuda.h") << "#define CUDA_VERSION " << version << "\n";
    for (const char* file : {"include/nvrtc.h", "include/cupti.h", "lib/libnvrtc.so.13"})
      std::ofstream(root_ / file) << "";
  }
  ~Toolkit() { fs::remove_all(root_); }
  void without(const std::string& file) const { fs::remove(root_ / file); }
  Outcome accepted() const { return with_setup("is_toolkit \"" + root_.string() + "\""); }

 private:
  fs::path root_ = fs::path(testing::TempDir()) / ("ridge_toolkit_" + std::to_string(::getpid()));
};

TEST(Packaging, HelpSaysWhatRunDoesAndWrites) {
  const Outcome help = shell("packaging/run.sh --help");
  EXPECT_EQ(help.status, 0);
  for (const char* words :
       {"build/release", "window.png", "report.html", "demo.ridge", "CUDA_HOME", "--demo"})
    EXPECT_THAT(help.text, HasSubstr(words));
}

TEST(Packaging, UnknownOptionsAreRefusedBeforeAnythingIsDone) {
  for (const char* script : {"run.sh", "test.sh", "bundle.sh"}) {
    const Outcome outcome = shell(std::string("packaging/") + script + " --wrong");
    EXPECT_EQ(outcome.status, 2) << script;
    EXPECT_THAT(outcome.text, HasSubstr("usage: packaging/")) << script;
    EXPECT_THAT(outcome.text, testing::Not(HasSubstr("=="))) << script;
  }
}

TEST(Packaging, BundleNamesTheWayOutWhenNothingIsBuilt) {
  const Outcome outcome = shell("packaging/bundle.sh --build /nonexistent");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.text, HasSubstr("packaging/run.sh --build-only"));
}

TEST(Packaging, ContinuousIntegrationRunsTheTestScript) {
  const Outcome outcome = shell("test -x .ci/run && cat .ci/run");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.text, HasSubstr("packaging/test.sh"));
}

TEST(Packaging, AToolkitIsTakenFromVersion12_9On) {
  EXPECT_EQ(Toolkit("12090").accepted().status, 0);
  EXPECT_EQ(Toolkit("13000").accepted().status, 0);
  EXPECT_EQ(Toolkit("12080").accepted().status, 1);
}

TEST(Packaging, AToolkitWithoutNvrtcOrAHeaderIsNone) {
  for (const char* file : {"include/nvrtc.h", "include/cuda.h", "include/cupti.h", "lib/libnvrtc.so.13"}) {
    const Toolkit toolkit("13000");
    toolkit.without(file);
    EXPECT_EQ(toolkit.accepted().status, 1) << file;
  }
}

TEST(Packaging, OnlyMissingPackagesAreNamed) {
  if (shell("command -v dpkg-query").status != 0) GTEST_SKIP() << "no dpkg-query: not a Debian machine";
  const Outcome outcome = with_setup("missing_packages dpkg no-such-package-anywhere");
  EXPECT_EQ(outcome.text, "no-such-package-anywhere\n");
}

TEST(Packaging, AtLeastOneCompilerRunsAtOnce) {
  const Outcome outcome = with_setup("parallel");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_GE(std::stoi("0" + outcome.text), 1);
}

TEST(Packaging, AFaultIsOneSentenceAndAFailure) {
  const Outcome outcome = with_setup("fail \"Nothing works: do this.\"; echo unreached");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.text, "ridgepoint: Nothing works: do this.\n");
}

}  // namespace
}  // namespace ridge
