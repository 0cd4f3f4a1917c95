// SPDX-License-Identifier: GPL-3.0-or-later
// The module level of PTX: variables with initialisers, files, sections and function headers.
#include "device/emulator/ptx/parser.h"

#include <algorithm>
#include <optional>

#include "device/emulator/checks/places.h"
#include "device/emulator/ptx/body.h"

namespace ridge::device::emulator::ptx {

const Function* Module::function(const std::string& name) const {
  const Function* declared = nullptr;
  for (const Function& candidate : functions)
    if (candidate.name == name) {
      if (candidate.defined) return &candidate;
      declared = &candidate;
    }
  return declared;
}

namespace {

class ModuleParser {
 public:
  ModuleParser(std::string_view text, Origin origin) : lexer_(text) { module_.origin = origin; }

  Module parse() {
    while (lexer_.peek().kind != Token::Kind::end) statement();
    resolve_function_names();
    return std::move(module_);
  }

  /// What to say of a fault. The names of files and inlined functions may stand behind it.
  Error describe(const SyntaxError& fault) {
    try {
      while (lexer_.peek().kind != Token::Kind::end) {
        const Token token = lexer_.take();
        if (token.is(".file")) file();
        if (token.is(".section")) section();
      }
    } catch (const SyntaxError&) {  // one is enough
    }
    resolve_function_names();
    Error error;
    error.kind = ErrorKind::definition;
    error.code = "ptx_syntax";
    set_place(error, module_, fault.location, fault.line, fault.message);
    error.hint = say("The emulator reads what NVRTC emits; compile the kernel again or check the .ptx file.");
    return error;
  }

 private:
  void statement() {
    bool external = false;
    for (;;) {  // linkage
      if (lexer_.accept(".extern")) {
        external = true;
      } else if (!lexer_.accept(".visible") && !lexer_.accept(".weak") && !lexer_.accept(".common")) {
        break;
      }
    }
    const Token token = lexer_.take();
    if (token.is(".version")) {
      module_.version = lexer_.expect_word(phrase("a version"));
    } else if (token.is(".target")) {
      module_.target = lexer_.expect_word(phrase("a target"));
      while (lexer_.accept(',')) lexer_.expect_word(phrase("a target option"));
    } else if (token.is(".address_size")) {
      if (lexer_.expect_word(phrase("a size")) != "64")
        lexer_.fail(say("only 64-bit addresses are emulated"));
    } else if (token.is(".file")) {
      file();
    } else if (token.is(".section")) {
      section();
    } else if (token.is(".pragma") || token.is(".alias")) {
      while (!lexer_.accept(';')) take_or_fail();
    } else if (token.is(".loc")) {
      parse_location(lexer_, module_);
    } else if (const auto space = space_named(token.text)) {
      module_.variables.push_back(parse_variable(lexer_, *space));
      module_.variables.back().external = external;
      lexer_.expect(';');
    } else if (token.is(".entry") || token.is(".func")) {
      function(token.is(".entry"));
    } else if (!token.is(';')) {
      throw SyntaxError(token.line, say("'{}' starts nothing that PTX knows at module level", token.text));
    }
  }

  void take_or_fail() {
    if (lexer_.take().kind == Token::Kind::end) lexer_.fail(say("the text ends too early"));
  }

  void file() {
    const int index = static_cast<int>(parse_number(lexer_));
    const Token name = lexer_.take();
    if (name.kind != Token::Kind::string) lexer_.fail(say("expected a file name"));
    module_.files[index] = name.text;
    while (lexer_.accept(',')) parse_number(lexer_);  // time stamp, size
  }

  /// Debug sections; only the strings matter, for they name inlined functions.
  void section() {
    do lexer_.expect_word(phrase("a section name"));
    while (!lexer_.accept('{'));
    std::string* string = nullptr;
    bool ended = false;
    while (!lexer_.accept('}')) {
      const Token token = lexer_.take();
      if (token.kind == Token::Kind::end) lexer_.fail(say("a section has no end"));
      if (token.kind == Token::Kind::word && lexer_.peek().is(':')) {
        lexer_.take();
        string = &strings_[std::string(token.text)];
        ended = false;
      } else if (token.is(".b8") && string != nullptr) {
        do {
          const std::uint64_t byte = parse_number(lexer_);
          ended = ended || byte == 0;
          if (!ended) string->push_back(static_cast<char>(byte));
        } while (lexer_.accept(','));
      }
    }
  }

  std::vector<Variable> parameter_list() {
    std::vector<Variable> list;
    lexer_.expect('(');
    while (!lexer_.accept(')')) {
      if (!lexer_.accept(".param") && !lexer_.accept(".reg")) lexer_.fail(say("expected .param"));
      list.push_back(parse_variable(lexer_, StateSpace::param));
      if (!lexer_.peek().is(')')) lexer_.expect(',');
    }
    return list;
  }

  void function(bool entry) {
    Function function;
    function.entry = entry;
    if (lexer_.peek().is('(')) function.results = parameter_list();
    function.name = lexer_.expect_word(phrase("a function name"));
    if (lexer_.peek().is('(')) function.parameters = parameter_list();
    for (;;) {
      if (lexer_.accept(';')) break;  // a declaration
      if (lexer_.accept('{')) {
        function.defined = true;
        parse_body(lexer_, module_, function);
        break;
      }
      attribute(function);
    }
    module_.functions.push_back(std::move(function));
  }

  void attribute(Function& function) {
    const Token token = lexer_.take();
    if (token.kind == Token::Kind::end) lexer_.fail(say("function {} has no body", function.name));
    if (token.is(".maxntid") || token.is(".reqntid") || token.is(".reqnctapercluster")) {
      std::vector<std::uint32_t> extents;
      do extents.push_back(static_cast<std::uint32_t>(parse_number(lexer_)));
      while (lexer_.accept(','));
      if (token.is(".reqnctapercluster")) {
        function.required_cluster = extents;
        return;
      }
      std::uint64_t product = 1;
      for (const std::uint32_t extent : extents) product *= extent;
      function.max_threads = static_cast<int>(std::min<std::uint64_t>(product, 1u << 20));
      if (token.is(".reqntid")) function.required_threads = extents;
    }
  }

  void resolve_function_names() {
    for (Location& location : module_.locations) {
      const auto found = strings_.find(location.function);
      if (found != strings_.end()) location.function = found->second;
    }
  }

  Lexer lexer_;
  Module module_;
  std::map<std::string, std::string> strings_;
};

}  // namespace

Result<Module> parse(std::string_view text, Origin origin) {
  // The first token may be at fault already.
  std::optional<ModuleParser> parser;
  try {
    return parser.emplace(text, origin).parse();
  } catch (const SyntaxError& error) {
    if (!parser) parser.emplace("", origin);
    return parser->describe(error);
  }
}

}  // namespace ridge::device::emulator::ptx
