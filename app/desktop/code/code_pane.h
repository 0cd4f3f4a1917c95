// SPDX-License-Identifier: GPL-3.0-or-later
// The generated code of the source in the editor, tied to it line by line.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>

#include "code/line_map.h"
#include "compile/compile.h"
#include "editor/code_editor.h"

namespace ridge::desktop {

class GeneratedView : public CodeView {
  Q_OBJECT

 public:
  GeneratedView(Theme& theme, QWidget* parent);
  void show(const QByteArray& text);

 protected:
  void applyTheme() override;

 private:
  AssemblyLexer* lexer_ = nullptr;
};

class CodePane : public QWidget {
  Q_OBJECT

 public:
  CodePane(Theme& theme, QWidget* parent);

  /// PTX of a successful compilation; an older one stays, marked stale, when the source no longer compiles.
  void setCompiled(const compile::CompiledKernel& kernel, const std::string& file);
  void setSass(const std::string& sass);
  /// Why there is no SASS; empty when a disassembler is there.
  void setDisassembler(bool available, const Sentence& whyNot);
  void setStale(bool stale);
  void showSourceLine(int line);  ///< 1-based: highlights what was made of it
  GeneratedView* view() const { return view_; }
  const LineMap& map() const { return map_; }
  /// Source lines (1-based) that code was made of.
  std::vector<int> sourceLines() const;

 signals:
  void sourceLinePicked(int line);  ///< 1-based
  void mapChanged();
  void sassWanted();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  enum Kind { ptx, sass };
  void retranslate();
  void refresh();
  QString resources() const;

  QComboBox* kind_ = nullptr;
  QLabel* head_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  QLabel* empty_ = nullptr;
  GeneratedView* view_ = nullptr;
  std::string ptx_, sass_, file_;
  std::vector<compile::Entry> entries_;
  Sentence whyNoSass_;
  LineMap map_;
  bool stale_ = false, disassembler_ = false, following_ = false;
};

}  // namespace ridge::desktop
