// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/texture.h"

#include <algorithm>
#include <bit>

#include "device/emulator/exec/access.h"
#include "device/emulator/exec/async.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/memory/texture.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

const Texture* texture_of(Warp& warp, const Instruction* at, int lane) {
  const Launch& launch = *warp.worker->launch;
  const std::uint64_t handle = wide_value_at(warp, at->list[0], lane);
  const std::uint64_t index = handle - kTextureHandle;
  const Texture* texture =
      launch.textures != nullptr && index < launch.textures->size() ? &(*launch.textures)[index] : nullptr;
  if (texture == nullptr || texture->address == 0) {
    report_fault(warp, at, Status::launch_failed, lane,
                 say("The handle names no texture object; state it by //@ texture: and pass it as a "
                     "cudaTextureObject_t parameter"));
    return nullptr;
  }
  const bool two = at->list[2] != kNoSlot;
  if (two != (texture->spec.extents.size() == 2)) {
    report_fault(warp, at, Status::launch_failed, lane,
                 say("Texture {} has {} dimensions, the fetch has another number of coordinates",
                     texture->spec.name, texture->spec.extents.size()));
    return nullptr;
  }
  return texture;
}

double coordinate_at(const Warp& warp, const Instruction* at, std::uint32_t slot, int lane) {
  const std::uint32_t bits = value_at(warp, slot, lane);
  return (at->flags & kIntegerCoordinates) != 0 ? static_cast<double>(static_cast<std::int32_t>(bits))
                                                : static_cast<double>(std::bit_cast<float>(bits));
}

void check_taps(Warp& warp, const Instruction* at, int lane, const Texture& texture, const Taps& taps) {
  Pattern pattern{};
  const auto bytes = static_cast<std::uint32_t>(size_of(texture.spec.dtype));
  for (int k = 0; k < taps.count; ++k) {
    const std::uint64_t address = taps.taps[static_cast<std::size_t>(k)].address;
    if (address != 0)
      check_global(warp, {at, &pattern, address, 1u << lane, bytes, AccessKind::load}, nullptr);
  }
}

}  // namespace

const Instruction* fetch_texture(Warp& warp, const Instruction* at) {
  Worker& worker = *warp.worker;
  const bool integer = (at->flags & kIntegerCoordinates) != 0;
  std::array<std::uint64_t, std::size_t{kWarpLanes} * 4> sectors;
  std::size_t touched = 0;
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    double value = 0;
    if (const Texture* texture = texture_of(warp, at, lane)) {
      const double y = at->list[2] == kNoSlot ? 0 : coordinate_at(warp, at, at->list[2], lane);
      const Taps taps = taps_of(*texture, coordinate_at(warp, at, at->list[1], lane), y, integer);
      if (worker.checking) check_taps(warp, at, lane, *texture, taps);
      for (int k = 0; k < taps.count; ++k) {
        const Tap& tap = taps.taps[static_cast<std::size_t>(k)];
        if (tap.address == 0) continue;
        sectors[touched++] = tap.address / 32;
        value +=
            tap.weight * texel_value(texture->spec,
                                     reinterpret_cast<const std::uint8_t*>(tap.address + worker.global_bias));
      }
    }
    const bool whole = (at->flags & kIntegerResult) != 0;
    const std::uint32_t first = whole ? static_cast<std::uint32_t>(static_cast<std::int64_t>(value))
                                      : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    // The channels that a texture of one channel lacks: 0, 0 and 1.
    const std::uint32_t one = whole ? 1 : std::bit_cast<std::uint32_t>(1.0f);
    const std::uint32_t channels[4] = {first, 0, 0, one};
    for (int k = 0; k < 4; ++k)
      if (const std::uint32_t slot = at->list[3 + k]; slot != kNoSlot)
        reinterpret_cast<std::uint32_t*>(warp.frame + slot)[lane] = channels[k];
  }
  if (worker.counting) {
    std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(touched));
    const auto last = std::unique(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(touched));
    SiteCount& count = worker.site_counts[at->target];
    ++count.requests;
    count.lanes += static_cast<std::uint32_t>(std::popcount(warp.mask));
    count.sectors += static_cast<std::uint64_t>(last - sectors.begin());
    if (worker.traffic)
      for (auto sector = sectors.begin(); sector != last; ++sector)
        note_sectors(warp, *sector, 1, AccessKind::load);
  }
  return at + 1;
}

}  // namespace ridge::device::emulator
