// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/counters/tally.h"

#include <map>

#include "device/emulator/checks/places.h"

namespace ridge::device::emulator {

namespace {

template <class T>
void add_all(std::vector<T>& to, const std::vector<T>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

const char* name_of(FlopKind kind) {
  switch (kind) {
    case FlopKind::fp64:
      return "flops_fp64";
    case FlopKind::fp32:
      return "flops_fp32";
    case FlopKind::fp16:
      return "flops_fp16";
    case FlopKind::bf16:
      return "flops_bf16";
    case FlopKind::tensor_fp16:
      return "flops_tensor_fp16";
    case FlopKind::tensor_bf16:
      return "flops_tensor_bf16";
    case FlopKind::tensor_tf32:
      return "flops_tensor_tf32";
    case FlopKind::tensor_fp64:
      return "flops_tensor_fp64";
    case FlopKind::tensor_int8:
      return "flops_tensor_int8";
    case FlopKind::tensor_fp8:
      return "flops_tensor_fp8";
    case FlopKind::none:
      break;
  }
  return nullptr;
}
const char* name_of(InstructionClass kind) {
  switch (kind) {
    case InstructionClass::integer:
      return "int_instructions";
    case InstructionClass::special:
      return "special_instructions";
    case InstructionClass::control:
      return "control_instructions";
    case InstructionClass::memory:
      return "memory_instructions";
    default:
      return nullptr;
  }
}

/// Every counter that is a plain sum starts at 0, so that absence never means "none seen".
hardware::CounterSet zeros() {
  hardware::CounterSet set;
  for (const char* name : {"warp_instructions",
                           "thread_instructions",
                           "flops_fp64",
                           "flops_fp32",
                           "flops_fp16",
                           "flops_bf16",
                           "flops_tensor_fp16",
                           "flops_tensor_bf16",
                           "flops_tensor_tf32",
                           "flops_tensor_fp64",
                           "flops_tensor_int8",
                           "flops_tensor_fp8",
                           "int_instructions",
                           "special_instructions",
                           "control_instructions",
                           "memory_instructions",
                           "global_load_requests",
                           "global_store_requests",
                           "global_load_sectors",
                           "global_store_sectors",
                           "global_load_bytes",
                           "global_store_bytes",
                           "local_load_requests",
                           "local_store_requests",
                           "shared_load_requests",
                           "shared_store_requests",
                           "shared_load_wavefronts",
                           "shared_store_wavefronts",
                           "shared_load_bank_conflicts",
                           "shared_store_bank_conflicts",
                           "l2_bytes",
                           "atomics",
                           "atomic_contention",
                           "barriers",
                           "branches",
                           "divergent_branches"})
    set[name] = 0;
  return set;
}

/// What one instruction did.
struct Executed {
  std::uint64_t warps = 0;      ///< times that some lanes of a warp executed it together
  std::uint64_t skipped = 0;    ///< lanes that its guard kept from running
  std::uint64_t divergent = 0;  ///< times that it parted its lanes
};

/// By instruction. Splits may part or meet inside of a basic block, at operations that wait for lanes.
std::vector<Executed> executed(const Program& program, const Counts& counts) {
  std::vector<Executed> result(program.info.size());
  std::int64_t warps = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const InstructionInfo& info = program.info[i];
    if (info.block < 0) continue;
    if (info.entry_of_block)
      warps = static_cast<std::int64_t>(counts.block_warps[static_cast<std::size_t>(info.block)]);
    else
      warps += counts.parted[i];
    result[i] = {static_cast<std::uint64_t>(warps), counts.skipped[i], counts.divergent[i]};
  }
  return result;
}

void add_instruction(hardware::CounterSet& set, const Counts& counts, const InstructionInfo& info,
                     const Executed& done) {
  if (info.entry_of_block || info.block < 0) return;
  const auto block = static_cast<std::size_t>(info.block);
  const auto warps = static_cast<double>(done.warps);
  const double lanes = static_cast<double>(counts.block_lanes[block]) - static_cast<double>(done.skipped);
  if (warps == 0) return;
  set["warp_instructions"] += warps;
  set["thread_instructions"] += lanes;
  if (const char* name = name_of(info.flop_kind)) set[name] += lanes * info.flops;
  if (const char* name = name_of(info.kind)) set[name] += lanes;
  if (info.opcode.starts_with("bar.") || info.opcode.starts_with("barrier.")) {
    if (!info.opcode.starts_with("bar.warp")) set["barriers"] += warps;
  }
  if (info.branches) {
    set["branches"] += warps;
    set["divergent_branches"] += static_cast<double>(done.divergent);
  }
}

/// A copy that was taken out is executed as often as its block is entered.
Executed elided(const Counts& counts, const InstructionInfo& info) {
  return {info.block < 0 ? 0 : counts.block_warps[static_cast<std::size_t>(info.block)], 0, 0};
}

void add_site(hardware::CounterSet& set, const Program& program, const Counts& counts, std::size_t index) {
  const MemorySite& site = program.sites[index];
  const SiteCount& count = counts.sites[index];
  if (count.requests == 0 || site.space == StateSpace::constant) return;
  const auto requests = static_cast<double>(count.requests), lanes = static_cast<double>(count.lanes);
  const auto sectors = static_cast<double>(count.sectors);
  if (site.atomic) {
    set["atomics"] += lanes;
    set["atomic_contention"] += static_cast<double>(count.contention);
    set["l2_bytes"] += 32 * sectors;
    return;  // neither loads nor stores, as on a GPU
  }
  const std::string direction = site.store ? "store" : "load";
  if (count.sectors > 0 && site.space == StateSpace::local) {
    set["local_" + direction + "_requests"] += requests;
    set["l2_bytes"] += 32 * sectors;
  } else if (count.sectors > 0) {
    set["global_" + direction + "_requests"] += requests;
    set["global_" + direction + "_sectors"] += sectors;
    set["global_" + direction + "_bytes"] += lanes * site.bytes;
    set["l2_bytes"] += 32 * sectors;
  } else {
    const auto wavefronts = static_cast<double>(count.wavefronts);
    set["shared_" + direction + "_requests"] += requests;
    set["shared_" + direction + "_wavefronts"] += wavefronts;
    set["shared_" + direction + "_bank_conflicts"] +=
        wavefronts - static_cast<double>(count.ideal_wavefronts);
  }
}

void add_ratios(hardware::CounterSet& set) {
  if (set["warp_instructions"] > 0)
    set["active_lanes"] = set["thread_instructions"] / set["warp_instructions"];
  if (set["branches"] > 0)
    set["branch_efficiency"] = 100.0 * (1.0 - set["divergent_branches"] / set["branches"]);
}

}  // namespace

void add_traffic(hardware::CounterSet& set, const TrafficCounts& counts) {
  const auto bytes = [](std::uint64_t sectors) { return 32.0 * static_cast<double>(sectors); };
  set["dram_read_bytes"] = bytes(counts.memory_reads);
  set["dram_write_bytes"] = bytes(counts.memory_writes);
  set["dram_bytes"] = bytes(counts.memory_reads + counts.memory_writes);
  if (counts.lookups > 0)
    set["l2_hit_rate"] = 100.0 * static_cast<double>(counts.hits) / static_cast<double>(counts.lookups);
}

Counts::Counts(const Program& program)
    : block_warps(program.blocks.size()),
      block_lanes(program.blocks.size()),
      divergent(program.code.size()),
      skipped(program.code.size()),
      parted(program.code.size()),
      sites(program.sites.size()) {}

void Counts::add(const Counts& other) {
  add_all(block_warps, other.block_warps);
  add_all(block_lanes, other.block_lanes);
  add_all(divergent, other.divergent);
  add_all(skipped, other.skipped);
  add_all(parted, other.parted);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    sites[i].requests += other.sites[i].requests;
    sites[i].lanes += other.sites[i].lanes;
    sites[i].sectors += other.sites[i].sectors;
    sites[i].wavefronts += other.sites[i].wavefronts;
    sites[i].ideal_wavefronts += other.sites[i].ideal_wavefronts;
    sites[i].contention += other.sites[i].contention;
  }
}

hardware::CounterSet counter_set(const Program& program, const Tally& tally) {
  hardware::CounterSet set = zeros();
  set["launches"] = static_cast<double>(tally.launches);
  set["blocks"] = static_cast<double>(tally.blocks);
  set["warps"] = static_cast<double>(tally.warps);
  const std::vector<Executed> done = executed(program, tally.counts);
  for (std::size_t i = 0; i < done.size(); ++i) add_instruction(set, tally.counts, program.info[i], done[i]);
  for (const InstructionInfo& info : program.elided)
    add_instruction(set, tally.counts, info, elided(tally.counts, info));
  for (std::size_t i = 0; i < program.sites.size(); ++i) add_site(set, program, tally.counts, i);
  add_ratios(set);
  return set;
}

std::vector<hardware::LineCounters> line_counters(const Program& program, const ptx::Module& module,
                                                  const Tally& tally, const std::string& source_file) {
  std::map<std::pair<std::string, int>, hardware::CounterSet> lines;
  std::vector<hardware::CounterSet*> of_instruction(program.info.size(), nullptr);
  std::map<int, hardware::CounterSet*> of_location;
  const auto line_of = [&](const InstructionInfo& info) -> hardware::CounterSet* {
    if (info.entry_of_block || info.block < 0 ||
        tally.counts.block_warps[static_cast<std::size_t>(info.block)] == 0)
      return nullptr;
    auto [known, added] = of_location.emplace(info.location, nullptr);
    if (added) {
      const Place place = place_of(module, info.location);
      if (place.line > 0)
        known->second = &lines[{source_file.empty() ? place.file : source_file, place.line}];
    }
    return known->second;
  };
  const std::vector<Executed> done = executed(program, tally.counts);
  for (std::size_t i = 0; i < done.size(); ++i) {
    of_instruction[i] = line_of(program.info[i]);
    if (of_instruction[i] != nullptr)
      add_instruction(*of_instruction[i], tally.counts, program.info[i], done[i]);
  }
  for (const InstructionInfo& info : program.elided)
    if (hardware::CounterSet* set = line_of(info))
      add_instruction(*set, tally.counts, info, elided(tally.counts, info));
  for (std::size_t i = 0; i < program.sites.size(); ++i)
    if (auto* set = of_instruction[program.sites[i].instruction]) add_site(*set, program, tally.counts, i);
  std::vector<hardware::LineCounters> result;
  for (auto& [key, set] : lines) {
    add_ratios(set);
    std::erase_if(set, [](const auto& counter) { return counter.second == 0; });
    result.push_back({key.first, key.second, std::move(set)});
  }
  return result;
}

}  // namespace ridge::device::emulator
