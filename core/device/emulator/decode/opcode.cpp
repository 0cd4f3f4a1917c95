// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/opcode.h"

#include <algorithm>
#include <unordered_map>

namespace ridge::device::emulator {

namespace {

using Parts = std::vector<std::string_view>;

Parts split(std::string_view text) {
  Parts parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find('.', begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

template <class T>
using Names = std::unordered_map<std::string_view, T>;

const Names<Op>& bases() {
  static const Names<Op> names{{"add", Op::add},
                               {"sub", Op::sub},
                               {"mul", Op::mul},
                               {"mad", Op::mad},
                               {"mul24", Op::mul24},
                               {"mad24", Op::mad24},
                               {"sad", Op::sad},
                               {"div", Op::div},
                               {"rem", Op::rem},
                               {"abs", Op::abs},
                               {"neg", Op::neg},
                               {"min", Op::min},
                               {"max", Op::max},
                               {"fma", Op::fma},
                               {"addc", Op::add_carry},
                               {"subc", Op::sub_carry},
                               {"madc", Op::mad_carry},
                               {"shl+add", Op::shift_add},
                               {"rcp", Op::rcp},
                               {"sqrt", Op::sqrt},
                               {"rsqrt", Op::rsqrt},
                               {"ex2", Op::ex2},
                               {"lg2", Op::lg2},
                               {"sin", Op::sin},
                               {"cos", Op::cos},
                               {"tanh", Op::tanh},
                               {"copysign", Op::copysign},
                               {"testp", Op::testp},
                               {"and", Op::bit_and},
                               {"or", Op::bit_or},
                               {"xor", Op::bit_xor},
                               {"not", Op::bit_not},
                               {"cnot", Op::cnot},
                               {"shl", Op::shl},
                               {"shr", Op::shr},
                               {"shf", Op::shf_left},
                               {"bfe", Op::bfe},
                               {"bfi", Op::bfi},
                               {"bfind", Op::bfind},
                               {"brev", Op::brev},
                               {"clz", Op::clz},
                               {"popc", Op::popc},
                               {"prmt", Op::prmt},
                               {"lop3", Op::lop3},
                               {"fns", Op::fns},
                               {"bmsk", Op::bmsk},
                               {"szext", Op::szext},
                               {"dp4a", Op::dp4a},
                               {"dp2a", Op::dp2a},
                               {"vadd", Op::video},
                               {"vsub", Op::video},
                               {"vabsdiff", Op::video},
                               {"vmin", Op::video},
                               {"vmax", Op::video},
                               {"vshl", Op::video},
                               {"vshr", Op::video},
                               {"vmad", Op::video},
                               {"vset", Op::video},
                               {"vadd2", Op::video},
                               {"vsub2", Op::video},
                               {"vavrg2", Op::video},
                               {"vabsdiff2", Op::video},
                               {"vmin2", Op::video},
                               {"vmax2", Op::video},
                               {"vset2", Op::video},
                               {"vadd4", Op::video},
                               {"vsub4", Op::video},
                               {"vavrg4", Op::video},
                               {"vabsdiff4", Op::video},
                               {"vmin4", Op::video},
                               {"vmax4", Op::video},
                               {"vset4", Op::video},
                               {"setp", Op::setp},
                               {"set", Op::set},
                               {"selp", Op::selp},
                               {"slct", Op::slct},
                               {"mov", Op::mov},
                               {"createpolicy", Op::mov},
                               {"cvt", Op::cvt},
                               {"cvta", Op::cvta_shared},
                               {"isspacep", Op::isspacep},
                               {"ld", Op::ld},
                               {"ldu", Op::ld},
                               {"st", Op::st},
                               {"atom", Op::atom},
                               {"red", Op::red},
                               {"prefetch", Op::prefetch},
                               {"prefetchu", Op::prefetch},
                               {"discard", Op::prefetch},
                               {"applypriority", Op::prefetch},
                               {"membar", Op::fence},
                               {"fence", Op::fence},
                               {"shfl", Op::shfl},
                               {"vote", Op::vote},
                               {"match", Op::match_any},
                               {"redux", Op::redux},
                               {"activemask", Op::activemask},
                               {"elect", Op::elect},
                               {"mma", Op::mma},
                               {"wmma", Op::wmma},
                               {"wgmma", Op::wgmma},
                               {"ldmatrix", Op::ldmatrix},
                               {"stmatrix", Op::stmatrix},
                               {"movmatrix", Op::movmatrix},
                               {"cp", Op::asynchronous},
                               {"mbarrier", Op::asynchronous},
                               {"mapa", Op::asynchronous},
                               {"getctarank", Op::asynchronous},
                               {"tex", Op::asynchronous},
                               {"bar", Op::barrier},
                               {"barrier", Op::barrier},
                               {"bra", Op::bra},
                               {"brx", Op::brx},
                               {"stacksave", Op::stack},
                               {"stackrestore", Op::stack},
                               {"alloca", Op::stack},
                               {"call", Op::call},
                               {"ret", Op::ret},
                               {"exit", Op::exit},
                               {"trap", Op::trap},
                               {"brkpt", Op::breakpoint},
                               {"nanosleep", Op::nanosleep},
                               {"pmevent", Op::nop},
                               {"setmaxnreg", Op::nop},
                               {"griddepcontrol", Op::nop}};
  return names;
}

const Names<Rounding>& roundings() {
  static const Names<Rounding> names{
      {"rn", Rounding::rn},   {"rz", Rounding::rz},         {"rm", Rounding::rm},    {"rp", Rounding::rp},
      {"rna", Rounding::rna}, {"rni", Rounding::rni},       {"rzi", Rounding::rzi},  {"rmi", Rounding::rmi},
      {"rpi", Rounding::rpi}, {"approx", Rounding::approx}, {"full", Rounding::full}};
  return names;
}
const Names<Compare>& compares() {
  static const Names<Compare> names{{"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},
                                    {"le", Compare::le},   {"gt", Compare::gt},   {"ge", Compare::ge},
                                    {"lo", Compare::lt},   {"ls", Compare::le},   {"hi", Compare::gt},
                                    {"hs", Compare::ge},   {"equ", Compare::equ}, {"neu", Compare::neu},
                                    {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu},
                                    {"geu", Compare::geu}, {"num", Compare::num}, {"nan", Compare::nan}};
  return names;
}
const Names<AtomicOp>& atomics() {
  static const Names<AtomicOp> names{{"add", AtomicOp::add},   {"inc", AtomicOp::inc},
                                     {"dec", AtomicOp::dec},   {"min", AtomicOp::min},
                                     {"max", AtomicOp::max},   {"and", AtomicOp::bit_and},
                                     {"or", AtomicOp::bit_or}, {"xor", AtomicOp::bit_xor},
                                     {"exch", AtomicOp::exch}, {"cas", AtomicOp::cas}};
  return names;
}
const Names<StateSpace>& spaces() {
  static const Names<StateSpace> names{{"global", StateSpace::global},
                                       {"const", StateSpace::constant},
                                       {"shared", StateSpace::shared},
                                       {"shared::cta", StateSpace::shared},
                                       {"shared::cluster", StateSpace::shared},
                                       {"local", StateSpace::local},
                                       {"param", StateSpace::param},
                                       {"param::entry", StateSpace::param},
                                       {"param::func", StateSpace::param}};
  return names;
}
const Names<Mode>& modes() {
  static const Names<Mode> names{{"up", Mode::up},       {"down", Mode::down},        {"bfly", Mode::bfly},
                                 {"idx", Mode::idx},     {"all", Mode::all},          {"any", Mode::any},
                                 {"uni", Mode::uni},     {"ballot", Mode::ballot},    {"wrap", Mode::wrap},
                                 {"clamp", Mode::clamp}, {"shiftamt", Mode::shiftamt}};
  return names;
}

template <class T>
bool take(const Names<T>& names, std::string_view part, T& into) {
  const auto found = names.find(part);
  if (found == names.end()) return false;
  into = found->second;
  return true;
}

bool is_cache_hint(std::string_view part) {
  return part.starts_with("L1::") || part.starts_with("L2::") || part == "ca" || part == "cs" ||
         part == "lu" || part == "wb" || part == "nc" || part == "level::eviction_priority" || part == "L1" ||
         part == "L2" || part == "evict_last";
}
bool is_scope(std::string_view part) {
  return part == "cta" || part == "gpu" || part == "sys" || part == "cluster" || part == "gl";
}

/// Modifiers that mean the same everywhere. False: unknown here.
bool common_modifier(Opcode& opcode, std::string_view part) {
  Operation& operation = opcode.operation;
  if (const auto type = ptx::type_named(part); type && part != "pred") {
    (operation.type == Type::none ? operation.type : operation.source) = *type;
    return true;
  }
  if (part == "pred") {
    operation.type = Type::pred;
    return true;
  }
  if (take(roundings(), part, operation.rounding)) return true;
  if (part == "ftz") return operation.ftz = true;
  if (part == "sat") return operation.sat = true;
  if (part == "relu") return operation.relu = true;
  if (part == "satfinite") return operation.satfinite = true;
  if (part == "NaN") return operation.nan = true;
  if (part == "xorsign") return operation.xorsign_abs = true;
  if (part == "abs" || part == "noftz" || part == "sync" || part == "aligned") return true;
  return false;
}

bool memory_modifier(Opcode& opcode, std::string_view part) {
  Operation& operation = opcode.operation;
  if (take(spaces(), part, operation.space)) return true;
  if (part == "v2" || part == "v4" || part == "v8") {
    operation.vector = static_cast<std::uint8_t>(part[1] - '0');
    return true;
  }
  if (part == "volatile" || part == "relaxed" || part == "mmio") return opcode.ordered = true;
  if (part == "acquire") return opcode.ordered = opcode.acquires = true;
  if (part == "release") return opcode.ordered = opcode.releases = true;
  if (part == "acq_rel" || part == "sc") return opcode.ordered = opcode.acquires = opcode.releases = true;
  if (part == "cg" || part == "cv" || part == "wt") {
    opcode.cached = false;
    return true;
  }
  return part == "weak" || is_scope(part) || is_cache_hint(part);
}

/// Modifiers that depend on the base.
bool special_modifier(Opcode& opcode, std::string_view part) {
  Operation& operation = opcode.operation;
  switch (operation.op) {
    case Op::mul:
    case Op::mad:
    case Op::mad_carry:
    case Op::mul24:
    case Op::mad24:
      if (part == "lo") return true;
      if (part == "hi") return opcode.high = true;
      if (part == "cc") return operation.carry_out = true;
      if (part == "wide") {
        operation.op = operation.op == Op::mul ? Op::mul_wide : Op::mad_wide;
        return true;
      }
      return false;
    case Op::add:
    case Op::sub:
    case Op::add_carry:
    case Op::sub_carry:
      return part == "cc" && (operation.carry_out = true);
    case Op::setp:
    case Op::set:
      if (part == "and" || part == "or" || part == "xor") {
        operation.combine = part == "and"  ? Boolean::conjunction
                            : part == "or" ? Boolean::disjunction
                                           : Boolean::exclusive;
        return true;
      }
      return take(compares(), part, operation.compare);
    case Op::shf_left:
      if (part == "l") return true;
      if (part == "r") {
        operation.op = Op::shf_right;
        return true;
      }
      return take(modes(), part, operation.mode);
    case Op::shf_right:
    case Op::bmsk:
    case Op::szext:
    case Op::bfind:
    case Op::shfl:
    case Op::vote:
      return take(modes(), part, operation.mode);
    case Op::match_any:
      if (part == "all") operation.op = Op::match_all;
      return part == "all" || part == "any";
    case Op::redux:
      return take(atomics(), part, operation.atomic);
    case Op::atom:
    case Op::red:
      return take(atomics(), part, operation.atomic) || memory_modifier(opcode, part);
    case Op::ld:
    case Op::st:
    case Op::cvta_shared:
    case Op::isspacep:
      return (part == "to" && operation.op == Op::cvta_shared) || memory_modifier(opcode, part);
    case Op::mov:
      if (opcode.parts[0] == "createpolicy")
        return part == "fractional" || part == "range" || part == "cvt" || part == "global" || part == "L2" ||
               part.starts_with("L2::evict_");
      if (part == "v2" || part == "v4") operation.vector = static_cast<std::uint8_t>(part[1] - '0');
      return part == "v2" || part == "v4";
    case Op::lop3:
      if (part == "or") operation.combine = Boolean::disjunction;
      if (part == "and") operation.combine = Boolean::conjunction;
      return part == "or" || part == "and";
    case Op::dp2a:
      if (part == "hi") return operation.second = true;
      return part == "lo";
    case Op::prmt:
      return part == "f4e" || part == "b4e" || part == "rc8" || part == "ecl" || part == "ecr" ||
             part == "rc16";
    case Op::testp:
      return part == "finite" || part == "infinite" || part == "number" || part == "notanumber" ||
             part == "normal" || part == "subnormal";
    case Op::barrier:
      return part == "arrive" || part == "red" || part == "popc" || part == "and" || part == "or" ||
             part == "cta" || part == "warp";
    case Op::fence:
      return part == "sc" || part == "acq_rel" || part == "acquire" || part == "release" || is_scope(part) ||
             part == "proxy" || part == "async" || part == "async::generic" || part == "mbarrier_init" ||
             part == "alias" || part == "tensormap::generic" || part.starts_with("sync_restrict") ||
             part.starts_with("async.") || part == "shared::cta" || part == "shared::cluster" ||
             part == "global";
    case Op::bra:
    case Op::brx:
    case Op::call:
    case Op::ret:
      return part == "uni" || part == "idx";
    case Op::cvt:
      if (part == "pack") operation.op = Op::cvt_pack;
      return part == "pack";
    case Op::cvt_pack:
    case Op::video:
    case Op::asynchronous:
    case Op::prefetch:
    case Op::nop:
    case Op::mma:  // these are read where they are encoded
    case Op::wmma:
    case Op::wgmma:
    case Op::ldmatrix:
    case Op::stmatrix:
    case Op::movmatrix:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Opcode::has(std::string_view part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

Opcode read_opcode(std::string_view text) {
  Opcode opcode;
  opcode.parts = split(text);
  const auto base = bases().find(opcode.parts[0]);
  if (base == bases().end()) return opcode;
  Operation& operation = opcode.operation;
  operation.op = base->second;
  if (operation.op == Op::barrier && opcode.has("cluster")) operation.op = Op::asynchronous;
  if ((operation.op == Op::st || operation.op == Op::red) && opcode.has("async"))
    operation.op = Op::asynchronous;
  for (std::size_t k = 1; k < opcode.parts.size(); ++k) {
    const std::string_view part = opcode.parts[k];
    if (!special_modifier(opcode, part) && !common_modifier(opcode, part)) opcode.unknown_modifier = true;
  }
  if (operation.op == Op::mul && opcode.high) operation.op = Op::mul_hi;
  if (operation.op == Op::mad && opcode.high) operation.op = Op::mad_hi;
  if (operation.op == Op::mul24 || operation.op == Op::mad24) operation.second = opcode.high;
  // The carry flag: .cc writes it, the c of addc, subc and madc reads it.
  operation.carry_in =
      operation.op == Op::add_carry || operation.op == Op::sub_carry || operation.op == Op::mad_carry;
  if (operation.carry_out && operation.op == Op::add) operation.op = Op::add_carry;
  if (operation.carry_out && operation.op == Op::sub) operation.op = Op::sub_carry;
  if (operation.carry_out && operation.op == Op::mad) operation.op = Op::mad_carry;
  if (operation.carry_out && operation.op == Op::mad_hi) operation.op = Op::mad_hi_carry;
  if (operation.op == Op::mad_carry && opcode.high) operation.op = Op::mad_hi_carry;
  if (operation.op == Op::barrier && opcode.has("warp")) operation.op = Op::warp_barrier;
  if ((operation.op == Op::ld || operation.op == Op::st) && operation.type == Type::b128) {
    operation.type = Type::b64;  // as its registers are
    operation.vector = static_cast<std::uint8_t>(2 * operation.vector);
  }
  if (operation.op == Op::vote && operation.mode == Mode::none) opcode.unknown_modifier = true;
  return opcode;
}

}  // namespace ridge::device::emulator
