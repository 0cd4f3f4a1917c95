// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the house: which room may include which, where Qt and CUDA's headers may appear, licence lines
// and sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/layering/tree.h"

namespace ridge::layering {
namespace {

const std::vector<std::string> kCpp = {".cpp", ".h"};

std::vector<File> all_files(const std::vector<std::string>& folders,
                            const std::vector<std::string>& endings) {
  std::vector<File> files;
  for (const std::string& folder : folders)
    for (File& file : files_below(folder, endings)) files.push_back(std::move(file));
  return files;
}

TEST(Layering, ARoomIncludesOnlyRoomsBeforeIt) {
  const std::vector<File> files = files_below("core", kCpp);
  ASSERT_GT(files.size(), 20u);
  for (const File& file : files) {
    const std::string room = room_of(file.path.substr(5));
    for (const Include& include : includes(file.text)) {
      const std::string other = room_of(include.header);
      if (!include.quoted || other.empty()) continue;
      const std::string reason = objection(room, other);
      EXPECT_TRUE(reason.empty()) << place(file, include.line) << " includes " << include.header << ": "
                                  << reason;
    }
  }
}

TEST(Layering, EveryFolderOfCoreIsARoom) {
  std::set<std::string> outside;
  for (const File& file : files_below("core", kCpp))
    if (room_of(file.path.substr(5)).empty()) outside.insert(file.path);
  EXPECT_TRUE(outside.empty()) << *outside.begin()
                               << " lies in no room of the list in tests/core/layering/tree.h";
}

TEST(Layering, CoreDoesNotIncludeTheApplications) {
  for (const File& file : files_below("core", kCpp))
    for (const Include& include : includes(file.text))
      EXPECT_FALSE(include.header.starts_with("app/") || include.header.starts_with("../"))
          << place(file, include.line) << " includes " << include.header;
}

TEST(Layering, NoQtInCoreAndCommandLine) {
  const std::vector<File> files = all_files({"core", "app/cli"}, kCpp);
  ASSERT_FALSE(files.empty());
  for (const File& file : files) {
    for (const Include& include : includes(file.text))
      EXPECT_FALSE(is_qt(include)) << place(file, include.line) << " includes " << include.header;
    const int line = line_with_word(file.text, {"QString", "QObject", "QWidget"});
    EXPECT_EQ(line, 0) << place(file, line) << " uses a type of Qt";
  }
}

TEST(Layering, NoCudaHeaderInTheDesktop) {
  for (const File& file : files_below("app/desktop", kCpp))
    for (const Include& include : includes(file.text)) {
      EXPECT_FALSE(is_cuda(include)) << place(file, include.line) << " includes " << include.header;
      EXPECT_FALSE(include.header.starts_with("device/cuda/"))
          << place(file, include.line) << " includes " << include.header << ", which belongs to the worker";
    }
}

TEST(Layering, EverySourceNamesItsLicence) {
  const std::vector<File> files =
      all_files({"core", "app", "tests", "kernels", "resources", "cmake", "packaging"},
                {".cpp", ".h", ".cu", ".cuh", ".toml", ".cmake", ".sh", "CMakeLists.txt"});
  ASSERT_GT(files.size(), 50u);
  for (const File& file : files) {
    const std::string start = file.text.substr(0, 160);  // the first line, or the second after a shebang
    EXPECT_NE(start.find("SPDX-License-Identifier: GPL-3.0-or-later"), std::string::npos) << file.path;
  }
}

TEST(Layering, NoFileHasOutgrownItsRoom) {
  for (const File& file : all_files({"core", "app", "tests"}, kCpp))
    EXPECT_LT(line_count(file.text), 700) << file.path << ": divide it";
}

TEST(Layering, EveryHeaderIsIncludedOnce) {
  for (const File& file : all_files({"core", "app", "tests"}, {".h"}))
    EXPECT_NE(file.text.find("#pragma once"), std::string::npos) << file.path;
}

TEST(Layering, NothingIsLeftForLater) {
  // Put together here so that this file does not hold the words it looks for.
  const std::vector<std::string> words = {std::string("TO") + "DO", std::string("FIX") + "ME",
                                          std::string("X") + "XX"};
  for (const File& file : all_files({"core", "app", "tests", "kernels", "packaging", "cmake"},
                                    {".cpp", ".h", ".cu", ".toml", ".cmake", ".sh", "CMakeLists.txt"})) {
    const int line = line_with_word(file.text, words);
    EXPECT_EQ(line, 0) << place(file, line);
  }
}

// The checks themselves.

TEST(LayeringChecks, IncludesAreFoundWithLineAndKind) {
  const std::vector<Include> found =
      includes("// x\n#include \"base/text.h\"\n  # include <vector>\nint a; // #include\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].header, "base/text.h");
  EXPECT_TRUE(found[0].quoted);
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[1].header, "vector");
  EXPECT_FALSE(found[1].quoted);
}

TEST(LayeringChecks, RoomsAreToldByTheLongestName) {
  EXPECT_EQ(room_of("device/cuda/driver.h"), "device/cuda");
  EXPECT_EQ(room_of("device/plan.h"), "device");
  EXPECT_EQ(room_of("vector"), "");
  EXPECT_EQ(room_of("devices/plan.h"), "");
}

TEST(LayeringChecks, LaterRoomsAndTheOtherDeviceAreRefused) {
  EXPECT_EQ(objection("worker", "bench"), "");
  EXPECT_NE(objection("bench", "worker"), "");
  EXPECT_NE(objection("device/cuda", "device/emulator"), "");
  EXPECT_NE(objection("device/emulator", "device/cuda"), "");
  EXPECT_EQ(objection("device/emulator", "device"), "");
  EXPECT_NE(objection("device", "device/cuda"), "");
  EXPECT_EQ(objection("base", "base"), "");
}

TEST(LayeringChecks, QtAndCudaHeadersAreRecognised) {
  EXPECT_TRUE(is_qt({"QString", false, 1}));
  EXPECT_TRUE(is_qt({"QtCore/QObject", false, 1}));
  EXPECT_TRUE(is_qt({"Qsci/qsciscintilla.h", false, 1}));
  EXPECT_FALSE(is_qt({"Quality.h", true, 1}));
  EXPECT_TRUE(is_cuda({"nvrtc.h", false, 1}));
  EXPECT_TRUE(is_cuda({"cupti_activity.h", false, 1}));
  EXPECT_TRUE(is_cuda({"cuda_runtime_api.h", false, 1}));
  EXPECT_FALSE(is_cuda({"compile/compile.h", true, 1}));
}

TEST(LayeringChecks, WordsAreFoundWhole) {
  EXPECT_EQ(line_with_word("a\nQString b\n", {"QString"}), 2);
  EXPECT_EQ(line_with_word("QStrings MyQString QString_\n", {"QString"}), 0);
}

}  // namespace
}  // namespace ridge::layering
