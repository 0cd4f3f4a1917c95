// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridge {
namespace {

TEST(JsonNumbers, NonFiniteAndLargeOnesAreStrings) {
  EXPECT_EQ(json_number(std::nan("")).dump(), "\"nan\"");
  EXPECT_EQ(json_number(-std::numeric_limits<double>::infinity()).dump(), "\"-inf\"");
  EXPECT_EQ(json_number(std::optional<double>{}).dump(), "null");
  EXPECT_EQ(json_number(268435456.0).dump(), "268435456");
  EXPECT_EQ(json_number(0.5).dump(), "0.5");
  EXPECT_EQ(json_integer((std::int64_t{1} << 53) + 1).dump(), "\"9007199254740993\"");
  EXPECT_EQ(json_unsigned(std::numeric_limits<std::uint64_t>::max()).dump(), "\"18446744073709551615\"");
}

TEST(JsonNumbers, ReadersTakeBothForms) {
  const Json json{{"a", "nan"}, {"b", 2}, {"c", "9007199254740993"}, {"d", "x"}, {"e", nullptr}, {"f", -1}};
  EXPECT_TRUE(std::isnan(read_number(json, "a", 0)));
  EXPECT_EQ(read_number(json, "b", 0), 2);
  EXPECT_EQ(read_integer(json, "c", 0), 9007199254740993);
  EXPECT_EQ(read_integer(json, "d", 7), 7);
  EXPECT_FALSE(read_number(json, "e").has_value());
  EXPECT_EQ(read_unsigned(json, "f", 3), 3u);
  EXPECT_EQ(read_string(json, "b", "fallback"), "fallback");
  EXPECT_TRUE(member(json, "missing").is_null());
  EXPECT_TRUE(member(Json(3), "x").is_null());
}

TEST(ParseJson, NamesTheLine) {
  const auto result = parse_json("{\n \"a\": 1,\n}");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().line, 3);
}

TEST(ParseJson, DepthIsLimitedAndBracketsInStringsDoNotCount) {
  EXPECT_EQ(parse_json(std::string(100000, '[')).error().code, "json_depth");
  EXPECT_TRUE(parse_json("\"" + std::string(1000, '[') + "\"").ok());
}

TEST(JsonValues, DiagnosticsAndErrorsRoundTrip) {
  const Diagnostic fault{Severity::warning, "x.cu", 7, 0, "nvrtc", "odd", ""};
  const Json json = to_json(fault);
  EXPECT_TRUE(json["column"].is_null());
  const Diagnostic back = diagnostic_from_json(json);
  EXPECT_EQ(back.line, 7);
  EXPECT_EQ(back.severity, Severity::warning);
  EXPECT_EQ(back.hint, "");
  const Error error{ErrorKind::component, "nvrtc_missing", "no NVRTC", "install it", "f", 3};
  const Error again = error_from_json(to_json(error));
  EXPECT_EQ(again.kind, ErrorKind::component);
  EXPECT_EQ(again.hint, "install it");
}

TEST(Base64, RoundTripsEveryLengthAndRefusesRubbish) {
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");  // RFC 4648, section 10
  EXPECT_EQ(encode_base64("foob"), "Zm9vYg==");
  for (std::size_t length = 0; length < 70; ++length) {
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>(i * 37);
    EXPECT_EQ(decode_base64(encode_base64(bytes)), bytes);
  }
  EXPECT_FALSE(decode_base64("abc").has_value());
  EXPECT_FALSE(decode_base64("ab*=").has_value());
  EXPECT_FALSE(decode_base64("=abc").has_value());
  EXPECT_FALSE(decode_base64("ab==abcd").has_value());
}

}  // namespace
}  // namespace ridge
