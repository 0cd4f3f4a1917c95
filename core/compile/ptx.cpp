// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/ptx.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "base/text.h"

namespace ridge::compile {

namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && blank(text[at])) ++at;
    std::size_t end = at;
    while (end < text.size() && !blank(text[end])) ++end;
    if (end > at) result.push_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

/// Bytes of ".f32", ".b8", ".v4"…; 0: no type.
std::int64_t type_bytes(std::string_view word) {
  if (word == ".f16x2" || word == ".bf16x2") return 4;
  if (word == ".pred") return 1;
  if (word.size() < 3 || word[0] != '.') return 0;
  std::size_t digits = 1;
  while (digits < word.size() && word[digits] >= 'a' && word[digits] <= 'z') ++digits;
  constexpr std::array<std::string_view, 5> kKinds{"b", "u", "s", "f", "bf"};
  if (std::find(kKinds.begin(), kKinds.end(), word.substr(1, digits - 1)) == kKinds.end()) return 0;
  const std::int64_t bits = number(word.substr(digits));
  return bits % 8 == 0 && bits <= 128 ? bits / 8 : 0;
}

struct Declaration {
  std::string name;
  std::int64_t element = 0, elements = 1, align = 0;
  std::int64_t bytes() const { return element * elements; }
};

/// ".param .align 16 .b8 name[16]", ".global .align 4 .f32 table[3][4]".
Declaration declaration(std::string_view text) {
  Declaration result;
  bool pointer = false;
  const std::vector<std::string_view> parts = words(text.substr(0, text.find('=')));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view word = parts[i];
    if (word == ".ptr") pointer = true;
    if (word == ".align" && i + 1 < parts.size()) {
      // Behind .ptr it is the alignment of what is pointed to.
      if (!pointer) result.align = number(parts[i + 1]);
      ++i;
    } else if (word[0] == '.') {
      if (const std::int64_t bytes = type_bytes(word); bytes && !result.element) result.element = bytes;
    } else {
      const std::size_t bracket = word.find('[');
      if (result.name.empty()) result.name = word.substr(0, bracket);
      for (std::size_t at = bracket; at != std::string_view::npos; at = word.find('[', at + 1))
        result.elements *= number(word.substr(at + 1));
    }
  }
  if (!result.align) result.align = std::max<std::int64_t>(result.element, 1);
  return result;
}

/// Text without comments, of the same length and lines.
std::string without_comments(std::string_view text) {
  std::string result(text);
  bool quoted = false;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == '"') quoted = !quoted;
    if (result[i] == '\n') quoted = false;
    if (quoted || result[i] != '/' || i + 1 >= result.size()) continue;
    if (result[i + 1] == '/') {
      while (i < result.size() && result[i] != '\n') result[i++] = ' ';
    } else if (result[i + 1] == '*') {
      std::size_t end = result.find("*/", i + 2);
      end = end == std::string::npos ? result.size() : end + 2;
      for (; i < end; ++i)
        if (result[i] != '\n') result[i] = ' ';
      --i;
    }
  }
  return result;
}

/// Variables that the toolkit's headers and the compiler put into a module.
bool of_the_toolkit(const std::string& symbol, const std::string& name) {
  for (const char* prefix : {"cuda::", "cooperative_groups::", "cub::", "thrust::", "nv::", "std::", "__nv"})
    if (name.rfind(prefix, 0) == 0) return true;
  return symbol[0] == '$' || symbol[0] == '.' || symbol.rfind("__unnamed", 0) == 0;
}

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view ptx) : text_(without_comments(ptx)) {}

  PtxModule parse() {
    module_.lines = static_cast<int>(split_lines(text_).size());
    while (skip_blanks()) {
      if (text_[at_] == '}' || text_[at_] == ';') {
        ++at_;
      } else if (line_directive()) {
        read_line();
      } else if (!read_statement()) {
        module_.truncated = true;
        break;
      }
    }
    return std::move(module_);
  }

 private:
  bool skip_blanks() {
    while (at_ < text_.size() && blank(text_[at_])) ++at_;
    return at_ < text_.size();
  }

  bool starts(std::string_view word) const {
    return text_.compare(at_, word.size(), word) == 0 &&
           (at_ + word.size() >= text_.size() || blank(text_[at_ + word.size()]));
  }

  bool line_directive() const {
    for (const char* word : {".version", ".target", ".address_size", ".file", ".loc"})
      if (starts(word)) return true;
    return false;
  }

  void read_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = trim(std::string_view(text_).substr(at_, end - at_));
    const std::vector<std::string_view> parts = words(line);
    if (parts[0] == ".version" && parts.size() > 1) {
      module_.version = parts[1];
      module_.version_line = 1 + static_cast<int>(std::count(
                                     text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    } else if (parts[0] == ".target" && parts.size() > 1) {
      module_.target = parts[1].substr(0, parts[1].find(','));
    } else if (parts[0] == ".file" && parts.size() > 2) {
      const std::size_t open = line.find('"'), close = line.find('"', open + 1);
      if (close != std::string_view::npos)
        module_.files[static_cast<int>(number(parts[1]))] = line.substr(open + 1, close - open - 1);
    }
    at_ = end;
  }

  /// A declaration up to its ';', or a function with its body. False when the text ends before.
  bool read_statement() {
    const std::size_t end = text_.find_first_of(";{", at_);
    if (end == std::string::npos) {
      note_open_function(text_.substr(at_));
      return false;
    }
    const std::string head = text_.substr(at_, end - at_);
    at_ = end + 1;
    if (text_[end] == ';') {
      read_declaration(head);
      return true;
    }
    const std::size_t close = matching_brace(end);
    if (close == std::string::npos) {
      note_open_function(head);
      return false;
    }
    at_ = close + 1;
    if (head.find('=') != std::string::npos)  // an initialiser; its ';' follows
      read_declaration(head);
    else
      read_function(head, std::string_view(text_).substr(end + 1, close - end - 1));
    return true;
  }

  std::size_t matching_brace(std::size_t open) const {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = open; i < text_.size(); ++i) {
      if (text_[i] == '"') quoted = !quoted;
      if (quoted) continue;
      if (text_[i] == '{') ++depth;
      if (text_[i] == '}' && --depth == 0) return i;
    }
    return std::string::npos;
  }

  static std::string function_name(const std::string& head, std::string_view keyword) {
    const std::size_t at = head.find(keyword);
    if (at == std::string::npos) return {};
    const std::size_t open = head.find('(', at);
    return std::string(trim(std::string_view(head).substr(at + keyword.size(), open - at - keyword.size())));
  }

  void note_open_function(const std::string& head) { module_.open_function = function_name(head, ".entry"); }

  void read_declaration(const std::string& head) {
    const bool constant = head.find(".const") != std::string::npos;
    if (!constant && head.find(".global") == std::string::npos) return;
    if (head.find(".func") != std::string::npos || head.find(".entry") != std::string::npos) return;
    const Declaration variable = declaration(head);
    if (variable.name.empty() || variable.bytes() <= 0) return;
    const std::string name = name_for_people(variable.name);
    if (!of_the_toolkit(variable.name, name))
      module_.globals.push_back({name, variable.name, variable.bytes(), constant});
  }

  void read_function(const std::string& head, std::string_view body) {
    const std::string symbol = function_name(head, ".entry");
    if (symbol.empty()) return;
    Entry entry;
    entry.symbol = symbol;
    entry.name = name_for_people(symbol);
    const std::size_t open = head.find('('), close = head.find(')');
    if (open != std::string::npos && close != std::string::npos)
      read_parameters(head.substr(open + 1, close - open - 1), entry);
    entry.line = first_line(body);
    Resources limits;
    if (const std::size_t at = head.find(".maxntid"); at != std::string::npos) {
      std::int64_t threads = 1;
      for (const std::string& extent : split_list(head.substr(at + 8, head.find('.', at + 8) - at - 8)))
        threads *= std::max<std::int64_t>(number(extent), 1);
      limits.max_threads = static_cast<int>(std::min<std::int64_t>(threads, 1 << 20));
    }
    for (const std::string& statement : split_list(body, ';')) {
      const std::size_t at = statement.find(".shared");
      if (at == std::string::npos || statement.find('[') == std::string::npos) continue;
      // Instructions have the state space behind a dot of their own: "ld.shared.f32".
      if (at > 0 && !blank(statement[at - 1])) continue;
      const Declaration variable = declaration(std::string_view(statement).substr(at));
      limits.shared_bytes += variable.bytes();
      module_.shared.push_back({symbol, variable.name, variable.bytes()});
    }
    entry.resources = limits;
    module_.entries.push_back(std::move(entry));
  }

  static void read_parameters(const std::string& list, Entry& entry) {
    std::int64_t offset = 0;
    for (const std::string& item : split_list(list)) {
      if (item.empty()) continue;
      const Declaration parameter = declaration(item);
      offset = (offset + parameter.align - 1) / parameter.align * parameter.align;
      entry.parameters.push_back(
          {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(parameter.bytes())});
      offset += parameter.bytes();
    }
  }

  /// Of the function itself: NVRTC marks its start with column 0.
  static int first_line(std::string_view body) {
    const std::size_t at = body.find(".loc");
    if (at == std::string_view::npos) return 0;
    const std::vector<std::string_view> parts = words(body.substr(at, body.find('\n', at) - at));
    return parts.size() > 2 ? static_cast<int>(number(parts[2])) : 0;
  }

  std::string text_;
  std::size_t at_ = 0;
  PtxModule module_;
};

std::string demangle(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // f is a variable, not float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : symbol;
}

/// Where the parameter list of a demangled function opens; npos: none.
std::size_t parameter_list(std::string_view text) {
  if (text.empty() || text.back() != ')') return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (!blank(c)) result += c;
  return result;
}

}  // namespace

PtxModule parse_ptx(std::string_view ptx) {
  return ModuleParser(ptx).parse();
}

std::optional<SourcePlace> place_of(std::string_view ptx, int ptx_line) {
  std::optional<std::pair<int, int>> found;  // file, line
  int line = 0;
  std::map<int, std::string> files;
  for (const std::string_view text : split_lines(ptx)) {
    ++line;
    const std::vector<std::string_view> parts = words(text);
    if (parts.size() < 3) continue;
    if (parts[0] == ".file") {
      const std::size_t open = text.find('"'), close = text.rfind('"');
      if (close > open) files[static_cast<int>(number(parts[1]))] = text.substr(open + 1, close - open - 1);
    } else if (line <= ptx_line) {
      if (text.find(".entry") != std::string_view::npos || text.find(".func") != std::string_view::npos)
        found.reset();
      if (parts[0] == ".loc")
        found = {static_cast<int>(number(parts[1])), static_cast<int>(number(parts[2]))};
    }
  }
  if (!found || !files.count(found->first)) return std::nullopt;
  return SourcePlace{files[found->first], found->second};
}

std::string name_for_people(const std::string& symbol, bool parameters) {
  std::string text = demangle(symbol);
  if (text == symbol) return text;
  const std::size_t list = parameter_list(text);
  std::string tail;
  if (list != std::string::npos) {
    tail = text.substr(list);
    text.resize(list);
    // Instances of templates come with their return type, which kernels have only one of.
    if (text.rfind("void ", 0) == 0) text.erase(0, 5);
  }
  // Internal linkage puts a name made of the file's hash in front.
  if (text.rfind("_INTERNAL_", 0) == 0)
    if (const std::size_t end = text.find("::"); end != std::string::npos) text.erase(0, end + 2);
  return parameters ? text + tail : text;
}

std::string_view base_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colon = name.rfind("::");
  return colon == std::string_view::npos ? name : name.substr(colon + 2);
}

bool same_kernel(std::string_view name, std::string_view entry_name) {
  const std::string wanted = without_blanks(name), known = without_blanks(entry_name);
  if (wanted == known) return true;
  return wanted.find('<') == std::string::npos && wanted.find(':') == std::string::npos &&
         base_name(known) == wanted;
}

}  // namespace ridge::compile
