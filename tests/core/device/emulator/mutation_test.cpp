// SPDX-License-Identifier: GPL-3.0-or-later
// PTX of the problem library with one to three random changes each: it runs, is refused, or ends with a
// finding, and whatever is refused or found is said in words.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <random>

#include "compile/compile.h"
#include "core/kernels/library.h"
#include "support/any_ptx.h"

namespace ridge::device {
namespace {

constexpr int kMutantsOfAKernel = 60;

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutant(const std::string& text) {
    std::string result = text;
    const std::size_t changes = 1 + pick(3);
    for (std::size_t k = 0; k < changes; ++k) change(result);
    return result;
  }

 private:
  std::size_t pick(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  /// A random line of the text: begin and end.
  std::pair<std::size_t, std::size_t> line(const std::string& text) {
    const std::size_t at = pick(text.size());
    const std::size_t before = text.rfind('\n', at);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = text.find('\n', begin);
    return {begin, end == std::string::npos ? text.size() : end + 1};
  }

  void change(std::string& text) {
    if (text.empty()) return;
    const auto [begin, end] = line(text);
    const std::string one = text.substr(begin, end - begin);
    switch (pick(8)) {
      case 0:  // a line less
        text.erase(begin, end - begin);
        return;
      case 1:  // a line twice
        text.insert(begin, one);
        return;
      case 2: {  // a line elsewhere
        text.erase(begin, end - begin);
        text.insert(line(text).first, one);
        return;
      }
      case 3:  // another number
        return replace_one_of(text, begin, end, "0123456789", number());
      case 4:  // another type
        return replace_type(text, begin, end);
      case 5:  // a character less
        text.erase(begin + pick(end - begin), 1);
        return;
      case 6: {  // another character
        static constexpr std::string_view kCharacters = "%[]{};,.|!@+-09azAZ_ \t\n\0\xff(";
        text[begin + pick(end - begin)] = kCharacters[pick(kCharacters.size())];
        return;
      }
      default:  // cut short
        if (pick(8) == 0) text.resize(begin);
        return;
    }
  }

  std::string number() {
    static constexpr std::array kNumbers = {
        "0",   "1",     "-1",         "31",         "32",
        "33",  "255",   "65536",      "2147483647", "2147483648",
        "127", "1e999", "0f7FC00000", "4294967296", "18446744073709551615"};
    return kNumbers[pick(kNumbers.size())];
  }

  void replace_one_of(std::string& text, std::size_t begin, std::size_t end, const char* set,
                      const std::string& with) {
    const std::size_t from = text.find_first_of(set, begin + pick(end - begin));
    if (from == std::string::npos || from >= end) return;
    const std::size_t to = text.find_first_not_of(set, from);
    text.replace(from, std::min(to, end) - from, with);
  }

  void replace_type(std::string& text, std::size_t begin, std::size_t end) {
    static constexpr std::array kTypes = {".u8",   ".s16",   ".b16", ".u32",   ".s32", ".b32",
                                          ".u64",  ".s64",   ".b64", ".f16",   ".f32", ".f64",
                                          ".pred", ".f16x2", ".v4",  ".shared"};
    const std::size_t from = text.find('.', begin + pick(end - begin));
    if (from == std::string::npos || from >= end) return;
    const std::size_t to = text.find_first_of(". \t\n,;", from + 1);
    text.replace(from, std::min(to, end) - from, kTypes[pick(kTypes.size())]);
  }

  std::mt19937_64 random_;
};

class Mutation : public testing::TestWithParam<std::string> {};

TEST_P(Mutation, RunsIsRefusedOrIsFoundOut) {
  auto compiler = compile::Compiler::open();
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const source::KernelSource source = library::read(GetParam());
  const source::PreparedSource prepared = source::prepare(source);
  const std::string arch = source.directives.arch.given() ? source.directives.arch.text : "sm_90";
  const auto kernel = (*compiler)->compile(compile::request_for(source, prepared, arch));
  ASSERT_TRUE(kernel && kernel->ok);

  test::AnyPtx ptx;
  const test::Fate whole = ptx.run(kernel->ptx);
  ASSERT_TRUE(whole.loaded) << whole.words;
  Mutator mutator(std::hash<std::string>{}(GetParam()));
  int refused = 0;
  for (int k = 0; k < kMutantsOfAKernel; ++k) {
    const test::Fate fate = ptx.run(mutator.mutant(kernel->ptx));
    refused += fate.loaded ? 0 : 1;
    if (!fate.loaded || fate.faulted > 0) {
      EXPECT_FALSE(fate.words.empty());
    }
  }
  EXPECT_GT(refused, 0) << "changes that matter are not noticed";
  EXPECT_LT(refused, kMutantsOfAKernel) << "everything is refused";
}

INSTANTIATE_TEST_SUITE_P(Library, Mutation, testing::ValuesIn(library::kernel_files()),
                         [](const auto& test) { return library::test_name(test.param); });

}  // namespace
}  // namespace ridge::device
