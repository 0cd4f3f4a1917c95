// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace ridge::test {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments, const fs::path& out,
                         const fs::path& err) {
  const int output = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int errors = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  setenv("RIDGE_CACHE", RIDGE_BINARY_DIR "/test-cache", 1);
  const std::string program = RIDGE_BINARY_DIR "/bin/ridge";
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  _exit(127);
}

}  // namespace

Json Outcome::document() const {
  auto parsed = parse_json(out);
  if (parsed) return *parsed;
  ADD_FAILURE() << "standard output is no JSON document: " << parsed.error().message << "\n"
                << out << "\n"
                << err;
  return {};
}

Outcome run_ridge(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  int status = 0;
  waitpid(start_ridge(arguments, folder.path()), &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(folder.path() / "out"),
          text_of(folder.path() / "err")};
}

pid_t start_ridge(const std::vector<std::string>& arguments, const fs::path& folder) {
  const pid_t child = fork();
  if (child == 0) become(arguments, folder / "out", folder / "err");
  return child;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "ridge-test-XXXXXX").string();
  path_ = mkdtemp(name.data());
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}
fs::path TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

fs::path source_tree() {
  return RIDGE_SOURCE_DIR;
}

std::string kernel(const std::string& name) {
  return (source_tree() / "kernels" / name).string();
}

std::string input(const std::string& name) {
  return (source_tree() / "tests" / "inputs" / name).string();
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace ridge::test
