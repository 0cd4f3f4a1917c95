// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/code_editor.h"

#include <Qsci/qscicommandset.h>
#include <Qsci/qscistyledtext.h>

#include <QContextMenuEvent>
#include <QMenu>
#include <QMimeData>
#include <algorithm>
#include <map>

#include "shell/language.h"

namespace ridge::desktop {
namespace {

constexpr int kNumbers = 0, kSymbols = 1, kHues = 2;  // margins
constexpr int kHueCount = 12;                         // markers 0 to 11
constexpr int kLinkedLine = 12, kNoteMark = 13;       // note, warning, error: 13 to 15
constexpr int kUnderline = 8, kDirectiveText = 12;    // indicators; notes, warnings, errors: 8 to 10

int severityIndex(Severity severity) {
  return static_cast<int>(severity);
}

}  // namespace

CodeView::CodeView(Theme& theme, QWidget* parent) : QsciScintilla(parent), theme_(theme) {
  setUtf8(true);
  setMinimumSize(160, 80);
  setMarginType(kNumbers, NumberMargin);
  setMarginType(kSymbols, SymbolMargin);
  setMarginType(kHues, SymbolMargin);
  setMarginWidth(kSymbols, 0);
  setMarginWidth(kHues, 5);
  setMarginMarkerMask(kSymbols, 7 << kNoteMark);
  setMarginMarkerMask(kHues, (1 << kHueCount) - 1);
  for (int i = 0; i < kHueCount; ++i) markerDefine(FullRectangle, i);
  markerDefine(Background, kLinkedLine);
  SendScintilla(SCI_SETSCROLLWIDTH, 1UL);  // starts at 2000 pixels otherwise: a bar that is always there
  SendScintilla(SCI_SETSCROLLWIDTHTRACKING, 1UL);
  setTabWidth(4);
  // Chords that belong to the window.
  for (const int key :
       {Qt::Key_L, Qt::Key_T, Qt::Key_D, Qt::Key_U, Qt::Key_Slash, Qt::Key_BracketLeft, Qt::Key_BracketRight})
    if (QsciCommand* command = standardCommands()->boundTo(key | Qt::CTRL)) command->setKey(0);
  for (const int key : {Qt::Key_L, Qt::Key_T, Qt::Key_U, Qt::Key_P})
    if (QsciCommand* command = standardCommands()->boundTo(key | Qt::CTRL | Qt::SHIFT)) command->setKey(0);
  connect(this, &QsciScintilla::linesChanged, this, [this] {
    setMarginWidth(kNumbers,
                   QString(std::max<qsizetype>(3, QString::number(lines()).size()) + 1, QLatin1Char('9')));
  });
  connect(this, &QsciScintilla::cursorPositionChanged, this, [this](int line) {
    if (line != line_) emit lineChanged(line_ = line);
  });
  connect(&theme_, &Theme::changed, this, [this] { applyTheme(); });
}

QByteArray CodeView::bytes() const {
  const auto length = static_cast<qsizetype>(SendScintilla(SCI_GETLENGTH));
  return {static_cast<const char*>(SendScintillaPtrResult(SCI_GETCHARACTERPOINTER)), length};
}

void CodeView::load(const QByteArray& text) {
  SendScintilla(SCI_CLEARALL);
  SendScintilla(SCI_ADDTEXT, static_cast<unsigned long>(text.size()), text.constData());
  SendScintilla(SCI_EMPTYUNDOBUFFER);
  SendScintilla(SCI_SETSAVEPOINT);
  SendScintilla(SCI_GOTOPOS, 0UL);
  setMarginWidth(kNumbers,
                 QString(std::max<qsizetype>(3, QString::number(lines()).size()) + 1, QLatin1Char('9')));
}

void CodeView::applyTheme() {
  const Theme& t = theme_;
  setPaper(t(Role::base));
  setColor(t(Role::text));
  setMarginsBackgroundColor(t(Role::margin));
  setMarginsForegroundColor(t(Role::marginText));
  QFont small = Theme::codeFont();
  small.setPointSizeF(small.pointSizeF() - 1);
  setMarginsFont(small);
  setCaretForegroundColor(t(Role::text));
  setCaretLineVisible(true);
  setCaretLineBackgroundColor(t(Role::caretLine));
  setSelectionBackgroundColor(t(Role::highlight));
  setSelectionForegroundColor(t(Role::highlightedText));
  setMatchedBraceBackgroundColor(t(Role::brace));
  setMatchedBraceForegroundColor(t(Role::text));
  setUnmatchedBraceForegroundColor(t(Role::error));
  setUnmatchedBraceBackgroundColor(t(Role::base));
  setMarkerBackgroundColor(t(Role::brace), kLinkedLine);
  for (int i = 0; i < kHueCount; ++i) {
    // Golden-angle steps: neighbouring lines differ in both themes.
    const QColor hue = QColor::fromHsl((i * 139) % 360, t.isDark() ? 130 : 150, t.isDark() ? 120 : 165);
    setMarkerBackgroundColor(hue, i);
    setMarkerForegroundColor(hue, i);
  }
}

void CodeView::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls())
    event->ignore();
  else
    QsciScintilla::dragEnterEvent(event);
}

void CodeView::dragMoveEvent(QDragMoveEvent* event) {
  if (event->mimeData()->hasUrls())
    event->ignore();
  else
    QsciScintilla::dragMoveEvent(event);
}

void CodeView::dropEvent(QDropEvent* event) {
  if (event->mimeData()->hasUrls())
    event->ignore();
  else
    QsciScintilla::dropEvent(event);
}

void CodeView::setHues(const std::vector<std::pair<int, int>>& lineAndHue) {
  for (int i = 0; i < kHueCount; ++i) markerDeleteAll(i);
  for (const auto& [line, hue] : lineAndHue) markerAdd(line, hue % kHueCount);
}

void CodeView::setLinked(const std::vector<int>& linked) {
  markerDeleteAll(kLinkedLine);
  for (const int line : linked) markerAdd(line, kLinkedLine);
}

void CodeView::goTo(int line, int column) {
  setCursorPosition(line, column);
  ensureLineVisible(line);
  SendScintilla(SCI_VERTICALCENTRECARET);
}

CodeEditor::CodeEditor(Theme& theme, QWidget* parent) : CodeView(theme, parent) {
  setMarginWidth(1, 16);
  setAutoIndent(true);
  setIndentationsUseTabs(false);
  setIndentationWidth(2);
  setBraceMatching(StrictBraceMatch);
  setAnnotationDisplay(AnnotationBoxed);
  markerDefine(SmallRectangle, kNoteMark);
  markerDefine(RightTriangle, kNoteMark + 1);
  markerDefine(Circle, kNoteMark + 2);
  for (int i = 0; i < 3; ++i) {
    indicatorDefine(SquiggleIndicator, kUnderline + i);
    setIndicatorDrawUnder(true, kUnderline + i);
  }
  indicatorDefine(TextColorIndicator, kDirectiveText);
  cuda_ = new CudaLexer(this);
  assembly_ = new AssemblyLexer(this);
  applyTheme();
  connect(this, &QsciScintilla::textChanged, this, [this] {
    if (loading_) return;
    markDirectives();
    emit edited();
  });
}

void CodeEditor::applyTheme() {
  const Theme& t = theme();
  cuda_->applyTheme(t);
  assembly_->applyTheme(t);
  const bool ptx = document_.file.endsWith(QLatin1String(".ptx"), Qt::CaseInsensitive);
  setLexer(ptx ? static_cast<QsciLexer*>(assembly_) : cuda_);
  CodeView::applyTheme();  // after the lexer, which resets margins and caret
  const std::array inks{t(Role::note), t(Role::warning), t(Role::error)};
  const std::array papers{t(Role::bannerNote), t(Role::bannerWarning), t(Role::bannerError)};
  QFont small = font();
  small.setPointSizeF(9);
  for (int i = 0; i < 3; ++i) {
    const auto index = static_cast<std::size_t>(i);
    setIndicatorForegroundColor(inks[index], kUnderline + i);
    setMarkerBackgroundColor(inks[index], kNoteMark + i);
    setMarkerForegroundColor(inks[index], kNoteMark + i);
    styles_[index].setColor(inks[index]);
    styles_[index].setPaper(papers[index]);
    styles_[index].setFont(small);
    styles_[index].apply(this);
  }
  setIndicatorForegroundColor(t(Role::directive), kDirectiveText);
  markDirectives();
  setDiagnostics(Diagnostics(diagnostics_));
}

void CodeEditor::setDocument(Document document) {
  const bool otherKind =
      document.file.endsWith(QLatin1String(".ptx")) != document_.file.endsWith(QLatin1String(".ptx"));
  document_ = std::move(document);
  unsaved_ = false;
  diagnostics_.clear();
  loading_ = true;
  clearAnnotations();
  load(document_.text);
  setEolMode(document_.typedEnds == Document::LineEnds::crlf ? EolWindows : EolUnix);
  loading_ = false;
  document_.text.clear();  // the view holds it from here on
  if (otherKind) applyTheme();
  setDiagnostics({});
  setHues({});
  setLinked({});
  markDirectives();
  emit edited();
}

void CodeEditor::setUnsaved() {
  unsaved_ = true;
  emit modificationChanged(true);
}

void CodeEditor::saved(const QString& file) {
  document_.file = file;
  unsaved_ = false;
  setModified(false);
}

void CodeEditor::replaceText(const QByteArray& text) {
  const QByteArray old = bytes();
  if (old == text) return;
  qsizetype front = 0, back = 0;
  const qsizetype least = std::min(old.size(), text.size());
  while (front < least && old[front] == text[front]) ++front;
  while (back < least - front && old[old.size() - 1 - back] == text[text.size() - 1 - back]) ++back;
  // Whole letters only: Scintilla's undo may not split one.
  const auto inside = [](const QByteArray& bytes, qsizetype at) {
    return at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0U) == 0x80U;
  };
  while (front > 0 && (inside(old, front) || inside(text, front))) --front;
  while (back > 0 && inside(old, old.size() - back)) --back;
  const QByteArray middle = text.mid(front, text.size() - front - back);
  SendScintilla(SCI_BEGINUNDOACTION);
  SendScintilla(SCI_SETTARGETSTART, static_cast<unsigned long>(front));
  SendScintilla(SCI_SETTARGETEND, static_cast<unsigned long>(old.size() - back));
  SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(middle.size()), middle.constData());
  SendScintilla(SCI_ENDUNDOACTION);
}

void CodeEditor::setDiagnostics(const Diagnostics& diagnostics) {
  diagnostics_ = diagnostics;
  clearAnnotations();
  const auto length = SendScintilla(SCI_GETLENGTH);
  for (int i = 0; i < 3; ++i) {
    markerDeleteAll(kNoteMark + i);
    SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(kUnderline + i));
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, length);
  }
  std::map<int, std::vector<const Diagnostic*>> byLine;
  for (const Diagnostic& diagnostic : diagnostics_)
    if (diagnostic.line >= 1 && diagnostic.line <= lines())
      byLine[diagnostic.line - 1].push_back(&diagnostic);
  for (const auto& [line, list] : byLine) {
    QList<QsciStyledText> notes;
    for (const Diagnostic* diagnostic : list) {
      const int severity = severityIndex(diagnostic->severity);
      markerAdd(line, kNoteMark + severity);
      QString text = words(diagnostic->message);
      if (!diagnostic->hint.empty()) text += QStringLiteral(" — ") + words(diagnostic->hint);
      if (diagnostic != list.back()) text += QLatin1Char('\n');
      notes.append(QsciStyledText(text, styles_[static_cast<std::size_t>(severity)].style()));
      const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
      const long end = SendScintilla(SCI_GETLINEENDPOSITION, static_cast<unsigned long>(line));
      long from = start;
      if (diagnostic->column > 0) {
        QByteArray lineBytes = bytes().mid(start, end - start);
        if (const auto file = bytesOf(document_, lineBytes); file && document_.charset != Charset::utf8)
          lineBytes = *file;
        const int letters = letterOfColumn(document_, lineBytes, diagnostic->column);
        from = SendScintilla(SCI_POSITIONRELATIVE, static_cast<unsigned long>(start),
                             static_cast<long>(letters));
        if (from < start || from > end) from = start;
      }
      long to = diagnostic->column > 0
                    ? SendScintilla(SCI_WORDENDPOSITION, static_cast<unsigned long>(from), 1L)
                    : end;
      if (to <= from) to = std::min(from + 1, end);
      if (to <= from) continue;
      SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(kUnderline + severity));
      SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(from), to - from);
    }
    annotate(line, notes);
  }
}

int CodeEditor::annotatedLines() const {
  int count = 0;
  for (int line = 0; line < lines(); ++line) count += annotation(line).isEmpty() ? 0 : 1;
  return count;
}

void CodeEditor::markDirectives() {
  const QByteArray text = bytes();
  SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(kDirectiveText));
  SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, static_cast<long>(text.size()));
  for (qsizetype at = text.indexOf("//@"); at >= 0; at = text.indexOf("//@", at + 3)) {
    const qsizetype start = text.lastIndexOf('\n', at) + 1;
    if (!text.mid(start, at - start).trimmed().isEmpty()) continue;
    qsizetype end = text.indexOf('\n', at);
    if (end < 0) end = text.size();
    SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(at), static_cast<long>(end - at));
  }
}

void CodeEditor::toggleComment() {
  int first = 0, column = 0, last = 0, lastColumn = 0;
  if (hasSelectedText()) {
    getSelection(&first, &column, &last, &lastColumn);
    if (lastColumn == 0 && last > first) --last;
  } else {
    getCursorPosition(&first, &column);
    last = first;
  }
  bool all = true;
  for (int line = first; line <= last; ++line)
    if (const QString t = text(line).trimmed(); !t.isEmpty() && !t.startsWith(QLatin1String("//")))
      all = false;
  beginUndoAction();
  for (int line = first; line <= last; ++line) {
    const QString t = text(line);
    if (t.trimmed().isEmpty()) continue;
    const auto at =
        static_cast<int>(std::find_if(t.begin(), t.end(), [](QChar c) { return !c.isSpace(); }) - t.begin());
    if (!all) {
      insertAt(QStringLiteral("// "), line, at);
    } else {
      const int marks = t.mid(at).startsWith(QLatin1String("// ")) ? 3 : 2;
      setSelection(line, at, line, at + marks);
      removeSelectedText();
    }
  }
  endUndoAction();
}

void CodeEditor::contextMenuEvent(QContextMenuEvent* event) {
  if (menu_) menu_->popup(event->globalPos());  // Scintilla's own menu has no Chinese
}

}  // namespace ridge::desktop
