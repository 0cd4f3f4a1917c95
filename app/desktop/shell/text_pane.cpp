// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/text_pane.h"

#include "theme/theme.h"

namespace ridge::desktop {

TextPane::TextPane(QWidget* parent) : QPlainTextEdit(parent) {
  setReadOnly(true);
  setTabChangesFocus(true);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setMaximumBlockCount(20000);
  setFont(Theme::codeFont());
  setFrameShape(QFrame::NoFrame);
}

void TextPane::append(const QString& line) {
  appendPlainText(line);
}

void TextPane::setWhole(const QString& text) {
  if (toPlainText() != text) setPlainText(text);
}

}  // namespace ridge::desktop
