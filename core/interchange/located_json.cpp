// SPDX-License-Identifier: GPL-3.0-or-later
#include "interchange/located_json.h"

#include <algorithm>
#include <cctype>

namespace ridge::interchange {

std::string below(const std::string& pointer, const std::string& key) {
  std::string result = pointer + '/';
  for (const char c : key) {
    if (c == '~')
      result += "~0";
    else if (c == '/')
      result += "~1";
    else
      result += c;
  }
  return result;
}

namespace {

int line_at(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<int>(std::count(
             text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n'));
}

/// Walks text that is known to be JSON (depth already limited by parse_json) and notes lines.
class Locator {
 public:
  Locator(std::string_view text, LocatedJson& result) : text_(text), result_(result) {}
  void run() { value(""); }

 private:
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      if (text_[at_] == '\n') ++line_;
      ++at_;
    }
  }

  std::string string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    const Json parsed = Json::parse(text_.substr(begin, at_ - begin), nullptr, false);
    return parsed.is_string() ? parsed.get<std::string>() : std::string{};
  }

  void value(const std::string& pointer) {
    blanks();
    result_.lines.emplace(pointer, line_);
    if (at_ >= text_.size()) return;
    switch (text_[at_]) {
      case '{':
        return object(pointer);
      case '[':
        return array(pointer);
      case '"':
        string();
        return;
      default:
        while (at_ < text_.size() &&
               std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos)
          ++at_;
    }
  }

  void object(const std::string& pointer) {
    ++at_;
    for (blanks(); at_ < text_.size() && text_[at_] == '"'; blanks()) {
      const int line = line_;
      const std::string member = below(pointer, string());
      if (!result_.key_lines.emplace(member, line).second) result_.duplicates.emplace(member, line);
      blanks();
      ++at_;  // the colon
      value(member);
      blanks();
      if (at_ < text_.size() && text_[at_] == ',') ++at_;
    }
    ++at_;
  }

  void array(const std::string& pointer) {
    ++at_;
    std::size_t index = 0;
    for (blanks(); at_ < text_.size() && text_[at_] != ']'; blanks()) {
      value(pointer + '/' + std::to_string(index++));
      blanks();
      if (at_ < text_.size() && text_[at_] == ',') ++at_;
    }
    ++at_;
  }

  std::string_view text_;
  LocatedJson& result_;
  std::size_t at_ = 0;
  int line_ = 1;
};

/// Where a comma stands before the closing bracket at or after `offset`; npos: none.
std::size_t dangling_comma(std::string_view text, std::size_t offset) {
  std::size_t closing = std::min(offset, text.size());
  while (closing < text.size() && std::isspace(static_cast<unsigned char>(text[closing])) != 0) ++closing;
  if (closing >= text.size() || (text[closing] != '}' && text[closing] != ']')) return std::string_view::npos;
  std::size_t before = closing;
  while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1])) != 0) --before;
  return before > 0 && text[before - 1] == ',' ? before - 1 : std::string_view::npos;
}

}  // namespace

int LocatedJson::line_of(std::string pointer) const {
  while (true) {
    if (const auto found = lines.find(pointer); found != lines.end()) return found->second;
    const std::size_t cut = pointer.rfind('/');
    if (cut == std::string::npos) return 1;
    pointer.resize(cut);
  }
}

Result<LocatedJson> parse_located(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Result<Json> parsed = parse_json(text);
  if (!parsed) {
    Error error = parsed.error();
    error.file = file;
    // parse_json names the line only; the offset of a dangling comma lies on that line or before it.
    std::size_t offset = 0;
    for (int line = 1; line < error.line && offset < text.size(); ++line)
      offset = text.find('\n', offset) + 1;
    for (std::size_t at = offset; at < text.size() && text[at] != '\n'; ++at) {
      const std::size_t comma = dangling_comma(text, at);
      if (comma == std::string_view::npos) continue;
      error.line = line_at(text, comma);
      error.message =
          say("there is a comma (,) with nothing behind it: the next token closes the object or array");
      error.hint = say("delete the comma");
      break;
    }
    return error;
  }
  LocatedJson result;
  result.value = std::move(*parsed);
  Locator(text, result).run();
  return result;
}

}  // namespace ridge::interchange
