// SPDX-License-Identifier: GPL-3.0-or-later
#include "source/outline.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace ridge::source {
namespace {

std::size_t skip_space(std::string_view code, std::size_t at) {
  while (at < code.size() && is_space(code[at])) ++at;
  return at;
}

/// The offset behind the bracket that closes the one at `open`, or the end.
std::size_t behind_bracket(std::string_view code, std::size_t open) {
  const char opening = code[open];
  const char closing = opening == '(' ? ')' : opening == '[' ? ']' : '}';
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == opening) ++depth;
    if (code[i] == closing && --depth == 0) return i + 1;
  }
  return code.size();
}

/// The offset behind the > of the template list that opens at `open`; comparisons in brackets do not count.
std::size_t behind_angle(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(' || code[i] == '[' || code[i] == '{') {
      i = behind_bracket(code, i) - 1;
    } else if (code[i] == '<') {
      ++depth;
    } else if (code[i] == '>' && (i == 0 || code[i - 1] != '-') && --depth == 0) {
      return i + 1;
    } else if (code[i] == ';') {
      return i;
    }
  }
  return code.size();
}

struct Scope {
  std::string name;
  bool named = false;  ///< part of the reachable name
  bool extern_c = false;
};

class Outliner {
 public:
  Outliner(const std::string& code, std::string_view text, const Macros& macros)
      : code_(code), text_(text), macros_(macros) {}

  std::vector<Item> run() {
    while ((at_ = skip_space(code_, at_)) < code_.size()) {
      if (code_[at_] == '}') {
        if (!scopes_.empty()) scopes_.pop_back();
        ++at_;
      } else if (code_[at_] == ';') {
        ++at_;
      } else if (!enter_scope()) {
        read_item();
      }
    }
    return std::move(items_);
  }

 private:
  std::string_view code_, text_;
  const Macros& macros_;
  std::size_t at_ = 0;
  std::vector<Scope> scopes_;
  std::vector<Item> items_;

  /// namespace a::b { and extern "C" {
  bool enter_scope() {
    std::size_t at = at_;
    bool inlined = false;
    std::string_view word = word_at(code_, at);
    if (word == "inline") {
      inlined = true;
      at = skip_space(code_, at + word.size());
      word = word_at(code_, at);
    }
    if (word == "namespace") {
      const std::size_t open = code_.find_first_of("{;=", at);
      if (open == std::string_view::npos || code_[open] != '{') return false;
      std::string name;
      for (const char c : code_.substr(at + word.size(), open - at - word.size()))
        if (!is_space(c)) name += c;
      scopes_.push_back({name.empty() ? "(anonymous)" : name, !name.empty() && !inlined, in_extern_c()});
      at_ = open + 1;
      return true;
    }
    if (word == "extern" && !inlined) {
      const std::size_t quote = skip_space(code_, at + word.size());
      if (quote >= code_.size() || code_[quote] != '"') return false;
      const std::size_t closing = code_.find('"', quote + 1);
      const std::size_t open = closing == std::string_view::npos ? closing : skip_space(code_, closing + 1);
      if (open == std::string_view::npos || open >= code_.size() || code_[open] != '{') return false;
      scopes_.push_back({"", false, text_.substr(quote, 3) == "\"C\""});
      at_ = open + 1;
      return true;
    }
    return false;
  }

  bool in_extern_c() const { return !scopes_.empty() && scopes_.back().extern_c; }

  Item begin_item() const {
    Item item;
    item.begin = at_;
    item.extern_c = in_extern_c();
    for (const Scope& scope : scopes_) {
      if (!scope.name.empty()) item.scope += (item.scope.empty() ? "" : "::") + scope.name;
      if (scope.named) item.reachable_scope += (item.reachable_scope.empty() ? "" : "::") + scope.name;
    }
    const std::string_view start = code_.substr(at_, 6);
    if (start == "extern") {
      const std::size_t quote = skip_space(code_, at_ + 6);
      item.extern_c = item.extern_c || text_.substr(std::min(quote, text_.size()), 3) == "\"C\"";
    }
    return item;
  }

  void finish(Item& item, std::size_t end) {
    item.end = std::min(end, code_.size());
    if (item.head_end == 0) item.head_end = item.end;
    at_ = std::max(item.end, at_ + 1);
    items_.push_back(item);
  }

  /// NAME(…) on a line of its own without ; or body: a macro that makes declarations.
  std::optional<std::size_t> macro_call_end() const {
    const std::string_view word = word_at(code_, at_);
    if (word.empty() || is_attribute_word(word)) return std::nullopt;
    const std::size_t open = skip_space(code_, at_ + word.size());
    if (open >= code_.size() || code_[open] != '(') return std::nullopt;
    const std::size_t close = behind_bracket(code_, open);
    const std::size_t next = skip_space(code_, close);
    if (next < code_.size() && code_[next] == ';') return next + 1;
    const bool new_line = code_.substr(close, next - close).find('\n') != std::string_view::npos;
    const bool starts =
        next >= code_.size() || is_word_start(code_[next]) || code_[next] == '}' || code_[next] == '[';
    const bool known = macros_.contains(std::string(word));
    return starts && (new_line || known || next >= code_.size()) ? std::optional(close) : std::nullopt;
  }

  void read_item() {
    Item item = begin_item();
    if (const auto end = macro_call_end()) {
      item.kind = ItemKind::macro_call;
      finish(item, *end);
      return;
    }
    std::size_t at = at_;
    while (word_at(code_, at) == "template") {
      const std::size_t open = skip_space(code_, at + 8);
      if (open >= code_.size() || code_[open] != '<') break;
      at = skip_space(code_, behind_angle(code_, open));
    }
    const std::string_view first = first_word(at);
    const bool may_be_type = first == "struct" || first == "class" || first == "union" || first == "enum";
    bool assigned = false, called = false;
    item.kind =
        first == "using" || first == "typedef" || first == "namespace" ? ItemKind::alias : ItemKind::other;
    while (at < code_.size()) {
      const char c = code_[at];
      if (is_word_start(c)) {
        const std::string_view word = word_at(code_, at);
        at += word.size();
        if (word == "operator") at = std::min(code_.find('(', at), code_.size());
      } else if (c == '(' || c == '[') {
        called = called || c == '(';
        at = behind_bracket(code_, at);
      } else if (c == '<') {
        const std::size_t behind = behind_angle(code_, at);
        at = assigned ? at + 1 : std::max(behind, at + 1);
      } else if (c == '=') {
        if (!assigned) item.head_end = at;
        assigned = true;
        ++at;
      } else if (c == ';' || c == '}') {
        // A } here closes the namespace around: the declaration was cut short.
        if (item.head_end == 0) item.head_end = at;
        if (item.kind == ItemKind::other) item.kind = kind_without_body(may_be_type, assigned, called);
        finish(item, c == ';' ? at + 1 : at);
        return;
      } else if (c == '{') {
        if (read_braces(item, at, may_be_type, assigned, called)) return;
        at = behind_bracket(code_, at);
      } else {
        ++at;
      }
    }
    finish(item, code_.size());
  }

  /// The first word that is no storage class or attribute.
  std::string_view first_word(std::size_t at) const {
    static const std::set<std::string_view> skipped = {"static", "extern",    "inline",
                                                       "const",  "constexpr", "typedef"};
    for (;;) {
      at = skip_space(code_, at);
      const std::string_view word = word_at(code_, at);
      if (word == "typedef" || !skipped.contains(word)) return word;
      at += word.size();
      const std::size_t quote = skip_space(code_, at);
      if (word == "extern" && quote < code_.size() && code_[quote] == '"')
        at = std::min(code_.find('"', quote + 1), code_.size() - 1) + 1;
    }
  }

  static ItemKind kind_without_body(bool may_be_type, bool assigned, bool called) {
    if (called && !assigned) return ItemKind::function;
    return may_be_type && !assigned ? ItemKind::type : ItemKind::variable;
  }

  /// A { at namespace level. True: it ended the item.
  bool read_braces(Item& item, std::size_t at, bool may_be_type, bool assigned, bool called) {
    if (item.head_end == 0) item.head_end = at;
    if (item.kind == ItemKind::alias) return false;
    std::size_t last = at;
    while (last > item.begin && is_space(code_[last - 1])) --last;
    const bool after_list = last > item.begin && code_[last - 1] == ')';
    if (may_be_type && !assigned && !after_list && item.kind == ItemKind::other) {
      item.kind = ItemKind::type;
      return false;  // declarators and ; follow
    }
    if (item.kind == ItemKind::type || assigned || !called) {
      if (item.kind == ItemKind::other) item.kind = ItemKind::variable;
      return false;
    }
    item.kind = ItemKind::function;
    item.has_body = true;
    finish(item, behind_bracket(code_, at));
    return true;
  }
};

/// A condition of #if that NVRTC always decides the same way.
enum class Truth { no, yes, unknown };
Truth truth_of(std::string_view directive, std::string_view condition) {
  static const std::set<std::string_view> defined = {"__CUDACC_RTC__", "__CUDACC__", "__CUDA_ARCH__",
                                                     "__cplusplus"};
  static const std::set<std::string_view> undefined = {"__NVCC__",  "_MSC_VER",  "_WIN32",
                                                       "__APPLE__", "__HIPCC__", "__HIP_PLATFORM_AMD__"};
  const auto of_name = [&](std::string_view name) {
    return defined.contains(name) ? Truth::yes : undefined.contains(name) ? Truth::no : Truth::unknown;
  };
  const auto negated = [](Truth truth) {
    return truth == Truth::unknown ? truth : truth == Truth::yes ? Truth::no : Truth::yes;
  };
  if (directive == "ifdef") return of_name(trim(condition));
  if (directive == "ifndef") return negated(of_name(trim(condition)));
  std::string text;
  for (const char c : condition)
    if (!is_space(c)) text += c;
  if (text == "0" || text == "false") return Truth::no;
  if (text == "1" || text == "true") return Truth::yes;
  const bool negative = text.starts_with("!");
  std::string name = text.substr(negative ? 1 : 0);
  if (!name.starts_with("defined")) return Truth::unknown;
  name = name.substr(7);
  if (name.starts_with("(") && name.ends_with(")")) name = name.substr(1, name.size() - 2);
  return negative ? negated(of_name(name)) : of_name(name);
}

/// One #if … #endif group while it is open.
struct Branching {
  bool outer_dead = false;  ///< the group itself lies in a dead branch
  bool dead = false;        ///< this branch
  Truth taken = Truth::no;  ///< whether an earlier branch was
  bool later = false;       ///< this is not the first branch that is alive
};

void blank_braces(std::string& code, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (code[i] == '{' || code[i] == '}') code[i] = ' ';
}

/// Net depth of the braces of a piece of code, and the lowest depth on the way.
std::pair<int, int> brace_balance(std::string_view code) {
  int depth = 0, lowest = 0;
  for (const char c : code) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    lowest = std::min(lowest, depth);
  }
  return {depth, lowest};
}

}  // namespace

bool is_attribute_word(std::string_view word) {
  static const std::set<std::string_view> words = {
      "__launch_bounds__", "__attribute__", "__align__",        "alignas",        "__declspec", "decltype",
      "__maxnreg__",       "noexcept",      "__cluster_dims__", "__block_size__", "requires",   "explicit"};
  return words.contains(word);
}

Macros macros_in(const std::string& code) {
  Macros macros;
  std::size_t begin = 0;
  while (begin < code.size()) {
    std::size_t end = code.find('\n', begin);
    // A definition goes on over lines that end with a backslash.
    while (end != std::string::npos && end > begin && code[end - 1] == '\\') end = code.find('\n', end + 1);
    if (end == std::string::npos) end = code.size();
    std::string_view line = trim(std::string_view(code).substr(begin, end - begin));
    begin = end + 1;
    if (!line.starts_with('#')) continue;
    line = trim(line.substr(1));
    if (word_at(line, 0) != "define") continue;
    line = trim(line.substr(6));
    const std::string_view name = word_at(line, 0);
    if (!name.empty()) macros[std::string(name)] = line.substr(name.size());
  }
  return macros;
}

Structure structure_of(const std::string& code) {
  Structure structure{code, {}};
  std::string& result = structure.code;
  int line_number = 0;
  std::vector<Branching> open;
  std::size_t begin = 0, branch_begin = 0;
  bool continued = false;
  const auto close_branch = [&](std::size_t end) {
    // A later branch that opens or closes a scope does what the first one already did.
    if (open.empty() || !open.back().later || open.back().dead) return;
    const auto [net, lowest] =
        brace_balance(std::string_view(result).substr(branch_begin, end - branch_begin));
    if (net != 0 || lowest != 0) blank_braces(result, branch_begin, end);
  };
  while (begin < result.size()) {
    ++line_number;
    const std::size_t newline = result.find('\n', begin);
    const std::size_t end = newline == std::string::npos ? result.size() : newline;
    std::string_view line = trim(std::string_view(result).substr(begin, end - begin));
    const bool dead = !open.empty() && (open.back().dead || open.back().outer_dead);
    if (dead) structure.dead_lines.insert(line_number);
    const bool goes_on = !line.empty() && line.back() == '\\';
    if (continued || !line.starts_with('#')) {
      if (continued || dead) blank(result, begin, end);
      continued = continued && goes_on;
      begin = end + 1;
      continue;
    }
    const std::string_view rest = trim(line.substr(1));
    const std::string directive(word_at(rest, 0));
    const std::string condition(trim(rest.substr(directive.size())));
    blank(result, begin, end);
    continued = goes_on;
    if (directive == "if" || directive == "ifdef" || directive == "ifndef") {
      Branching branching;
      branching.outer_dead = !open.empty() && (open.back().dead || open.back().outer_dead);
      branching.taken = truth_of(directive, condition);
      branching.dead = branching.taken == Truth::no;
      open.push_back(branching);
      branch_begin = end;
    } else if (!open.empty() && (directive == "else" || directive.starts_with("elif"))) {
      close_branch(begin);
      Branching& branching = open.back();
      branching.later = branching.later || !branching.dead;
      const Truth own = directive == "else" ? Truth::yes : truth_of("if", condition);
      branching.dead = branching.taken == Truth::yes || own == Truth::no;
      if (!branching.dead && branching.taken == Truth::no) branching.taken = own;
      branch_begin = end;
    } else if (!open.empty() && directive == "endif") {
      close_branch(begin);
      open.pop_back();
      branch_begin = end;
    }
    begin = end + 1;
  }
  return structure;
}

std::vector<Item> outline(const std::string& structure, std::string_view text, const Macros& macros) {
  return Outliner(structure, text, macros).run();
}

Spaces spaces_of(std::string_view head, const Macros& macros) {
  Spaces spaces;
  std::set<std::string> seen;
  std::vector<std::string> waiting;
  for (const std::string& word : words_in(head)) waiting.push_back(word);
  while (!waiting.empty()) {
    const std::string word = waiting.back();
    waiting.pop_back();
    if (!seen.insert(word).second) continue;
    if (word == "__global__") spaces.global = true;
    if (word == "__device__" || word == "__constant__" || word == "__managed__" || word == "__shared__")
      spaces.device = true;
    const auto macro = macros.find(word);
    if (macro != macros.end()) {
      for (const std::string& inner : words_in(macro->second)) waiting.push_back(inner);
    } else if (word.find("DEVICE") != std::string::npos &&
               std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; })) {
      spaces.device = true;  // CUTLASS_DEVICE, CUTE_HOST_DEVICE: macros of headers that are not read here
    }
  }
  return spaces;
}

std::set<std::string> words_in(std::string_view code) {
  std::set<std::string> words;
  for (std::size_t at = 0; at < code.size();) {
    const std::string_view word = word_at(code, at);
    if (!word.empty()) words.emplace(word);
    at += word.empty() ? 1 : word.size();
    while (word.empty() && at < code.size() && at > 0 && is_word(code[at - 1]) && is_word(code[at])) ++at;
  }
  return words;
}

}  // namespace ridge::source
