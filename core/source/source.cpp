// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes become text: what is no text is refused with the reason, what is odd is told, the layout is
// remembered.
#include "source/source.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "source/directives.h"
#include "source/mask.h"

namespace ridge::source {
namespace {

constexpr std::uintmax_t kLargestSource = 16u << 20;  ///< bytes

Error refused(const std::string& file, const std::string& code, const Sentence& what, const Sentence& hint,
              int line = 0) {
  return {ErrorKind::definition, code, what, hint, file, line};
}

/// Why the bytes are no text, if so.
std::optional<Error> refuse(std::string_view bytes, const std::string& file) {
  const auto wide = [&](const Sentence& name) {
    return refused(file, "utf16", say("the file is {}, which NVRTC reads as nothing at all", name),
                   say("save it as UTF-8 (the editor offers to convert it)"));
  };
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) return wide("UTF-32");
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return wide("UTF-16");
  const std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos) return std::nullopt;
  if (bytes.starts_with("\x7F"
                        "ELF"))
    return refused(file, "binary", say("the file is an executable or object file (ELF), not text"),
                   say("open the source instead"));
  const auto nuls = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\0'));
  if (nuls > bytes.size() / 4) return wide(say("{} or {} without a mark", "UTF-16", "UTF-32"));
  const std::size_t start = nul == 0 ? 0 : bytes.rfind('\n', nul - 1) + 1;
  const int line =
      static_cast<int>(std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(nul), '\n')) + 1;
  return refused(file, "nul_byte",
                 say("line {}, column {}: a NUL byte, where the compiler would stop reading without a word",
                     line, nul - start + 1),
                 say("remove it; the file is not text as it is"), line);
}

/// Length of the UTF-8 sequence at `at`, or 0 when it is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : length;
}

/// The encoding that bytes which are not UTF-8 most likely are in.
Sentence likely_encoding(std::string_view text) {
  std::size_t pairs = 0, singles = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < 0x80) continue;
    const bool pair = i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0x80;
    pairs += pair;
    singles += !pair;
    i += pair;
  }
  return pairs > singles ? say("{} or {}", "GBK", "GB18030") : say("{} or {}", "Windows-1252", "Latin-1");
}

void check_utf8(KernelSource& source) {
  const std::string& text = source.text;
  int line = 1;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) {
      static constexpr char kDigits[] = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(text[at]);
      const std::string hex = {kDigits[byte >> 4], kDigits[byte & 15]};
      source.encoding.valid_utf8 = false;
      source.diagnostics.push_back({Severity::warning, source.file, line, static_cast<int>(at - start + 1),
                                    "not_utf8",
                                    say("the file is not UTF-8 (byte 0x{} in line {}); it looks like {}", hex,
                                        line, likely_encoding(text)),
                                    say("saving keeps the bytes; NVRTC takes them in comments")});
      return;
    }
    if (text[at] == '\n') {
      ++line;
      start = at + 1;
    }
    at += length;
  }
}

struct OddCharacter {
  std::string_view bytes;
  Phrase<> name, hint;
};
constexpr OddCharacter kOddCharacters[] = {
    {"\xC2\xA0", phrase("U+00A0 no-break space"), phrase("replace it with a blank")},
    {"\xE2\x80\x87", phrase("U+2007 figure space"), phrase("replace it with a blank")},
    {"\xE2\x80\xAF", phrase("U+202F narrow no-break space"), phrase("replace it with a blank")},
    {"\xE3\x80\x80", phrase("U+3000 ideographic space"), phrase("replace it with a blank")},
    {"\xE2\x80\x8B", phrase("U+200B zero-width space"), phrase("remove it")},
    {"\xEF\xBB\xBF", phrase("U+FEFF byte order mark inside the text"), phrase("remove it")},
    {"\xE2\x80\x98", phrase("U+2018 typographic quote"), phrase("write '")},
    {"\xE2\x80\x99", phrase("U+2019 typographic quote"), phrase("write '")},
    {"\xE2\x80\x9C", phrase("U+201C typographic quote"), phrase("write \"")},
    {"\xE2\x80\x9D", phrase("U+201D typographic quote"), phrase("write \"")},
    {"\xE2\x88\x92", phrase("U+2212 minus sign"), phrase("write -")}};

/// Characters that web pages and word processors put into code, outside of comments and literals: one message
/// for each kind and line.
void check_odd_characters(KernelSource& source, const std::string& code) {
  const std::vector<std::string_view> lines = split_lines(code);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::all_of(lines[i].begin(), lines[i].end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
      continue;
    for (const OddCharacter& odd : kOddCharacters) {
      const std::size_t first = lines[i].find(odd.bytes);
      if (first == std::string_view::npos) continue;
      int count = 0;
      for (std::size_t at = first; at != std::string_view::npos;
           at = lines[i].find(odd.bytes, at + odd.bytes.size()))
        ++count;
      source.diagnostics.push_back(
          {Severity::warning, source.file, static_cast<int>(i + 1), static_cast<int>(first + 1),
           "odd_character",
           say("{}, which the compiler calls an unrecognized token",
               count > 1 ? say("{} ({} in this line)", odd.name, count) : Sentence(odd.name)),
           odd.hint});
    }
  }
}

Encoding layout_of(std::string_view bytes) {
  Encoding encoding;
  encoding.bom = bytes.starts_with("\xEF\xBB\xBF");
  std::size_t lf = 0, crlf = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\n') continue;
    (i > 0 && bytes[i - 1] == '\r' ? crlf : lf) += 1;
  }
  encoding.line_ends = crlf == 0 ? Encoding::LineEnds::lf
                       : lf == 0 ? Encoding::LineEnds::crlf
                                 : Encoding::LineEnds::mixed;
  encoding.final_newline = !bytes.empty() && bytes.back() == '\n';
  return encoding;
}

std::string with_line_feeds(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != '\r' || i + 1 >= bytes.size() || bytes[i + 1] != '\n') text += bytes[i];
  return text;
}

/// PTX begins with .version, and its file is mostly called so.
Language language_of(const std::string& file, const std::string& code) {
  if (trim(code).starts_with(".version")) return Language::ptx;
  return std::filesystem::path(file).extension() == ".ptx" ? Language::ptx : Language::cuda;
}

}  // namespace

std::string_view name_of(Language language) {
  return language == Language::ptx ? "ptx" : "cuda";
}

std::optional<Language> language_named(std::string_view name) {
  for (const Language language : {Language::cuda, Language::ptx})
    if (name_of(language) == name) return language;
  return std::nullopt;
}

Result<KernelSource> parse_source(std::string_view bytes, const std::string& file) {
  if (bytes.size() > kLargestSource)
    return refused(file, "too_large", say("the file is larger than 16 MiB"),
                   say("split it, or move tables into files of their own"));
  if (std::optional<Error> reason = refuse(bytes, file)) return *reason;
  KernelSource source;
  source.file = file;
  source.encoding = layout_of(bytes);
  source.text = with_line_feeds(bytes.substr(source.encoding.bom ? 3 : 0));
  check_utf8(source);
  const Mask masked = mask(source.text);
  if (source.encoding.valid_utf8) check_odd_characters(source, masked.code);
  source.language = language_of(file, masked.code);
  source.directives = read_directives(directive_lines(source.text, masked), file, source.diagnostics);
  return source;
}

Result<KernelSource> read_source(const std::filesystem::path& file) {
  Result<std::string> bytes = read_file(file, kLargestSource);
  if (!bytes) return bytes.error();
  return parse_source(*bytes, file.string());
}

Json to_json(const Question& question) {
  Json json{{"kind", question.kind}};
  put_sentence(json, "text", question.text);
  json["choices"] = question.choices;
  put_sentence(json, "answer_with", question.answer_with);
  json["file"] = question.file;
  json["line"] = question.line > 0 ? Json(question.line) : Json();
  return json;
}

}  // namespace ridge::source
