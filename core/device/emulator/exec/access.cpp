// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/emulator/checks/places.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/order.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

Sentence verb(AccessKind kind) {
  return kind == AccessKind::load    ? say("read")
         : kind == AccessKind::store ? say("write")
                                     : say("atomic operation");
}
Sentence bytes_text(std::uint32_t bytes) {
  return bytes == 1 ? say("{} byte", bytes) : say("{} bytes", bytes);
}

void report(Warp& warp, const Access& access, Status status, int lane, Sentence message) {
  report_fault(warp, access.instruction, status, lane, std::move(message));
}

/// Results of reads that did not take place.
void clear_lane(Warp& warp, const Access& access, int lane) {
  if (access.kind == AccessKind::store) return;
  alignas(16) std::uint8_t zeros[64] = {};
  Pattern pattern{};
  std::fill(std::begin(pattern.relative), std::end(pattern.relative), 0);
  access.instruction->move(warp, access.instruction, zeros, pattern, 1u << lane);
}

Sentence outside_of(const Allocation* nearest, std::uint64_t address, std::uint32_t bytes) {
  if (nearest == nullptr) return say("no buffer is allocated");
  if (address < nearest->low)
    return address + (std::uint64_t{1} << 32) < nearest->low
               ? say("far from all buffers")
               : say("{} bytes before the start of {}", nearest->low - address, nearest->name);
  if (address >= nearest->high) {
    const std::uint64_t distance = address - nearest->high;
    if (distance > (std::uint64_t{1} << 32)) return say("far from all buffers");
    return distance == 0 ? say("right behind the end of {}", nearest->name)
                         : say("{} bytes behind the end of {}", distance, nearest->name);
  }
  return say("across the end of {} ({} from offset {} of {})", nearest->name, bytes_text(bytes),
             address - nearest->low, nearest->high - nearest->low);
}

Sentence misaligned(AccessKind kind, std::uint64_t address, std::uint32_t bytes, Phrase<> space) {
  return say("Misaligned {} of {} in {} memory: the address is {} behind a multiple of {}", verb(kind),
             bytes_text(bytes), space, address % bytes, bytes);
}

std::uint64_t address_of(const Access& access, int lane) {
  return access.base + static_cast<std::uint64_t>(static_cast<std::int64_t>(access.pattern->relative[lane]));
}

/// Where an access outside of device memory went.
Sentence outside_of(const Arena& arena, const Allocation* nearest, std::uint64_t address,
                    std::uint32_t bytes) {
  constexpr std::uint64_t kNearNull = 1 << 20;
  if (address == 0) return say("the pointer is null");
  if (address < kNearNull) return say("{} bytes behind a null pointer", address);
  if ((address & kWindowMask) != 0) return say("the address belongs to another state space");
  if (arena.was_freed(address)) return say("in memory that free() has given back");
  return outside_of(nearest, address, bytes);
}

/// Lanes inside [low, high) of a space that is not device memory.
template <class Address>
std::uint32_t admit_range(Warp& warp, const Access& access, std::int64_t low, std::int64_t high,
                          Phrase<> space, const Sentence& array, Address&& address_of_lane) {
  std::uint32_t admitted = 0;
  for_each_lane(access.lanes, [&](int lane) {
    const std::int64_t address = address_of_lane(lane);
    if (address < low || address + static_cast<std::int64_t>(access.bytes) > high) {
      const Sentence whole = array.empty() ? say("the {} bytes that there are", high - low) : array;
      const Sentence where = high == low       ? say("the launch gives this kernel none")
                             : address < low   ? say("{} bytes before the start of {}", low - address, whole)
                             : address < high  ? say("across the end of {} ({} from offset {} of {})", whole,
                                                     bytes_text(access.bytes), address - low, high - low)
                             : address == high ? say("right behind the end of {}", whole)
                                               : say("{} bytes behind the end of {}", address - high, whole);
      report(warp, access, Status::out_of_bounds, lane,
             say("Out-of-bounds {} of {} in {} memory: {}", verb(access.kind), bytes_text(access.bytes),
                 space, where));
      clear_lane(warp, access, lane);
    } else if (address % access.bytes != 0) {
      report(warp, access, Status::misaligned, lane,
             misaligned(access.kind, static_cast<std::uint64_t>(address), access.bytes, space));
      clear_lane(warp, access, lane);
    } else {
      admitted |= 1u << lane;
    }
  });
  return admitted;
}

const MemorySite& site_of(const Warp& warp, const Access& access) {
  return warp.worker->launch->program->sites[static_cast<std::size_t>(access.instruction->target)];
}

/// The array for people: "tile" for the mangled name of kernel(…)::tile. Empty where it is not known.
Sentence array_of(const Warp& warp, const Access& access) {
  const std::string name = demangled(site_of(warp, access).array);
  if (name.starts_with("__local_depot")) return say("a local array");
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// True when what a block did under this mark is ordered before what this block does now.
bool is_ordered(const Warp& warp, std::uint32_t mark) {
  const Launch& launch = *warp.worker->launch;
  if (launch.released.empty()) return false;
  const std::uint64_t turn = launch.turn_of(mark);
  if (turn == warp.block->turn) return true;
  const std::uint64_t cluster = launch.cluster_blocks();
  if (!launch.serial && turn / cluster != warp.block->turn / cluster) return false;
  const std::uint64_t released = launch.released[mark - launch.first_mark];
  return released != 0 && warp.block->acquired > released;
}

/// The lane stores [address, address + bytes): it is the last writer of the watched elements in there.
void note_writer(const Warp& warp, int lane, std::uint64_t address, std::uint32_t bytes) {
  const Launch& launch = *warp.worker->launch;
  const Writers::Thread self{launch.number, static_cast<std::int64_t>(warp.block->index),
                             static_cast<int>(warp.id) * kWarpLanes + lane};
  for (std::size_t k = 0; k < launch.writers->size(); ++k) {
    const Watch& watch = launch.options.watches[k];
    const auto size = static_cast<std::uint64_t>(watch.element_bytes);
    const std::uint64_t end = watch.at + static_cast<std::uint64_t>(watch.elements) * size;
    if (address >= end || address + bytes <= watch.at) continue;
    const std::uint64_t low = std::max(address, watch.at) - watch.at;
    const std::uint64_t high = std::min(address + bytes, end) - watch.at;
    for (std::uint64_t element = low / size; element <= (high - 1) / size; ++element)
      (*launch.writers)[k].note(static_cast<std::int64_t>(element), self);
  }
}

/// What a look at every lane takes from the budget, in instructions that take as long: a loop that waits for
/// a word in memory shall not go on for longer than one that waits for a register.
constexpr std::int64_t kLaneByLane = 100;

/// One lane's part of check_global: `allocation` holds [address, address + bytes).
struct GlobalCheck {
  Warp& warp;
  const Access& access;
  const Allocation& allocation;
  bool ordered;
  bool races;

  void units(int lane, std::uint64_t address) {
    const std::uint64_t offset = address - allocation.low;
    if (access.kind != AccessKind::store) {
      for (std::uint32_t k = 0; k < access.bytes; ++k) {
        if (allocation.initialised[offset + k]) continue;
        report(warp, access, Status::uninitialised, lane,
               say("Reads element at byte {} of {}, which nothing has written", offset + k, allocation.name));
        std::memset(allocation.initialised.get() + offset, 1, access.bytes);  // once is enough
        break;
      }
    }
    if (access.kind != AccessKind::load) {
      std::memset(allocation.initialised.get() + offset, 1, access.bytes);
      if (warp.worker->watching) note_writer(warp, lane, address, access.bytes);
    }
    if (!races) return;
    const std::uint32_t self = warp.block->mark;
    const Launch& launch = *warp.worker->launch;
    const std::uint64_t first = address - allocation.origin, last = first + access.bytes - 1;
    for (std::uint64_t chunk = first >> kChunkShift; chunk <= last >> kChunkShift; ++chunk) {
      mix_chunk(allocation.chunk_writer[chunk], allocation.writer.get(), chunk);
      mix_chunk(allocation.chunk_reader[chunk], allocation.reader.get(), chunk);
    }
    for (std::uint64_t unit = first >> allocation.shift; unit <= last >> allocation.shift; ++unit) {
      std::uint32_t& writer = allocation.writer[unit];
      std::uint32_t& reader = allocation.reader[unit];
      const bool atomic_peer = (writer & kAtomicBlock) != 0 && (ordered || access.kind == AccessKind::atomic);
      const std::uint32_t writing = writer & ~kAtomicBlock;
      if (writing >= launch.first_mark && writing != self && !atomic_peer && !is_ordered(warp, writing))
        race(lane, offset, writing, phrase("written"));
      if (access.kind == AccessKind::load) {
        const bool own =
            reader == self || (!launch.released.empty() && reader >= launch.first_mark &&
                               reader != launch.many_readers && launch.turn_of(reader) == warp.block->turn);
        if (!ordered) reader = reader < launch.first_mark || own ? self : launch.many_readers;
        continue;
      }
      const bool was_read = reader >= launch.first_mark && reader != self;
      if (was_read && !ordered && access.kind == AccessKind::store &&
          (reader == launch.many_readers ? launch.released.empty() : !is_ordered(warp, reader)))
        race(lane, offset, reader == launch.many_readers ? 0 : reader, phrase("read"));
      writer = self | (ordered || access.kind == AccessKind::atomic ? kAtomicBlock : 0);
    }
  }

  void mix_chunk(std::uint32_t& mark, std::uint32_t* units, std::uint64_t chunk) const {
    if (mark == kMixedChunk) return;
    const std::uint64_t count = std::uint64_t{1} << (kChunkShift - allocation.shift);
    std::fill_n(units + chunk * count, count, mark);
    mark = kMixedChunk;
  }

  void race(int lane, std::uint64_t offset, std::uint32_t other, Phrase<> did) {
    const Launch& launch = *warp.worker->launch;
    Sentence who = say("another block");
    if (other >= launch.first_mark) {
      const std::uint64_t index = launch.block_of_turn(launch.turn_of(other));
      const auto& grid = launch.grid_extent;
      const auto x = static_cast<std::int64_t>(index);
      who = say("block ({}, {}, {})", x % grid[0], x / grid[0] % grid[1], x / grid[0] / grid[1]);
    }
    report(warp, access, Status::race, lane,
           say("Race between blocks: this {} at byte {} of {} is not ordered with {}, which has {} it",
               verb(access.kind), offset, allocation.name, who, did));
  }

  static constexpr std::uint32_t kAtomicBlock = 0x80000000u;
};

}  // namespace

void report_fault(Warp& warp, const Instruction* at, Status status, int lane, Sentence message) {
  Launch& launch = *warp.worker->launch;
  ++warp.block->faults;
  launch.report.add(status, warp, at, lane, std::move(message));
  // A warp that reads what nobody wrote may yet show why: it goes on.
  if (status != Status::uninitialised && ++warp.faults == kFaultsPerWarp)
    warp.fuel = 0;  // ends at the next basic block
  if (launch.report.flooded()) launch.cancelled = launch.given_up = true;
}

std::uint32_t admit_global(Warp& warp, const Access& access, const Allocation*& single) {
  Arena& arena = *warp.worker->launch->arena;
  std::uint32_t admitted = 0;
  single = nullptr;
  bool several = false, into_input = false;
  for_each_lane(access.lanes, [&](int lane) {
    const std::uint64_t address = address_of(access, lane);
    const Allocation* found = arena.find(address, access.bytes);
    if (found == nullptr) {
      const Allocation* nearest = arena.nearest(address);
      const bool constant = nearest != nullptr && nearest->constant;
      report(warp, access, Status::out_of_bounds, lane,
             say("Out-of-bounds {} of {} in {} memory: {}", verb(access.kind), bytes_text(access.bytes),
                 constant ? phrase("constant") : phrase("device"),
                 outside_of(arena, nearest, address, access.bytes)));
      clear_lane(warp, access, lane);
    } else if (address % access.bytes != 0) {
      report(warp, access, Status::misaligned, lane,
             misaligned(access.kind, address, access.bytes, phrase("device")));
      clear_lane(warp, access, lane);
    } else if (found->constant && access.kind != AccessKind::load) {
      report(warp, access, Status::out_of_bounds, lane, say("Write to constant memory ({})", found->name));
    } else {
      if (found->input && access.kind != AccessKind::load && !into_input) {
        into_input = true;
        report(warp, access, Status::input_modified, lane,
               say("Writes to the input {} at byte {}; write to an output or to a scratch tensor instead",
                   found->name, address - found->low));
      }
      several = several || (single != nullptr && single != found);
      single = found;
      admitted |= 1u << lane;
    }
  });
  if (several || into_input) single = nullptr;  // the next access is looked at again
  return admitted;
}

std::uint32_t admit_shared(Warp& warp, const Access& access, std::int64_t low, std::int64_t high) {
  return admit_range(warp, access, low, high, phrase("shared"), array_of(warp, access), [&](int lane) {
    const auto address = static_cast<std::int64_t>(address_of(access, lane));
    return address >> 31 == 1 ? address - (std::int64_t{1} << 32) : address;  // 32 bits: before the start
  });
}

std::uint32_t admit_local(Warp& warp, const Access& access, const std::int64_t* addresses, std::int64_t low,
                          std::int64_t high) {
  return admit_range(warp, access, low, high, phrase("local"), array_of(warp, access),
                     [&](int lane) { return addresses[lane]; });
}

std::uint32_t admit_parameter(Warp& warp, const Access& access, std::int64_t size) {
  return admit_range(warp, access, 0, size, phrase("parameter"), {},
                     [&](int lane) { return static_cast<std::int64_t>(address_of(access, lane)); });
}

void note_synchronisation(Warp& warp, const MemorySite& site) {
  Launch& launch = *warp.worker->launch;
  if (launch.released.empty() || !(site.acquires || site.atomic || site.ordered)) return;
  if (!site.store) warp.block->acquired = ++launch.clock;
  if (site.releases) launch.release(*warp.block);
}

void check_global(Warp& warp, const Access& access, const Allocation* allocation) {
  const Launch& launch = *warp.worker->launch;
  warp.fuel -= kLaneByLane - 1;
  const MemorySite& site = site_of(warp, access);
  for_each_lane(access.lanes, [&](int lane) {
    const std::uint64_t address = address_of(access, lane);
    const Allocation* own = allocation != nullptr ? allocation : launch.arena->find(address, access.bytes);
    if (own == nullptr || own->constant) return;
    GlobalCheck{warp, access, *own, site.ordered, launch.block_races && own->stored}.units(lane, address);
  });
}

void note_division_by_zero(Warp& warp, const Instruction* at, std::uint32_t lanes) {
  ++warp.block->faults;
  warp.worker->launch->report.add(Status::suspect, warp, at, std::countr_zero(lanes),
                                  say("Integer division by zero, which C++ leaves undefined; here as on a "
                                      "GPU a quotient has all bits set and a remainder is the dividend"));
}

void report_shared(Warp& warp, const Access& access, bool ordered) {
  const Block& block = *warp.block;
  const Pattern& pattern = *access.pattern;
  const int shift = warp.worker->shared_shift;
  const std::uint64_t first = access.base >> shift;
  const bool exempt = access.kind == AccessKind::atomic || ordered;
  const auto is_race = [&](std::uint32_t mark, int lane, bool several_lanes) {
    const std::uint32_t step = mark >> kStepShift, other_warp = mark >> 5 & 31;
    if (step == kAsyncStep) return (mark & kAtomicMark) == 0 || access.kind != AccessKind::atomic;
    if (mark == 0 || step <= block.floor) return false;
    if ((mark & kManyWarps) != 0 && !block.partial_order) return (mark & kAtomicMark) == 0 || !exempt;
    if (other_warp != warp.id) {
      if ((mark & kAtomicMark) != 0 && exempt) return false;
      return step > warp.known[other_warp];
    }
    if ((mark & kAtomicMark) != 0 && access.kind == AccessKind::atomic) return false;
    const bool other_lane = static_cast<int>(mark & 31) != lane || (mark & kManyLanes) != 0 || several_lanes;
    return other_lane && step > known_to_lane(warp, lane, static_cast<int>(mark & 31));
  };
  const auto who = [&](std::uint32_t mark, int lane, bool wrote) -> Sentence {
    const std::uint32_t other_warp = mark >> 5 & 31;
    if (mark >> kStepShift == kAsyncStep)
      return say("an asynchronous copy that is still under way; wait for its completion first");
    if (wrote && (mark & kManyWarps) != 0)  // only other blocks write so
      return say("another block of the cluster: there is no cluster.sync() between");
    if ((mark & kManyWarps) != 0 && other_warp == warp.id)
      return say("other warps: there is no barrier between");
    if (other_warp == warp.id && static_cast<int>(mark & 31) == lane)  // the first of several
      return say("other lanes of the same warp: there is no __syncwarp() between");
    if (other_warp == warp.id)
      return say("lane {} of the same warp: there is no __syncwarp() between", mark & 31);
    return say("warp {}: there is no barrier between", other_warp);
  };
  for (int k = 0; k < pattern.unit_count; ++k) {
    const auto unit = first + static_cast<std::uint64_t>(static_cast<std::int64_t>(pattern.units[k]));
    const int lane = static_cast<int>(pattern.unit_marks[k] & 31);
    const bool several = (pattern.unit_marks[k] & kManyLanes) != 0;
    const std::uint32_t writer = block.writers[unit], reader = block.readers[unit];
    const auto place = [&] {  // in the array, where it is known
      const auto byte = static_cast<std::int64_t>(unit << shift);
      if (warp.worker->launch->program->info[access.instruction->index].plain_access) {
        const MemorySite& site = site_of(warp, access);
        if (!site.array.empty() && byte >= site.low && (site.high <= 0 || byte < site.high))
          return say("byte {} of {}", byte - site.low, array_of(warp, access));
      }
      return say("byte {} of {}", byte, say("shared memory"));
    };
    if (is_race(writer, lane, several && access.kind != AccessKind::store)) {
      report(warp, access, Status::race, lane,
             say("Race: this {} at {} is not ordered with the write by {}", verb(access.kind), place(),
                 who(writer, lane, true)));
    } else if (access.kind != AccessKind::load &&
               is_race(reader, lane, several && access.kind == AccessKind::atomic)) {
      report(warp, access, Status::race, lane,
             say("Race: this {} at {} is not ordered with the read by {}", verb(access.kind), place(),
                 who(reader, lane, false)));
    } else if (access.kind != AccessKind::store && writer < block.first_step << kStepShift) {
      report(warp, access, Status::uninitialised, lane,
             say("Reads {}, which no thread of the block has written", place()));
      block.writers[unit] = block.first_step << kStepShift;  // said once
    }
  }
}

}  // namespace ridge::device::emulator
