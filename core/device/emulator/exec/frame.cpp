// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/frame.h"

#include <cstring>

namespace ridge::device::emulator {

namespace {

template <class T>
void broadcast(std::uint8_t* frame, std::uint32_t slot, T value) {
  auto* lanes = reinterpret_cast<T*>(frame + slot);
  for (int l = 0; l < kWarpLanes; ++l) lanes[l] = value;
}

void broadcast(std::uint8_t* frame, std::uint32_t slot, std::uint64_t bits, int bytes) {
  switch (bytes) {
    case 2:
      broadcast(frame, slot, static_cast<std::uint16_t>(bits));
      break;
    case 4:
      broadcast(frame, slot, static_cast<std::uint32_t>(bits));
      break;
    default:
      broadcast(frame, slot, bits);
      break;
  }
}

/// Value of a special register in one lane.
std::uint64_t special_value(Special special, const Warp& warp, int lane) {
  const Block& block = *warp.block;
  const Launch& launch = *warp.worker->launch;
  const std::int64_t thread = std::int64_t{warp.id} * kWarpLanes + lane;
  const auto& extent = launch.block_extent;
  const auto& grid = launch.grid_extent;
  const auto& cluster = launch.cluster_extent;
  const auto position = [&](std::size_t k) { return std::int64_t{block.position[k]}; };
  const auto in_cluster = [&](std::size_t k) { return position(k) % cluster[k]; };
  const std::uint32_t bit = 1u << lane;
  const auto as = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  switch (special) {
    case Special::tid_x:
      return as(thread % extent[0]);
    case Special::tid_y:
      return as(thread / extent[0] % extent[1]);
    case Special::tid_z:
      return as(thread / extent[0] / extent[1]);
    case Special::ntid_x:
      return as(extent[0]);
    case Special::ntid_y:
      return as(extent[1]);
    case Special::ntid_z:
      return as(extent[2]);
    case Special::ctaid_x:
      return as(position(0));
    case Special::ctaid_y:
      return as(position(1));
    case Special::ctaid_z:
      return as(position(2));
    case Special::nctaid_x:
      return as(grid[0]);
    case Special::nctaid_y:
      return as(grid[1]);
    case Special::nctaid_z:
      return as(grid[2]);
    case Special::laneid:
      return as(lane);
    case Special::warpid:
      return warp.id;
    case Special::nwarpid:
      return block.warps.size();
    case Special::smid:
      return block.index % static_cast<std::uint64_t>(launch.sm_count);
    case Special::nsmid:
      return as(launch.sm_count);
    case Special::gridid:
      return launch.id;
    case Special::lanemask_eq:
      return bit;
    case Special::lanemask_le:
      return bit | (bit - 1);
    case Special::lanemask_lt:
      return bit - 1;
    case Special::lanemask_ge:
      return static_cast<std::uint32_t>(~(bit - 1));
    case Special::lanemask_gt:
      return static_cast<std::uint32_t>(~(bit | (bit - 1)));
    case Special::dynamic_smem_size:
      return as(launch.dynamic_shared_bytes);
    case Special::total_smem_size:
      return as(launch.shared_bytes);
    case Special::clusterid_x:
      return as(position(0) / cluster[0]);
    case Special::clusterid_y:
      return as(position(1) / cluster[1]);
    case Special::clusterid_z:
      return as(position(2) / cluster[2]);
    case Special::nclusterid_x:
      return as(grid[0] / cluster[0]);
    case Special::nclusterid_y:
      return as(grid[1] / cluster[1]);
    case Special::nclusterid_z:
      return as(grid[2] / cluster[2]);
    case Special::cluster_ctaid_x:
      return as(in_cluster(0));
    case Special::cluster_ctaid_y:
      return as(in_cluster(1));
    case Special::cluster_ctaid_z:
      return as(in_cluster(2));
    case Special::cluster_nctaid_x:
      return as(cluster[0]);
    case Special::cluster_nctaid_y:
      return as(cluster[1]);
    case Special::cluster_nctaid_z:
      return as(cluster[2]);
    case Special::cluster_ctarank:
      return as(in_cluster(0) + cluster[0] * (in_cluster(1) + cluster[1] * in_cluster(2)));
    case Special::cluster_nctarank:
      return as(cluster[0] * cluster[1] * cluster[2]);
    case Special::is_explicit_cluster:
      return cluster[0] * cluster[1] * cluster[2] > 1 ? 1 : 0;
    case Special::envreg1:
      return launch.envreg >> 32;
    case Special::envreg2:
      return launch.envreg & 0xffffffffu;
    case Special::zero:
      return 0;
  }
  return 0;
}

bool differs_by_lane(Special special) {
  switch (special) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::laneid:
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
      return true;
    default:
      return false;
  }
}
bool changes_with_block(Special special) {
  switch (special) {
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::smid:
    case Special::clusterid_x:
    case Special::clusterid_y:
    case Special::clusterid_z:
    case Special::cluster_ctaid_x:
    case Special::cluster_ctaid_y:
    case Special::cluster_ctaid_z:
    case Special::cluster_ctarank:
      return true;
    default:
      return false;
  }
}

}  // namespace

void fill_constants(std::uint8_t* frame, const FunctionCode& function, const Launch& launch) {
  for (const ConstantSlot& constant : function.constants)
    broadcast(frame, constant.slot, constant.bits, constant.bytes);
  for (const ParameterSlot& parameter : function.parameter_slots) {
    std::uint64_t bits = 0;
    if (parameter.offset + parameter.bytes <= launch.parameters.size())
      std::memcpy(&bits, launch.parameters.data() + parameter.offset, parameter.bytes);
    if (parameter.sign_extend) {
      const int shift = 64 - 8 * parameter.bytes;
      bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
    }
    broadcast(frame, parameter.slot, bits, parameter.slot_bytes);
  }
}

void fill_specials(std::uint8_t* frame, const FunctionCode& function, const Warp& warp) {
  for (const SpecialSlot& special : function.specials) {
    if (!differs_by_lane(special.special)) {
      broadcast(frame, special.slot, special_value(special.special, warp, 0), special.bytes);
      continue;
    }
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t value = special_value(special.special, warp, lane);
      std::memcpy(frame + special.slot + static_cast<std::size_t>(lane) * special.bytes, &value,
                  special.bytes);
    }
  }
}

void refill_specials(Block& block, const FunctionCode& function) {
  for (const SpecialSlot& special : function.specials) {
    if (!changes_with_block(special.special)) continue;
    const std::uint64_t value = special_value(special.special, block.warps[0], 0);
    for (Warp& warp : block.warps) broadcast(warp.root.frame, special.slot, value, special.bytes);
  }
}

void clear_registers(std::uint8_t* frame, const FunctionCode& function) {
  for (const std::uint32_t mask : function.zeroed_masks) std::memset(frame + mask, 0, 4);
  for (const auto& [slot, bytes] : function.zeroed) std::memset(frame + slot, 0, bytes);
}

}  // namespace ridge::device::emulator
