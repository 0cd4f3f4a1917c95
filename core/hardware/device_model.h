// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue of devices: limits, sizes and datasheet peaks, from resources/devices.toml.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"
#include "hardware/units.h"

namespace ridge::hardware {

/// What a launch must keep to. Bytes and counts.
struct LaunchLimits {
  std::array<std::int64_t, 3> max_grid{2147483647, 65535, 65535};
  std::array<std::int64_t, 3> max_block{1024, 1024, 64};
  std::int64_t max_threads_per_block = 1024;
  std::int64_t shared_bytes_per_block = 49152;         ///< without opt-in
  std::int64_t shared_bytes_per_block_optin = 232448;  ///< static + dynamic, with opt-in
  std::int64_t shared_bytes_per_sm = 233472;
  std::int64_t shared_bytes_reserved_per_block = 1024;  ///< taken by the driver from every block
  std::int64_t registers_per_block = 65536;
  std::int64_t registers_per_sm = 65536;
  std::int64_t max_registers_per_thread = 255;
  std::int64_t max_threads_per_sm = 2048;
  std::int64_t max_blocks_per_sm = 32;
  std::int64_t max_cluster = 8;  ///< blocks, portable; 0: no clusters
  std::int64_t constant_bytes = 65536;
};

/// A dense datasheet peak of one unit.
struct Peak {
  Unit unit = Unit::fp32;
  double flops = 0;              ///< FLOP/s, dense
  double flop_per_clock_sm = 0;  ///< hardware rate; flops = sm_count x this x clock_mhz within 1 %
  double clock_mhz = 0;          ///< the clock that the figure implies
  bool from_sparse = false;      ///< the source prints twice this, with 2:4 sparsity
  std::string source;            ///< where the figure was read
};

struct DeviceModel {
  std::string name;                   ///< key: "H200"
  std::string title;                  ///< "NVIDIA H200 SXM 141 GB"
  std::vector<std::string> reported;  ///< names that the driver reports for it
  int cc_major = 0, cc_minor = 0;
  std::string arch;  ///< NVRTC's, the `a` variant where there is one: "sm_90a"
  int sm_count = 0;
  LaunchLimits limits;
  std::int64_t memory_bytes = 0;
  double memory_bandwidth = 0;  ///< bytes/s
  std::string memory_source;
  std::int64_t l2_bytes = 0;
  double boost_clock_mhz = 0;
  double tdp_watts = 0;
  double nvlink_bandwidth = 0;  ///< bytes/s both ways together; 0: none
  double pcie_bandwidth = 0;    ///< bytes/s one way
  std::vector<Peak> peaks;

  const Peak* peak(Unit unit) const;  ///< null when the device has no such unit
};

struct Catalogue {
  std::vector<DeviceModel> devices;
  Diagnostics diagnostics;  ///< entries that contradict themselves are left out and named here
  /// By key; case, blanks and dashes do not matter, and a family ("H100") gives its first entry.
  const DeviceModel* find(const std::string& name) const;
  std::vector<std::string> names() const;  ///< keys, in the order of the file
  /// By the driver's name; memory size and SM count tell variants apart. Null: not in the catalogue.
  const DeviceModel* match(const std::string& reported, int sm_count, std::int64_t memory_bytes) const;
};

Catalogue load_catalogue(const std::filesystem::path& file);
/// The catalogue in resources/, read once.
const Catalogue& catalogue();

Json to_json(const LaunchLimits& limits);
LaunchLimits limits_from_json(const Json& json);

/// FLOP per clock per SM of (compute capability, unit), from the CUDA programming guide's throughput table
/// and the architecture papers; 0 when unknown. The derived roof is SMs x this x the clock measured in the
/// run; for a device in the catalogue its own Peak::flop_per_clock_sm goes first (GeForce parts run some
/// tensor types at half rate).
double flop_per_clock_sm(int cc_major, int cc_minor, Unit unit);

}  // namespace ridge::hardware
