// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sentence.h"

#include <gtest/gtest.h>

#include <array>

#include "base/json.h"

namespace ridge {
namespace {

TEST(Sentence, FillsItsPlacesInEnglish) {
  const Sentence sentence = say("{} of {} elements of {} are wrong", 3, std::int64_t{128}, "y");
  EXPECT_EQ(sentence.english(), "3 of 128 elements of y are wrong");
  EXPECT_EQ(sentence.pattern(), "{} of {} elements of {} are wrong");
  ASSERT_EQ(sentence.arguments().size(), 3u);
  EXPECT_EQ(sentence.arguments()[2].english(), "y");
  EXPECT_FALSE(sentence.arguments()[2].has_pattern());
}

TEST(Sentence, ConsistsOfSentences) {
  const Sentence sentence = say("{}: {}", "grid", say("{} is missing", "x"));
  EXPECT_EQ(sentence.english(), "grid: x is missing");
  EXPECT_TRUE(sentence.arguments()[1].has_pattern());
}

TEST(Sentence, TakesPlainWordsAsTheyAre) {
  const Sentence words = "a {} b";
  EXPECT_FALSE(words.has_pattern());
  EXPECT_EQ(words.english(), "a {} b");
  EXPECT_EQ(say("said: {}", words).english(), "said: a {} b");
  EXPECT_TRUE(Sentence().empty());
}

TEST(Sentence, KeepsBracesThatAreNoPlaces) {
  EXPECT_EQ(say("Write {}: void k(...) { ... }", "it").english(), "Write it: void k(...) { ... }");
}

TEST(Sentence, PlacesMayBeNumbered) {
  const std::array<std::string, 2> words{"a", "b"};
  EXPECT_EQ(fill("{1} before {0}, {1}", words), "b before a, b");
  EXPECT_EQ(fill("{} and {} and {}", words), "a and b and {}");
  EXPECT_EQ(fill("{7}{", words), "{7}{");
}

TEST(Sentence, JoinsWithOneBlank) {
  EXPECT_EQ(join("It fails.", "Try again.").english(), "It fails. Try again.");
  EXPECT_EQ(join("", "Try again.").english(), "Try again.");
  EXPECT_FALSE(join("It fails.", {}).has_pattern());
}

TEST(SentenceJson, TravelsWithItsParts) {
  Json json;
  put_sentence(json, "message", say("{}: {}", "x", say("{} is missing", "y")));
  EXPECT_EQ(json.dump(),
            R"({"message":"x: y is missing","message_parts":["{}: {}","x",["{} is missing","y"]]})");
  const Sentence back = read_sentence(json, "message");
  EXPECT_EQ(back.english(), "x: y is missing");
  ASSERT_TRUE(back.has_pattern());
  EXPECT_EQ(back.arguments()[1].pattern(), "{} is missing");
}

TEST(SentenceJson, HasNoPartsWhereNothingCanBeTranslated) {
  Json json;
  put_sentence(json, "message", "expected a ;");
  EXPECT_EQ(json.dump(), R"({"message":"expected a ;"})");
  EXPECT_EQ(read_sentence(Json::parse(R"({"message":"of an old session"})"), "message").english(),
            "of an old session");
}

TEST(SentenceJson, PassesOverMalformedParts) {
  std::string deep = "\"x\"";
  for (int i = 0; i < 100; ++i) deep = "[\"{}\"," + deep + "]";
  for (const std::string& parts :
       {std::string("7"), std::string("null"), std::string("[]"), std::string("[7]"),
        std::string(R"(["{} is missing"])"), std::string(R"(["{} is missing", 7])"),
        std::string(R"(["{} is missing", "y"])"), std::string(R"({"a": 1})"), deep}) {
    const Sentence read = read_sentence(
        Json::parse(R"({"message": "x is missing", "message_parts": )" + parts + "}"), "message");
    EXPECT_EQ(read.english(), "x is missing");
    EXPECT_FALSE(read.has_pattern()) << parts;
  }
}

TEST(SentenceJson, WritesNoMoreThanItReads) {
  Sentence deep = "x";
  for (int i = 0; i < 40; ++i) deep = say("({})", deep);
  Json json;
  put_sentence(json, "message", deep);
  EXPECT_TRUE(read_sentence(json, "message").has_pattern());
  EXPECT_EQ(read_sentence(json, "message").english(), deep.english());
}

TEST(SentenceJson, ListsOfSentences) {
  Json json;
  put_sentences(json, "notes", {"plain", say("{} is missing", "x")});
  EXPECT_EQ(json["notes"].dump(), R"(["plain","x is missing"])");
  const std::vector<Sentence> back = read_sentences(json, "notes");
  ASSERT_EQ(back.size(), 2u);
  EXPECT_FALSE(back[0].has_pattern());
  EXPECT_TRUE(back[1].has_pattern());
  EXPECT_EQ(read_sentences(Json::parse(R"({"notes": ["a", 7], "notes_parts": "no"})"), "notes").size(), 1u);
}

}  // namespace
}  // namespace ridge
