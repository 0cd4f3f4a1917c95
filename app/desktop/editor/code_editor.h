// SPDX-License-Identifier: GPL-3.0-or-later
// The source editor: bytes in, bytes out, with diagnostics in the margin, under the text and below the line.
#pragma once

#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>

#include <QSet>
#include <array>
#include <memory>
#include <vector>

#include "base/diagnostic.h"
#include "editor/document.h"
#include "editor/lexers.h"
#include "theme/theme.h"

class QMenu;

namespace ridge::desktop {

/// What every code view shares: colours of the theme, margins, the hues that tie source lines to generated
/// lines.
class CodeView : public QsciScintilla {
  Q_OBJECT

 public:
  CodeView(Theme& theme, QWidget* parent);

  QByteArray bytes() const;  ///< all text as it is held
  /// Gives each of the lines (0-based) its hue stripe; others lose theirs.
  void setHues(const std::vector<std::pair<int, int>>& lineAndHue);
  void setLinked(const std::vector<int>& lines);  ///< highlights lines, 0-based
  void goTo(int line, int column = 0);            ///< 0-based

 signals:
  void lineChanged(int line);  ///< of the cursor, 0-based

 protected:
  void load(const QByteArray& text);
  virtual void applyTheme();
  // Files that are dropped are for the window to open; QScintilla would type their names.
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  Theme& theme() const { return theme_; }

 private:
  Theme& theme_;
  int line_ = 0;
};

class CodeEditor : public CodeView {
  Q_OBJECT

 public:
  CodeEditor(Theme& theme, QWidget* parent);

  void setDocument(Document document);
  const Document& document() const { return document_; }
  Result<QByteArray> fileBytes() const { return bytesOf(document_, bytes()); }
  /// Something would be lost: the text was edited, or never was in a file in this form.
  bool unsaved() const { return unsaved_ || isModified(); }
  void setUnsaved();
  /// After a save: these bytes are in this file.
  void saved(const QString& file);
  void setCharset(Charset charset) { document_.charset = charset; }
  /// Changes only what differs, as one step that undo takes back.
  void replaceText(const QByteArray& text);
  void setDiagnostics(const Diagnostics& diagnostics);
  int annotatedLines() const;
  void setContextMenu(QMenu* menu) { menu_ = menu; }
  void toggleComment();

 signals:
  void edited();

 protected:
  void applyTheme() override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void markDirectives();

  CudaLexer* cuda_ = nullptr;
  AssemblyLexer* assembly_ = nullptr;
  Document document_;
  Diagnostics diagnostics_;
  std::array<QsciStyle, 3> styles_;  ///< of annotations: note, warning, error
  QMenu* menu_ = nullptr;
  bool loading_ = false;
  bool unsaved_ = false;  ///< QScintilla cannot be told that a text is modified
};

}  // namespace ridge::desktop
