// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow. The lanes of a split go together; what happens when they part is told in exec/splits.
#include "device/emulator/exec/access.h"
#include "device/emulator/exec/barriers.h"
#include "device/emulator/exec/calls.h"
#include "device/emulator/exec/order.h"
#include "device/emulator/exec/splits.h"
#include "device/emulator/lanes/branch.h"
#include "device/emulator/lanes/table.h"

RIDGE_LANES_BEGIN

namespace {

/// The first instruction of every basic block: meets waiting splits, ends the slice, counts.
Next enter_block(Warp& warp, Next i) {
  if (__builtin_expect(static_cast<u32>(i->immediate) >= warp.frontier, 0)) return reconverge(warp, i);
  warp.fuel -= i->flags;
  if (__builtin_expect(warp.fuel < 0, 0)) return end_slice(warp, i);
  ++warp.block_warps[i->target];
  warp.block_lanes[i->target] += static_cast<u32>(std::popcount(warp.mask));
  return i + 1;
}

/// Runs the inner instruction for the lanes whose predicate holds.
Next run_guarded(Warp& warp, Next i) {
  const u32 mask = warp.mask;
  const u32 holds = (predicate(warp, i->a) ^ (i->flags & 1 ? kAllLanes : 0)) & mask;
  if (holds != mask) warp.worker->skipped[i->index] += static_cast<u32>(std::popcount(mask & ~holds));
  if (holds != 0) {
    warp.mask = holds;
    i->inner->run(warp, i->inner);
    warp.mask = mask & warp.live;
  }
  return i + 1;
}

Next branch(Warp& warp, Next i) {
  return warp.code + i->target;
}

Next branch_if(Warp& warp, Next i) {
  return branch_where(warp, i, predicate(warp, i->a));
}

Next branch_indexed(Warp& warp, Next i) {
  return diverge_indexed(warp, i, lanes_of<u32>(warp, i->a));
}
Next exit_lanes(Warp& warp, Next) {
  leave_products(warp);
  return leave(warp);
}
Next return_lanes(Warp& warp, Next) {
  return return_from_call(warp);
}
Next call(Warp& warp, Next i) {
  return call_function(warp, i);
}
Next trap(Warp& warp, Next i) {
  return trap_lanes(warp, i);
}
Next barrier(Warp& warp, Next i) {
  return arrive(warp, i);
}
Next fetch_barrier_result(Warp& warp, Next i) {
  const Barrier& barrier = warp.block->barriers[i->flags & 15];
  const auto operation = i->flags >> 4;  // 0 popc, 1 and, 2 or
  if (operation == 0) {
    const u32 population = barrier.result_population;
    for_lanes(warp.mask, lanes_of<u32>(warp, i->d), [=](int) { return population; });
  } else {
    const u32 holds = operation == 1 ? barrier.result_conjunction : barrier.result_disjunction;
    set_predicate(warp, i->d, holds != 0 ? kAllLanes : 0);
  }
  return i + 1;
}
Next fence(Warp& warp, Next i) {
  note_fence(warp);
  return i + 1;
}
/// Sleeping lets all others go first.
Next nanosleep(Warp& warp, Next i) {
  settle_slice(warp);
  warp.sleeping = true;
  return i + 1;
}
Next nothing(Warp&, Next i) {
  return i + 1;
}

Handler find(const Operation& operation) {
  for (const auto family : {arithmetic_handler, float_handler, half_handler, bits_handler, video_handler,
                            compare_handler, convert_handler, move_handler, memory_handler, warp_handler,
                            tensor_handler, warpgroup_handler, async_handler, control_handler})
    if (const Handler handler = family(operation)) return handler;
  return nullptr;
}
Instruction::Move find_mover(const Operation& operation) {
  if (operation.op == Op::ldmatrix || operation.op == Op::stmatrix) return tensor_mover(operation);
  return operation.op == Op::atom || operation.op == Op::red ? atomic_mover(operation)
                                                             : memory_mover(operation);
}

#define RIDGE_LEVEL_TEXT_OF(name) #name
#define RIDGE_LEVEL_TEXT(name) RIDGE_LEVEL_TEXT_OF(name)

}  // namespace

Handler control_handler(const Operation& operation) {
  switch (operation.op) {
    case Op::bra:
      return operation.second ? Handler(branch_if) : Handler(branch);
    case Op::brx:
      return branch_indexed;
    case Op::exit:
      return exit_lanes;
    case Op::ret:
      return return_lanes;
    case Op::call:
      return call;
    case Op::trap:
    case Op::breakpoint:
      return trap;
    case Op::barrier:
      return barrier;
    case Op::barrier_result:
      return fetch_barrier_result;
    case Op::fence:
      return fence;
    case Op::nanosleep:
      return nanosleep;
    case Op::prefetch:
    case Op::nop:
      return nothing;
    default:
      return nullptr;
  }
}

extern const LanesTable table;
const LanesTable table{RIDGE_LEVEL_TEXT(RIDGE_LANES), find, find_mover, enter_block, run_guarded};

RIDGE_LANES_END
