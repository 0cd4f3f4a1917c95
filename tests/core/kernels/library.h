// SPDX-License-Identifier: GPL-3.0-or-later
// The problem library as its tests see it: every problem of kernels/ and every kernel file in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "problem/problem.h"
#include "source/source.h"

namespace ridge::library {

/// Names of the problems, sorted.
std::vector<std::string> problems();
std::filesystem::path folder_of(const std::string& problem);
/// The problem; fails the running test when it does not load.
problem::Problem load(const std::string& problem);

/// "softmax/fast.cu"; reference.cu is one of them.
std::vector<std::string> kernel_files();
std::vector<std::string> kernel_files(const std::string& problem);
source::KernelSource read(const std::string& kernel_file);

/// A name that GoogleTest takes: letters, digits and '_'.
std::string test_name(const std::string& text);

}  // namespace ridge::library
