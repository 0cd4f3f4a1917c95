// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk copies between device memory and the shared memories of a cluster: runs of bytes and tiles of tensors.
// Loads tell an mbarrier, stores are waited for by groups.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "device/emulator/exec/async.h"
#include "device/emulator/exec/cluster.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/order.h"
#include "device/emulator/lanes/table.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

constexpr std::uint64_t kQuantum = 16;          ///< sizes and addresses are multiples of it
constexpr std::uint64_t kTileAlignment = 128;   ///< of a tile in shared memory
constexpr std::uint64_t kWavefrontBytes = 128;  ///< of shared memory at a time
constexpr std::uint64_t kSectorBytes = 32;

std::uint8_t* host_of(const Warp& warp, std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(address + warp.worker->global_bias);
}

std::uint16_t short_value_at(const Warp& warp, std::uint32_t slot, int lane) {
  return reinterpret_cast<const std::uint16_t*>(warp.frame + slot)[lane];
}

/// Bounds, initialisation and races of a run of device memory. False: it must not be touched.
bool open_device(Warp& warp, const Instruction* at, int lane, std::uint64_t address, std::uint64_t bytes,
                 AccessKind kind) {
  if (bytes == 0) return true;
  Worker& worker = *warp.worker;
  const Arena& arena = *worker.launch->arena;
  const auto chunk = static_cast<std::uint32_t>(std::uint64_t{1}
                                                << std::min(4, std::countr_zero(address | bytes | kQuantum)));
  Pattern pattern{};
  const auto piece = [&](std::uint64_t offset) {
    return Access{at, &pattern, address + offset, 1u << lane, chunk, kind};
  };
  const Allocation* allocation = arena.find(address, bytes);
  if (allocation == nullptr) {
    for (std::uint64_t offset = 0; offset < bytes; offset += chunk)
      if (const Allocation* single = nullptr; admit_global(warp, piece(offset), single) == 0) return false;
  } else if (const Allocation* single = nullptr; admit_global(warp, piece(0), single) == 0) {
    return false;  // constant memory
  }
  if (worker.counting) {
    SiteCount& count = worker.site_counts[at->target];
    ++count.requests;
    count.lanes += bytes / kQuantum;
    const std::uint64_t first = address / kSectorBytes,
                        sectors = (address + bytes - 1) / kSectorBytes - first + 1;
    count.sectors += sectors;
    if (worker.traffic) note_sectors(warp, first, sectors, kind);
  }
  if (!worker.checking) return true;
  if (allocation != nullptr && !(worker.block_races && allocation->stored)) {
    std::uint8_t* initialised = allocation->initialised.get() + (address - allocation->low);
    if (kind == AccessKind::store && !worker.watching) {
      std::memset(initialised, 1, bytes);
      return true;
    }
    if (kind == AccessKind::load && std::memchr(initialised, 0, bytes) == nullptr) return true;
  }
  for (std::uint64_t offset = 0; offset < bytes; offset += chunk)
    check_global(warp, piece(offset), allocation);
  return true;
}

void count_shared(Warp& warp, const Instruction* at, std::uint64_t bytes) {
  if (!warp.worker->counting) return;
  SiteCount& count = warp.worker->site_counts[at->target + 1];
  const std::uint64_t wavefronts = (bytes + kWavefrontBytes - 1) / kWavefrontBytes;
  ++count.requests;
  count.lanes += bytes / kQuantum;
  count.wavefronts += wavefronts;
  count.ideal_wavefronts += wavefronts;
}

/// The tile that a lane names, or nothing when its map is none.
std::shared_ptr<const TensorTile> tile_of(Warp& warp, const Instruction* at, int lane,
                                          std::uint64_t address) {
  const Launch& launch = *warp.worker->launch;
  std::span<const std::byte> bytes;
  if ((address & kWindowMask) == kParameterWindow) {
    const std::uint64_t offset = address & ~kWindowMask;
    if (offset < launch.parameters.size())
      bytes = std::as_bytes(std::span(launch.parameters)).subspan(offset);
  } else if (launch.arena->find(address, TensorMap::kBytes) != nullptr) {
    bytes = {reinterpret_cast<const std::byte*>(host_of(warp, address)), TensorMap::kBytes};
  }
  const std::optional<TensorMap> map = TensorMap::decode(bytes);
  if (!map) {
    report_fault(warp, at, Status::launch_failed, lane,
                 say("The address names no tensor map; state it by //@ tensor_map: and pass it as a const "
                     "__grid_constant__ CUtensorMap parameter"));
    return nullptr;
  }
  if (map->rank != at->list[kBulkRank]) {
    report_fault(warp, at, Status::launch_failed, lane,
                 say("The copy has {} coordinates, its tensor map {}", at->list[kBulkRank], map->rank));
    return nullptr;
  }
  auto tile = std::make_shared<TensorTile>();
  tile->map = *map;
  for (std::size_t k = 0; k < map->rank; ++k)
    tile->at[k] = static_cast<std::int32_t>(value_at(warp, at->list[kBulkCoordinates + k], lane));
  return tile;
}

/// A tile's reduction depends on the type in its map.
bool choose_reduction(Warp& warp, BulkCopy& copy) {
  Operation operation;
  operation.op = Op::red;
  operation.atomic = static_cast<AtomicOp>(copy.at->immediate);
  operation.space = StateSpace::global;
  operation.type = copy.tile->map.type;
  copy.element_bytes = copy.tile->map.element_bytes;
  copy.reduce = best_lanes().find_mover(operation);
  if (copy.reduce != nullptr) return true;
  report_fault(warp, copy.at, Status::launch_failed, copy.lane,
               say("This reduction does not exist for elements of type {}", ptx::name_of(operation.type)));
  return false;
}

bool describe_device_side(Warp& warp, BulkCopy& copy, std::uint64_t address, AccessKind kind) {
  const Instruction* at = copy.at;
  if ((at->flags & kBulkTile) != 0) {
    copy.tile = tile_of(warp, at, copy.lane, address);
    if (copy.tile == nullptr) return false;
    copy.bytes = copy.tile->map.box_bytes();
    if (copy.reduce != nullptr && !choose_reduction(warp, copy)) return false;
    bool sound = true;
    for (const TileRow& row : rows_of(*copy.tile))
      sound = sound && open_device(warp, at, copy.lane, row.address, row.inside, kind);
    return sound;
  }
  copy.bytes = value_at(warp, at->list[kBulkSize], copy.lane);
  if (copy.bytes % kQuantum != 0 || address % kQuantum != 0) {
    report_fault(warp, at, Status::misaligned, copy.lane,
                 say("A bulk copy moves multiples of 16 bytes from and to addresses that are multiples of "
                     "16; this one moves {} bytes, {} behind such an address of device memory",
                     copy.bytes, address % kQuantum));
    return false;
  }
  (kind == AccessKind::load ? copy.from : copy.to) = address;
  return open_device(warp, at, copy.lane, address, copy.bytes, kind);
}

bool describe_source(Warp& warp, BulkCopy& copy, std::uint64_t address) {
  const SharedPlace place = shared_place(warp, address, false);
  const std::uint64_t alignment = copy.tile != nullptr ? kTileAlignment : kQuantum;
  if (!admit_place(warp, copy.at, copy.lane, place, copy.bytes, alignment,
                   phrase("the source of this bulk copy")))
    return false;
  copy.from_block = place.block;
  copy.from = place.offset;
  count_shared(warp, copy.at, copy.bytes);
  touch_shared(warp, copy.at, copy.lane, *place.block, place.offset, copy.bytes, AccessKind::load);
  if (place.block == warp.block)
    check_proxy(warp, copy.at, copy.lane, copy.from, copy.bytes, phrase("bulk copy"));
  mark_under_way(*place.block, place.offset, copy.bytes, AccessKind::load);
  return true;
}

/// Sends the copy to a place in shared memory and its mbarrier.
void send(Warp& warp, BulkCopy copy, const SharedPlace& to, const SharedPlace& mbarrier) {
  const bool stores = copy.is_read;  // values of a lane, which come from registers
  const std::uint64_t alignment = stores ? copy.bytes : copy.tile != nullptr ? kTileAlignment : kQuantum;
  if (!admit_place(
          warp, copy.at, copy.lane, to, copy.bytes, alignment,
          stores ? phrase("the target of this asynchronous store") : phrase("the target of this bulk copy")))
    return;
  if (!admit_mbarrier(warp, copy.at, copy.lane, mbarrier)) return;
  if (to.block != mbarrier.block) {
    report_fault(warp, copy.at, Status::launch_failed, copy.lane,
                 say("The mbarrier of a bulk copy lies in another block than its target"));
    return;
  }
  copy.to_block = to.block;
  copy.to = to.offset;
  copy.mbarrier = mbarrier.offset;
  if (to.block != warp.block) note_signal(*warp.block->cluster, warp.worker->shared_shift);
  if (!stores) count_shared(warp, copy.at, copy.bytes);
  const AccessKind kind = copy.reduce != nullptr ? AccessKind::atomic : AccessKind::store;
  touch_shared(warp, copy.at, copy.lane, *to.block, to.offset, copy.bytes, kind);
  mark_under_way(*to.block, to.offset, copy.bytes, kind);
  async_of(*to.block).loads.push_back(std::move(copy));
}

void copy_of_lane(Warp& warp, const Instruction* at, int lane) {
  const std::uint32_t* list = at->list;
  BulkCopy copy;
  copy.at = at;
  copy.warp = &warp;
  copy.lane = lane;
  if (at->b != kNoSlot) {
    copy.reduce = at->move;
    copy.element_bytes = at->b;
  }
  const std::uint64_t from = address_at(warp, list + kBulkFrom, lane);
  const std::uint64_t to = address_at(warp, list + kBulkTo, lane);
  if ((at->flags & kBulkToDevice) != 0) {
    if (list[kBulkByteMask] != kNoSlot) copy.byte_mask = short_value_at(warp, list[kBulkByteMask], lane);
    if (!describe_device_side(warp, copy, to,
                              copy.reduce != nullptr ? AccessKind::atomic : AccessKind::store))
      return;
    if (!describe_source(warp, copy, from)) return;
    async_of(*warp.block).warps[warp.id].stores.push_back(std::move(copy));
    return;
  }
  if ((at->flags & kBulkFromDevice) != 0) {
    if (!describe_device_side(warp, copy, from, AccessKind::load)) return;
  } else {
    copy.bytes = value_at(warp, list[kBulkSize], lane);
    if (copy.bytes % kQuantum != 0) {
      report_fault(warp, at, Status::misaligned, lane, say("A bulk copy moves multiples of 16 bytes"));
      return;
    }
    if (!describe_source(warp, copy, from)) return;
  }
  SharedPlace target = shared_place(warp, to, false);
  SharedPlace mbarrier = shared_place(warp, address_at(warp, list + kBulkMbarrier, lane), false);
  if (list[kBulkBlocks] == kNoSlot) return send(warp, std::move(copy), target, mbarrier);
  // To the same place of every block that the mask names.
  const std::uint32_t blocks = short_value_at(warp, list[kBulkBlocks], lane);
  const Cluster& cluster = *warp.block->cluster;
  for (std::uint32_t rank = 0; rank < 16; ++rank) {
    if ((blocks >> rank & 1) == 0) continue;
    target.block = mbarrier.block = rank < cluster.blocks.size() ? cluster.blocks[rank] : nullptr;
    send(warp, copy, target, mbarrier);
  }
}

/// Applies a reduction to up to 32 neighbouring elements at a time.
void reduce_into(BulkCopy& copy, std::uint8_t* host, const std::uint8_t* data, std::uint64_t bytes) {
  alignas(64) std::uint8_t values[kWarpLanes * 8];
  Instruction operation = *copy.at;
  operation.b = 0;
  operation.c = operation.d = kNoSlot;
  Pattern pattern{};
  for (int lane = 0; lane < kWarpLanes; ++lane)
    pattern.relative[lane] = lane * static_cast<std::int32_t>(copy.element_bytes);
  std::uint8_t* const frame = std::exchange(copy.warp->frame, values);
  const std::uint64_t most = std::uint64_t{kWarpLanes} * copy.element_bytes;
  for (std::uint64_t done = 0; done < bytes; done += most) {
    const std::uint64_t part = std::min(most, bytes - done), lanes = part / copy.element_bytes;
    std::memcpy(values, data + done, part);
    copy.reduce(*copy.warp, &operation, host + done, pattern,
                lanes == kWarpLanes ? kAllLanes : (1u << lanes) - 1);
  }
  copy.warp->frame = frame;
}

void write_run(BulkCopy& copy, std::uint8_t* host, const std::uint8_t* data, std::uint64_t bytes) {
  if (copy.reduce != nullptr) return reduce_into(copy, host, data, bytes);
  if (copy.byte_mask == 0xffff) {
    std::memcpy(host, data, bytes);
    return;
  }
  for (std::uint64_t k = 0; k < bytes; ++k)
    if ((copy.byte_mask >> (k % kQuantum) & 1) != 0) host[k] = data[k];
}

void fill_outside(const TensorMap& map, std::uint8_t* data, std::uint64_t bytes) {
  std::memset(data, 0, bytes);
  if (!map.nan_fill) return;
  for (std::uint64_t k = 0; k + map.element_bytes <= bytes; k += map.element_bytes)
    std::memset(data + k, 0xff, map.element_bytes);
}

}  // namespace

void read_bulk(BulkCopy& copy) {
  if (copy.is_read) return;
  copy.is_read = true;
  copy.data.resize(copy.bytes);
  std::uint8_t* data = copy.data.data();
  if (copy.from_block != nullptr) {
    const std::uint8_t* shared = copy.from_block->shared;
    const Swizzle swizzle = copy.tile != nullptr ? copy.tile->map.swizzle : Swizzle::none;
    if (swizzle == Swizzle::none) {
      std::memcpy(data, shared + copy.from, copy.bytes);
    } else {
      for (std::uint64_t k = 0; k < copy.bytes; k += kQuantum)
        std::memcpy(data + k, shared + swizzled(swizzle, copy.from + k), kQuantum);
    }
    mark_done(*copy.from_block, copy.from, copy.bytes, false, *copy.warp, copy.lane, true);
  } else if (copy.tile == nullptr) {
    std::memcpy(data, host_of(*copy.warp, copy.from), copy.bytes);
  } else {
    for (const TileRow& row : rows_of(*copy.tile)) {
      fill_outside(copy.tile->map, data + row.offset, row.bytes);
      if (row.inside > 0)
        std::memcpy(data + row.offset + row.skipped, host_of(*copy.warp, row.address), row.inside);
    }
  }
}

void finish_bulk(BulkCopy& copy) {
  read_bulk(copy);
  const std::uint8_t* data = copy.data.data();
  if (copy.to_block != nullptr) {
    std::uint8_t* shared = copy.to_block->shared;
    const Swizzle swizzle = copy.tile != nullptr ? copy.tile->map.swizzle : Swizzle::none;
    if (swizzle == Swizzle::none) {
      write_run(copy, shared + copy.to, data, copy.bytes);
    } else {
      for (std::uint64_t k = 0; k < copy.bytes; k += kQuantum)
        std::memcpy(shared + swizzled(swizzle, copy.to + k), data + k, kQuantum);
    }
    mark_done(*copy.to_block, copy.to, copy.bytes, true, *copy.warp, copy.lane, true);
    bring_bytes(copy);
  } else if (copy.tile == nullptr) {
    write_run(copy, host_of(*copy.warp, copy.to), data, copy.bytes);
  } else {
    for (const TileRow& row : rows_of(*copy.tile))
      if (row.inside > 0)
        write_run(copy, host_of(*copy.warp, row.address), data + row.offset + row.skipped, row.inside);
  }
}

const Instruction* copy_bulk(Warp& warp, const Instruction* at) {
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1)
    copy_of_lane(warp, at, std::countr_zero(lanes));
  return at + 1;
}

const Instruction* store_async(Warp& warp, const Instruction* at) {
  const auto element = static_cast<std::size_t>(at->immediate);
  const bool generic = (at->flags & kGenericStore) != 0;
  const std::uint32_t bytes = at->flags & ~kGenericStore;
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    BulkCopy copy;
    copy.at = at;
    copy.warp = &warp;
    copy.lane = std::countr_zero(lanes);
    copy.bytes = bytes;
    copy.is_read = true;
    for (std::size_t k = 0; k < copy.bytes / element; ++k) {
      const std::uint8_t* value =
          warp.frame + at->list[4 + k] + static_cast<std::size_t>(copy.lane) * element;
      copy.data.insert(copy.data.end(), value, value + element);
    }
    if (at->b != kNoSlot) {
      copy.reduce = at->move;
      copy.element_bytes = at->b;
    }
    const SharedPlace to = shared_place(warp, address_at(warp, at->list, copy.lane), generic);
    const SharedPlace mbarrier = shared_place(warp, address_at(warp, at->list + 2, copy.lane), generic);
    send(warp, std::move(copy), to, mbarrier);
  }
  if (warp.worker->counting) {
    SiteCount& count = warp.worker->site_counts[at->target + 1];
    const auto threads = static_cast<std::uint64_t>(std::popcount(warp.mask));
    const std::uint64_t wavefronts = (threads * bytes + kWavefrontBytes - 1) / kWavefrontBytes;
    ++count.requests;
    count.lanes += threads;
    count.wavefronts += wavefronts;
    count.ideal_wavefronts += wavefronts;
  }
  return at + 1;
}

const Instruction* commit_bulk(Warp& warp, const Instruction* at) {
  WarpCopies& own = async_of(*warp.block).warps[warp.id];
  for (BulkCopy& copy : own.stores) {
    if (!copy.loose || (warp.mask >> copy.lane & 1) == 0) continue;
    copy.loose = false;
    copy.group = own.bulk_groups[static_cast<std::size_t>(copy.lane)];
  }
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1)
    ++own.bulk_groups[static_cast<std::size_t>(std::countr_zero(lanes))];
  return at + 1;
}

const Instruction* wait_bulk(Warp& warp, const Instruction* at) {
  WarpCopies& own = async_of(*warp.block).warps[warp.id];
  const auto left = static_cast<std::uint32_t>(at->immediate);
  const bool read_only = (at->flags & kWaitRead) != 0;
  const auto is_due = [&](const BulkCopy& copy) {
    return !copy.loose && (warp.mask >> copy.lane & 1) != 0 &&
           own.bulk_groups[static_cast<std::size_t>(copy.lane)] - copy.group > left;
  };
  for (BulkCopy& copy : own.stores) {
    if (!is_due(copy)) continue;
    if (read_only)
      read_bulk(copy);
    else
      finish_bulk(copy);
  }
  if (!read_only) std::erase_if(own.stores, is_due);
  return at + 1;
}

bool check_proxy(Warp& warp, const Instruction* at, int lane, std::uint64_t offset, std::uint64_t bytes,
                 Phrase<> reader) {
  const Block& block = *warp.block;
  if (block.writers == nullptr || !block.race_checks) return true;
  const std::uint32_t fenced = std::max(async_of(*warp.block).proxy_step, block.first_step);
  const int shift = warp.worker->shared_shift;
  for (std::uint64_t unit = offset >> shift; unit <= (offset + bytes - 1) >> shift; ++unit) {
    const std::uint32_t writer = block.writers[unit], step = writer >> kStepShift;
    if (step <= fenced || step == kAsyncStep || (writer & kAtomicMark) != 0) continue;
    report_fault(warp, at, Status::race, lane,
                 say("Race: this {} reads byte {} of shared memory, which ordinary stores wrote; a "
                     "fence.proxy.async must lie between",
                     reader, unit << shift));
    return false;
  }
  return true;
}

const Instruction* fence_proxy(Warp& warp, const Instruction* at) {
  Block& block = *warp.block;
  if (warp.worker->checking) {
    async_of(block).proxy_step = block.step;
    if (block.step < kLastStep) ++block.step;
  }
  note_fence(warp);
  return at + 1;
}

void finish_async(Block& block) {
  if (block.async == nullptr) return;
  for (WarpCopies& own : block.async->warps) {
    for (BulkCopy& copy : own.stores) {
      if (!copy.is_read && copy.warp->worker->checking)
        report_fault(*copy.warp, copy.at, Status::race, copy.lane,
                     say("The block ends while this bulk copy still reads its shared memory; commit it and "
                         "wait with cp.async.bulk.wait_group.read first"));
      finish_bulk(copy);
    }
    own.stores.clear();
  }
}

}  // namespace ridge::device::emulator
