// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/launch_form.h"

#include <gtest/gtest.h>

#include <QTest>

#include "editor/code_editor.h"

namespace ridge::desktop {
namespace {

const char* kText =
    "//@ problem: softmax\n"
    "//@ grid: rows   # one block a row\n"
    "//@ block: 256\n"
    "__global__ void k(float* y, int rows) { }\n";

source::KernelSource sourceOf(const QByteArray& text) {
  return *source::parse_source(text.toStdString(), "k.cu");
}

TEST(LaunchForm, ShowsTheDirectives) {
  LaunchForm form(nullptr);
  const auto source = sourceOf(kText);
  form.setSource(source, source::prepare(source));
  EXPECT_EQ(form.field(QStringLiteral("grid"))->text(), QStringLiteral("rows"));
  EXPECT_EQ(form.field(QStringLiteral("block"))->text(), QStringLiteral("256"));
  EXPECT_TRUE(form.field(QStringLiteral("shared"))->text().isEmpty());
}

TEST(LaunchForm, AnEditChangesExactlyOneLine) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(*documentFromBytes(kText, QStringLiteral("k.cu")));
  LaunchForm form(nullptr);
  const auto source = sourceOf(kText);
  form.setSource(source, source::prepare(source));
  QObject::connect(&form, &LaunchForm::edited, [&](int launch, const QString& key, const QString& value) {
    const std::string text = editor.bytes().toStdString();
    editor.replaceText(QByteArray::fromStdString(source::with_directive(
        text, static_cast<std::size_t>(launch), key.toStdString(), value.toStdString())));
  });
  QLineEdit* block = form.field(QStringLiteral("block"));
  block->clear();
  QTest::keyClicks(block, QStringLiteral("128"));
  QTest::keyClick(block, Qt::Key_Return);
  const QList<QByteArray> before = QByteArray(kText).split('\n'), after = editor.bytes().split('\n');
  ASSERT_EQ(before.size(), after.size());
  for (qsizetype i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i], i == 2 ? QByteArray("//@ block: 128") : before[i]);
  }
}

TEST(LaunchForm, SaysNothingWhenNothingChanged) {
  LaunchForm form(nullptr);
  const auto source = sourceOf(kText);
  form.setSource(source, source::prepare(source));
  int edits = 0;
  QObject::connect(&form, &LaunchForm::edited, [&] { ++edits; });
  QTest::keyClick(form.field(QStringLiteral("block")), Qt::Key_Return);
  EXPECT_EQ(edits, 0);
}

TEST(LaunchForm, OffersEachLaunch) {
  const QByteArray text =
      "//@ kernel: a\n//@ block: 32\n//@ kernel: b\n//@ block: 64\n__global__ void a() {}\n__global__ void "
      "b() {}\n";
  LaunchForm form(nullptr);
  const auto source = sourceOf(text);
  form.setSource(source, source::prepare(source));
  auto* launch = form.findChild<QComboBox*>();
  ASSERT_EQ(launch->count(), 2);
  launch->setCurrentIndex(1);
  EXPECT_EQ(form.field(QStringLiteral("block"))->text(), QStringLiteral("64"));
}

}  // namespace
}  // namespace ridge::desktop
