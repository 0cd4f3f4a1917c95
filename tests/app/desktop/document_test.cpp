// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/document.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QTemporaryDir>

#include "editor/code_editor.h"
#include "files.h"

namespace ridge::desktop {
namespace {

using samples::contentOf;

QString input(const QString& name) {
  return QStringLiteral(RIDGE_SOURCE_DIR "/tests/inputs/encodings/") + name;
}

/// Files that can be edited at all.
std::vector<std::string> editable() {
  return {"crlf_continuations.cu", "bom_crlf_chinese.cu", "utf8_chinese.cu",          "latin1_comments.cu",
          "gbk_comments.cu",       "latin1_in_string.cu", "tabs_no_final_newline.cu", "empty.cu",
          "only_comments.cu",      "mixed_line_ends.cu",  "nbsp_from_a_web_page.cu"};
}

class EachEncoding : public testing::TestWithParam<std::string> {};

TEST_P(EachEncoding, OpenEditUndoSaveGivesTheSameBytes) {
  const QString file = input(QString::fromStdString(GetParam()));
  const QByteArray bytes = contentOf(file);
  auto document = readDocument(file);
  ASSERT_TRUE(document.ok()) << document.error().message;
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(*document);
  EXPECT_FALSE(editor.isModified());
  auto unchanged = editor.fileBytes();
  ASSERT_TRUE(unchanged.ok()) << unchanged.error().message;
  EXPECT_EQ(*unchanged, bytes);
  editor.insertAt(QStringLiteral("a"), 0, 0);
  EXPECT_TRUE(editor.isModified());
  EXPECT_NE(*editor.fileBytes(), bytes);
  editor.undo();
  EXPECT_FALSE(editor.isModified());
  EXPECT_EQ(*editor.fileBytes(), bytes);
  const QTemporaryDir folder;
  const QString copy = folder.filePath(QStringLiteral("copy.cu"));
  ASSERT_TRUE(writeBytes(copy, *editor.fileBytes()).ok());
  EXPECT_EQ(contentOf(copy), bytes);
}

INSTANTIATE_TEST_SUITE_P(Files, EachEncoding, testing::ValuesIn(editable()), [](const auto& parameter) {
  return parameter.param.substr(0, parameter.param.find('.'));
});

TEST(Document, SaysWhichEncodingItTook) {
  EXPECT_EQ(readDocument(input(QStringLiteral("utf8_chinese.cu")))->charset, Charset::utf8);
  EXPECT_EQ(readDocument(input(QStringLiteral("gbk_comments.cu")))->charset, Charset::gb18030);
  EXPECT_EQ(readDocument(input(QStringLiteral("latin1_comments.cu")))->charset, Charset::windows1252);
  EXPECT_TRUE(readDocument(input(QStringLiteral("bom_crlf_chinese.cu")))->bom);
}

TEST(Document, ShowsTheLettersOfGbk) {
  const auto document = readDocument(input(QStringLiteral("gbk_comments.cu")));
  bool chinese = false;
  for (const QChar letter : QString::fromUtf8(document->text))
    chinese = chinese || (letter.unicode() >= 0x4E00 && letter.unicode() < 0xA000);
  EXPECT_TRUE(chinese);
}

TEST(Document, TypesTheLineEndsOfTheFile) {
  EXPECT_EQ(readDocument(input(QStringLiteral("crlf_continuations.cu")))->typedEnds,
            Document::LineEnds::crlf);
  EXPECT_EQ(readDocument(input(QStringLiteral("utf8_chinese.cu")))->typedEnds, Document::LineEnds::lf);
  EXPECT_TRUE(readDocument(input(QStringLiteral("mixed_line_ends.cu")))->mixedEnds);
}

TEST(Document, RefusesNulBytesWithTheirPlace) {
  const auto document = readDocument(input(QStringLiteral("nul_byte.cu")));
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().code, "nul_byte");
  EXPECT_EQ(document.error().line, 8);
  EXPECT_NE(document.error().message.english().find("line 8, column 38"), std::string::npos)
      << document.error().message;
  EXPECT_FALSE(readDocument(input(QStringLiteral("binary.cu"))).ok());
}

TEST(Document, RefusesUtf16AndConvertsItWhenAsked) {
  const QByteArray bytes("\xFF\xFEk\0\n\0", 6);
  const auto document = documentFromBytes(bytes, QStringLiteral("a.cu"));
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().code, "utf16");
  const auto converted = convertedFromUtf16(bytes, QStringLiteral("a.cu"));
  ASSERT_TRUE(converted.ok());
  EXPECT_EQ(converted->text, QByteArray("k\n"));
}

TEST(Document, RefusesWhatIsNoFile) {
  EXPECT_EQ(readDocument(QStringLiteral("/no/such/file.cu")).error().code, "no_file");
  EXPECT_EQ(readDocument(QStringLiteral("/tmp")).error().code, "no_regular_file");
}

TEST(Document, AsksBeforeALetterIsLost) {
  Document document = *readDocument(input(QStringLiteral("latin1_comments.cu")));
  const auto bytes = bytesOf(document, document.text + QStringLiteral("// 核\n").toUtf8());
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code, "lossy");
  EXPECT_NE(bytes.error().message.english().find("核"), std::string::npos) << bytes.error().message;
  document.charset = Charset::utf8;
  EXPECT_TRUE(bytesOf(document, document.text + QStringLiteral("// 核\n").toUtf8()).ok());
}

TEST(Document, RefusesACharsetThatTheBytesAreNot) {
  const QByteArray latin("// \xE9t\xE9 \n");
  EXPECT_FALSE(documentWithCharset(latin, QStringLiteral("a.cu"), Charset::utf8).ok());
  EXPECT_TRUE(documentWithCharset(latin, QStringLiteral("a.cu"), Charset::windows1252).ok());
}

TEST(Document, AFailedSaveKeepsTheOldFile) {
  EXPECT_EQ(writeBytes(QStringLiteral("/proc/nothing.cu"), QByteArray("x")).error().code, "save_failed");
}

TEST(Document, CountsColumnsInLetters) {
  Document document;
  const QByteArray line = QStringLiteral("中文abc").toUtf8();
  EXPECT_EQ(letterOfColumn(document, line, 1), 0);
  EXPECT_EQ(letterOfColumn(document, line, 7), 2);
  EXPECT_EQ(letterOfColumn(document, line, 8), 3);
}

TEST(Document, FindsOddBlanksAndReplacesThem) {
  const auto document = readDocument(input(QStringLiteral("nbsp_from_a_web_page.cu")));
  const auto odd = oddBlanks(document->text);
  ASSERT_FALSE(odd.empty());
  EXPECT_EQ(odd.front().line, 3);
  EXPECT_EQ(odd.front().column, 1);
  EXPECT_TRUE(oddBlanks(withoutOddBlanks(document->text)).empty());
}

}  // namespace
}  // namespace ridge::desktop
