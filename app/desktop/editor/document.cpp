// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/document.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStringDecoder>
#include <QStringEncoder>
#include <array>
#include <optional>

namespace ridge::desktop {
namespace {

constexpr qint64 kLimit = 16LL << 20;  ///< bytes; larger files are no kernels
const QByteArray kBom("\xEF\xBB\xBF", 3);

Error refused(const QString& file, const char* code, Sentence message, Sentence hint, int line = 0) {
  return {ErrorKind::definition, code, std::move(message), std::move(hint), file.toStdString(), line};
}

const char* codecOf(Charset charset) {
  return charset == Charset::gb18030 ? "GB18030" : charset == Charset::windows1252 ? "windows-1252" : "UTF-8";
}

/// Text of the bytes, or nothing when they do not come back from it unchanged.
std::optional<QByteArray> decoded(const QByteArray& bytes, Charset charset) {
  QStringDecoder decoder(codecOf(charset));
  QStringEncoder encoder(codecOf(charset));
  if (!decoder.isValid() || !encoder.isValid()) return {};
  const QString text = decoder(bytes);
  if (decoder.hasError() || text.contains(QChar(QChar::ReplacementCharacter))) return {};
  const QByteArray back = encoder(text);
  if (encoder.hasError() || back != bytes) return {};
  return text.toUtf8();
}

bool validUtf8(const QByteArray& bytes) {
  QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
  const QString text = decoder(bytes);
  return !decoder.hasError();
}

/// GBK text holds its letters in pairs, mostly from the common rows; Latin text has lone high bytes.
bool looksLikeGbk(const QByteArray& bytes) {
  int pairs = 0, common = 0;
  for (qsizetype i = 0; i < bytes.size(); ++i) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    if (lead < 0x80) continue;
    const auto trail = i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : 0U;
    if (lead < 0x81 || lead > 0xFE || trail < 0x40 || trail > 0xFE || trail == 0x7F) return false;
    ++pairs;
    if (lead >= 0xA1 && lead <= 0xF7 && trail >= 0xA1) ++common;
    ++i;
  }
  return pairs > 0 && common * 10 >= pairs * 8;
}

bool startsWith(const QByteArray& bytes, std::initializer_list<unsigned char> mark) {
  qsizetype i = 0;
  for (const unsigned char byte : mark)
    if (i >= bytes.size() || static_cast<unsigned char>(bytes[i++]) != byte) return false;
  return true;
}

bool isUtf16Or32(const QByteArray& bytes) {
  return startsWith(bytes, {0xFF, 0xFE}) || startsWith(bytes, {0xFE, 0xFF}) ||
         startsWith(bytes, {0, 0, 0xFE, 0xFF});
}

void findLineEnds(Document& document) {
  const qsizetype crlf = document.text.count("\r\n"), lf = document.text.count('\n') - crlf;
  document.typedEnds = crlf > lf ? Document::LineEnds::crlf : Document::LineEnds::lf;
  document.mixedEnds = crlf > 0 && lf > 0;
}

std::optional<Error> notText(const QByteArray& bytes, const QString& file) {
  const std::string name = QFileInfo(file).fileName().toStdString();
  if (bytes.size() > kLimit)
    return refused(file, "too_large", say("{} has more than 16 MiB: that is no kernel source.", name), {});
  if (isUtf16Or32(bytes))
    return refused(file, "utf16", say("{} is UTF-16 or UTF-32 text, which no CUDA compiler reads.", name),
                   say("Convert it to UTF-8."));
  if (const qsizetype nul = bytes.indexOf('\0'); nul >= 0) {
    const auto line = static_cast<int>(bytes.left(nul).count('\n')) + 1;
    const qsizetype column = nul - bytes.lastIndexOf('\n', nul);
    return refused(
        file, "nul_byte",
        say("{} is not text: a NUL byte stands in line {}, column {}, and the compiler would stop reading "
            "there.",
            name, line, column),
        say("Remove the byte with another program, or open the source this file was made from."), line);
  }
  return {};
}

}  // namespace

QString nameOf(Charset charset) {
  switch (charset) {
    case Charset::utf8:
      return QStringLiteral("UTF-8");
    case Charset::gb18030:
      return QStringLiteral("GBK / GB18030");
    case Charset::windows1252:
      return QStringLiteral("Windows-1252");
    case Charset::raw:
      return QCoreApplication::translate("Document", "unknown bytes");
  }
  return {};
}

Result<Document> documentFromBytes(const QByteArray& bytes, const QString& file) {
  if (const auto error = notText(bytes, file)) return *error;
  Document document;
  document.file = file;
  document.bom = bytes.startsWith(kBom);
  document.text = document.bom ? bytes.mid(kBom.size()) : bytes;
  if (!validUtf8(document.text)) {
    document.charset = Charset::raw;
    const std::array guesses{Charset::gb18030, Charset::windows1252};
    for (const Charset guess : guesses) {
      if (guess == Charset::gb18030 && !looksLikeGbk(document.text)) continue;
      if (const auto text = decoded(document.text, guess)) {
        document.text = *text;
        document.charset = guess;
        break;
      }
    }
  }
  findLineEnds(document);
  return document;
}

Result<Document> readDocument(const QString& file) {
  QFile in(file);
  const QFileInfo info(file);
  if (!info.exists()) return refused(file, "no_file", say("There is no file {}.", file.toStdString()), {});
  if (!info.isFile())
    return refused(file, "no_regular_file", say("{} is not a file.", file.toStdString()), {});
  if (!in.open(QIODevice::ReadOnly))
    return refused(file, "unreadable",
                   say("{} could not be read: {}.", file.toStdString(), in.errorString().toStdString()), {});
  return documentFromBytes(in.read(kLimit + 1), file);
}

Result<Document> documentWithCharset(const QByteArray& bytes, const QString& file, Charset charset) {
  if (const auto error = notText(bytes, file)) return *error;
  Document document;
  document.file = file;
  document.charset = charset;
  document.bom = charset == Charset::utf8 && bytes.startsWith(kBom);
  const QByteArray body = document.bom ? bytes.mid(kBom.size()) : bytes;
  if (charset == Charset::raw) {
    document.text = body;
  } else if (const auto text = decoded(body, charset)) {
    document.text = *text;
  } else {
    return refused(file, "wrong_charset",
                   say("{} is not {} text: some bytes have no meaning in it.",
                       QFileInfo(file).fileName().toStdString(), nameOf(charset).toStdString()),
                   say("Choose another encoding."));
  }
  findLineEnds(document);
  return document;
}

Result<Document> convertedFromUtf16(const QByteArray& bytes, const QString& file) {
  const auto encoding = QStringConverter::encodingForData(bytes);
  if (!encoding)
    return refused(file, "no_utf16", say("{} does not start with a byte order mark.", file.toStdString()),
                   {});
  QStringDecoder decoder(*encoding);
  const QString text = decoder(bytes);
  if (decoder.hasError())
    return refused(file, "wrong_charset", say("{} holds bytes that are no UTF-16.", file.toStdString()), {});
  Document document;
  document.file = file;
  document.text = text.toUtf8();
  findLineEnds(document);
  return document;
}

Result<QByteArray> bytesOf(const Document& document, const QByteArray& text) {
  if (document.charset == Charset::utf8) return document.bom ? kBom + text : text;
  if (document.charset == Charset::raw) return text;
  const QString letters = QString::fromUtf8(text);
  QStringEncoder encoder(codecOf(document.charset));
  const QByteArray bytes = encoder(letters);
  QStringDecoder back(codecOf(document.charset));
  const QString returned = back(bytes);
  if (!encoder.hasError() && returned == letters) return bytes;
  qsizetype at = 0;
  while (at < letters.size() && at < returned.size() && letters[at] == returned[at]) ++at;
  const auto line = static_cast<int>(letters.left(at).count(QLatin1Char('\n'))) + 1;
  return refused(document.file, "lossy",
                 say("“{}” in line {} does not exist in {}, the encoding of this file.",
                     letters.mid(at, letters.mid(at, 1).at(0).isHighSurrogate() ? 2 : 1).toStdString(), line,
                     nameOf(document.charset).toStdString()),
                 say("Save as UTF-8, or remove the letter."), line);
}

Result<void> writeBytes(const QString& file, const QByteArray& bytes) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
    return Error{ErrorKind::component,
                 "save_failed",
                 say("{} could not be saved: {}. The old file is untouched.", file.toStdString(),
                     out.errorString().toStdString()),
                 say("Save under another name."),
                 file.toStdString(),
                 0};
  return {};
}

int letterOfColumn(const Document& document, const QByteArray& lineBytes, int column) {
  const QByteArray before = lineBytes.left(std::max(0, column - 1));
  if (document.charset == Charset::raw) return static_cast<int>(before.size());
  QStringDecoder decoder(codecOf(document.charset));
  const QString text = decoder(before);
  return static_cast<int>(text.toUcs4().size());
}

std::vector<OddBlank> oddBlanks(const QByteArray& text) {
  std::vector<OddBlank> found;
  int line = 1, column = 0;
  for (const uint letter : QString::fromUtf8(text).toUcs4()) {
    ++column;
    if (letter == '\n') {
      ++line;
      column = 0;
    } else if (letter == 0xA0 || letter == 0x3000 || (letter >= 0x2000 && letter <= 0x200F) ||
               letter == 0x202F || letter == 0x205F || letter == 0x2060 || letter == 0xFEFF) {
      found.push_back({line, column, letter});
    }
  }
  return found;
}

QByteArray withoutOddBlanks(const QByteArray& text) {
  QString letters = QString::fromUtf8(text);
  QString clean;
  clean.reserve(letters.size());
  for (const QChar letter : letters) {
    const char16_t c = letter.unicode();
    if ((c >= 0x200B && c <= 0x200F) || c == 0x2060 || c == 0xFEFF) continue;
    clean += c == 0xA0 || c == 0x3000 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F
                 ? QLatin1Char(' ')
                 : letter;
  }
  return clean.toUtf8();
}

}  // namespace ridge::desktop
