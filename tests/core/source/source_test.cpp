// SPDX-License-Identifier: GPL-3.0-or-later
#include "source/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::source {
namespace {

using namespace std::string_view_literals;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refusal(std::string_view bytes) {
  const auto source = parse_source(bytes, "k.cu");
  EXPECT_FALSE(source);
  return source ? "" : source.error().message.english();
}

TEST(ParseSource, KeepsTextAndRemembersLayout) {
  const auto source = parse_source("\xEF\xBB\xBF// a\r\nb\r\n", "k.cu");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->text, "// a\nb\n");
  EXPECT_TRUE(source->encoding.bom);
  EXPECT_EQ(source->encoding.line_ends, Encoding::LineEnds::crlf);
  EXPECT_TRUE(source->encoding.final_newline);
  EXPECT_THAT(source->diagnostics, IsEmpty());
  const auto mixed = parse_source("a\nb\r\nc", "k.cu");
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->encoding.line_ends, Encoding::LineEnds::mixed);
  EXPECT_FALSE(mixed->encoding.final_newline);
}

TEST(ParseSource, RefusesWhatIsNoText) {
  EXPECT_THAT(refusal("\xFF\xFE"
                      "a\0b\0"sv),
              HasSubstr("UTF-16"));
  EXPECT_THAT(refusal("\xFE\xFF\0a\0b"sv), HasSubstr("UTF-16"));
  EXPECT_THAT(refusal("\xFF\xFE\0\0a\0\0\0"sv), HasSubstr("UTF-32"));
  EXPECT_THAT(refusal("a\0b\0c\0"sv), HasSubstr("UTF-16"));
  EXPECT_THAT(refusal("first line\nab\0 and then enough text"sv), HasSubstr("line 2, column 3"));
  EXPECT_THAT(refusal("\x7F"
                      "ELF\0\0\0"sv),
              HasSubstr("ELF"));
  EXPECT_THAT(refusal(std::string((16u << 20) + 1, ' ')), HasSubstr("16 MiB"));
}

TEST(ParseSource, InvalidBytesAreKeptAndNamed) {
  const auto source = parse_source(
      "// a\n// 90 \xB0"
      "C\n",
      "k.cu");
  ASSERT_TRUE(source);
  EXPECT_FALSE(source->encoding.valid_utf8);
  EXPECT_THAT(source->text, HasSubstr("\xB0"));
  ASSERT_EQ(source->diagnostics.size(), 1u);
  EXPECT_EQ(source->diagnostics[0].line, 2);
  EXPECT_THAT(source->diagnostics[0].message.english(), HasSubstr("0xB0"));
  EXPECT_THAT(source->diagnostics[0].message.english(), HasSubstr("Latin-1"));
  EXPECT_EQ(source->diagnostics[0].severity, Severity::warning);
  for (const std::string bytes : {"// \xC0\x80", "// \xED\xA0\x80", "// \xF5\x80\x80\x80", "// \xE4\xB8"})
    EXPECT_FALSE(parse_source(bytes, "k.cu")->encoding.valid_utf8) << bytes;
}

TEST(ParseSource, TypographicCharactersInCodeAreNamed) {
  const auto source = parse_source(
      "int\xC2\xA0x;\xC2\xA0\n// \xE2\x80\x9Cquoted\xE2\x80\x9D\nprintf(\xE2\x80\x9Chi\xE2\x80\x9D);\n",
      "k.cu");
  ASSERT_TRUE(source);
  ASSERT_EQ(source->diagnostics.size(), 3u);
  EXPECT_EQ(source->diagnostics[0].line, 1);
  EXPECT_EQ(source->diagnostics[0].column, 4);
  EXPECT_THAT(source->diagnostics[0].message.english(), HasSubstr("U+00A0"));
  EXPECT_THAT(source->diagnostics[0].hint.english(), HasSubstr("blank"));
  EXPECT_EQ(source->diagnostics[1].line, 3);
}

TEST(ParseSource, TheLanguageFollowsNameAndText) {
  EXPECT_EQ(parse_source("x", "k.ptx")->language, Language::ptx);
  EXPECT_EQ(parse_source("// made\n.version 8.4\n", "k.txt")->language, Language::ptx);
  EXPECT_EQ(parse_source(".version 8.4\n", "k.cu")->language, Language::ptx);
  EXPECT_EQ(parse_source("__global__ void k() {}", "k.cu")->language, Language::cuda);
}

TEST(ReadSource, NamesAMissingFile) {
  const auto source = read_source("/nowhere/k.cu");
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().message.english(), HasSubstr("/nowhere/k.cu"));
}

}  // namespace
}  // namespace ridge::source
