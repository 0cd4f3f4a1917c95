// SPDX-License-Identifier: GPL-3.0-or-later
// Function bodies: scopes with their registers, labels, instructions and their operands.
#include "device/emulator/ptx/body.h"

#include <unordered_map>

#include "device/emulator/ptx/constant.h"
#include "device/emulator/ptx/literal.h"

namespace ridge::device::emulator::ptx {

namespace {

constexpr std::size_t kMaxRegisters = 1u << 20;
constexpr int kMaxNesting = 64;

class BodyParser {
 public:
  BodyParser(Lexer& lexer, Module& module, Function& function)
      : lexer_(lexer), module_(module), function_(function), scopes_(1) {
    for (const auto* list : {&function.parameters, &function.results})
      for (const Variable& variable : *list) scopes_[0].names[variable.name] = variable.name;
  }

  void parse() {
    while (!scopes_.empty()) statement();
  }

 private:
  struct Scope {
    std::unordered_map<std::string, int> registers;
    std::unordered_map<std::string, std::string> names;  ///< variables and labels, made unique
  };

  void statement() {
    if (lexer_.accept('{')) {
      if (scopes_.size() > kMaxNesting) lexer_.fail(say("scopes are nested too deeply"));
      scopes_.emplace_back();
      return;
    }
    if (lexer_.accept('}')) {
      scopes_.pop_back();
      return;
    }
    if (lexer_.accept(';')) return;
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::end) lexer_.fail(say("function {} has no end", function_.name));
    if (token.is('@')) return instruction();
    if (token.kind != Token::Kind::word) lexer_.fail(say("'{}' starts no statement", token.text));
    if (token.text[0] == '.') return directive();
    if (lexer_.follows(':')) return label();
    instruction();
  }

  void directive() {
    const Token token = lexer_.take();
    if (token.is(".loc")) {
      parse_location(lexer_, module_);
      location_ = static_cast<int>(module_.locations.size()) - 1;
      if (function_.location < 0) function_.location = location_;
    } else if (token.is(".reg")) {
      registers();
    } else if (token.is(".pragma")) {
      while (!lexer_.accept(';'))
        if (lexer_.take().kind == Token::Kind::end) lexer_.fail(say("a pragma has no end"));
    } else if (const auto space = space_named(token.text)) {
      do {
        Variable variable = parse_variable(lexer_, *space);
        variable.name = declare(variable.name);
        function_.variables.push_back(std::move(variable));
      } while (lexer_.accept(','));
      lexer_.expect(';');
    } else {
      throw SyntaxError(token.line, say("directive {} is unknown in a function", token.text));
    }
  }

  /// A name of the current scope; names of inner scopes get a suffix that no PTX name can have.
  std::string declare(const std::string& name) {
    std::string unique = name;
    if (scopes_.size() > 1) unique += "#" + std::to_string(++unique_);
    scopes_.back().names[name] = unique;
    return unique;
  }

  void registers() {
    std::string_view word = lexer_.expect_word(phrase("a type"));
    if (word == ".v2" || word == ".v4") lexer_.fail(say("vector registers are not emulated"));
    const auto type = type_named(word.substr(1));
    if (!type) lexer_.fail(say("type {} is unknown", word));
    do {
      const std::string name(lexer_.expect_word(phrase("a register")));
      if (lexer_.accept('<')) {
        const std::uint64_t count = parse_number(lexer_);
        lexer_.expect('>');
        if (count > kMaxRegisters) lexer_.fail(say("function {} has too many registers", function_.name));
        for (std::uint64_t i = 0; i < count; ++i) add_register(name + std::to_string(i), *type);
      } else {
        add_register(name, *type);
      }
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  void add_register(std::string name, Type type) {
    if (function_.registers.size() >= kMaxRegisters)
      lexer_.fail(say("function {} has too many registers", function_.name));
    scopes_.back().registers[name] = static_cast<int>(function_.registers.size());
    function_.registers.push_back({std::move(name), type});
  }

  void label() {
    const std::string name(lexer_.take().text);
    lexer_.expect(':');
    if (lexer_.peek().is(".callprototype")) {
      while (!lexer_.accept(';'))
        if (lexer_.take().kind == Token::Kind::end) lexer_.fail(say("a prototype has no end"));
      return;
    }
    if (lexer_.accept(".branchtargets")) {
      auto& table = function_.tables[name];
      do table.emplace_back(lexer_.expect_word(phrase("a label")));
      while (lexer_.accept(','));
      lexer_.expect(';');
      return;
    }
    if (!function_.labels.emplace(name, static_cast<int>(function_.body.size())).second)
      lexer_.fail(say("label {} is defined twice", name));
  }

  void instruction() {
    Instruction instruction;
    instruction.location = location_;
    instruction.line = lexer_.peek().line;
    instruction.begin = lexer_.offset();
    if (lexer_.accept('@')) {
      instruction.guard_negated = lexer_.accept('!');
      const Operand guard = named(lexer_.expect_word(phrase("a predicate")));
      if (guard.kind != Operand::Kind::reg) lexer_.fail(say("a guard is a predicate register"));
      instruction.guard = guard.index;
    }
    instruction.opcode = lexer_.expect_word(phrase("an instruction"));
    calls_ = instruction.opcode == "call" || instruction.opcode.starts_with("call.");
    if (!lexer_.peek().is(';')) {
      do instruction.operands.push_back(operand(0));
      while (lexer_.accept(','));
    }
    if (lexer_.peek().is(';')) instruction.end = lexer_.offset();
    lexer_.expect(';');
    function_.body.push_back(std::move(instruction));
  }

  Operand operand(int depth) {
    if (depth > 4) lexer_.fail(say("operands are nested too deeply"));
    Operand result = simple_operand(depth);
    if (lexer_.accept('|')) {
      Operand pair;
      pair.kind = Operand::Kind::pair;
      pair.elements.push_back(std::move(result));
      pair.elements.push_back(simple_operand(depth));
      return pair;
    }
    return result;
  }

  Operand simple_operand(int depth) {
    if (lexer_.accept('{')) return sequence(Operand::Kind::vector, '}', depth);
    if (lexer_.peek().is('(')) {
      if (!calls_) return constant(parse_constant(lexer_));
      lexer_.accept('(');
      return sequence(Operand::Kind::list, ')', depth);
    }
    if (lexer_.accept('[')) return address(depth);
    if (lexer_.peek().is('~')) return constant(parse_constant(lexer_));
    const bool negated = lexer_.accept('!');
    const bool minus = lexer_.accept('-');
    const std::string_view word = lexer_.expect_word(phrase("an operand"));
    Operand result = named(word);
    const bool is_unsigned = result.kind == Operand::Kind::integer && is_unsigned_literal(word, result.bits);
    result.negated = negated;
    if (minus) {
      if (result.kind == Operand::Kind::integer) {
        result.bits = 0 - result.bits;
      } else if (result.kind == Operand::Kind::f32) {
        result.bits ^= 0x80000000u;
      } else if (result.kind == Operand::Kind::f64) {
        result.bits ^= std::uint64_t{1} << 63;
      } else {
        lexer_.fail(say("only a number can be negative"));
      }
    }
    if (result.kind == Operand::Kind::name) offset(result);
    if (result.kind == Operand::Kind::integer && negated) result = constant(result.bits == 0 ? 1 : 0);
    if (result.kind == Operand::Kind::integer && continues_constant(lexer_))
      return constant(parse_constant_after(lexer_, result.bits, is_unsigned));
    return result;
  }

  static Operand constant(std::uint64_t bits) {
    Operand result;
    result.kind = Operand::Kind::integer;
    result.bits = bits;
    return result;
  }

  Operand sequence(Operand::Kind kind, char end, int depth) {
    Operand result;
    result.kind = kind;
    while (!lexer_.accept(end)) {
      result.elements.push_back(operand(depth + 1));
      if (!lexer_.peek().is(end)) lexer_.expect(',');
    }
    return result;
  }

  Operand address(int depth) {
    Operand result;
    result.kind = Operand::Kind::address;
    Operand base = named(lexer_.expect_word(phrase("an address")));
    offset(base);
    result.bits = base.kind == Operand::Kind::integer ? 0 : base.bits;
    if (base.kind != Operand::Kind::integer) base.bits = 0;
    result.elements.push_back(std::move(base));
    while (lexer_.accept(',')) result.elements.push_back(operand(depth + 1));
    lexer_.expect(']');
    return result;
  }

  /// `+ 16`, `+ -4` or `+ 4*2` after a name or register: added to its bits.
  void offset(Operand& operand) { operand.bits += parse_offset(lexer_); }

  Operand named(std::string_view word) {
    if (auto number = literal(word)) return *number;
    Operand result;
    if (word == "_") {
      result.kind = Operand::Kind::sink;
      return result;
    }
    const std::string name(word);
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->registers.find(name); found != scope->registers.end()) {
        result.kind = Operand::Kind::reg;
        result.index = found->second;
        return result;
      }
      if (const auto found = scope->names.find(name); found != scope->names.end()) {
        result.kind = Operand::Kind::name;
        result.text = found->second;
        return result;
      }
    }
    result.kind = Operand::Kind::name;
    result.text = name;
    return result;
  }

  Lexer& lexer_;
  Module& module_;
  Function& function_;
  std::vector<Scope> scopes_;
  int location_ = -1;
  int unique_ = 0;
  bool calls_ = false;  ///< the instruction is a call: parentheses hold lists
};

}  // namespace

void parse_body(Lexer& lexer, Module& module, Function& function) {
  BodyParser(lexer, module, function).parse();
}

}  // namespace ridge::device::emulator::ptx
