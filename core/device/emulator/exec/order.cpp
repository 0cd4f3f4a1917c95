// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/order.h"

#include <algorithm>
#include <bit>

#include "device/emulator/exec/launch.h"

namespace ridge::device::emulator {

namespace {

void next_step(Block& block) {
  if (block.step < kLastStep) ++block.step;
}

}  // namespace

void note_warp_sync(Warp& warp, std::uint32_t lanes) {
  Block& block = *warp.block;
  if (!warp.worker->checking) return;
  if (lanes == warp.live) {
    warp.known_step = block.step;
  } else {
    if (warp.lane_order == nullptr) warp.lane_order = std::make_unique<LaneOrder>();
    LaneOrder::Steps all{};
    for_each_lane(lanes, [&](int lane) {
      const LaneOrder::Steps& known = warp.lane_order->known[static_cast<std::size_t>(lane)];
      for (std::size_t other = 0; other < all.size(); ++other)
        all[other] = std::max(all[other], known[other]);
    });
    for_each_lane(lanes, [&](int lane) { all[static_cast<std::size_t>(lane)] = block.step; });
    for_each_lane(lanes, [&](int lane) { warp.lane_order->known[static_cast<std::size_t>(lane)] = all; });
  }
  next_step(block);
}

std::uint32_t known_to_lane(const Warp& warp, int lane, int other) {
  if (warp.lane_order == nullptr) return warp.known_step;
  return std::max(warp.known_step,
                  warp.lane_order->known[static_cast<std::size_t>(lane)][static_cast<std::size_t>(other)]);
}

void note_fence(Warp& warp) {
  Launch& launch = *warp.worker->launch;
  launch.release(*warp.block);
  launch.renew_mark(*warp.block);
  if (!warp.worker->checking) return;
  warp.fenced_step = warp.block->step;
  next_step(*warp.block);
}

void synchronise_shared(Warp& warp, const Access& access, const MemorySite& site) {
  Block& block = *warp.block;
  const int shift = warp.worker->shared_shift;
  // Whoever uses fences beside these words means them so, whatever stands first in the text.
  const std::uint32_t released = site.releases ? block.step : warp.fenced_step;
  for_each_lane(access.lanes, [&](int lane) {
    const std::uint64_t at =
        access.base + static_cast<std::uint64_t>(std::int64_t{access.pattern->relative[lane]});
    const auto unit = static_cast<std::uint32_t>(at >> shift);
    if (access.kind != AccessKind::store) {
      if (const auto found = block.released.find(unit); found != block.released.end()) {
        const auto& steps = found->second;
        block.partial_order = true;
        for (std::size_t w = 0; w < steps.size(); ++w) warp.known[w] = std::max(warp.known[w], steps[w]);
        warp.known_step = std::max(warp.known_step, steps[warp.id]);
      }
    }
    if (access.kind != AccessKind::load && released != 0) {
      auto& steps = block.released[unit];
      for (std::size_t w = 0; w < steps.size(); ++w) steps[w] = std::max(steps[w], warp.known[w]);
      steps[warp.id] = std::max(steps[warp.id], released);
    }
  });
  if (site.releases) next_step(block);
}

}  // namespace ridge::device::emulator
