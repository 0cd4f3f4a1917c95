// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/library.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge::library {
namespace fs = std::filesystem;

namespace {

fs::path root() {
  return fs::path(RIDGE_SOURCE_DIR) / "kernels";
}

std::string all_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += format(diagnostic) + "\n";
  return text;
}

}  // namespace

std::vector<std::string> problems() {
  std::vector<std::string> names;
  for (const fs::path& folder : problem::find_problems(root())) names.push_back(folder.filename().string());
  return names;
}

fs::path folder_of(const std::string& problem) {
  return root() / problem;
}

problem::Problem load(const std::string& name) {
  const problem::LoadedProblem loaded = problem::load_problem(folder_of(name));
  EXPECT_TRUE(loaded.diagnostics.empty()) << all_of(loaded.diagnostics);
  EXPECT_TRUE(loaded.problem.has_value());
  return loaded.problem.value_or(problem::Problem{});
}

std::vector<std::string> kernel_files(const std::string& problem) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(problem)))
    if (entry.path().extension() == ".cu") files.push_back(problem + "/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> kernel_files() {
  std::vector<std::string> files;
  for (const std::string& problem : problems())
    for (std::string& file : kernel_files(problem)) files.push_back(std::move(file));
  return files;
}

source::KernelSource read(const std::string& kernel_file) {
  Result<source::KernelSource> source = source::read_source(root() / kernel_file);
  EXPECT_TRUE(source.ok()) << (source ? "" : source.error().message);
  if (!source) return {};
  EXPECT_TRUE(source->diagnostics.empty()) << all_of(source->diagnostics);
  return std::move(source).value();
}

std::string test_name(const std::string& text) {
  std::string name = text;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

}  // namespace ridge::library
