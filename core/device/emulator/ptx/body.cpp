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
    const std::size_t first = module_.locations.size();
    try {
      while (!scopes_.empty()) statement();
    } catch (SyntaxError& error) {
      complete_locations(module_, first);
      error.location = location_;
      throw;
    }
    complete_locations(module_, first);
  }

 private:
  struct Scope {
    std::unordered_map<std::string, int> registers;
    std::unordered_map<std::string, std::vector<int>> vectors;  ///< registers that have several parts
    std::unordered_map<std::string, std::string> names;         ///< variables, made unique
    std::unordered_map<std::string, std::string> labels;        ///< made unique
    std::vector<std::string*> branches;  ///< labels that it asks for: they may come until it ends
  };

  void statement() {
    if (lexer_.accept('{')) {
      if (scopes_.size() > kMaxNesting) lexer_.fail(say("scopes are nested too deeply"));
      scopes_.emplace_back();
      return;
    }
    if (lexer_.accept('}')) {
      close_scope();
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
  std::string unique_name(const std::string& name) {
    return scopes_.size() > 1 ? name + "#" + std::to_string(++unique_) : name;
  }
  std::string declare(const std::string& name) { return scopes_.back().names[name] = unique_name(name); }
  std::string declare_label(const std::string& name) {
    const auto [label, added] = scopes_.back().labels.emplace(name, unique_name(name));
    if (!added) lexer_.fail(say("label {} is defined twice", name));
    return label->second;
  }

  /// Branches go to the labels of their own scope, else to those of the scopes around it.
  void close_scope() {
    const Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    for (std::string* label : scope.branches) {
      if (const auto found = scope.labels.find(*label); found != scope.labels.end())
        *label = found->second;
      else if (!scopes_.empty())
        scopes_.back().branches.push_back(label);
    }
  }

  void registers() {
    std::string_view word = lexer_.expect_word(phrase("a type"));
    int parts = 1;
    if (word == ".v2" || word == ".v4") {
      parts = word[2] - '0';
      word = lexer_.expect_word(phrase("a type"));
    }
    const auto type = type_named(word.substr(1));
    if (!type) lexer_.fail(say("type {} is unknown", word));
    const auto add = [&](const std::string& name) { add_registers(name, *type, parts); };
    do {
      const std::string name(lexer_.expect_word(phrase("a register")));
      if (lexer_.accept('<')) {
        const std::uint64_t count = parse_number(lexer_);
        lexer_.expect('>');
        if (count > kMaxRegisters) lexer_.fail(say("function {} has too many registers", function_.name));
        for (std::uint64_t i = 0; i < count; ++i) add(name + std::to_string(i));
      } else {
        add(name);
      }
    } while (lexer_.accept(','));
    lexer_.expect(';');
  }

  /// The parts of a vector are registers of their own: v.x, also called v.r. So are the halves of 128 bits,
  /// which have no names.
  void add_registers(const std::string& name, Type type, int parts) {
    if (type == Type::b128 && parts > 1) lexer_.fail(say("a vector has 128 bits at most"));
    if (type != Type::b128 && parts == 1) {
      scopes_.back().registers[name] = add_register(name, type);
      return;
    }
    std::vector<int> indices;
    for (int i = 0; i < (type == Type::b128 ? 2 : parts); ++i) {
      const auto part = static_cast<std::size_t>(i);
      if (type == Type::b128) {
        indices.push_back(add_register(name + (i == 0 ? ".low" : ".high"), Type::b64));
        continue;
      }
      indices.push_back(add_register(name + '.' + "xyzw"[part], type));
      for (const char letter : {"xyzw"[part], "rgba"[part]})
        scopes_.back().registers[name + '.' + letter] = indices.back();
    }
    scopes_.back().vectors[name] = std::move(indices);
  }

  int add_register(std::string name, Type type) {
    if (function_.registers.size() >= kMaxRegisters)
      lexer_.fail(say("function {} has too many registers", function_.name));
    function_.registers.push_back({std::move(name), type});
    return static_cast<int>(function_.registers.size()) - 1;
  }

  void label() {
    const std::string name(lexer_.take().text);
    lexer_.expect(':');
    if (lexer_.peek().is(".callprototype") || lexer_.peek().is(".calltargets")) {
      while (!lexer_.accept(';'))
        if (lexer_.take().kind == Token::Kind::end) lexer_.fail(say("a prototype has no end"));
      return;
    }
    if (lexer_.accept(".branchtargets")) {
      auto& table = function_.tables[declare_label(name)];
      do table.emplace_back(lexer_.expect_word(phrase("a label")));
      while (lexer_.accept(','));
      lexer_.expect(';');
      for (std::string& target : table) scopes_.back().branches.push_back(&target);
      return;
    }
    function_.labels[declare_label(name)] = static_cast<int>(function_.body.size());
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
    while (lexer_.peek().kind == Token::Kind::word && lexer_.peek().text[0] == '.')
      instruction.opcode += lexer_.take().text;  // a blank may stand before a modifier
    const auto is = [&](std::string_view base) {
      return instruction.opcode == base || instruction.opcode.starts_with(std::string(base) + '.');
    };
    calls_ = is("call");
    const bool branches = is("bra") || is("brx");
    negates_ = is("vmad");
    if (!lexer_.peek().is(';')) {
      do instruction.operands.push_back(branches && !lexer_.follows(',') ? target() : operand(0));
      while (lexer_.accept(','));
    }
    if (lexer_.peek().is(';')) instruction.end = lexer_.offset();
    lexer_.expect(';');
    function_.body.push_back(std::move(instruction));
    // Operands stay where they are when the instruction moves.
    if (auto& operands = function_.body.back().operands; branches && !operands.empty())
      scopes_.back().branches.push_back(&operands.back().text);
  }

  /// The label, or table of labels, that a branch ends with: whatever else has this name.
  Operand target() {
    Operand result;
    result.kind = Operand::Kind::name;
    result.text = lexer_.expect_word(phrase("a label"));
    return result;
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
      } else if (negates_ && result.kind == Operand::Kind::reg) {
        result.negated = true;
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
      if (const auto found = scope->vectors.find(name); found != scope->vectors.end()) {
        result.kind = Operand::Kind::vector;
        for (const int part : found->second) {
          Operand& element = result.elements.emplace_back();
          element.kind = Operand::Kind::reg;
          element.index = part;
        }
        return result;
      }
      if (const auto found = scope->names.find(name); found != scope->names.end()) {
        result.kind = Operand::Kind::name;
        result.text = found->second;
        return result;
      }
    }
    // A part of a register, "%r1.b0": names of registers have no dots.
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos && is_part(word.substr(dot + 1))) {
      Operand whole = named(word.substr(0, dot));
      if (whole.kind == Operand::Kind::reg) {
        whole.part = name.substr(dot + 1);
        return whole;
      }
    }
    result.kind = Operand::Kind::name;
    result.text = name;
    return result;
  }

  /// "b3", "h10": of video instructions.
  static bool is_part(std::string_view text) {
    return text.size() > 1 && (text[0] == 'b' || text[0] == 'h') &&
           text.find_first_not_of("01234567", 1) == std::string_view::npos;
  }

  Lexer& lexer_;
  Module& module_;
  Function& function_;
  std::vector<Scope> scopes_;
  int location_ = -1;
  int unique_ = 0;
  bool calls_ = false;    ///< the instruction is a call: parentheses hold lists
  bool negates_ = false;  ///< the instruction is one that takes -a for a register
};

}  // namespace

void parse_body(Lexer& lexer, Module& module, Function& function) {
  BodyParser(lexer, module, function).parse();
}

}  // namespace ridge::device::emulator::ptx
