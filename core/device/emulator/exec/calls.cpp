// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/calls.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <string_view>

#include "device/emulator/checks/places.h"
#include "device/emulator/exec/access.h"
#include "device/emulator/exec/frame.h"
#include "device/emulator/exec/printf.h"
#include "device/emulator/exec/splits.h"
#include "device/emulator/exec/stack.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

constexpr std::uint32_t kDeepestCall = 1024;
constexpr std::array<std::string_view, 4> kSystemFunctions{"vprintf", "malloc", "free", "__assertfail"};
enum class System { print, allocate, free, assertion };

/// Host memory behind a generic address of one lane, or null when [address, address + bytes) is no valid
/// range.
std::uint8_t* host_of(const Warp& warp, int lane, std::uint64_t address, std::uint64_t bytes) {
  Block& block = *warp.block;
  const std::uint64_t offset = address & ~kWindowMask;
  const auto inside = [&](std::uint64_t size) { return offset <= size && bytes <= size - offset; };
  switch (address & kWindowMask) {
    case kSharedWindow:
      return inside(block.shared_bytes) ? block.shared + offset : nullptr;
    case kLocalWindow:
      return inside(block.local_bytes)
                 ? block.local +
                       (std::uint64_t{warp.id} * kWarpLanes + static_cast<std::uint64_t>(lane)) *
                           block.local_bytes +
                       offset
                 : nullptr;
    case 0: {
      Arena& arena = *warp.worker->launch->arena;
      return arena.find(address, bytes) != nullptr ? arena.host(address) : nullptr;
    }
    default:
      return nullptr;
  }
}

std::string string_at(const Warp& warp, int lane, std::uint64_t address) {
  std::string text;
  constexpr std::size_t kLongest = 4096;
  while (text.size() < kLongest) {
    const std::uint8_t* byte = host_of(warp, lane, address + text.size(), 1);
    if (byte == nullptr) return text.empty() ? "(invalid string)" : text;
    if (*byte == 0) break;
    text += static_cast<char>(*byte);
  }
  return text;
}

/// Argument `index` of a call as 64 bits.
std::uint64_t argument(const Warp& warp, const Call& call, std::size_t index, int lane) {
  std::uint64_t value = 0;
  if (index < call.arguments.size()) {
    const FrameVariable& variable = call.arguments[index];
    std::memcpy(&value, warp.frame + variable.slot + static_cast<std::size_t>(lane) * variable.bytes,
                std::min<std::size_t>(variable.bytes, sizeof value));
  }
  return value;
}

void give_result(const Warp& warp, const Call& call, int lane, std::uint64_t value) {
  if (call.results.empty()) return;
  const FrameVariable& variable = call.results[0];
  std::memcpy(warp.frame + variable.slot + static_cast<std::size_t>(lane) * variable.bytes, &value,
              std::min<std::size_t>(variable.bytes, sizeof value));
}

/// Gives the number of arguments, as CUDA's printf does, or -2 when the text cannot be taken.
void print(Warp& warp, const Call& call, int lane) {
  if (warp.worker->launch->output.is_full())
    return give_result(warp, call, lane, static_cast<std::uint64_t>(-2));
  const std::string format = string_at(warp, lane, argument(warp, call, 0, lane));
  const std::uint64_t buffer = argument(warp, call, 1, lane);
  std::uint64_t arguments = 0;
  const ReadArgument read = [&](std::uint64_t offset, int bytes) -> std::optional<std::uint64_t> {
    ++arguments;
    const std::uint8_t* host = host_of(warp, lane, buffer + offset, static_cast<std::uint64_t>(bytes));
    if (host == nullptr) return std::nullopt;
    std::uint64_t value = 0;
    std::memcpy(&value, host, static_cast<std::size_t>(bytes));
    return value;
  };
  const std::string text =
      format_printf(format, read, [&](std::uint64_t address) { return string_at(warp, lane, address); });
  warp.worker->launch->output.append(text);
  give_result(warp, call, lane, arguments);
}

const Instruction* call_system(Warp& warp, const Instruction* at, const Call& call) {
  Launch& launch = *warp.worker->launch;
  const std::uint32_t lanes = warp.mask;
  switch (static_cast<System>(call.system)) {
    case System::print:
      for_each_lane(lanes, [&](int lane) { print(warp, call, lane); });
      return at + 1;
    case System::allocate:
      for_each_lane(lanes, [&](int lane) {
        auto memory = launch.arena->allocate(argument(warp, call, 0, lane), "memory from malloc", 16);
        if (memory) (*memory)->heap = launch.module;
        give_result(warp, call, lane, memory ? (*memory)->low : 0);
      });
      return at + 1;
    case System::free:
      for_each_lane(lanes, [&](int lane) {
        const std::uint64_t address = argument(warp, call, 0, lane);
        if (address == 0) return;
        const Allocation* memory = launch.arena->find(address, 0);
        if (memory != nullptr && memory->heap != nullptr && memory->low == address) {
          std::fill_n(warp.worker->allocations, launch.program->sites.size(), nullptr);
          launch.arena->retire(address);
        } else {
          launch.report.add(Status::out_of_bounds, warp, at, lane,
                            memory == nullptr && launch.arena->was_freed(address)
                                ? say("free() of memory that has been freed already")
                                : say("free() of an address that malloc() did not give"));
        }
      });
      return at + 1;
    case System::assertion: {
      const int lane = std::countr_zero(lanes);
      launch.report.add(Status::trapped, warp, at, lane,
                        say("Assertion failed: {}", string_at(warp, lane, argument(warp, call, 0, lane))));
      launch.cancelled = true;
      return leave(warp);
    }
  }
  return at + 1;
}

Activation& new_activation(Warp& warp, const FunctionCode& function) {
  if (warp.free_activations.empty()) {
    warp.activations.push_back(std::make_unique<Activation>());
    warp.free_activations.push_back(warp.activations.back().get());
  }
  Activation& activation = *warp.free_activations.back();
  warp.free_activations.pop_back();
  if (activation.capacity < function.frame_bytes) {
    activation.storage.reset(new std::uint8_t[function.frame_bytes + 64]());
    activation.capacity = function.frame_bytes;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(activation.storage.get());
  activation.frame = activation.storage.get() + ((64 - address % 64) % 64);
  return activation;
}

void copy_variables(std::uint32_t lanes, const std::uint8_t* from_frame,
                    const std::vector<FrameVariable>& from, std::uint8_t* to_frame,
                    const std::vector<FrameVariable>& to) {
  for (std::size_t k = 0; k < std::min(from.size(), to.size()); ++k)
    for_each_lane(lanes, [&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      std::memcpy(to_frame + to[k].slot + l * to[k].bytes, from_frame + from[k].slot + l * from[k].bytes,
                  std::min(from[k].bytes, to[k].bytes));
    });
}

/// The function that the active lanes call; lanes with another target are put aside to call it afterwards.
int target_of(Warp& warp, const Instruction* at, const Call& call) {
  if (call.function >= 0) return call.function;
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(warp.frame + call.address);
  const std::uint64_t address = addresses[std::countr_zero(warp.mask)];
  std::uint32_t same = 0;
  for_each_lane(warp.mask, [&](int lane) { same |= addresses[lane] == address ? 1u << lane : 0u; });
  if (same != warp.mask) part(warp, at, warp.mask & ~same);
  const std::uint64_t index = (address - kFunctionWindow) / 16;
  const auto& functions = warp.worker->launch->program->functions;
  return (address & kWindowMask) == kFunctionWindow && index < functions.size() && !functions[index].entry
             ? static_cast<int>(index)
             : -1;
}

/// The call that most of the stack comes from: the one to look at when the stack overflows.
const Instruction* commonest_call(const Activation& deepest) {
  std::map<const Instruction*, int> counts;
  const Instruction* commonest = nullptr;
  int most = 0;
  for (const Activation* in = &deepest; in->caller != nullptr; in = in->caller) {
    const int count = ++counts[in->back - 1];
    if (count <= most) continue;
    most = count;
    commonest = in->back - 1;
  }
  return commonest;
}

}  // namespace

int system_function(const char* name) {
  const auto found = std::find(kSystemFunctions.begin(), kSystemFunctions.end(), std::string_view(name));
  return found == kSystemFunctions.end() ? -1 : static_cast<int>(found - kSystemFunctions.begin());
}

const Instruction* call_function(Warp& warp, const Instruction* at) {
  Launch& launch = *warp.worker->launch;
  const Program& program = *launch.program;
  const Call& call = program.calls[static_cast<std::size_t>(at->target)];
  if (call.system >= 0) return call_system(warp, at, call);
  const int index = target_of(warp, at, call);
  const int lane = std::countr_zero(warp.mask);
  if (index < 0) {
    launch.report.add(Status::launch_failed, warp, at, lane,
                      say("A call through a pointer that is no function of this module"));
    return leave(warp);
  }
  const FunctionCode& function = program.functions[static_cast<std::size_t>(index)];
  Activation& caller = *warp.activation;
  const std::uint32_t offset =
      caller.local_offset + program.functions[static_cast<std::size_t>(caller.function)].local_bytes;
  if (caller.depth >= kDeepestCall || offset + function.local_bytes > stack_end(warp)) {
    const Instruction* recursion = commonest_call(caller);
    launch.report.add(Status::launch_failed, warp, recursion != nullptr ? recursion : at, lane,
                      say("Stack overflow: calls are nested {} deep and the stack of {} bytes a thread is "
                          "used up; the recursion may never end",
                          caller.depth + 1, warp.block->local_bytes));
    return leave(warp);
  }
  Activation& activation = new_activation(warp, function);
  activation.back = at + 1;
  --warp.worker->parted[activation.back->index];  // until they return
  activation.caller = &caller;
  activation.call = &call;
  activation.function = index;
  activation.depth = caller.depth + 1;
  activation.lanes = warp.mask;
  activation.local_offset = offset;
  activation.stack = warp.stack;
  fill_constants(activation.frame, function, launch);
  fill_specials(activation.frame, function, warp);
  clear_registers(activation.frame, function);
  copy_variables(warp.mask, caller.frame, call.arguments, activation.frame, function.formals);
  warp.activation = &activation;
  warp.frame = activation.frame;
  warp.frontier = kNoFrontier;
  return warp.code + function.first;
}

const Instruction* return_from_call(Warp& warp) {
  Activation& activation = *warp.activation;
  Activation* caller = activation.caller;
  if (caller == nullptr) return leave(warp);
  const FunctionCode& function =
      warp.worker->launch->program->functions[static_cast<std::size_t>(activation.function)];
  copy_variables(warp.mask, activation.frame, function.results, caller->frame, activation.call->results);
  for_each_lane(warp.mask, [&](int lane) {
    warp.stack[static_cast<std::size_t>(lane)] = activation.stack[static_cast<std::size_t>(lane)];
  });
  activation.lanes &= ~warp.mask;
  if (activation.lanes == 0) warp.free_activations.push_back(&activation);
  if (add_ready(warp, activation.back, warp.mask, caller)) ++warp.worker->parted[activation.back->index];
  return next_split(warp);
}

const Instruction* trap_lanes(Warp& warp, const Instruction* at) {
  Launch& launch = *warp.worker->launch;
  const Place place = place_of(*launch.module, launch.program->info[at->index].location);
  const bool grid_sync = std::any_of(place.calls.begin(), place.calls.end(), [](const Place::Call& call) {
    return call.function.find("grid_group") != std::string::npos;
  });
  launch.report.add(Status::trapped, warp, at, std::countr_zero(warp.mask),
                    grid_sync && !launch.cooperative
                        ? say("The kernel trapped itself: a sync of the whole grid needs a cooperative "
                              "launch. Add //@ cooperative: true")
                        : say("The kernel trapped itself (__trap())"));
  launch.cancelled = true;
  return leave(warp);
}

}  // namespace ridge::device::emulator
