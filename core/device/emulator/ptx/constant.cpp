// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/ptx/constant.h"

#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <string>

#include "device/emulator/ptx/literal.h"

namespace ridge::device::emulator::ptx {
namespace {

constexpr int kMaxNesting = 64;

struct Value {
  std::uint64_t bits = 0;
  bool is_unsigned = false;
};

enum class Binary {
  mul,
  div,
  rem,
  add,
  sub,
  shl,
  shr,
  lt,
  gt,
  le,
  ge,
  eq,
  ne,
  bit_and,
  bit_xor,
  bit_or,
  both,
  either
};
/// How tightly an operator binds, as in C.
int level_of(Binary op) {
  static constexpr std::array kLevels = {10, 10, 10, 9, 9, 8, 8, 7, 7, 7, 7, 6, 6, 5, 4, 3, 2, 1};
  return kLevels[static_cast<std::size_t>(op)];
}

class Expression {
 public:
  explicit Expression(Lexer& lexer) : lexer_(lexer) {}

  Value whole() { return choice(binary(unary(), 1)); }
  Value after(Value first) { return choice(binary(first, 1)); }

 private:
  Value choice(Value condition) {
    if (!lexer_.accept('?')) return condition;
    const Value yes = whole();
    lexer_.expect(':');
    const Value no = whole();
    return condition.bits != 0 ? yes : no;
  }

  Value unary() {
    if (++nesting_ > kMaxNesting) lexer_.fail(say("a constant is nested too deeply"));
    Value value;
    if (lexer_.accept('-')) {
      value = unary();
      value.bits = 0 - value.bits;
    } else if (lexer_.accept('+')) {
      value = unary();
    } else if (lexer_.accept('~')) {
      value = unary();
      value.bits = ~value.bits;
    } else if (lexer_.accept('!')) {
      value = {unary().bits == 0 ? 1u : 0u, false};
    } else if (lexer_.accept('(')) {
      const bool to_signed = lexer_.accept(".s64"), to_unsigned = !to_signed && lexer_.accept(".u64");
      if (!to_signed && !to_unsigned) value = whole();
      lexer_.expect(')');
      if (to_signed || to_unsigned) value = {unary().bits, to_unsigned};
    } else {
      const std::string_view word = lexer_.expect_word(phrase("a number"));
      const auto number = literal(word);
      if (!number || number->kind != Operand::Kind::integer)
        lexer_.fail(say("'{}' is no whole number", word));
      value = {number->bits, is_unsigned_literal(word, number->bits)};
    }
    --nesting_;
    return value;
  }

  /// Takes an operator of at least `level`, when one is next.
  std::optional<Binary> take_operator(int level) {
    const auto found = next_operator();
    if (!found || level_of(found->first) < level) return std::nullopt;
    for (int k = 0; k < found->second; ++k) lexer_.take();
    return found->first;
  }
  /// The operator that comes next, and its tokens.
  std::optional<std::pair<Binary, int>> next_operator() const {
    const Token& token = lexer_.peek();
    if (token.is("%")) return std::pair{Binary::rem, 1};  // a word: registers begin with it
    if (token.kind != Token::Kind::symbol) return std::nullopt;
    switch (token.text[0]) {
      case '*':
        return std::pair{Binary::mul, 1};
      case '/':
        return std::pair{Binary::div, 1};
      case '+':
        return std::pair{Binary::add, 1};
      case '-':
        return std::pair{Binary::sub, 1};
      case '^':
        return std::pair{Binary::bit_xor, 1};
      case '<':
        return lexer_.follows('<')   ? std::pair{Binary::shl, 2}
               : lexer_.follows('=') ? std::pair{Binary::le, 2}
                                     : std::pair{Binary::lt, 1};
      case '>':
        return lexer_.follows('>')   ? std::pair{Binary::shr, 2}
               : lexer_.follows('=') ? std::pair{Binary::ge, 2}
                                     : std::pair{Binary::gt, 1};
      case '&':
        return lexer_.follows('&') ? std::pair{Binary::both, 2} : std::pair{Binary::bit_and, 1};
      case '|':
        return lexer_.follows('|') ? std::pair{Binary::either, 2} : std::pair{Binary::bit_or, 1};
      case '=':
        if (lexer_.follows('=')) return std::pair{Binary::eq, 2};
        return std::nullopt;
      case '!':
        if (lexer_.follows('=')) return std::pair{Binary::ne, 2};
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  Value binary(Value left, int level) {
    while (const auto op = take_operator(level))
      left = computed(*op, left, binary(unary(), level_of(*op) + 1));
    return left;
  }

  Value computed(Binary op, Value a, Value b) {
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    const auto sa = static_cast<std::int64_t>(a.bits), sb = static_cast<std::int64_t>(b.bits);
    const auto truth = [](bool holds) { return Value{holds ? 1u : 0u, false}; };
    switch (op) {
      case Binary::mul:
        return {a.bits * b.bits, is_unsigned};
      case Binary::div:
      case Binary::rem: {
        if (b.bits == 0) lexer_.fail(say("a constant divides by zero"));
        if (is_unsigned) return {op == Binary::div ? a.bits / b.bits : a.bits % b.bits, true};
        if (sb == -1) return {op == Binary::div ? 0 - a.bits : 0, false};
        return {static_cast<std::uint64_t>(op == Binary::div ? sa / sb : sa % sb), false};
      }
      case Binary::add:
        return {a.bits + b.bits, is_unsigned};
      case Binary::sub:
        return {a.bits - b.bits, is_unsigned};
      case Binary::shl:
        return {b.bits > 63 ? 0 : a.bits << b.bits, a.is_unsigned};
      case Binary::shr: {
        const std::uint64_t places = b.bits > 63 ? 63 : b.bits;
        if (!a.is_unsigned) return {static_cast<std::uint64_t>(sa >> places), false};
        return {b.bits > 63 ? 0 : a.bits >> places, true};
      }
      case Binary::lt:
        return truth(is_unsigned ? a.bits < b.bits : sa < sb);
      case Binary::gt:
        return truth(is_unsigned ? a.bits > b.bits : sa > sb);
      case Binary::le:
        return truth(is_unsigned ? a.bits <= b.bits : sa <= sb);
      case Binary::ge:
        return truth(is_unsigned ? a.bits >= b.bits : sa >= sb);
      case Binary::eq:
        return truth(a.bits == b.bits);
      case Binary::ne:
        return truth(a.bits != b.bits);
      case Binary::bit_and:
        return {a.bits & b.bits, is_unsigned};
      case Binary::bit_xor:
        return {a.bits ^ b.bits, is_unsigned};
      case Binary::bit_or:
        return {a.bits | b.bits, is_unsigned};
      case Binary::both:
        return truth(a.bits != 0 && b.bits != 0);
      case Binary::either:
        return truth(a.bits != 0 || b.bits != 0);
    }
    return {};
  }

  Lexer& lexer_;
  int nesting_ = 0;
};

double value_of(const Operand& real) {
  return real.kind == Operand::Kind::f32 ? std::bit_cast<float>(static_cast<std::uint32_t>(real.bits))
                                         : std::bit_cast<double>(real.bits);
}

class RealExpression {
 public:
  explicit RealExpression(Lexer& lexer) : lexer_(lexer) {}

  Operand sum() {
    Operand left = product();
    for (;;) {
      if (lexer_.accept('+'))
        left = computed(value_of(left) + value_of(product()));
      else if (lexer_.accept('-'))
        left = computed(value_of(left) - value_of(product()));
      else
        return left;
    }
  }

 private:
  Operand product() {
    Operand left = unary();
    for (;;) {
      if (lexer_.accept('*'))
        left = computed(value_of(left) * value_of(unary()));
      else if (lexer_.accept('/'))
        left = computed(value_of(left) / value_of(unary()));
      else
        return left;
    }
  }

  Operand unary() {
    if (++nesting_ > kMaxNesting) lexer_.fail(say("a constant is nested too deeply"));
    Operand value;
    if (lexer_.accept('-')) {
      value = unary();
      value.bits ^= std::uint64_t{1} << (value.kind == Operand::Kind::f32 ? 31 : 63);
    } else if (lexer_.accept('+')) {
      value = unary();
    } else if (lexer_.accept('(')) {
      value = sum();
      lexer_.expect(')');
    } else {
      const std::string_view word = lexer_.expect_word(phrase("a number"));
      const auto number = literal(word);
      if (!number || number->kind == Operand::Kind::integer)
        lexer_.fail(say("'{}' is no floating-point number, such as 1.0 or 0f3F800000", word));
      value = *number;
    }
    --nesting_;
    return value;
  }

  static Operand computed(double value) {
    Operand result;
    result.kind = Operand::Kind::f64;
    result.bits = std::bit_cast<std::uint64_t>(value);
    return result;
  }

  Lexer& lexer_;
  int nesting_ = 0;
};

}  // namespace

bool is_unsigned_literal(std::string_view word, std::uint64_t bits) {
  return word.back() == 'U' || word.back() == 'u' ||
         bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}
std::uint64_t parse_constant(Lexer& lexer) {
  return Expression(lexer).whole().bits;
}
std::uint64_t parse_constant_after(Lexer& lexer, std::uint64_t first, bool is_unsigned) {
  return Expression(lexer).after({first, is_unsigned}).bits;
}
std::uint64_t parse_offset(Lexer& lexer) {
  if (lexer.accept('+')) return parse_constant(lexer);
  if (lexer.peek().is('-')) return parse_constant_after(lexer, 0, false);
  return 0;
}
Operand parse_real_constant(Lexer& lexer) {
  return RealExpression(lexer).sum();
}
bool continues_constant(const Lexer& lexer) {
  const Token& token = lexer.peek();
  if (token.is("%")) return true;
  return token.kind == Token::Kind::symbol &&
         std::string_view("*/+-<>&|^?=!").find(token.text[0]) != std::string_view::npos;
}

}  // namespace ridge::device::emulator::ptx
