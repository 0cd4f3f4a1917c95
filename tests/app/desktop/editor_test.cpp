// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "actions/command_palette.h"
#include "editor/code_editor.h"
#include "editor/diagnostics_pane.h"
#include "editor/find_bar.h"
#include "sample_runs.h"
#include "verification/verification_pane.h"

namespace ridge::desktop {
namespace {

Document textOf(const char* text, const char* file = "k.cu") {
  return *documentFromBytes(QByteArray(text), QLatin1String(file));
}

Diagnostics twoFaults() {
  return {{Severity::error, "k.cu", 2, 3, "nvrtc", "identifier \"x\" is undefined", ""},
          {Severity::warning, "k.cu", 3, 0, "nvrtc", "variable is never used", "remove it"}};
}

TEST(CodeEditor, ShowsDiagnosticsInMarginUnderTextAndBelowTheLine) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(textOf("a\n  x = 1;\nint b;\n"));
  editor.setDiagnostics(twoFaults());
  EXPECT_EQ(editor.annotatedLines(), 2);
  EXPECT_TRUE(editor.annotation(1).contains(QStringLiteral("undefined")));
  EXPECT_TRUE(editor.annotation(2).contains(QStringLiteral("remove it")));
  EXPECT_NE(editor.markersAtLine(1), 0u);
  EXPECT_EQ(editor.markersAtLine(0), 0u);
  editor.setDiagnostics({});
  EXPECT_EQ(editor.annotatedLines(), 0);
  EXPECT_EQ(editor.markersAtLine(1), 0u);
}

TEST(CodeEditor, IgnoresDiagnosticsBehindTheEnd) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(textOf(""));
  editor.setDiagnostics({{Severity::error, "k.cu", 99, 12, "nvrtc", "expected a }", ""},
                         {Severity::error, "k.cu", 1, 50, "nvrtc", "x", ""}});
  EXPECT_EQ(editor.annotatedLines(), 1);
}

TEST(CodeEditor, ReplacesOnlyWhatDiffersAndTakesItBackInOneStep) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(textOf("//@ block: 256\n__global__ void k() {}\n"));
  editor.replaceText("//@ block: 128\n__global__ void k() {}\n");
  EXPECT_EQ(editor.bytes(), QByteArray("//@ block: 128\n__global__ void k() {}\n"));
  editor.undo();
  EXPECT_EQ(editor.bytes(), QByteArray("//@ block: 256\n__global__ void k() {}\n"));
  EXPECT_FALSE(editor.isModified());
}

TEST(CodeEditor, ReplacesWholeLetters) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  const QByteArray before = QStringLiteral("// 中\n").toUtf8(), after = QStringLiteral("// 丮\n").toUtf8();
  editor.setDocument(*documentFromBytes(before, QStringLiteral("k.cu")));
  editor.replaceText(after);
  EXPECT_EQ(editor.bytes(), after);
  editor.undo();
  EXPECT_EQ(editor.bytes(), before);
}

TEST(CodeEditor, TypesCrlfInACrlfFile) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(textOf("int a;\r\n"));
  editor.setCursorPosition(0, 6);
  QTest::keyClick(&editor, Qt::Key_Return);
  EXPECT_EQ(editor.bytes(), QByteArray("int a;\r\n\r\n"));
}

TEST(CodeEditor, CommentsAndUncomments) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(textOf("  int a;\nint b;\n"));
  editor.setSelection(0, 0, 1, 3);
  editor.toggleComment();
  EXPECT_EQ(editor.bytes(), QByteArray("  // int a;\n// int b;\n"));
  editor.setSelection(0, 0, 1, 3);
  editor.toggleComment();
  EXPECT_EQ(editor.bytes(), QByteArray("  int a;\nint b;\n"));
}

TEST(CodeEditor, ColoursFollowTheTheme) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(textOf("__global__ void k() {}\n"));
  for (const ThemeId id : themes()) {
    theme.setCurrent(id);
    const QsciLexer* lexer = editor.lexer();
    ASSERT_NE(lexer, nullptr);
    for (int style = 0; style < 32; ++style) {
      if (lexer->description(style).isEmpty()) continue;
      EXPECT_GE(contrast(lexer->color(style), lexer->paper(style)), 4.5)
          << nameOf(id).toStdString() << " style " << style;
    }
  }
  theme.setCurrent(ThemeId::light);
}

TEST(CudaLexer, KnowsTheWordsOfCuda) {
  CudaLexer lexer;
  EXPECT_NE(std::string(lexer.keywords(2)).find("__global__"), std::string::npos);
  EXPECT_NE(std::string(lexer.keywords(4)).find("float4"), std::string::npos);
  EXPECT_NE(std::string(lexer.keywords(1)).find("template"), std::string::npos);
}

TEST(AssemblyLexer, TellsOpcodesRegistersAndComments) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  editor.setDocument(textOf(".reg .b32 %r<2>;\n$L1:\n  mov.u32 %r1, 7; // note\n", "k.ptx"));
  editor.resize(400, 200);
  editor.show();
  editor.recolor();
  const auto style = [&](int line, int column) {
    return editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, editor.positionFromLineIndex(line, column));
  };
  EXPECT_EQ(style(0, 0), AssemblyLexer::directive);
  EXPECT_EQ(style(1, 1), AssemblyLexer::label);
  EXPECT_EQ(style(2, 3), AssemblyLexer::opcode);
  EXPECT_EQ(style(2, 11), AssemblyLexer::reg);
  EXPECT_EQ(style(2, 15), AssemblyLexer::number);
  EXPECT_EQ(style(2, 20), AssemblyLexer::comment);
}

TEST(DiagnosticsPane, ListsGoesThereAndMarksStale) {
  Theme theme;
  DiagnosticsPane pane(theme, nullptr);
  pane.setDiagnostics(twoFaults(),
                      {{"geometry", "Nothing says how large a block is.", {}, "//@ block: …", "k.cu", 1}});
  ASSERT_EQ(pane.list()->topLevelItemCount(), 3);
  int line = 0, column = 0;
  QObject::connect(&pane, &DiagnosticsPane::activated, [&](int l, int c) {
    line = l;
    column = c;
  });
  emit pane.list()->itemActivated(pane.list()->topLevelItem(0), 0);
  EXPECT_EQ(line, 2);
  EXPECT_EQ(column, 3);
  EXPECT_FALSE(pane.stale());
  pane.setStale(true);
  EXPECT_TRUE(pane.findChild<QLabel*>()->text().contains(QStringLiteral("before the last change")));
}

TEST(VerificationPane, ShowsVerdictMismatchesAndMap) {
  Theme theme;
  VerificationPane pane(theme, nullptr);
  EXPECT_TRUE(pane.headline()->text().contains(QStringLiteral("F5")));
  pane.setRun(samples::shared(samples::wrong()));
  EXPECT_TRUE(pane.headline()->text().startsWith(QStringLiteral("wrong values")));
  ASSERT_EQ(pane.mismatches()->rowCount(), 3);
  EXPECT_EQ(pane.mismatches()->item(0, 1)->text(), QStringLiteral("[0, 31]"));
  EXPECT_EQ(pane.mismatches()->item(0, 3)->text(), QStringLiteral("0.75"));
  EXPECT_EQ(pane.mismatches()->item(2, 3)->text(), QStringLiteral("nan"));
  const auto* map = pane.findChild<ErrorMapView*>();
  EXPECT_TRUE(map->accessibleDescription().contains(QStringLiteral("3 wrong")))
      << map->accessibleDescription().toStdString();
}

TEST(VerificationPane, MapsAlsoByWarpAndLaneWhereTheWriterIsKnown) {
  Theme theme;
  VerificationPane pane(theme, nullptr);
  pane.setRun(samples::shared(samples::wrong()));
  ASSERT_EQ(pane.mapPicker()->count(), 2);
  EXPECT_EQ(pane.mismatches()->columnCount(), 8);
  EXPECT_EQ(pane.mismatches()->item(0, 5)->text(), QStringLiteral("(3, 0, 0)"));
  EXPECT_EQ(pane.mismatches()->item(0, 7)->text(), QStringLiteral("31"));
  EXPECT_EQ(pane.mismatches()->item(1, 7)->text(), QStringLiteral("–")) << "no writer is known";
  pane.mapPicker()->setCurrentIndex(1);
  const auto* map = pane.findChild<ErrorMapView*>();
  EXPECT_EQ(map->map().kind, verify::MapKind::threads);
  EXPECT_EQ(map->describe(0, 31), QStringLiteral("warp 0, lane 31: 2 wrong"));
  bool said = false;
  for (const QLabel* label : pane.findChildren<QLabel*>())
    said = said || label->text().contains(QStringLiteral("by several blocks"));
  EXPECT_TRUE(said) << "one wrong element has no known writer";
}

TEST(VerificationPane, AGpuSaysWhereWritersCanBeKnown) {
  Theme theme;
  VerificationPane pane(theme, nullptr);
  session::Run run = samples::wrong();
  run.device.kind = device::Kind::cuda;
  run.verdict.error_maps.resize(1);
  run.verdict.first[0].writer.reset();
  pane.setRun(samples::shared(run));
  EXPECT_TRUE(pane.mapPicker()->isHidden());
  EXPECT_EQ(pane.mismatches()->columnCount(), 5);
  bool said = false;
  for (const QLabel* label : pane.findChildren<QLabel*>())
    said = said || label->text().contains(QStringLiteral("only the emulator can tell"));
  EXPECT_TRUE(said);
}

TEST(VerificationPane, SurvivesAMapOfTheWrongSize) {
  Theme theme;
  VerificationPane pane(theme, nullptr);
  session::Run run = samples::wrong();
  run.verdict.error_maps[0].wrong.resize(3);
  pane.resize(500, 400);
  pane.setRun(samples::shared(run));
  EXPECT_FALSE(pane.grab().isNull());
}

TEST(FindBar, ReplacesOneAndAll) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  FindBar bar(&editor, nullptr);
  editor.setDocument(*documentFromBytes("a = tile; b = tile;\nTile();\n", QStringLiteral("t.cu")));
  bar.popUp(true);
  const auto edits = bar.findChildren<QLineEdit*>();
  ASSERT_EQ(edits.size(), 2);
  edits[0]->setText(QStringLiteral("tile"));
  edits[1]->setText(QStringLiteral("tiles"));
  bar.find(true);
  bar.replace();
  EXPECT_TRUE(editor.bytes().startsWith("a = tiles; b = tile;")) << editor.bytes().toStdString();
  bar.replaceAll();
  EXPECT_EQ(editor.bytes(), QByteArray("a = tiless; b = tiles;\ntiles();\n"));
  editor.undo();
  EXPECT_EQ(editor.bytes(), QByteArray("a = tiles; b = tile;\nTile();\n")) << "all of them are one step";
}

TEST(FindBar, KnowsCaseWordsAndRegularExpressions) {
  Theme theme;
  CodeEditor editor(theme, nullptr);
  FindBar bar(&editor, nullptr);
  bar.popUp(true);
  const auto edits = bar.findChildren<QLineEdit*>();
  const auto option = [&](const char* text, bool on) {
    for (auto* button : bar.findChildren<QToolButton*>())
      if (button->text() == QLatin1String(text)) button->setChecked(on);
  };
  const auto all = [&](const char* text, const char* what, const char* with) {
    editor.setDocument(*documentFromBytes(text, QStringLiteral("t.cu")));
    edits[0]->setText(QLatin1String(what));
    edits[1]->setText(QLatin1String(with));
    bar.replaceAll();
    return editor.bytes();
  };
  option("Aa", true);
  EXPECT_EQ(all("tile Tile", "tile", "x"), QByteArray("x Tile"));
  option("|ab|", true);
  EXPECT_EQ(all("tile tiles", "tile", "x"), QByteArray("x tiles"));
  option("|ab|", false);
  option(".*", true);
  EXPECT_EQ(all("f(12) f(3)", "f\\(([0-9]+)\\)", "g[\\1]"), QByteArray("g[12] g[3]"));
  EXPECT_EQ(all("aaa", "x*", "y"), QByteArray("aaa")) << "an empty hit is none";
}

TEST(CommandPalette, MatchesWordsInAnyOrder) {
  EXPECT_TRUE(matches(QStringLiteral("Save the kernel"), QStringLiteral("kern sav")));
  EXPECT_FALSE(matches(QStringLiteral("Save the kernel"), QStringLiteral("kern open")));
  EXPECT_TRUE(matches(QStringLiteral("Save"), QString()));
}

}  // namespace
}  // namespace ridge::desktop
