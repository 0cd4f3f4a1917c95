// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/launcher.h"

#include "device/cuda/errors.h"

namespace ridge::device::cuda {
namespace {

hardware::Finding launch_failed(Sentence message, const std::string& file, int line) {
  hardware::Finding finding;
  finding.status = hardware::Status::launch_failed;
  finding.message = std::move(message);
  finding.file = file;
  finding.line = line;
  return finding;
}

/// One finding for arguments whose number or sizes differ from what the module says; the driver would read
/// past them.
void check_arguments(const Launch& launch, const std::vector<compile::Parameter>& parameters,
                     const std::string& file, std::vector<hardware::Finding>& findings) {
  if (launch.arguments.size() != parameters.size()) {
    findings.push_back(launch_failed(
        say("{} takes {} parameters, but {} arguments were given. Correct the `args` directive.",
            launch.symbol, parameters.size(), launch.arguments.size()),
        file, launch.line));
    return;
  }
  for (std::size_t index = 0; index < parameters.size(); ++index)
    if (launch.arguments[index].size() != parameters[index].bytes)
      findings.push_back(launch_failed(
          say("Parameter {} of {} takes {} bytes, but {} were given. Make the argument's type that of the "
              "parameter.",
              index + 1, launch.symbol, parameters[index].bytes, launch.arguments[index].size()),
          file, launch.line));
}

Result<void> check_cooperative(Context& context, CUfunction function, const Launch& launch,
                               const std::string& file, std::vector<hardware::Finding>& findings) {
  int per_sm = 0;
  const auto threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  if (auto done = context.check(context.driver().occupancy(&per_sm, function, threads,
                                                           static_cast<std::size_t>(launch.shared_bytes)),
                                say("Reading the occupancy of {}", launch.symbol));
      !done)
    return done;
  const double blocks = static_cast<double>(launch.grid[0]) * static_cast<double>(launch.grid[1]) *
                        static_cast<double>(launch.grid[2]);
  const std::int64_t most = std::int64_t{per_sm} * context.info().sm_count;
  if (blocks > static_cast<double>(most))
    findings.push_back(
        launch_failed(say("A cooperative grid must fit on the GPU all at once: at most {} blocks ({} on each "
                          "of {} SMs), but the grid has more. Use fewer blocks and loop over the work.",
                          most, per_sm, context.info().sm_count),
                      file, launch.line));
  return {};
}

Result<void> prepare_launch(Context& context, CudaModule& module, const Launch& launch,
                            const std::string& file, PreparedSequence& prepared) {
  auto function = module.function(launch.symbol);
  if (!function) return function.error();
  auto parameters = module.parameters(launch.symbol);
  if (!parameters) return parameters.error();
  auto resources = module.resources(launch.symbol);
  if (!resources) return resources.error();

  std::vector<hardware::Finding> findings = check_limits(launch, context.info().limits, *resources, file);
  check_arguments(launch, *parameters, file, findings);
  if (findings.empty() &&
      launch.shared_bytes + resources->shared_bytes > context.info().limits.shared_bytes_per_block) {
    const CUresult result = context.driver().function_set_attribute(
        *function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(launch.shared_bytes));
    if (result != CUDA_SUCCESS) {
      if (explain(result).sticky) return context.fail(result, say("Opting in to large shared memory"));
      findings.push_back(
          cuda_finding(result, say("Opting in to {} bytes of dynamic shared memory", launch.shared_bytes),
                       file, launch.line));
    }
  }
  const std::int64_t cluster = launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
  if (findings.empty() && cluster > context.info().limits.max_cluster) {
    const CUresult result = context.driver().function_set_attribute(
        *function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (result != CUDA_SUCCESS) {
      if (explain(result).sticky) return context.fail(result, say("Opting in to large clusters"));
      findings.push_back(cuda_finding(result, say("Opting in to clusters of {} blocks", cluster), file,
                                      launch.cluster_line > 0 ? launch.cluster_line : launch.line));
    }
  }
  if (findings.empty() && launch.cooperative)
    if (auto done = check_cooperative(context, *function, launch, file, findings); !done) return done;

  PreparedLaunch ready;
  ready.launch = &launch;
  ready.function = *function;
  // The driver takes void*, but only reads.
  for (const auto& argument : launch.arguments)
    ready.arguments.push_back(const_cast<std::byte*>(argument.data()));
  if (launch.cluster != Extent{1, 1, 1}) {
    CUlaunchAttribute& attribute = ready.attributes[ready.attribute_count++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim = {static_cast<unsigned>(launch.cluster[0]),
                                  static_cast<unsigned>(launch.cluster[1]),
                                  static_cast<unsigned>(launch.cluster[2])};
  }
  if (launch.cooperative) {
    CUlaunchAttribute& attribute = ready.attributes[ready.attribute_count++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
  }
  prepared.launches.push_back(std::move(ready));
  prepared.findings.insert(prepared.findings.end(), findings.begin(), findings.end());
  return {};
}

}  // namespace

Result<PreparedSequence> prepare(Context& context, CudaModule& module, const Sequence& sequence,
                                 const std::string& source_file) {
  PreparedSequence prepared;
  prepared.sequence = &sequence;
  for (const Launch& launch : sequence.launches)
    if (auto done = prepare_launch(context, module, launch, source_file, prepared); !done)
      return done.error();
  return prepared;
}

CUresult enqueue_restore(Context& context, const Sequence& sequence) {
  for (const Copy& copy : sequence.restore) {
    if (copy.bytes <= 0) continue;
    const CUresult result = context.driver().copy_on_device(
        copy.to, copy.from, static_cast<std::size_t>(copy.bytes), context.stream());
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

CUresult enqueue_zero(Context& context, const Sequence& sequence) {
  for (const Fill& fill : sequence.zero) {
    if (fill.bytes <= 0) continue;
    const CUresult result = context.driver().set_bytes(
        fill.at, fill.value, static_cast<std::size_t>(fill.bytes), context.stream());
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

CUresult enqueue(Context& context, PreparedLaunch& prepared) {
  const Launch& launch = *prepared.launch;
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(launch.grid[0]);
  config.gridDimY = static_cast<unsigned>(launch.grid[1]);
  config.gridDimZ = static_cast<unsigned>(launch.grid[2]);
  config.blockDimX = static_cast<unsigned>(launch.block[0]);
  config.blockDimY = static_cast<unsigned>(launch.block[1]);
  config.blockDimZ = static_cast<unsigned>(launch.block[2]);
  config.sharedMemBytes = static_cast<unsigned>(launch.shared_bytes);
  config.hStream = context.stream();
  config.attrs = prepared.attribute_count > 0 ? prepared.attributes.data() : nullptr;
  config.numAttrs = prepared.attribute_count;
  return context.driver().launch(&config, prepared.function, prepared.arguments.data(), nullptr);
}

CUresult enqueue_timed(Context& context, PreparedSequence& prepared) {
  CUresult result = enqueue_zero(context, *prepared.sequence);
  for (PreparedLaunch& launch : prepared.launches) {
    if (result != CUDA_SUCCESS) return result;
    result = enqueue(context, launch);
  }
  return result;
}

}  // namespace ridge::device::cuda
