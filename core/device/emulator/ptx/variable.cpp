// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations: variables with their initialisers, numbers and source locations.
#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

#include "device/emulator/ptx/body.h"
#include "device/emulator/ptx/constant.h"
#include "device/emulator/ptx/literal.h"

namespace ridge::device::emulator::ptx {

namespace {

constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 46;

std::uint64_t element_bits(const Operand& value, Type type) {
  if (type == Type::f32 && value.kind == Operand::Kind::f64)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
  if (type == Type::f64 && value.kind == Operand::Kind::f32)
    return std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits))));
  return value.bits;
}

/// Reads an initialiser into a variable, element by element.
class Initialiser {
 public:
  Initialiser(Lexer& lexer, Variable& variable) : lexer_(lexer), variable_(variable) {}

  void value(int depth = 0) {
    if (lexer_.accept('{')) {
      if (depth > 16) lexer_.fail(say("initial values are nested too deeply"));
      while (!lexer_.accept('}')) {
        value(depth + 1);
        if (!lexer_.peek().is('}')) lexer_.expect(',');
      }
      return;
    }
    const int bytes = size_of(variable_.type);
    if (variable_.initial.size() + static_cast<std::size_t>(bytes) > variable_.bytes)
      lexer_.fail(say("variable {} has more initial values than elements", variable_.name));
    std::uint64_t bits = 0;
    if (const Token next = lexer_.peek(); begins_symbol(next)) {
      symbol(lexer_.take().text, 0);
    } else if (const auto mask = literal(next.text); mask && lexer_.follows('(')) {
      lexer_.take();  // 0xFF00(symbol): one byte of an address
      lexer_.expect('(');
      symbol(lexer_.expect_word(phrase("a symbol")), std::countr_zero(mask->bits));
      lexer_.expect(')');
    } else if (variable_.type == Type::f32 || variable_.type == Type::f64 || is_real(mask)) {
      bits = element_bits(parse_real_constant(lexer_), variable_.type);
    } else {
      bits = parse_constant(lexer_);
    }
    for (int i = 0; i < bytes; ++i) variable_.initial.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }

 private:
  static bool begins_symbol(const Token& token) {
    return token.kind == Token::Kind::word && token.text[0] != '.' && !literal(token.text);
  }
  static bool is_real(const std::optional<Operand>& number) {
    return number && number->kind != Operand::Kind::integer;
  }

  void symbol(std::string_view name, int shift) {
    Relocation relocation;
    relocation.offset = variable_.initial.size();
    relocation.bytes = size_of(variable_.type);
    relocation.shift = shift;
    if (name == "generic") {
      lexer_.expect('(');
      relocation.generic = true;
      relocation.symbol = lexer_.expect_word(phrase("a symbol"));
      addend(relocation);
      lexer_.expect(')');
    } else {
      relocation.symbol = name;
    }
    addend(relocation);
    variable_.relocations.push_back(std::move(relocation));
  }

  void addend(Relocation& relocation) {
    relocation.addend += static_cast<std::int64_t>(parse_offset(lexer_));
  }

  Lexer& lexer_;
  Variable& variable_;
};

}  // namespace

std::optional<StateSpace> space_named(std::string_view directive) {
  if (directive == ".global") return StateSpace::global;
  if (directive == ".const") return StateSpace::constant;
  if (directive == ".shared") return StateSpace::shared;
  if (directive == ".local") return StateSpace::local;
  if (directive == ".param") return StateSpace::param;
  return std::nullopt;
}

std::uint64_t parse_number(Lexer& lexer) {
  const bool negative = lexer.accept('-');
  const std::string_view word = lexer.expect_word(phrase("a number"));
  const auto number = literal(word);
  if (!number || number->kind != Operand::Kind::integer) lexer.fail(say("'{}' is no whole number", word));
  return negative ? 0 - number->bits : number->bits;
}

Variable parse_variable(Lexer& lexer, StateSpace space) {
  Variable variable;
  variable.space = space;
  std::uint64_t vector = 1;
  for (;;) {
    const std::string_view word = lexer.expect_word(phrase("a variable"));
    if (word == ".align") {
      variable.alignment = parse_number(lexer);
      if (!std::has_single_bit(variable.alignment) || variable.alignment > (1u << 20))
        lexer.fail(say("an alignment is a power of two"));
    } else if (word == ".v2" || word == ".v4") {
      vector = static_cast<std::uint64_t>(word[2] - '0');
    } else if (word == ".ptr") {
      if (space_named(lexer.peek().text)) lexer.take();
    } else if (word == ".attribute") {
      lexer.expect('(');
      while (!lexer.accept(')')) lexer.take();
    } else if (word[0] == '.') {
      const auto type = type_named(word.substr(1));
      if (type) {
        variable.type = *type;
      } else if (word == ".texref" || word == ".samplerref" || word == ".surfref") {
        variable.type = Type::u64;
      } else {
        lexer.fail(say("type {} is unknown", word));
      }
    } else {
      variable.name = word;
      break;
    }
  }
  const std::uint64_t element = static_cast<std::uint64_t>(size_of(variable.type)) * vector;
  variable.bytes = element;
  while (lexer.accept('[')) {
    if (lexer.accept(']')) {
      variable.bytes = 0;
      continue;
    }
    if (lexer.peek().is('-')) lexer.fail(say("variable {} has a negative number of elements", variable.name));
    const std::uint64_t count = parse_number(lexer);
    if (count != 0 && variable.bytes > kLargestVariable / count)
      lexer.fail(say("variable {} is too large", variable.name));
    variable.bytes *= count;
    lexer.expect(']');
  }
  if (variable.alignment < element && std::has_single_bit(element)) variable.alignment = element;
  if (lexer.accept('=')) Initialiser(lexer, variable).value();
  return variable;
}

void parse_location(Lexer& lexer, Module& module) {
  Location location;
  location.file = static_cast<int>(parse_number(lexer));
  location.line = static_cast<int>(parse_number(lexer));
  location.column = static_cast<int>(parse_number(lexer));
  while (lexer.accept(',')) {
    if (lexer.accept("function_name")) {
      location.function = lexer.expect_word(phrase("a label"));
      if (lexer.accept('+')) parse_number(lexer);
    } else if (lexer.accept("inlined_at")) {
      const int file = static_cast<int>(parse_number(lexer));
      const int line = static_cast<int>(parse_number(lexer));
      const int column = static_cast<int>(parse_number(lexer));
      // The call's own place is the latest one with these numbers; it may be inlined in turn.
      for (int i = static_cast<int>(module.locations.size()) - 1; i >= 0 && location.caller < 0; --i) {
        const Location& candidate = module.locations[static_cast<std::size_t>(i)];
        if (candidate.file == file && candidate.line == line && candidate.column == column)
          location.caller = i;
      }
      if (location.caller < 0) {
        module.locations.push_back({file, line, column, {}, -1});
        location.caller = static_cast<int>(module.locations.size()) - 1;
      }
    } else {
      lexer.fail(say("expected function_name or inlined_at"));
    }
  }
  module.locations.push_back(std::move(location));
}

void complete_locations(Module& module, std::size_t first) {
  const std::size_t end = module.locations.size();
  if (std::all_of(module.locations.begin() + static_cast<std::ptrdiff_t>(first), module.locations.end(),
                  [](const Location& location) { return location.line != 0; }))
    return;
  using Context = std::tuple<std::string, int, int, int>;  // function; file, line and column of the call
  std::vector<Context> contexts;
  for (std::size_t i = first; i < end; ++i) {
    const Location& location = module.locations[i];
    const Location caller =
        location.caller < 0 ? Location{} : module.locations[static_cast<std::size_t>(location.caller)];
    contexts.emplace_back(location.function, caller.file, caller.line, caller.column);
  }
  std::map<Context, Location> known;
  const auto visit = [&](std::size_t i) {
    Location& location = module.locations[i];
    const Context& context = contexts[i - first];
    if (location.line != 0) {
      known[context] = location;
    } else if (const auto found = known.find(context); found != known.end()) {
      location.file = found->second.file;
      location.line = found->second.line;
      location.column = found->second.column;
    }
  };
  for (std::size_t i = first; i < end; ++i) visit(i);
  known.clear();
  for (std::size_t i = end; i-- > first;) visit(i);
}

}  // namespace ridge::device::emulator::ptx
