// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "device/emulator/exec/async.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/splits.h"

namespace ridge::device::emulator {

namespace {

using hardware::Status;

constexpr std::size_t kMostPending = 1024;  ///< products of a warp that are remembered

void report(Warp& warp, const Instruction* at, Status status, Sentence message) {
  report_fault(warp, at, status, warp.mask == 0 ? 0 : std::countr_zero(warp.mask), std::move(message));
}

const std::string& opcode_of(const Warp& warp, const Instruction* at) {
  return warp.worker->launch->program->info[at->index].opcode;
}

/// Calls f for the address of each 16 bytes of an operand: of the 16 rows of A that are this warp's, or of B.
template <class F>
void for_each_chunk(const TensorPlan& plan, std::uint64_t bits, bool is_b, std::uint32_t warp, F&& f) {
  const MatrixDescriptor descriptor = MatrixDescriptor::read(bits);
  const bool transposed = is_b ? plan.transposed_b : plan.transposed_a;
  const std::uint32_t first = is_b ? 0 : 16 * (warp & 3), count = is_b ? plan.n : 16;
  if (transposed) {
    for (std::uint32_t line = 0; line < 16; ++line)
      for (std::uint32_t chunk = first / 8; chunk < (first + count) / 8; ++chunk)
        f(descriptor.address(line, chunk, true));
  } else {
    for (std::uint32_t line = first; line < first + count; ++line)
      for (std::uint32_t chunk = 0; chunk < 2; ++chunk) f(descriptor.address(line, chunk, false));
  }
}

/// Reports when an operand has been written to since the product began.
void check_unchanged(Warp& warp, const PendingProduct& product) {
  const Block& block = *warp.block;
  const int shift = warp.worker->shared_shift;
  const TensorPlan& plan = *product.instruction->plan;
  const auto check = [&](std::uint64_t bits, bool is_b) {
    std::uint32_t changed = 0;
    std::uint64_t where = 0;
    for_each_chunk(plan, bits, is_b, warp.id, [&](std::uint32_t address) {
      if (address + 16 > block.shared_bytes) return;
      for (std::uint32_t unit = address >> shift; unit <= (address + 15) >> shift; ++unit)
        if (block.writers[unit] >> kStepShift > product.step && changed == 0) {
          changed = block.writers[unit];
          where = std::uint64_t{unit} << shift;
        }
    });
    if (changed != 0)
      report(warp, product.instruction, Status::race,
             say("Race: warp {} has overwritten byte {} of shared memory, which this wgmma may still read: "
                 "no wgmma.wait_group came before",
                 changed >> 5 & 31, where));
    return changed != 0;
  };
  if (!plan.register_a && check(product.a, false)) return;
  // All four warps read the same B.
  if (warp.id % 4 == 0) check(product.b, true);
}

}  // namespace

bool assemble(Warp& warp, const Instruction* at, const Instruction*& next) {
  static constexpr auto kEveryone = [] {
    std::array<std::uint32_t, kWarpLanes> masks{};
    for (std::uint32_t& mask : masks) mask = kAllLanes;
    return masks;
  }();
  if (!join(warp, at, kEveryone.data(), next)) return false;
  if (warp.started != kAllLanes)
    report(warp, at, Status::barrier_divergence,
           say("{} needs a whole warp, but the block has only {} threads in this one", opcode_of(warp, at),
               std::popcount(warp.started)));
  return true;
}

void begin_product(Warp& warp, const Instruction* at, std::uint64_t a, std::uint64_t b) {
  Block& block = *warp.block;
  const TensorPlan& plan = *at->plan;
  if (warp.id / 4 * 4 + 4 > block.warps.size())
    report(warp, at, Status::barrier_divergence,
           say("wgmma needs a whole warpgroup of four warps, but this block's last one has only {}",
               block.warps.size() % 4));
  if (!warp.warpgroup.fenced)
    report(warp, at, Status::race, say("No wgmma.fence orders the registers of this wgmma before it"));
  constexpr std::uint64_t kReserved =
      ~(std::uint64_t{0x3fff} | std::uint64_t{0x3fff} << 16 | std::uint64_t{0x3fff} << 32 |
        std::uint64_t{7} << 49 | std::uint64_t{3} << 62);
  for (const std::uint64_t bits : {plan.register_a ? 0 : a, b})
    if ((bits & kReserved) != 0)
      report(warp, at, Status::launch_failed,
             say("A matrix descriptor has bits set that must be 0: it holds addresses and offsets divided by "
                 "16"));
  if (!block.race_checks) return;
  bool visible = true;
  const auto look = [&](std::uint32_t address) {
    visible = visible && (address + 16 > block.shared_bytes ||
                          check_proxy(warp, at, std::countr_zero(warp.mask), address, 16, phrase("wgmma")));
  };
  if (!plan.register_a) for_each_chunk(plan, a, false, warp.id, look);
  if (warp.id % 4 == 0) for_each_chunk(plan, b, true, warp.id, look);
  std::vector<PendingProduct>& pending = warp.warpgroup.pending;
  if (pending.size() == kMostPending) pending.erase(pending.begin());
  pending.push_back({at, a, b, block.step, false, 0});
  if (block.step < kLastStep) ++block.step;  // what is written from now on is written later
}

void commit_products(Warp& warp) {
  WarpgroupState& state = warp.warpgroup;
  for (PendingProduct& product : state.pending) {
    if (product.committed) continue;
    product.committed = true;
    product.group = state.groups;
  }
  ++state.groups;
}

void wait_for_products(Warp& warp, std::uint32_t left) {
  WarpgroupState& state = warp.warpgroup;
  const auto is_done = [&](const PendingProduct& product) {
    return product.committed && product.group + left < state.groups;
  };
  for (const PendingProduct& product : state.pending)
    if (is_done(product)) check_unchanged(warp, product);
  std::erase_if(state.pending, is_done);
}

void leave_products(Warp& warp) {
  WarpgroupState& state = warp.warpgroup;
  if (state.pending.empty()) return;
  report(warp, state.pending.front().instruction, Status::race,
         say("The kernel ends before a wgmma.wait_group has waited for this wgmma"));
  state.pending.clear();
}

}  // namespace ridge::device::emulator
