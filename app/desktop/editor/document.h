// SPDX-License-Identifier: GPL-3.0-or-later
// A source file as bytes and as text to edit. Whatever is not edited keeps its bytes: byte order mark, line
// ends, encoding, final newline.
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "base/result.h"

namespace ridge::desktop {

enum class Charset { utf8, gb18030, windows1252, raw };
QString nameOf(Charset charset);

struct Document {
  QString file;                     ///< empty: not saved yet
  QByteArray text;                  ///< UTF-8 as the editor holds it, without BOM; raw: the file's bytes
  Charset charset = Charset::utf8;  ///< of the file
  bool bom = false;
  enum class LineEnds {
    lf,
    crlf
  } typedEnds = LineEnds::lf;  ///< what Enter inserts: the file's most common one
  bool mixedEnds = false;
};

/// What text is made of. Refused with the reason: NUL bytes, UTF-16 and UTF-32, more than 16 MiB.
Result<Document> documentFromBytes(const QByteArray& bytes, const QString& file);
Result<Document> readDocument(const QString& file);
/// The same with a charset that the user chose; an error when it does not give the bytes back.
Result<Document> documentWithCharset(const QByteArray& bytes, const QString& file, Charset charset);
/// UTF-16 or UTF-32 bytes turned into UTF-8, for "convert": an unsaved document.
Result<Document> convertedFromUtf16(const QByteArray& bytes, const QString& file);

/// The bytes to save. An error names the first letter that the charset lacks and its line.
Result<QByteArray> bytesOf(const Document& document, const QByteArray& text);
/// Replaces the file once all bytes are written; on failure the old file stays.
Result<void> writeBytes(const QString& file, const QByteArray& bytes);

/// 0-based letter of a 1-based column in bytes (as compilers count) within the file's bytes of that line.
int letterOfColumn(const Document& document, const QByteArray& lineBytes, int column);

/// A letter that looks like a blank and is none (no-break space, zero-width space …), with its place.
struct OddBlank {
  int line = 0, column = 0;
  char32_t letter = 0;
};  ///< 1-based; columns in letters
std::vector<OddBlank> oddBlanks(const QByteArray& text);
/// The text with odd blanks replaced by ordinary ones, zero-width ones removed.
QByteArray withoutOddBlanks(const QByteArray& text);

}  // namespace ridge::desktop
