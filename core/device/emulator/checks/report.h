// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of a launch: collected from all host threads, one for each kind of fault and line, the same for
// any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "device/emulator/exec/state.h"
#include "hardware/finding.h"

namespace ridge::device::emulator {

class Report {
 public:
  /// `lane` < 0: no single thread.
  void add(hardware::Status status, const Warp& warp, const Instruction* at, int lane, Sentence message);
  /// Faults of which there were so many that the launch shall end.
  bool flooded() const { return events_.load(std::memory_order_relaxed) > kFlood; }
  /// The cause first.
  std::vector<hardware::Finding> findings(const ptx::Module& module, const Program& program,
                                          const std::string& source_file) const;

 private:
  static constexpr std::uint64_t kFlood = 20000;
  struct Entry {
    Sentence message;
    std::uint32_t instruction = 0;
    std::array<std::int64_t, 3> block{}, thread{};
    bool has_thread = false;
    std::pair<std::uint64_t, std::uint64_t> moment;  ///< turn of the block; warp and order in it
    std::uint64_t count = 0;
  };
  mutable std::mutex mutex_;
  std::atomic<std::uint64_t> events_{0};
  std::map<std::pair<hardware::Status, int>, Entry> entries_;  ///< by status and location
};

}  // namespace ridge::device::emulator
