// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/emulator.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "device/emulator/checks/places.h"
#include "device/emulator/counters/traffic.h"
#include "device/emulator/exec/launch.h"
#include "device/emulator/exec/tracer.h"
#include "device/emulator/memory/tensor_map.h"
#include "device/emulator/module.h"
#include "device/handles.h"

namespace ridge::device {

namespace emulator {
namespace {

/// Marks of blocks stay below the bit that tells atomics apart.
constexpr std::uint64_t kLastMark = 0x7ffffff0u - kMostLaterMarks;

/// Local memory that a GPU gives a thread: CUDA C++ Programming Guide, table of technical specifications.
constexpr std::uint32_t kMostLocal = 512 << 10;

hardware::Finding exhausted(const device::Launch& request, const LaunchOptions& options) {
  hardware::Finding finding;
  finding.status = hardware::Status::out_of_memory;
  finding.message =
      say("This machine has no memory for the blocks of {} that run at once. Give the launch fewer "
          "threads a block, or fewer host threads by --threads.",
          function_for_people(request.symbol));
  finding.file = options.source_file;
  finding.line = request.line;
  return finding;
}

class Emulator final : public Device {
 public:
  explicit Emulator(const hardware::DeviceModel& model) : arena_(model.memory_bytes) {
    info_.kind = Kind::emulator;
    info_.id = "emulator";
    info_.name = "PTX emulator";
    info_.model = model.name;
    info_.arch = model.arch;
    info_.cc_major = model.cc_major;
    info_.cc_minor = model.cc_minor;
    info_.sm_count = model.sm_count;
    info_.memory_bytes = model.memory_bytes;
    info_.memory_free = arena_.free_bytes();
    info_.l2_bytes = model.l2_bytes;
    info_.limits = model.limits;
    info_.counters = true;
  }

  const DeviceInfo& info() const override { return info_; }
  Result<std::int64_t> free_bytes() override { return arena_.free_bytes(); }

  Result<std::unique_ptr<Module>> load(const compile::CompiledKernel& kernel) override {
    Result<std::unique_ptr<EmulatedModule>> module = EmulatedModule::load(arena_, kernel);
    if (!module) return module.error();
    return std::unique_ptr<Module>(std::move(*module));
  }

  Result<Address> allocate(std::int64_t bytes, const std::string& name, std::int64_t offset) override {
    if (bytes < 0 || offset < 0 || offset > (1 << 20)) return bad_range(phrase("allocate"), 0, bytes);
    Result<Allocation*> allocation =
        arena_.allocate(static_cast<std::uint64_t>(bytes), name, 256, static_cast<std::uint64_t>(offset));
    if (!allocation) return allocation.error();
    return (*allocation)->low;
  }
  void release(Address address) override {
    for (Texture& texture : textures_)
      if (texture.address == address) texture.address = 0;
    arena_.release(address);
  }
  void protect(Address address) override {
    if (Allocation* allocation = arena_.find(address, 0)) allocation->input = true;
  }

  void conceal(Address address, bool concealed) override { arena_.conceal(address, concealed); }
  Result<void> write(Address to, std::span<const std::byte> data) override {
    Allocation* allocation = range(to, static_cast<std::int64_t>(data.size()));
    if (allocation == nullptr) return bad_range(phrase("write"), to, static_cast<std::int64_t>(data.size()));
    if (data.empty()) return {};
    std::memcpy(arena_.host(to), data.data(), data.size());
    Arena::set_initialised(*allocation, to, data.size(), 1);
    return {};
  }
  Result<void> read(Address from, std::span<std::byte> data) override {
    if (range(from, static_cast<std::int64_t>(data.size())) == nullptr)
      return bad_range(phrase("read"), from, static_cast<std::int64_t>(data.size()));
    if (!data.empty()) std::memcpy(data.data(), arena_.host(from), data.size());
    return {};
  }
  Result<void> poison(Address to, std::int64_t bytes, std::uint32_t pattern) override {
    Allocation* allocation = range(to, bytes);
    if (allocation == nullptr) return bad_range(phrase("poison"), to, bytes);
    const auto size = static_cast<std::size_t>(bytes);
    for (std::size_t at = 0; at < size; at += sizeof pattern)
      std::memcpy(arena_.host(to) + at, &pattern, std::min(sizeof pattern, size - at));
    Arena::set_initialised(*allocation, to, size, 0);
    return {};
  }
  Result<void> fill(Address to, std::int64_t bytes, std::uint8_t value) override {
    Allocation* allocation = range(to, bytes);
    if (allocation == nullptr) return bad_range(phrase("fill"), to, bytes);
    std::memset(arena_.host(to), value, static_cast<std::size_t>(bytes));
    Arena::set_initialised(*allocation, to, static_cast<std::size_t>(bytes), 1);
    return {};
  }
  Result<void> copy(Address to, Address from, std::int64_t bytes) override {
    Allocation* target = range(to, bytes);
    const Allocation* origin = range(from, bytes);
    if (target == nullptr) return bad_range(phrase("copy"), to, bytes);
    if (origin == nullptr) return bad_range(phrase("copy"), from, bytes);
    const auto size = static_cast<std::size_t>(bytes);
    std::memmove(arena_.host(to), arena_.host(from), size);
    if (origin->complete) {
      Arena::set_initialised(*target, to, size, 1);
    } else {
      Arena::set_initialised(*target, to, size, 0);
      std::memcpy(target->initialised.get() + (to - target->low),
                  origin->initialised.get() + (from - origin->low), size);
    }
    return {};
  }
  Result<std::vector<Sentence>> damaged_guards() override { return arena_.damaged_guards(); }

  Result<std::vector<std::byte>> tensor_map(const TensorMapSpec& spec, Address address) override {
    return encode_tensor_map(spec, address);
  }
  Result<std::uint64_t> texture(const TextureSpec& spec, Address address) override {
    if (const auto faults = faults_of(spec); !faults.empty())
      return Error{ErrorKind::definition, "launch_failed", faults.front(), "", {}, spec.line};
    const auto free = std::find_if(textures_.begin(), textures_.end(),
                                   [](const Texture& texture) { return texture.address == 0; });
    const auto slot =
        textures_.insert(free == textures_.end() ? free : textures_.erase(free), {spec, address});
    return kTextureHandle + static_cast<std::uint64_t>(slot - textures_.begin());
  }

  Result<LaunchOutcome> execute(Module& module, const Sequence& sequence,
                                const LaunchOptions& options) override;
  Stopwatch* stopwatch() override { return nullptr; }

 private:
  Allocation* range(Address address, std::int64_t bytes) const {
    return bytes < 0 ? nullptr : arena_.find(address, static_cast<std::uint64_t>(bytes));
  }
  static Error bad_range(Phrase<> operation, Address address, std::int64_t bytes) {
    Error error;
    error.kind = ErrorKind::internal;
    error.code = "bad_range";
    error.message = say("The emulator was asked to {} {} bytes at address {}, which no buffer holds.",
                        operation, bytes, address);
    return error;
  }

  std::vector<hardware::Finding> geometry_faults(const device::Launch& request, const FunctionCode& entry,
                                                 const ptx::Module& module,
                                                 const LaunchOptions& options) const;
  Result<void> prepare(Launch& launch, const device::Launch& request, const Program& program,
                       const EmulatedModule& module, const FunctionCode& entry, const LaunchOptions& options);
  Result<std::uint64_t> grid_workspace();

  DeviceInfo info_;
  Arena arena_;
  std::vector<Texture> textures_;
  std::uint64_t next_mark_ = 1, launches_ = 0;
  std::uint64_t workspace_ = 0;  ///< of grid.sync; made when a cooperative launch first needs it
};

std::vector<hardware::Finding> Emulator::geometry_faults(const device::Launch& request,
                                                         const FunctionCode& entry, const ptx::Module& module,
                                                         const LaunchOptions& options) const {
  const std::string name = function_for_people(entry.name);
  compile::Resources resources;
  resources.shared_bytes = entry.shared_bytes;
  resources.max_threads = entry.max_threads;
  std::vector<hardware::Finding> findings =
      check_limits(request, info_.limits, resources, options.source_file);
  const auto add = [&](Sentence message) {
    hardware::Finding finding;
    finding.status = hardware::Status::launch_failed;
    finding.message = std::move(message);
    finding.file = options.source_file;
    finding.line = request.line;
    findings.push_back(std::move(finding));
  };
  const auto extent_of = [](const Extent& extent) { return extent[0] * extent[1] * extent[2]; };
  for (const Extent* extent : {&request.grid, &request.block, &request.cluster})
    for (const std::int64_t value : *extent)
      if (findings.empty() && value < 1) add(say("Grid, block and cluster extents must be at least 1."));
  if (!findings.empty()) return findings;
  if (extent_of(request.block) > kMaxWarps * kWarpLanes) add(say("A block has at most 1024 threads."));
  if (request.arguments.size() != entry.parameter_offsets.size())
    add(say("Kernel {} has {} parameters, the launch gives {}.", name, entry.parameter_offsets.size(),
            request.arguments.size()));
  if (entry.local_bytes > kMostLocal) {
    add(
        say("Kernel {} needs {} bytes of local memory a thread; a GPU has at most {}. Make its arrays "
            "smaller, or "
            "keep them in shared or global memory.",
            name, entry.local_bytes, kMostLocal));
    if (const int own = place_of(module, entry.location).line; own > 0) findings.back().line = own;
  }
  const std::vector<std::uint32_t>& wanted = entry.required_cluster;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (k < 3 && request.cluster[k] != wanted[k]) {
      add(
          say("Kernel {} is compiled for clusters of {} blocks along {}, the launch gives {}. Make the "
              "`cluster` directive agree with __cluster_dims__, or leave it out.",
              name, wanted[k], "xyz"[k], request.cluster[k]));
      break;
    }
  for (std::size_t k = 0; findings.empty() && k < request.arguments.size(); ++k)
    if (request.arguments[k].size() != entry.parameter_bytes[k])
      add(say("Parameter {} of {} has {} bytes, the launch gives {}.", k + 1, name, entry.parameter_bytes[k],
              request.arguments[k].size()));
  return findings;
}

/// Memory that cooperative groups count arrivals in; its address reaches kernels through %envreg1 and
/// %envreg2.
Result<std::uint64_t> Emulator::grid_workspace() {
  if (workspace_ == 0) {
    Result<Allocation*> memory = arena_.allocate(4096, "workspace of grid.sync", 256);
    if (!memory) return memory.error();
    Arena::set_initialised(**memory, (*memory)->low, 4096, 1);
    workspace_ = (*memory)->low;
  }
  std::memset(arena_.host(workspace_), 0, 4096);
  return workspace_;
}

Result<void> Emulator::prepare(Launch& launch, const device::Launch& request, const Program& program,
                               const EmulatedModule& module, const FunctionCode& entry,
                               const LaunchOptions& options) {
  launch.module = &module.ptx();
  launch.program = &program;
  launch.entry = &entry;
  launch.arena = &arena_;
  launch.textures = &textures_;
  launch.grid_extent = request.grid;
  launch.block_extent = request.block;
  launch.cluster_extent = request.cluster;
  launch.dynamic_shared_bytes = request.shared_bytes;
  launch.shared_bytes =
      request.shared_bytes > 0
          ? std::max((entry.shared_bytes + 15) / 16 * 16, entry.dynamic_offset) + request.shared_bytes
          : entry.shared_bytes;
  launch.parameters.resize(entry.parameter_block_bytes + 16);
  for (std::size_t k = 0; k < request.arguments.size(); ++k)
    std::memcpy(launch.parameters.data() + entry.parameter_offsets[k], request.arguments[k].data(),
                request.arguments[k].size());
  launch.parameters.resize(entry.parameter_block_bytes);
  launch.options = options;
  launch.cooperative = request.cooperative;
  launch.sm_count = std::max(info_.sm_count, 1);
  launch.id = ++launches_;
  launch.blocks = static_cast<std::uint64_t>(request.grid[0]) * static_cast<std::uint64_t>(request.grid[1]) *
                  static_cast<std::uint64_t>(request.grid[2]);
  if (request.cooperative) {
    const Result<std::uint64_t> workspace = grid_workspace();
    if (!workspace) return workspace.error();
    launch.envreg = *workspace;
  }
  launch.block_races = options.checks && launch.blocks > 1 && launch.blocks < kLastMark / 2;
  if (!launch.block_races) return {};
  if (next_mark_ + launch.blocks + 1 > kLastMark) {
    arena_.forget_marks();
    next_mark_ = 1;
  }
  std::vector<std::uint64_t> stored = entry.stored_addresses;
  for (const std::uint32_t offset : entry.stored_parameters) {
    std::uint64_t address = 0;
    std::memcpy(&address, launch.parameters.data() + offset, sizeof address);
    stored.push_back(address);
  }
  arena_.prepare_marks(launch.program->global_shift, entry.stores_anywhere, stored);
  launch.first_mark = static_cast<std::uint32_t>(next_mark_);
  launch.many_readers = static_cast<std::uint32_t>(next_mark_ + launch.blocks);
  next_mark_ += launch.blocks + 1;
  if (entry.ordered_blocks || request.cooperative || launch.cluster_blocks() > 1)
    launch.released.assign(launch.blocks + 1, 0);
  return {};
}

Result<LaunchOutcome> Emulator::execute(Module& module, const Sequence& sequence,
                                        const LaunchOptions& options) {
  auto& emulated = static_cast<EmulatedModule&>(module);
  for (const Copy& step : sequence.restore)
    if (Result<void> done = copy(step.to, step.from, step.bytes); !done) return done.error();
  for (const Fill& step : sequence.zero)
    if (Result<void> done = fill(step.at, step.bytes, step.value); !done) return done.error();
  LaunchOutcome outcome;
  const Program* program = &emulated.program();
  if (options.trace) {
    const Result<const Program*> plain = emulated.plain_program();
    if (!plain) return plain.error();
    program = *plain;
  }
  Tally tally(*program);
  for (const Watch& watch : options.watches) outcome.writers.emplace_back(watch.elements);
  int number = 0;
  std::optional<Traffic> traffic;
  if (options.counters && options.traffic) traffic.emplace(info_.l2_bytes);
  for (const device::Launch& request : sequence.launches) {
    const Result<const FunctionCode*> entry = EmulatedModule::entry(*program, request.symbol);
    if (!entry) return entry.error();
    outcome.findings = geometry_faults(request, **entry, emulated.ptx(), options);
    if (!outcome.findings.empty()) break;
    Launch launch;
    if (Result<void> prepared = prepare(launch, request, *program, emulated, **entry, options); !prepared)
      return prepared.error();
    launch.number = number++;
    launch.writers = outcome.writers.empty() ? nullptr : &outcome.writers;
    launch.traffic = traffic ? &*traffic : nullptr;
    std::optional<Tracer> tracer;
    if (options.trace && !outcome.trace) {
      tracer.emplace(*options.trace, launch, emulated.text(), options.source_file);
      launch.tracer = &*tracer;
    }
    outcome.threads = std::max(outcome.threads, run(launch, tally));
    next_mark_ += launch.later_turns.size();
    if (tracer && tracer->exists()) outcome.trace = tracer->take();
    outcome.findings = launch.report.findings(emulated.ptx(), *program, options.source_file);
    arena_.forget_retired();
    if (launch.exhausted) outcome.findings.insert(outcome.findings.begin(), exhausted(request, options));
    outcome.output += launch.output.take();
    outcome.stopped = launch.stopped;
    outcome.given_up = launch.given_up;
    if (outcome.stopped || !outcome.findings.empty()) break;
  }
  if (options.counters) outcome.counters = counter_set(*program, tally);
  if (traffic) add_traffic(outcome.counters, traffic->counts());
  if (options.counters && options.lines)
    outcome.lines = line_counters(*program, emulated.ptx(), tally, options.source_file);
  return outcome;
}

}  // namespace
}  // namespace emulator

std::unique_ptr<Device> open_emulator(const hardware::DeviceModel& model) {
  return std::make_unique<emulator::Emulator>(model);
}

}  // namespace ridge::device
