// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/stack.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "device/emulator/exec/access.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/splits.h"

namespace ridge::device::emulator {

namespace {

std::size_t bytes_of(const Instruction* at) {
  return (at->flags & kNarrowStack) != 0 ? 4 : 8;
}

std::uint64_t read(const Warp& warp, const Instruction* at, std::uint32_t slot, int lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, warp.frame + slot + static_cast<std::size_t>(lane) * bytes_of(at), bytes_of(at));
  return value;
}
void write(const Warp& warp, const Instruction* at, int lane, std::uint64_t value) {
  std::memcpy(warp.frame + at->d + static_cast<std::size_t>(lane) * bytes_of(at), &value, bytes_of(at));
}

std::uint64_t end_of(const Warp& warp, int lane) {
  return warp.block->local_bytes - warp.stack[static_cast<std::size_t>(lane)];
}
void set_end(Warp& warp, int lane, std::uint64_t end) {
  warp.stack[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(warp.block->local_bytes - end);
}

}  // namespace

std::uint64_t stack_end(const Warp& warp) {
  std::uint64_t end = warp.block->local_bytes;
  for_each_lane(warp.mask, [&](int lane) { end = std::min(end, end_of(warp, lane)); });
  return end;
}

const Instruction* save_stack(Warp& warp, const Instruction* at) {
  for_each_lane(warp.mask, [&](int lane) { write(warp, at, lane, end_of(warp, lane)); });
  return at + 1;
}

const Instruction* restore_stack(Warp& warp, const Instruction* at) {
  // It can give back what was taken and nothing else.
  for_each_lane(warp.mask, [&](int lane) {
    set_end(warp, lane, std::clamp(read(warp, at, at->a, lane), end_of(warp, lane), warp.block->local_bytes));
  });
  return at + 1;
}

const Instruction* extend_stack(Warp& warp, const Instruction* at) {
  const FunctionCode& function =
      warp.worker->launch->program->functions[static_cast<std::size_t>(warp.activation->function)];
  const std::uint64_t frames = std::uint64_t{warp.activation->local_offset} + function.local_bytes;
  const auto alignment = static_cast<std::uint64_t>(at->immediate);
  std::uint32_t overflowing = 0;
  for_each_lane(warp.mask, [&](int lane) {
    const std::uint64_t bytes = read(warp, at, at->a, lane), end = end_of(warp, lane);
    const std::uint64_t begin = bytes > end ? 0 : (end - bytes) / alignment * alignment;
    if (bytes > end || begin < frames) {
      overflowing |= 1u << lane;
      return;
    }
    set_end(warp, lane, begin);
    write(warp, at, lane, begin);
  });
  if (overflowing == 0) return at + 1;
  const int lane = std::countr_zero(overflowing);
  warp.worker->launch->report.add(
      hardware::Status::launch_failed, warp, at, lane,
      say("Stack overflow: alloca asks for {} bytes, and {} of the stack of {} bytes a thread are left",
          read(warp, at, at->a, lane), std::max(end_of(warp, lane), frames) - frames,
          warp.block->local_bytes));
  return leave(warp);
}

}  // namespace ridge::device::emulator
