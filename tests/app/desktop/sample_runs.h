// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as a GPU and as the emulator would give them, for tests of what draws them.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "session/run.h"

namespace ridge::desktop::samples {

inline model::Basis basis(double flops, double bytes, std::optional<double> coldUs,
                          hardware::CeilingSource source, double scale) {
  model::Basis b;
  const double compute = 67e12 * scale, memory = 4.8e12 * scale;
  b.ceilings = {{"fp32", compute, "FLOP/s", source, "datasheet", 0},
                {"dram", memory, "bytes/s", source, "datasheet", 0}};
  const double byCompute = flops / compute * 1e6, byMemory = bytes / memory * 1e6;
  b.t_sol_us = std::max(byCompute, byMemory);
  b.bound = byCompute > byMemory ? "compute" : "memory";
  if (coldUs) b.sol_percent = 100 * *b.t_sol_us / *coldUs;
  return b;
}

inline measure::Sampled sampled(double medianUs, const std::string& source) {
  std::vector<double> samples;
  for (int i = 0; i < 25; ++i) samples.push_back(medianUs * (1 + 0.02 * std::sin(i * 1.7)));
  measure::Sampled s;
  s.samples_us = samples;
  s.median_us = medianUs;
  s.q1_us = medianUs * 0.985;
  s.q3_us = medianUs * 1.02;
  s.n = static_cast<int>(samples.size());
  s.source = source;
  s.flush = "read";
  s.stopped_because = "settled";
  return s;
}

/// `coldUs` empty: from the emulator.
inline session::Run run(const std::string& problem, const std::string& kernel, const std::string& workload,
                        double flops, double bytes, std::optional<double> coldUs) {
  session::Run r;
  r.time = "2026-11-30T10:00:00Z";
  r.problem = problem;
  r.workload = workload;
  r.axes = {{"rows", 128}, {"cols", 1000}};
  r.kernel = kernel + "_kernel";
  r.source = {"/k/" + problem + "/" + kernel + ".cu", "//@ block: 256\n__global__ void k() {}\n", "0123"};
  r.device.kind = coldUs ? device::Kind::cuda : device::Kind::emulator;
  r.device.id = coldUs ? "cuda:0" : "emulator";
  r.device.name = coldUs ? "NVIDIA H200" : "PTX emulator";
  r.device.model = "H200";
  r.device.arch = "sm_90a";
  r.verdict.status = hardware::Status::pass;
  r.verdict.elements = 128000;
  r.verdict.mismatches = 0;
  r.verdict.max_abs = 1e-7;
  r.verdict.launches = 3;
  r.verdict.tolerances.push_back(
      {"y", 1e-6, 1e-5, std::nullopt, true,
       say("derived: {}",
           say("{} output rounds by {}, sums of {} terms in {} by {}, around values of about {}", "float32",
               "6e-08", 1000, "float32", "9.4e-06", "0.001")),
       0.12});
  r.model.device = "H200";
  r.model.flops = flops;
  r.model.bytes = bytes;
  r.model.unit = "fp32";
  r.model.datasheet = basis(flops, bytes, coldUs, hardware::CeilingSource::datasheet, 1);
  r.model.derived = basis(flops, bytes, coldUs, hardware::CeilingSource::derived, 0.92);
  if (flops > 0) r.model.intensity = flops / bytes;
  if (coldUs) {
    r.timing = measure::Timing{};
    r.timing->cold = sampled(*coldUs, "activity");
    r.timing->warm = sampled(*coldUs * 0.8, "activity");
    r.timing->launch_inclusive = sampled(*coldUs + 4, "host");
    r.timing->sm_mhz = 1980;
    r.model.achieved_flops = flops / (*coldUs * 1e-6);
    r.model.achieved_bandwidth = bytes / (*coldUs * 1e-6);
  }
  return r;
}

inline std::shared_ptr<const session::Run> shared(session::Run r) {
  return std::make_shared<const session::Run>(std::move(r));
}

/// Two kernels on three workloads, measured; `slower` makes another session differ.
inline std::vector<std::shared_ptr<const session::Run>> measured(double slower = 1) {
  std::vector<std::shared_ptr<const session::Run>> runs;
  int i = 0;
  for (const char* kernel : {"naive", "online"})
    for (const char* workload : {"tiny", "ragged", "wide"}) {
      const double bytes = 2e6 * std::pow(6, i % 3);
      const double cold = slower * (kernel[0] == 'n' ? 4.0 : 1.4) * (bytes / 4.8e12 * 1e6 + 1);
      runs.push_back(shared(run("softmax", kernel, workload, bytes * 0.6, bytes, cold)));
      ++i;
    }
  return runs;
}

inline std::vector<std::shared_ptr<const session::Run>> emulated() {
  return {shared(run("softmax", "naive", "tiny", 1.2e6, 2e6, {})),
          shared(run("softmax", "online", "ragged", 7e6, 1.2e7, {}))};
}

/// A run with wrong values, for the verification pane.
inline session::Run wrong() {
  session::Run r = run("softmax", "broken", "ragged", 1e6, 2e6, {});
  r.verdict.status = hardware::Status::wrong_values;
  r.verdict.message =
      say("{}; the first is {}: {} expected, {} found.",
          say("{} elements of {} in {} are wrong", 3, 128000, "y"), "y[0][31]", "0.25", "0.75");
  r.verdict.mismatches = 3;
  r.verdict.max_abs = 0.5;
  r.verdict.first = {{"y", {0, 31}, 0.25, 0.75}, {"y", {5, 999}, 0.125, 0}, {"y", {127, 0}, 1, std::nan("")}};
  hardware::Finding finding;
  finding.status = hardware::Status::out_of_bounds;
  finding.message = say("{}.", say("Out-of-bounds {} of {} in {} memory: {}", say("read"), say("{} bytes", 4),
                                   say("device"), say("right behind the end of {}", "x")));
  finding.file = r.source.file;
  finding.line = 2;
  finding.block = {{3, 0, 0}};
  finding.thread = {{255, 0, 0}};
  r.verdict.findings = {finding};
  verify::ErrorMap map;
  map.tensor = "y";
  map.rows = 128;
  map.columns = 1000;
  map.grid_rows = 8;
  map.grid_columns = 16;
  map.wrong.assign(128, 0);
  map.wrong[0] = map.wrong[5] = map.wrong[127] = 1;
  verify::ErrorMap threads;
  threads.tensor = "y";
  threads.kind = verify::MapKind::threads;
  threads.rows = threads.grid_rows = 8;
  threads.columns = threads.grid_columns = 32;
  threads.wrong.assign(256, 0);
  threads.wrong[31] = 2;
  threads.unknown = 1;
  r.verdict.error_maps = {map, threads};
  r.verdict.first[0].writer = verify::Writer{0, {3, 0, 0}, {31, 0, 0}, 0, 31};
  return r;
}

}  // namespace ridge::desktop::samples
