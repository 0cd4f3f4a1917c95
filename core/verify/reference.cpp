// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/reference.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "problem/generate.h"
#include "verify/compare.h"

namespace ridge::verify {
namespace {

Error reference_fault(Sentence message, const std::string& file, int line, Sentence hint = {}) {
  return {ErrorKind::definition, "reference_failed", std::move(message), std::move(hint), file, line};
}

class KernelReference final : public Reference {
 public:
  KernelReference(device::Device& device, const problem::BoundProblem& problem,
                  const device::LaunchSequence& plan, const device::LaunchOptions& options)
      : device_(device), problem_(problem), plan_(plan), options_(options) {
    options_.counters = options_.lines = options_.checks = false;
    options_.order = {};
  }
  ~KernelReference() override {
    for (const device::Address address : owned_) device_.release(address);
  }

  Result<void> prepare(const compile::CompiledKernel& compiled, Inputs& inputs, std::size_t outputs) {
    outputs_.resize(outputs);
    auto module = device_.load(compiled);
    if (!module) return module.error();
    module_ = std::move(*module);
    std::vector<device::Address> addresses;
    for (const device::BufferPlan& buffer : plan_.buffers) {
      const bool input = buffer.role == device::BufferRole::input;
      auto address = input ? inputs.address(static_cast<std::size_t>(buffer.tensor))
                           : device_.allocate(std::max<std::int64_t>(buffer.bytes, 1),
                                              buffer.name + " of the reference");
      if (!address) return address.error();
      if (!input) owned_.push_back(*address);
      if (buffer.role == device::BufferRole::output)
        outputs_[static_cast<std::size_t>(buffer.tensor)] = {
            *address, buffer.dtype, buffer.bytes,
            buffer.copy_of < 0 && !buffer.zeroed && size_of(buffer.dtype) > 1};
      addresses.push_back(*address);
    }
    auto bound = device::bind(device_, plan_, addresses);
    if (!bound) return bound.error();
    sequence_ = *std::move(bound);
    for (const device::SymbolFill& fill : plan_.symbols) {
      auto global = module_->global(fill.symbol);
      if (!global) return global.error();
      const auto buffer = static_cast<std::size_t>(fill.buffer);
      sequence_.restore.push_back({global->address, addresses[buffer], plan_.buffers[buffer].bytes});
    }
    return {};
  }

  Result<void> compute(Inputs& inputs) override {
    if (sequence_.launches.empty()) return {};
    std::vector<PoisonMap> unwritten;
    for (const Output& output : outputs_)
      unwritten.emplace_back(output.poisoned ? output.bytes / size_of_element(output) : 0);
    // What looks like poison may be an answer; what looks like two poisons is none.
    for (const std::uint32_t pattern : {kPoison[0], kPoison[1]}) {
      if (auto launched = launch(inputs, pattern); !launched) return launched.error();
      if (auto looked = look_for(pattern, unwritten); !looked) return looked.error();
      if (std::all_of(unwritten.begin(), unwritten.end(),
                      [](const PoisonMap& map) { return map.count() == 0; }))
        return {};
    }
    return incomplete(unwritten);
  }

  void conceal(bool concealed) override {
    for (const device::Address address : owned_) device_.conceal(address, concealed);
  }

  DType dtype(std::size_t output) const override { return outputs_[output].dtype; }

  Result<void> read(std::size_t output, std::int64_t first, std::span<std::byte> data) override {
    const auto offset = static_cast<device::Address>(first) * size_of(outputs_[output].dtype);
    return device_.read(outputs_[output].address + offset, data);
  }

 private:
  struct Output {
    device::Address address = 0;
    DType dtype = DType::float64;
    std::int64_t bytes = 0;
    bool poisoned = false;  ///< nothing but the reference writes it, and a pattern is told from an answer
  };
  static std::int64_t size_of_element(const Output& output) {
    return static_cast<std::int64_t>(size_of(output.dtype));
  }

  Result<void> launch(Inputs& inputs, std::uint32_t pattern) {
    for (const Output& output : outputs_) {
      if (!output.poisoned || output.bytes == 0) continue;
      if (auto done = device_.poison(output.address, output.bytes, pattern); !done) return done.error();
    }
    auto outcome = device_.execute(*module_, sequence_, options_);
    if (!outcome) return outcome.error();
    if (outcome->stopped)
      return Error{ErrorKind::cancelled, "cancelled", say("The run was stopped."), {}, {}, 0};
    if (outcome->findings.empty()) return check_surroundings(inputs);
    const hardware::Finding& finding = outcome->findings.front();
    return reference_fault(
        say("the reference kernel failed ({}): {}", name_of(finding.status), finding.message), finding.file,
        finding.line, say("correct the reference, then run again"));
  }

  /// Elements that hold `pattern` stay in the maps.
  Result<void> look_for(std::uint32_t pattern, std::vector<PoisonMap>& unwritten) {
    constexpr std::int64_t kChunk = std::int64_t{8} << 20;  // elements, whole words of the maps
    std::vector<std::byte> chunk;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (!outputs_[i].poisoned) continue;
      const std::int64_t size = size_of_element(outputs_[i]), elements = outputs_[i].bytes / size;
      for (std::int64_t at = 0; at < elements; at += kChunk) {
        chunk.resize(static_cast<std::size_t>(std::min(kChunk, elements - at) * size));
        if (auto got = read(i, at, chunk); !got) return got.error();
        unwritten[i].keep({outputs_[i].dtype, chunk}, at, pattern, options_.threads);
      }
    }
    return {};
  }

  Error incomplete(const std::vector<PoisonMap>& unwritten) const {
    std::size_t i = 0;
    while (unwritten[i].count() == 0) ++i;
    const problem::BoundTensor& tensor = problem_.outputs[i];
    std::string first = tensor.name;
    for (const std::int64_t at : coordinates(*unwritten[i].first(), tensor.extents))
      first += "[" + std::to_string(at) + "]";
    return reference_fault(
        say("the reference does not write {}: {} of {} elements of {} are left as they were", first,
            unwritten[i].count(), tensor.elements, tensor.name),
        options_.source_file, 0,
        say("let the reference write every element, or zero the tensor by //@ zero: {}", tensor.name));
  }

  /// Whatever it damages would be laid at the candidate's door after the next launch.
  Result<void> check_surroundings(Inputs& inputs) {
    auto guards = device_.damaged_guards();
    if (!guards) return guards.error();
    if (!guards->empty())
      return reference_fault(say("the reference kernel wrote outside of its tensors: {}", guards->front()),
                             options_.source_file, 0, say("correct the reference, then run again"));
    auto changes = inputs.changes();
    if (!changes) return changes.error();
    if (changes->empty()) return {};
    return reference_fault(
        say("the reference kernel changes its input {}", problem_.inputs[changes->front().input].name),
        options_.source_file, 0, say("let it write to its outputs or to a scratch tensor"));
  }

  device::Device& device_;
  const problem::BoundProblem& problem_;
  device::LaunchSequence plan_;
  device::LaunchOptions options_;
  std::unique_ptr<device::Module> module_;
  std::vector<device::Address> owned_;
  std::vector<Output> outputs_;
  device::Sequence sequence_;
};

class RecordedReference final : public Reference {
 public:
  explicit RecordedReference(const problem::BoundProblem& problem) : problem_(problem) {}

  Result<void> load() {
    for (const problem::BoundTensor& tensor : problem_.outputs) {
      const auto path = std::filesystem::path(problem_.folder) / problem_.workload / (tensor.name + ".npy");
      std::vector<std::byte> data(static_cast<std::size_t>(tensor.bytes));
      if (auto read = problem::read_npy(path.string(), tensor.dtype, tensor.extents, data); !read)
        return read.error();
      values_.push_back(std::move(data));
    }
    return {};
  }
  Result<void> compute(Inputs&) override { return {}; }
  bool follows_inputs() const override { return false; }
  DType dtype(std::size_t output) const override { return problem_.outputs[output].dtype; }
  Result<void> read(std::size_t output, std::int64_t first, std::span<std::byte> data) override {
    const std::size_t offset = static_cast<std::size_t>(first) * size_of(dtype(output));
    std::memcpy(data.data(), values_[output].data() + offset, data.size());
    return {};
  }

 private:
  const problem::BoundProblem& problem_;
  std::vector<std::vector<std::byte>> values_;
};

}  // namespace

std::int64_t reference_bytes(const device::LaunchSequence& plan) {
  std::int64_t bytes = 0;
  for (const device::BufferPlan& buffer : plan.buffers) {
    if (buffer.role != device::BufferRole::input) bytes += buffer.bytes;
  }
  return bytes;
}

Result<std::unique_ptr<Reference>> kernel_reference(device::Device& device,
                                                    const problem::BoundProblem& problem,
                                                    const compile::CompiledKernel& kernel,
                                                    const device::LaunchSequence& plan, Inputs& inputs,
                                                    const device::LaunchOptions& options) {
  auto reference = std::make_unique<KernelReference>(device, problem, plan, options);
  if (auto prepared = reference->prepare(kernel, inputs, problem.outputs.size()); !prepared)
    return prepared.error();
  return std::unique_ptr<Reference>(std::move(reference));
}

Result<std::unique_ptr<Reference>> recorded_reference(const problem::BoundProblem& problem) {
  auto reference = std::make_unique<RecordedReference>(problem);
  if (auto loaded = reference->load(); !loaded) return loaded.error();
  return std::unique_ptr<Reference>(std::move(reference));
}

}  // namespace ridge::verify
