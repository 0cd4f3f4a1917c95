// SPDX-License-Identifier: GPL-3.0-or-later
// Every source of tests/inputs/encodings, paste and ptx: what the text alone tells about kernels, host-only
// lines, questions and directives is compared with expected.json. What only a compiler can tell is tested
// with the compiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "source/source.h"

namespace ridge::source {
namespace {

namespace fs = std::filesystem;
const fs::path kInputs = fs::path(RIDGE_SOURCE_DIR) / "tests/inputs";

/// An entry of expected.json; tests print its file only.
struct Input {
  Json entry;
};
void PrintTo(const Input& input, std::ostream* out) {
  *out << read_string(input.entry, "file");
}

std::vector<Input> inputs_of(const std::string& folder) {
  const auto text = read_file(kInputs / folder / "expected.json");
  const auto document = text ? parse_json(*text) : Result<Json>(text.error());
  std::vector<Input> entries;
  if (document)
    for (const Json& entry : document->at("inputs"))
      if (entry.contains("file")) entries.push_back({entry});
  return entries;
}

std::string test_name(const testing::TestParamInfo<Input>& test) {
  std::string name = read_string(test.param.entry, "file");
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// "name@line(type name, …)" of every kernel, in the order of the file.
std::vector<std::string> kernels_of(const PreparedSource& prepared) {
  std::vector<std::string> kernels;
  for (const Signature& kernel : prepared.kernels) {
    std::string text = kernel.name + "@" + std::to_string(kernel.line) + "(";
    for (const Parameter& parameter : kernel.parameters)
      text += without_blanks(parameter.type) + " " + parameter.name + ", ";
    kernels.push_back(text + ")");
  }
  return kernels;
}
std::vector<std::string> expected_kernels(const Json& entry) {
  std::vector<std::string> kernels;
  for (const Json& kernel : entry.at("kernels")) {
    std::string text =
        read_string(kernel, "name") + "@" + std::to_string(read_integer(kernel, "line", 0)) + "(";
    for (const Json& parameter : kernel.at("params"))
      text += without_blanks(read_string(parameter, "type")) + " " + read_string(parameter, "name") + ", ";
    kernels.push_back(text + ")");
  }
  return kernels;
}

std::set<int> lines_of(const std::vector<Ignored>& ignored) {
  std::set<int> lines;
  for (const Ignored& range : ignored)
    for (int line = range.first; line <= range.last; ++line) lines.insert(line);
  return lines;
}
std::set<int> lines_of(const Json& ranges) {
  std::set<int> lines;
  for (const Json& range : ranges)
    for (int line = range.at("lines").at(0); line <= range.at("lines").at(1); ++line) lines.insert(line);
  return lines;
}
/// Ranges that expected.json lets stay: "may also stay" or only used by the host and harmless to NVRTC.
std::set<int> lines_that_may_stay(const Json& ranges) {
  std::set<int> lines;
  for (const Json& range : ranges) {
    const std::string why = read_string(range, "why");
    if (why.find("may also stay") == std::string::npos && why != "host string" &&
        why != "host global table" && why.find("host struct") == std::string::npos)
      continue;
    for (int line = range.at("lines").at(0); line <= range.at("lines").at(1); ++line) lines.insert(line);
  }
  return lines;
}

/// What the text alone cannot give: file -> field -> reason. Shrink it, never grow it.
const std::map<std::string, std::map<std::string, std::string>> kGaps = {
    {"macro_made_kernels.cu",
     {{"kernels", "the kernels exist only after macro expansion: the compiled module lists them"},
      {"ask", "the same"}}},
    {"missing_header.cu",
     {{"ignored", "whether an absent header of the project is for the host only cannot be told"},
      {"ask", "so both absent headers are asked for"}}},
};

bool is_gap(const std::string& file, const std::string& field) {
  const auto found = kGaps.find(file);
  return found != kGaps.end() && found->second.contains(field);
}

/// Lines and columns stay, and so does everything that is not blanked.
void expect_same_layout(const KernelSource& source, const PreparedSource& prepared) {
  ASSERT_EQ(prepared.text.size(), source.text.size());
  for (std::size_t i = 0; i < source.text.size(); ++i)
    ASSERT_TRUE(prepared.text[i] == source.text[i] || (prepared.text[i] == ' ' && source.text[i] != '\n'))
        << "at offset " << i;
}

class Pasted : public testing::TestWithParam<Input> {};

TEST_P(Pasted, IsUnderstood) {
  const Json& entry = GetParam().entry;
  const std::string file = read_string(entry, "file");
  const auto source = read_source(kInputs / "paste" / file);
  ASSERT_TRUE(source) << source.error().message;
  const PreparedSource prepared = prepare(*source);
  expect_same_layout(*source, prepared);

  if (!is_gap(file, "kernels")) {
    EXPECT_EQ(kernels_of(prepared), expected_kernels(entry));
  }
  if (!is_gap(file, "ignored")) {
    const std::set<int> wanted = lines_of(entry.at("ignored")),
                        may_stay = lines_that_may_stay(entry.at("ignored"));
    const std::set<int> got = lines_of(prepared.ignored);
    for (const int line : wanted)
      EXPECT_TRUE(got.contains(line) || may_stay.contains(line)) << "line " << line << " stays";
    for (const int line : got) EXPECT_TRUE(wanted.contains(line)) << "line " << line << " was blanked";
  }
  if (!is_gap(file, "ask")) {
    std::vector<std::string> asked, wanted;
    for (const Question& question : prepared.questions) asked.push_back(question.kind);
    const std::map<std::string, std::string> kinds = {
        {"kernel", "kernel"}, {"template_arguments", "template"}, {"include_dir", "include"}};
    for (const Json& question : member(entry, "ask").is_array() ? entry.at("ask") : Json::array()) {
      const auto kind = kinds.find(read_string(question, "about"));
      // Symbols, arguments, macros and launches are asked for once the kernel is compiled.
      if (kind == kinds.end()) continue;
      wanted.push_back(kind->second);
      if (kind->second != "kernel" || is_gap(file, "choices")) continue;
      for (const Question& own : prepared.questions) {
        if (own.kind != "kernel") continue;
        EXPECT_EQ(own.choices, question.at("choices").get<std::vector<std::string>>());
      }
    }
    EXPECT_THAT(asked, testing::UnorderedElementsAreArray(wanted));
  }
}
INSTANTIATE_TEST_SUITE_P(Inputs, Pasted, testing::ValuesIn(inputs_of("paste")), test_name);

class Encoded : public testing::TestWithParam<Input> {};

TEST_P(Encoded, IsReadOrRefused) {
  const Json& entry = GetParam().entry;
  const std::string file = read_string(entry, "file");
  const Json& facts = entry.at("file_facts");
  const auto source = read_source(kInputs / "encodings" / file);
  EXPECT_EQ(source.ok(), read_integer(facts, "nul_bytes", 0) == 0);
  if (!source) {
    EXPECT_THAT(source.error().message.english(),
                testing::AnyOf(testing::HasSubstr("line 8, column 38"), testing::HasSubstr("ELF")));
    return;
  }
  EXPECT_EQ(source->encoding.bom, read_bool(facts, "utf8_bom", false));
  EXPECT_EQ(source->encoding.valid_utf8, read_bool(facts, "valid_utf8", true));
  EXPECT_EQ(source->encoding.final_newline, read_bool(facts, "final_newline", true));
  const Json& ends = facts.at("line_ends");
  const auto lf = read_integer(ends, "lf", 0), crlf = read_integer(ends, "crlf", 0);
  EXPECT_EQ(source->encoding.line_ends, crlf == 0 ? Encoding::LineEnds::lf
                                        : lf == 0 ? Encoding::LineEnds::crlf
                                                  : Encoding::LineEnds::mixed);
  EXPECT_EQ(source->text.find('\r'), std::string::npos);
  EXPECT_EQ(source->text.size(), static_cast<std::size_t>(read_integer(facts, "bytes", 0) - crlf -
                                                          (source->encoding.bom ? 3 : 0)));
  const PreparedSource prepared = prepare(*source);
  expect_same_layout(*source, prepared);
  EXPECT_EQ(kernels_of(prepared), expected_kernels(entry));
  EXPECT_EQ(lines_of(prepared.ignored), lines_of(entry.at("ignored")));
}
INSTANTIATE_TEST_SUITE_P(Inputs, Encoded, testing::ValuesIn(inputs_of("encodings")), test_name);

TEST(Inputs, ALargeFileIsPrepared) {
  const fs::path path = fs::path(testing::TempDir()) / ("ridge_large_" + std::to_string(::getpid()) + ".cu");
  const std::string command =
      "python3 " + (kInputs / "encodings/make_large.py").string() + " " + path.string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto source = read_source(path);
  fs::remove(path);
  ASSERT_TRUE(source);
  const PreparedSource prepared = prepare(*source);
  ASSERT_EQ(prepared.kernels.size(), 1u);
  EXPECT_EQ(prepared.kernels[0].name, "apply_response");
  EXPECT_EQ(prepared.kernels[0].line, 169042);
  EXPECT_TRUE(prepared.ignored.empty());
}

class Ptx : public testing::TestWithParam<Input> {};

TEST_P(Ptx, ListsItsEntries) {
  const Json& entry = GetParam().entry;
  const std::string file = read_string(entry, "file");
  const auto source = read_source(kInputs / "ptx" / file);
  ASSERT_TRUE(source);
  const PreparedSource prepared = prepare(*source);
  EXPECT_EQ(prepared.text, source->text);
  std::vector<std::string> wanted, got;
  for (const Json& kernel : entry.at("entries"))
    wanted.push_back(read_string(kernel, "name") + "@" + std::to_string(read_integer(kernel, "line", 0)) +
                     "/" + std::to_string(kernel.at("params").size()));
  for (const Signature& kernel : prepared.kernels)
    got.push_back(kernel.name + "@" + std::to_string(kernel.line) + "/" +
                  std::to_string(kernel.parameters.size()));
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(has_errors(prepared.diagnostics), wanted.empty());
}
INSTANTIATE_TEST_SUITE_P(Inputs, Ptx, testing::ValuesIn(inputs_of("ptx")), test_name);

}  // namespace
}  // namespace ridge::source
