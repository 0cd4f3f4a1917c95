// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of code: CUDA C++ on top of Scintilla's C++ lexer; PTX and SASS by a small one of our own.
#pragma once

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexercustom.h>

#include "theme/theme.h"

namespace ridge::desktop {

class CudaLexer : public QsciLexerCPP {
  Q_OBJECT

 public:
  using QsciLexerCPP::QsciLexerCPP;
  const char* language() const override { return "CUDA C++"; }
  /// 1: C++ (Scintilla's own list), 2: CUDA's words, 4: types.
  const char* keywords(int set) const override;
  void applyTheme(const Theme& theme);
};

/// PTX, and SASS as nvdisasm prints it: comments, directives, labels, registers, opcodes, numbers, strings.
class AssemblyLexer : public QsciLexerCustom {
  Q_OBJECT

 public:
  enum Style { plain, comment, directive, label, reg, opcode, number, string };
  using QsciLexerCustom::QsciLexerCustom;
  const char* language() const override { return "PTX"; }
  QString description(int style) const override;
  void styleText(int start, int end) override;
  void applyTheme(const Theme& theme);
};

}  // namespace ridge::desktop
