// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that core/ says reaches a Chinese window in English.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QRegularExpression>
#include <algorithm>
#include <set>

#include "base/files.h"
#include "problem/problem.h"
#include "sample_runs.h"
#include "shell/language.h"
#include "source/source.h"
#include "verification/verification_pane.h"

namespace ridge::desktop {
namespace {

/// Two English words side by side, outside of quotes, brackets and code.
std::string englishIn(QString text) {
  static const QRegularExpression quoted(
      QStringLiteral("“[^”]*”|\"[^\"]*\"|'[^']*'|`[^`]*`|\\{[^}]*\\}|\\[[^\\]]*\\]|//"
                     "@[^，。；）]*|<[^>]*>|\\S*[/=_.:-]\\S*"));
  static const QRegularExpression words(QStringLiteral("\\b[A-Za-z]{2,} [a-z]{2,}\\b"));
  return words.match(text.replace(quoted, QStringLiteral("，"))).captured().toStdString();
}

class Chinese : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(language_.setCurrent(QStringLiteral("zh_CN"))); }
  void TearDown() override { language_.setCurrent(QStringLiteral("en")); }
  Language language_;
};

TEST_F(Chinese, FaultsOfProblemsAreTold) {
  const QDir folder(QStringLiteral(RIDGE_SOURCE_DIR "/tests/inputs/definitions"));
  int told = 0;
  for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    const auto loaded = problem::load_problem(folder.filePath(name).toStdString());
    for (const Diagnostic& diagnostic : loaded.diagnostics) {
      ++told;
      EXPECT_TRUE(diagnostic.message.has_pattern()) << format(diagnostic);
      for (const QString& text : {words(diagnostic.message), words(diagnostic.hint)})
        EXPECT_EQ(englishIn(text), "") << text.toStdString();
    }
  }
  EXPECT_GT(told, 30);
}

TEST_F(Chinese, FaultsOfSourcesAreTold) {
  int told = 0;
  const auto check = [&](const Sentence& sentence) {
    if (sentence.empty()) return;
    ++told;
    EXPECT_EQ(englishIn(words(sentence)), "") << words(sentence).toStdString();
  };
  for (const char* name : {"paste", "encodings", "ptx"}) {
    const QDir folder(QStringLiteral(RIDGE_SOURCE_DIR "/tests/inputs/") + QLatin1String(name));
    for (const QFileInfo& file : folder.entryInfoList(QDir::Files)) {
      if (!file.fileName().contains(QRegularExpression(QStringLiteral("\\.(cu|ptx)$")))) continue;
      const auto source = source::read_source(file.filePath().toStdString());
      if (!source) {
        EXPECT_TRUE(source.error().message.has_pattern()) << source.error().message;
        check(source.error().message);
        check(source.error().hint);
        continue;
      }
      const source::PreparedSource prepared = source::prepare(*source);
      Diagnostics all = source->diagnostics;
      all.insert(all.end(), prepared.diagnostics.begin(), prepared.diagnostics.end());
      for (const Diagnostic& diagnostic : all) {
        EXPECT_TRUE(diagnostic.message.has_pattern()) << format(diagnostic);
        check(diagnostic.message);
        check(diagnostic.hint);
      }
      for (const source::Question& question : prepared.questions) {
        EXPECT_TRUE(question.text.has_pattern()) << question.text;
        check(question.text);
      }
    }
  }
  EXPECT_GT(told, 20);
}

/// verdicts.json holds what kernels of tests/inputs/zoo get on the emulator.
TEST_F(Chinese, VerdictsAreTold) {
  const auto text = read_file(RIDGE_SOURCE_DIR "/tests/app/desktop/verdicts.json");
  ASSERT_TRUE(text) << text.error().message;
  const auto verdicts = parse_json(*text);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  Theme theme;
  VerificationPane pane(theme, nullptr);
  std::set<hardware::Status> seen;
  for (const Json& json : *verdicts) {
    auto verdict = verify::verdict_from_json(json);
    ASSERT_TRUE(verdict) << verdict.error().message;
    seen.insert(verdict->status);
    session::Run run = samples::wrong();
    run.verdict = *std::move(verdict);
    run.verdict.first.clear();
    pane.setRun(samples::shared(run));
    int texts = 0;
    for (const QLabel* label : pane.findChildren<QLabel*>()) {
      QString shown = label->text();
      shown.remove(QRegularExpression(QStringLiteral("<[^>]*>")));
      texts += shown.isEmpty() ? 0 : 1;
      EXPECT_EQ(englishIn(shown), "") << shown.toStdString();
    }
    EXPECT_GT(texts, 1);
  }
  for (const auto status :
       {hardware::Status::out_of_bounds, hardware::Status::race, hardware::Status::uninitialised,
        hardware::Status::wrong_values, hardware::Status::timeout})
    EXPECT_TRUE(seen.contains(status)) << hardware::name_of(status);
}

TEST_F(Chinese, AWarningOfAPassIsShown) {
  Theme theme;
  VerificationPane pane(theme, nullptr);
  session::Run run = samples::run("softmax", "online", "tiny", 1e6, 2e6, {});
  run.verdict.warnings = {
      say("The reference is 0 everywhere although its inputs vary, so a kernel that writes only zeros passes "
          "too. Check the reference, or choose inputs that tell kernels apart.")};
  pane.setRun(samples::shared(run));
  bool shown = false;
  for (const QLabel* label : pane.findChildren<QLabel*>())
    shown = shown || label->text().contains(QStringLiteral("警告：参考结果处处为 0"));
  EXPECT_TRUE(shown);
}

TEST_F(Chinese, AVerdictFollowsTheLanguage) {
  Theme theme;
  VerificationPane pane(theme, nullptr);
  session::Run run = samples::wrong();
  run.verdict.message = say("There is no reference to judge by.");
  run.verdict.findings.clear();
  pane.setRun(samples::shared(run));
  const auto shows = [&](const QString& text) {
    const auto labels = pane.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->text().contains(text); });
  };
  EXPECT_TRUE(shows(QStringLiteral("没有可用来判断的参考实现。")));
  language_.setCurrent(QStringLiteral("en"));
  QCoreApplication::processEvents();
  EXPECT_TRUE(shows(QStringLiteral("There is no reference to judge by.")));
}

}  // namespace
}  // namespace ridge::desktop
