// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/ptx/literal.h"

#include <bit>
#include <charconv>

namespace ridge::device::emulator::ptx {

namespace {

std::optional<std::uint64_t> whole(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<Operand> with(Operand::Kind kind, std::optional<std::uint64_t> bits) {
  if (!bits) return std::nullopt;
  Operand operand;
  operand.kind = kind;
  operand.bits = *bits;
  return operand;
}

}  // namespace

std::optional<Operand> literal(std::string_view word) {
  if (word == "WARP_SZ") return with(Operand::Kind::integer, 32);
  if (word.empty() || word[0] < '0' || word[0] > '9') {
    if (word.size() < 2 || word[0] != '.' || word[1] < '0' || word[1] > '9') return std::nullopt;
  }
  const char mark = word.size() > 2 && word[0] == '0' ? word[1] : ' ';
  if (mark == 'f' || mark == 'F') return with(Operand::Kind::f32, whole(word.substr(2), 16));
  if (mark == 'd' || mark == 'D') return with(Operand::Kind::f64, whole(word.substr(2), 16));
  if (mark != 'x' && mark != 'X' && word.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return with(Operand::Kind::f64, std::bit_cast<std::uint64_t>(value));
  }
  if (word.back() == 'U' || word.back() == 'u') word.remove_suffix(1);
  if (mark == 'x' || mark == 'X') return with(Operand::Kind::integer, whole(word.substr(2), 16));
  if (mark == 'b' || mark == 'B') return with(Operand::Kind::integer, whole(word.substr(2), 2));
  if (word.size() > 1 && word[0] == '0') return with(Operand::Kind::integer, whole(word.substr(1), 8));
  return with(Operand::Kind::integer, whole(word, 10));
}

}  // namespace ridge::device::emulator::ptx
