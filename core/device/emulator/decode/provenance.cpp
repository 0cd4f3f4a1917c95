// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/provenance.h"

#include <algorithm>

namespace ridge::device::emulator {

Provenance::Origin Provenance::of_operand(const ptx::Operand& operand) const {
  if (operand.kind == ptx::Operand::Kind::reg) return origins_[static_cast<std::size_t>(operand.index)];
  return {State::number, {}};
}

bool Provenance::merge(int reg, const Origin& origin) {
  Origin& known = origins_[static_cast<std::size_t>(reg)];
  Origin joined = known;
  if (known.state == State::unseen) {
    joined = origin;
  } else if (origin.state != State::unseen && (origin.state != known.state || origin.name != known.name)) {
    joined = {State::several, {}};
  }
  if (joined.state == known.state && joined.name == known.name) return false;
  known = std::move(joined);
  return true;
}

/// An address plus numbers stays in its variable; two addresses make something unknown. What has not been
/// seen yet says nothing: a later round will.
Provenance::Origin Provenance::sum(const Origin& a, const Origin& b) {
  if (a.state == State::unseen || b.state == State::unseen) return {State::unseen, {}};
  if (a.state == State::number) return b;
  if (b.state == State::number) return a;
  return {State::several, {}};
}

bool Provenance::passes_addresses(const std::string& opcode) const {
  for (const char* base : {"mov.", "add.", "shl+add.", "sub.", "mad.", "cvta.", "cvt.u64.u32", "cvt.u32.u64",
                           "or.b", "selp.", "shf."})
    if (opcode.starts_with(base)) return true;
  return false;
}

}  // namespace ridge::device::emulator
