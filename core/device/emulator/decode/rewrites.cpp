// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/rewrites.h"

#include "device/emulator/decode/copies.h"
#include "device/emulator/decode/fusion.h"

namespace ridge::device::emulator {

namespace {
constexpr std::size_t kManyBlocks = 4096;  ///< beyond them the gain is not worth the time
}

Rewrites no_rewrites(const ptx::Function& function) {
  const std::size_t count = function.body.size();
  return {std::vector<char>(count, 0), std::vector<char>(count, 0), std::vector<int>(count, -1), {}};
}

Rewrites rewrite(ptx::Function& function, const Flow& flow,
                 const std::function<bool(const std::string&)>& is_constant) {
  Rewrites rewrites = no_rewrites(function);
  if (flow.blocks.size() > kManyBlocks) return rewrites;
  propagate_copies(function, flow, is_constant, rewrites);
  fuse(function, flow, rewrites);
  coalesce_copies(function, flow, rewrites);
  return rewrites;
}

}  // namespace ridge::device::emulator
