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

TEST(Layering, a_room_includes_only_rooms_before_it) {
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

TEST(Layering, every_folder_of_core_is_a_room) {
  std::set<std::string> outside;
  for (const File& file : files_below("core", kCpp))
    if (room_of(file.path.substr(5)).empty()) outside.insert(file.path);
  EXPECT_TRUE(outside.empty()) << *outside.begin()
                               << " lies in no room of the list in tests/core/layering/tree.h";
}

TEST(Layering, core_does_not_include_the_applications) {
  for (const File& file : files_below("core", kCpp))
    for (const Include& include : includes(file.text))
      EXPECT_FALSE(include.header.starts_with("app/") || include.header.starts_with("../"))
          << place(file, include.line) << " includes " << include.header;
}

TEST(Layering, no_qt_in_core_and_command_line) {
  const std::vector<File> files = all_files({"core", "app/cli"}, kCpp);
  ASSERT_FALSE(files.empty());
  for (const File& file : files) {
    for (const Include& include : includes(file.text))
      EXPECT_FALSE(is_qt(include)) << place(file, include.line) << " includes " << include.header;
    const int line = line_with_word(file.text, {"QString", "QObject", "QWidget"});
    EXPECT_EQ(line, 0) << place(file, line) << " uses a type of Qt";
  }
}

TEST(Layering, no_cuda_header_in_the_desktop) {
  for (const File& file : files_below("app/desktop", kCpp))
    for (const Include& include : includes(file.text)) {
      EXPECT_FALSE(is_cuda(include)) << place(file, include.line) << " includes " << include.header;
      EXPECT_FALSE(include.header.starts_with("device/cuda/"))
          << place(file, include.line) << " includes " << include.header << ", which belongs to the worker";
    }
}

TEST(Layering, every_source_names_its_licence) {
  const std::vector<File> files =
      all_files({"core", "app", "tests", "kernels", "resources", "cmake", "packaging"},
                {".cpp", ".h", ".cu", ".cuh", ".toml", ".cmake", ".sh", "CMakeLists.txt"});
  ASSERT_GT(files.size(), 50u);
  for (const File& file : files) {
    const std::string start = file.text.substr(0, 160);  // the first line, or the second after a shebang
    EXPECT_NE(start.find("SPDX-License-Identifier: GPL-3.0-or-later"), std::string::npos) << file.path;
  }
}

TEST(Layering, no_file_has_outgrown_its_room) {
  for (const File& file : all_files({"core", "app", "tests"}, kCpp))
    EXPECT_LT(line_count(file.text), 700) << file.path << ": divide it";
}

TEST(Layering, every_header_is_included_once) {
  for (const File& file : all_files({"core", "app", "tests"}, {".h"}))
    EXPECT_NE(file.text.find("#pragma once"), std::string::npos) << file.path;
}

TEST(Layering, nothing_is_left_for_later) {
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

TEST(LayeringChecks, includes_are_found_with_line_and_kind) {
  const std::vector<Include> found =
      includes("// x\n#include \"base/text.h\"\n  # include <vector>\nint a; // #include\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].header, "base/text.h");
  EXPECT_TRUE(found[0].quoted);
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[1].header, "vector");
  EXPECT_FALSE(found[1].quoted);
}

TEST(LayeringChecks, rooms_are_told_by_the_longest_name) {
  EXPECT_EQ(room_of("device/cuda/driver.h"), "device/cuda");
  EXPECT_EQ(room_of("device/plan.h"), "device");
  EXPECT_EQ(room_of("vector"), "");
  EXPECT_EQ(room_of("devices/plan.h"), "");
}

TEST(LayeringChecks, later_rooms_and_the_other_device_are_refused) {
  EXPECT_EQ(objection("worker", "bench"), "");
  EXPECT_NE(objection("bench", "worker"), "");
  EXPECT_NE(objection("device/cuda", "device/emulator"), "");
  EXPECT_NE(objection("device/emulator", "device/cuda"), "");
  EXPECT_EQ(objection("device/emulator", "device"), "");
  EXPECT_NE(objection("device", "device/cuda"), "");
  EXPECT_EQ(objection("base", "base"), "");
}

TEST(LayeringChecks, qt_and_cuda_headers_are_recognised) {
  EXPECT_TRUE(is_qt({"QString", false, 1}));
  EXPECT_TRUE(is_qt({"QtCore/QObject", false, 1}));
  EXPECT_TRUE(is_qt({"Qsci/qsciscintilla.h", false, 1}));
  EXPECT_FALSE(is_qt({"Quality.h", true, 1}));
  EXPECT_TRUE(is_cuda({"nvrtc.h", false, 1}));
  EXPECT_TRUE(is_cuda({"cupti_activity.h", false, 1}));
  EXPECT_TRUE(is_cuda({"cuda_runtime_api.h", false, 1}));
  EXPECT_FALSE(is_cuda({"compile/compile.h", true, 1}));
}

TEST(LayeringChecks, words_are_found_whole) {
  EXPECT_EQ(line_with_word("a\nQString b\n", {"QString"}), 2);
  EXPECT_EQ(line_with_word("QStrings MyQString QString_\n", {"QString"}), 0);
}

}  // namespace
}  // namespace ridge::layering
