// SPDX-License-Identifier: GPL-3.0-or-later
// Runs to store, send and draw in tests: one timed on a GPU with every member set, one of the emulator.
#pragma once

#include <filesystem>
#include <string>

#include "session/run.h"

namespace ridge::session::test {

inline Run gpu_run(const std::string& kernel = "softmax_online<256>", double cold_us = 12.5) {
  Run run;
  run.time = "2026-01-02T03:04:05Z";
  run.problem = "softmax";
  run.workload = "ragged";
  run.axes = {{"cols", 1000}, {"rows", 127}};
  run.seed = 18446744073709551615u;
  run.kernel = kernel;
  run.source = {"softmax.cu", "__global__ void softmax_online() {}\n", "0123"};
  run.defines = {{"VEC", "4"}, {"VEC", "8"}};
  run.device.kind = device::Kind::cuda;
  run.device.id = "cuda:0";
  run.device.name = "NVIDIA H200";
  run.device.arch = "sm_90a";
  run.device.uuid = "GPU-1";
  run.device.memory_bytes = 150754820096;
  run.verdict.status = verify::Status::pass;
  run.verdict.message = "every element is within tolerance";
  run.verdict.deterministic = true;
  run.verdict.max_abs = 1e-7;
  run.verdict.elements = 127000;
  run.verdict.mismatches = 0;
  measure::Sampled cold;
  cold.median_us = cold_us;
  cold.q1_us = cold_us - 0.25;
  cold.q3_us = cold_us + 0.5;
  cold.n = 3;
  cold.source = "activity";
  cold.samples_us = {cold_us - 0.5, cold_us, cold_us + 1};
  cold.sm_mhz = {1980, 1980, 1965};
  cold.flush = "read";
  cold.stopped_because = "settled";
  measure::Timing timing;
  timing.cold = cold;
  timing.sm_mhz = 1980;
  run.timing = timing;
  run.model.device = "H200";
  run.model.flops = 635000;
  run.model.bytes = 1016000;
  run.model.unit = "fp32";
  run.model.intensity = 0.625;
  run.model.datasheet.t_sol_us = 0.21167;
  run.model.datasheet.sol_percent = 100 * 0.21167 / cold_us;
  run.model.datasheet.bound = "memory";
  hardware::Ceiling memory;
  memory.name = "dram";
  memory.value = 4.8e12;
  memory.unit = "bytes/s";
  hardware::Ceiling compute;
  compute.name = "fp32";
  compute.value = 6.69e13;
  compute.unit = "FLOP/s";
  run.model.datasheet.ceilings = {compute, memory};
  run.counters = {{"dram_bytes", 1016000}, {"flops_fp32", 635000}};
  run.counter_source = "cupti";
  run.lines = {{"softmax.cu", 7, {{"global_load_sectors", 4096}}}};
  compile::Resources resources;
  resources.registers = 32;
  resources.shared_bytes = 1024;
  resources.spill_store_bytes = 8;
  resources.spill_load_bytes = 16;
  run.resources = resources;
  compile::Occupancy occupancy;
  occupancy.fraction = 0.75;
  occupancy.limiter = "registers";
  run.occupancy = occupancy;
  run.ptx = ".version 9.0\n";
  run.output = "from printf\n";
  run.environment = Json{{"toolkit", "13.0"}};
  run.notes = "first try";
  return run;
}

inline Run emulator_run(const std::string& kernel = "softmax_naive") {
  Run run = gpu_run(kernel);
  run.device = {};
  run.device.kind = device::Kind::emulator;
  run.device.id = "emulator";
  run.device.name = "PTX emulator";
  run.device.model = "H200";
  run.timing.reset();
  run.model.datasheet.sol_percent.reset();
  run.counter_source = "emulator";
  return run;
}

/// A folder of its own for each test, removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ridge-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ridge::session::test
