// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>

#include "device/device.h"

namespace ridge::device {
namespace {

constexpr std::array<char, 3> kAxisNames{'x', 'y', 'z'};
constexpr std::int64_t kWarp = 32;
constexpr std::int64_t kRegisterUnit = 8;  ///< registers of a thread are handed out in eights
constexpr std::int64_t kPortableCluster = 8, kLargestCluster = 16;  ///< above 8 a kernel opts in

/// The product of positive numbers, held at the largest value instead of overflowing.
std::int64_t saturated_product(const Extent& extent) {
  std::int64_t product = 1;
  for (const std::int64_t value : extent) {
    if (value > 0 && product > std::numeric_limits<std::int64_t>::max() / value)
      return std::numeric_limits<std::int64_t>::max();
    product *= value;
  }
  return product;
}

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

class LimitCheck {
 public:
  LimitCheck(const Launch& launch, const hardware::LaunchLimits& limits, const compile::Resources& resources,
             const std::string& source_file)
      : launch_(launch), limits_(limits), resources_(resources), source_file_(source_file) {}

  std::vector<hardware::Finding> run() {
    const bool grid_fits =
        check_axes("grid", launch_.grid, limits_.max_grid, launch_.line,
                   phrase("Let each block do more work, or spread the blocks over another axis"));
    const bool block_fits = check_axes("block", launch_.block, limits_.max_block, launch_.block_line,
                                       phrase("Use a smaller block and more blocks"));
    if (block_fits) check_threads();
    check_shared();
    if (grid_fits) check_cluster();
    return std::move(findings_);
  }

 private:
  void fail(Sentence message, int line = 0) {
    hardware::Finding finding;
    finding.status = hardware::Status::launch_failed;
    finding.message = std::move(message);
    finding.file = source_file_;
    finding.line = line > 0 ? line : launch_.line;
    findings_.push_back(std::move(finding));
  }

  bool check_axes(const std::string& what, const Extent& extent, const std::array<std::int64_t, 3>& limit,
                  int line, Phrase<> way_out) {
    const std::size_t before = findings_.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string name = what + "." + kAxisNames[axis];
      if (extent[axis] < 1)
        fail(
            say("{} is {}; a launch needs at least 1. Correct the `{}` directive.", name, extent[axis], what),
            line);
      else if (extent[axis] > limit[axis])
        fail(
            say("{} is {}, but this device allows at most {}. {}.", name, extent[axis], limit[axis], way_out),
            line);
    }
    return findings_.size() == before;
  }

  void check_threads() {
    const std::int64_t threads = saturated_product(launch_.block);
    if (threads > limits_.max_threads_per_block) {
      fail(say("A block of {} threads (x*y*z) is too large: this device allows at most {} threads in a "
               "block. Use a smaller block and more blocks.",
               threads, limits_.max_threads_per_block),
           launch_.block_line);
      return;
    }
    const std::int64_t per_warp = round_up(resources_.registers, kRegisterUnit) * kWarp;
    const std::int64_t needed = per_warp * ((threads + kWarp - 1) / kWarp);
    if (per_warp > 0 && needed > limits_.registers_per_block) {
      const std::int64_t largest = limits_.registers_per_block / per_warp * kWarp;
      const std::int64_t cap =
          limits_.registers_per_block / round_up(threads, kWarp) / kRegisterUnit * kRegisterUnit;
      fail(say("The block needs too many registers: {} threads x {} registers (handed out in eights, by "
               "whole warps) are {}, but a block may have {}. The largest block that fits has {} threads; or "
               "cap the registers with __launch_bounds__({}) or the option --maxrregcount={}.",
               threads, resources_.registers, needed, limits_.registers_per_block, largest, threads, cap),
           launch_.block_line);
      return;
    }
    if (resources_.max_threads > 0 && threads > resources_.max_threads)
      fail(say("A block of {} threads is larger than the kernel was compiled for: its launch bounds allow "
               "{}. Use a smaller block, or raise __launch_bounds__.",
               threads, resources_.max_threads),
           launch_.block_line);
  }

  void check_shared() {
    if (launch_.shared_bytes < 0) {
      fail(
          say("The dynamic shared memory is {} bytes; it cannot be negative. Correct the `shared` directive.",
              launch_.shared_bytes),
          launch_.shared_line);
      return;
    }
    const std::int64_t limit = std::max(limits_.shared_bytes_per_block_optin, limits_.shared_bytes_per_block);
    if (launch_.shared_bytes > limit - resources_.shared_bytes)
      fail(say("A block needs {} bytes of dynamic and {} bytes of static shared memory, but this device "
               "allows {} bytes a block together. Use a smaller tile.",
               launch_.shared_bytes, resources_.shared_bytes, limit),
           launch_.shared_line);
  }

  void check_cluster() {
    const std::int64_t size = saturated_product(launch_.cluster);
    if (launch_.cluster == Extent{1, 1, 1}) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (launch_.cluster[axis] < 1) {
        fail(say("cluster.{} is {}; it must be at least 1. Correct the `cluster` directive.",
                 kAxisNames[axis], launch_.cluster[axis]),
             launch_.cluster_line);
        return;
      }
    }
    if (limits_.max_cluster < 1) {
      fail(say("This device has no thread block clusters (they need compute capability 9.0). Remove the "
               "`cluster` directive or choose another device."),
           launch_.cluster_line);
      return;
    }
    // Devices state the portable size; the opt-in to the larger one is automatic.
    const std::int64_t most = limits_.max_cluster == kPortableCluster ? kLargestCluster : limits_.max_cluster;
    if (size > most)
      fail(say("A cluster of {} blocks is too large: this device allows at most {}. Use a smaller cluster.",
               size, most),
           launch_.cluster_line);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (launch_.grid[axis] % launch_.cluster[axis] != 0)
        fail(
            say("grid.{} is {}, which is not a multiple of cluster.{} = {}. Round the grid up, for example "
                "with align_up(…, {}), and let surplus blocks return.",
                kAxisNames[axis], launch_.grid[axis], kAxisNames[axis], launch_.cluster[axis],
                launch_.cluster[axis]));
    }
  }

  const Launch& launch_;
  const hardware::LaunchLimits& limits_;
  const compile::Resources& resources_;
  const std::string& source_file_;
  std::vector<hardware::Finding> findings_;
};

}  // namespace

std::vector<hardware::Finding> check_limits(const Launch& launch, const hardware::LaunchLimits& limits,
                                            const compile::Resources& resources,
                                            const std::string& source_file) {
  return LimitCheck(launch, limits, resources, source_file).run();
}

}  // namespace ridge::device
