// SPDX-License-Identifier: GPL-3.0-or-later
// What core/ says must be there in Chinese: lupdate sees tr(), these tests see say() and phrase().
#include <gtest/gtest.h>

#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include "base/json.h"
#include "shell/language.h"
#include "ts_file.h"

namespace ridge::desktop {
namespace {

TEST(CoreTranslation, EveryPatternIsInTheCatalogue) {
  QMap<QString, Message> known;
  for (const Message& message : messagesOf(translationFile("core", "zh_CN"))) {
    EXPECT_EQ(message.context, QStringLiteral("core"));
    known[message.source] = message;
  }
  const std::vector<QString> patterns = corePatterns();
  EXPECT_GT(patterns.size(), 500u);
  for (const QString& pattern : patterns) {
    ASSERT_TRUE(known.contains(pattern))
        << "ridge_translations_update takes it in: " << pattern.toStdString();
    const Message message = known.take(pattern);
    EXPECT_TRUE(message.finished && !message.translation.isEmpty()) << pattern.toStdString();
  }
  for (const QString& stale : known.keys()) ADD_FAILURE() << "nothing says this: " << stale.toStdString();
}

TEST(CoreTranslation, KeepsThePlaces) {
  for (const Message& message : messagesOf(translationFile("core", "zh_CN")))
    EXPECT_EQ(placesOf(message.source), placesOf(message.translation))
        << message.source.toStdString() << " -> " << message.translation.toStdString();
}

TEST(CoreTranslation, SpeaksChinese) {
  static const QRegularExpression sentence(QStringLiteral("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
  static const QRegularExpression han(QStringLiteral("\\p{Han}"));
  for (const Message& message : messagesOf(translationFile("core", "zh_CN")))
    if (message.source.contains(sentence)) {
      EXPECT_TRUE(message.translation.contains(han)) << message.translation.toStdString();
    }
}

class Words : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(language_.setCurrent(QStringLiteral("zh_CN"))); }
  void TearDown() override { language_.setCurrent(QStringLiteral("en")); }
  Language language_;
};

TEST_F(Words, TranslatePatternsAndTheirArguments) {
  const Sentence sentence =
      say("The kernel wrote outside of its tensors: {}.", say("{}: {} bytes after its end", "y", 4));
  EXPECT_EQ(sentence.english(), "The kernel wrote outside of its tensors: y: 4 bytes after its end.");
  EXPECT_EQ(words(sentence), QStringLiteral("内核写到了张量之外：y 末尾之后的 4 字节。"));
  language_.setCurrent(QStringLiteral("en"));
  EXPECT_EQ(words(sentence).toStdString(), sentence.english());
}

TEST_F(Words, KeepWhatHasNoPattern) {
  EXPECT_EQ(words(Sentence("identifier \"y\" is undefined")),
            QStringLiteral("identifier \"y\" is undefined"));
  const Sentence newer = Sentence::from_parts("said by a newer release about {}", {"x"});
  EXPECT_EQ(words(newer), QStringLiteral("said by a newer release about x"));
}

TEST_F(Words, PutTheWayOutBehindAnError) {
  const Error ended{ErrorKind::usage, "c", say("There is no device '{}'.", "gpu"),
                    say("Write auto, emulator, or cuda:N.")};
  EXPECT_EQ(words(ended), QStringLiteral("没有设备“gpu”。请写 auto、emulator 或 cuda:N。"));
  const Error open{ErrorKind::usage, "c", say("problem {} has no workload {}", "p", "w"),
                   say("{} is near", "v")};
  EXPECT_EQ(words(open), QStringLiteral("题目 p 没有工作负载 w — 相近的有 v"));
}

TEST_F(Words, SurviveTheWayThroughJson) {
  Json json;
  put_sentence(json, "message", say("{} of {} arrivals", 1, 2));
  EXPECT_EQ(json["message"], "1 of 2 arrivals");
  EXPECT_EQ(words(read_sentence(json, "message")), QStringLiteral("2 次到达中的 1 次"));
}

}  // namespace
}  // namespace ridge::desktop
