// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/reference.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/scripted_device.h"

using namespace ridge;
using namespace ridge::verify;
namespace fs = std::filesystem;

namespace {

class ReferenceTest : public testing::Test {
 protected:
  ReferenceTest() {
    folder = fs::path(testing::TempDir()) / ("reference_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    problem.workload = "tiny";
    problem.folder = folder.string();
    problem.reference_file = "reference.py";
    problem.axes = {{"n", 6}};
    problem.scalars = {{"alpha", DType::float32, 0.5}};
    problem::BoundTensor tensor;
    tensor.name = "x";
    tensor.extents = {2, 3};
    tensor.elements = 6;
    tensor.bytes = 24;
    tensor.init.kind = problem::InitKind::arange;
    problem.inputs = {tensor};
    tensor.name = "y";
    problem.outputs = {tensor};
  }
  ~ReferenceTest() override { fs::remove_all(folder); }

  static bool has_numpy() {
    static const bool has = std::system("python3 -c 'import numpy' 2>/dev/null") == 0;
    return has;
  }
  void script(const std::string& text) { std::ofstream(folder / "reference.py") << text; }
  Result<std::vector<double>> run_python() {
    Inputs inputs(device, problem, 1);
    auto reference = python_reference(problem, inputs, options);
    if (!reference) return reference.error();
    if (auto loaded = inputs.load(0); !loaded) return loaded.error();
    if (auto computed = (*reference)->compute(inputs); !computed) return computed.error();
    EXPECT_EQ((*reference)->dtype(0), DType::float64);
    std::vector<double> values(6);
    if (auto read = (*reference)->read(0, 0, std::as_writable_bytes(std::span(values))); !read)
      return read.error();
    return values;
  }

  fs::path folder;
  test::ScriptedDevice device;
  problem::BoundProblem problem;
  device::LaunchOptions options;
};

TEST_F(ReferenceTest, PythonGetsInputsScalarsAndAxesByName) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  script(
      "def run(x, alpha, n):\n    assert n == 6 and x.shape == (2, 3)\n    return x.astype('float64') * "
      "alpha\n");
  const auto values = run_python();
  ASSERT_TRUE(values.ok()) << values.error().message;
  EXPECT_EQ(*values, (std::vector<double>{0, 0.5, 1, 1.5, 2, 2.5}));
}

TEST_F(ReferenceTest, PythonMayNameItsOutputs) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  script("def run(x):\n    return {'y': x + 1}\n");
  const auto values = run_python();
  ASSERT_TRUE(values.ok()) << values.error().message;
  EXPECT_EQ(values->back(), 6);
}

TEST_F(ReferenceTest, PythonThatRaisesIsAnErrorWithItsLastLine) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  script("def run(x):\n    raise ValueError('no such thing')\n");
  const auto values = run_python();
  ASSERT_FALSE(values.ok());
  EXPECT_EQ(values.error().kind, ErrorKind::definition);
  EXPECT_NE(values.error().message.english().find("no such thing"), std::string::npos)
      << values.error().message;
}

TEST_F(ReferenceTest, PythonOfAnotherShapeIsRefused) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  script("def run(x):\n    return x[0]\n");
  const auto values = run_python();
  ASSERT_FALSE(values.ok());
  EXPECT_NE(values.error().message.english().find("shape"), std::string::npos) << values.error().message;
}

/// Its text ends with a process of its own that would write a file a second after the reference was ended.
constexpr const char* kEndless = R"PY(
import os, subprocess, time
here = os.path.dirname(__file__)
subprocess.Popen(["sh", "-c", f"sleep 1; touch {here}/survived"])
open(f"{here}/started", "w").close()
def run(x):
    while True:
        time.sleep(0.01)
)PY";

TEST_F(ReferenceTest, PythonThatTakesTooLongIsEndedWithAllThatItStarted) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  script(kEndless);
  options.time_limit_seconds = 0.5;
  while (!fs::exists(folder / "started")) {  // a slow machine needs more to get there
    const auto values = run_python();
    ASSERT_FALSE(values.ok());
    const Error& error = values.error();
    EXPECT_EQ(error.kind, ErrorKind::definition);
    EXPECT_EQ(error.code, "reference_timeout");
    EXPECT_EQ(error.file, (folder / "reference.py").string());
    EXPECT_NE(error.message.english().find("longer than the time limit of "), std::string::npos)
        << error.message;
    EXPECT_NE(error.hint.english().find("--time-limit"), std::string::npos) << error.hint;
    options.time_limit_seconds *= 2;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_FALSE(fs::exists(folder / "survived"));
}

TEST_F(ReferenceTest, PythonHeedsStop) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  script(kEndless);
  std::atomic<bool> stop = false;
  options.stop = &stop;
  options.time_limit_seconds = 60;
  std::chrono::steady_clock::time_point asked;
  std::thread user([&] {
    while (!fs::exists(folder / "started")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    asked = std::chrono::steady_clock::now();
    stop = true;
  });
  const auto values = run_python();
  const auto answered = std::chrono::steady_clock::now();
  user.join();
  ASSERT_FALSE(values.ok());
  EXPECT_EQ(values.error().kind, ErrorKind::cancelled);
  EXPECT_LT(answered - asked, std::chrono::seconds(1));
}

TEST_F(ReferenceTest, PythonThatLeavesProcessesBehindIsCleanedUp) {
  if (!has_numpy()) GTEST_SKIP() << "python3 has no numpy here";
  script(std::string(kEndless) + "def run(x):\n    return x\n");
  const auto values = run_python();
  EXPECT_TRUE(values.ok()) << values.error().message;
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_FALSE(fs::exists(folder / "survived"));
}

TEST_F(ReferenceTest, PythonThatIsMissingIsNamed) {
  const auto values = run_python();
  ASSERT_FALSE(values.ok());
  EXPECT_NE(values.error().message.english().find("reference.py"), std::string::npos);
}

TEST_F(ReferenceTest, RecordedOutputsThatAreMissingAreAnError) {
  const auto reference = recorded_reference(problem);
  ASSERT_FALSE(reference.ok());
  EXPECT_NE(reference.error().message.english().find("y.npy"), std::string::npos)
      << reference.error().message;
}

}  // namespace
