// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding of video instructions: vadd, vset2, vabsdiff4 and their like.
#include <algorithm>
#include <optional>
#include <string_view>

#include "device/emulator/decode/decoder.h"
#include "device/emulator/exec/video.h"

namespace ridge::device::emulator {

namespace {

using Part = std::string_view;

std::optional<VideoOp> video_op(Part name) {
  constexpr std::pair<Part, VideoOp> names[] = {
      {"vadd", VideoOp::add}, {"vsub", VideoOp::sub}, {"vabsdiff", VideoOp::absdiff}, {"vmin", VideoOp::min},
      {"vmax", VideoOp::max}, {"vset", VideoOp::set}, {"vavrg", VideoOp::average},    {"vshl", VideoOp::shl},
      {"vshr", VideoOp::shr}, {"vmad", VideoOp::mad}};
  for (const auto& [text, op] : names)
    if (text == name) return op;
  return std::nullopt;
}
std::optional<VideoPlan::Second> second_of(Part name) {
  if (name == "add") return VideoPlan::Second::add;
  if (name == "min") return VideoPlan::Second::min;
  if (name == "max") return VideoPlan::Second::max;
  return std::nullopt;
}
std::optional<Compare> comparison_of(Part name) {
  constexpr std::pair<Part, Compare> names[] = {{"eq", Compare::eq}, {"ne", Compare::ne},
                                                {"lt", Compare::lt}, {"le", Compare::le},
                                                {"gt", Compare::gt}, {"ge", Compare::ge}};
  for (const auto& [text, compare] : names)
    if (text == name) return compare;
  return std::nullopt;
}

/// "b2" or "h1" of a word; nothing: all of it. False: there is no such part.
bool read_scalar_part(Part text, VideoPart& part) {
  if (text.empty()) return true;
  if (text.size() != 2) return false;
  part.width = text[0] == 'b' ? 8 : 16;
  const int number = text[1] - '0';
  if (number < 0 || number >= 32 / part.width) return false;
  part.shift = static_cast<std::uint8_t>(number * part.width);
  return true;
}
char letter_of(int parts) {
  return parts == 2 ? 'h' : 'b';
}
/// "h32" or "b7610": the numbers of the parts of a and, behind them, of b; the most significant one stands
/// first.
bool read_parts(Part text, int parts, bool second, std::array<VideoPart, 4>& into) {
  const auto count = static_cast<std::size_t>(parts);
  if (!text.empty() && (text.size() != count + 1 || text[0] != letter_of(parts))) return false;
  for (std::size_t k = 0; k < count; ++k) {
    const int number = text.empty() ? static_cast<int>(k) + (second ? parts : 0) : text[count - k] - '0';
    if (number < 0 || number >= 2 * parts) return false;
    into[k].width = static_cast<std::uint8_t>(32 / parts);
    into[k].shift = static_cast<std::uint8_t>(number % parts * into[k].width);
    into[k].second = number >= parts;
  }
  return true;
}
/// "h10" or "b31": the parts that are written, in falling order.
bool read_mask(Part text, int parts, std::uint8_t& mask) {
  if (text.empty()) {
    mask = static_cast<std::uint8_t>((1 << parts) - 1);
    return true;
  }
  if (text.size() < 2 || text[0] != letter_of(parts)) return false;
  mask = 0;
  int last = parts;
  for (const char digit : text.substr(1)) {
    const int number = digit - '0';
    if (number < 0 || number >= last) return false;
    last = number;
    mask = static_cast<std::uint8_t>(mask | 1 << number);
  }
  return true;
}

}  // namespace

void FunctionDecoder::encode_video(Opcode& opcode) {
  Operation& operation = opcode.operation;
  Part name = opcode.parts[0];
  const int parts = name.ends_with('2') ? 2 : name.ends_with('4') ? 4 : 1;
  if (parts > 1) name.remove_suffix(1);
  const auto op = video_op(name);
  if (!op) unsupported();
  operation.video = *op;
  operation.vector = static_cast<std::uint8_t>(parts);
  VideoPlan plan;
  plan.parts = operation.vector;

  // Types: of the result, unless it is 0 or 1, and of a and b.
  std::size_t next = 1;
  const auto read_type = [&](bool& is_signed) {
    const Part part = next < opcode.parts.size() ? opcode.parts[next++] : Part();
    if (part != "u32" && part != "s32") unsupported();
    is_signed = part == "s32";
  };
  const bool sets = *op == VideoOp::set, shifts = *op == VideoOp::shl || *op == VideoOp::shr;
  if (!sets) read_type(plan.signed_result);
  read_type(plan.signed_a);
  read_type(plan.signed_b);
  bool compared = false, bounded = false;
  for (; next < opcode.parts.size(); ++next) {
    const Part part = opcode.parts[next];
    const auto second = second_of(part);
    const auto comparison = comparison_of(part);
    if (part == "sat" && !sets) {
      plan.saturates = true;
    } else if (second && *op != VideoOp::mad && (parts == 1 || part == "add")) {
      plan.second = *second;
    } else if (comparison && sets) {
      plan.compare = *comparison;
      compared = true;
    } else if ((part == "clamp" || part == "wrap") && shifts) {
      plan.wraps = part == "wrap";
      bounded = true;
    } else if (part == "po" && *op == VideoOp::mad) {
      plan.plus_one = true;
    } else if ((part == "shr7" || part == "shr15") && *op == VideoOp::mad) {
      plan.scale = part == "shr7" ? 7 : 15;
    } else {
      unsupported();
    }
  }
  if (sets != compared || shifts != bounded || (shifts && plan.signed_b)) unsupported();
  if (parts > 1 && plan.saturates && plan.second != VideoPlan::Second::none) unsupported();

  const Operand &d = operand(0), &a = operand(1), &b = operand(2);
  const bool simd = parts > 1;
  const bool merges = simd || !d.part.empty();
  const bool third = merges || *op == VideoOp::mad || plan.second != VideoPlan::Second::none;
  bool known = simd ? read_parts(a.part, parts, false, plan.a) && read_parts(b.part, parts, true, plan.b) &&
                          read_parts({}, parts, false, plan.result) && read_mask(d.part, parts, plan.written)
                    : read_scalar_part(a.part, plan.a[0]) && read_scalar_part(b.part, plan.b[0]) &&
                          read_scalar_part(d.part, plan.result[0]);
  if (!simd && !d.part.empty() && plan.second != VideoPlan::Second::none) known = false;
  if (!known || current_->operands.size() != (third ? 4u : 3u))
    malformed(say("an operand has the wrong form"));
  if (*op == VideoOp::mad) {
    plan.minus_product = a.negated != b.negated;
    plan.minus_addend = operand(3).negated;
    if (plan.minus_product && plan.minus_addend) malformed(say("an operand has the wrong form"));
  }

  const auto whole = [](Operand part) {
    part.part.clear();
    return part;
  };
  const std::uint32_t slot_a = source(whole(a), Type::b32), slot_b = source(whole(b), Type::b32);
  const std::uint32_t slot_c = third ? source(operand(3), Type::b32) : kNoSlot;
  program_.videos.push_back(plan);
  const VideoPlan* const kept = &program_.videos.back();
  Instruction& instruction = emit(operation);
  instruction.d = destination(whole(d), 4);
  if (instruction.d == kNoSlot) malformed(say("the destination is missing"));
  instruction.a = slot_a;
  instruction.b = slot_b;
  instruction.c = slot_c;
  instruction.video = kept;
}

}  // namespace ridge::device::emulator
