// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs of a run: private copies on the host, and their buffers on the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "problem/problem.h"

namespace ridge::verify {

/// Buffers are allocated for the inputs that something takes; the host keeps what they must hold.
class Inputs {
 public:
  Inputs(device::Device& device, const problem::BoundProblem& problem, unsigned threads);
  ~Inputs();
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  /// The buffer of input `index`, allocated on first use.
  Result<device::Address> address(std::size_t index);
  /// Generates variation 0 (the workload's seed) or another one, and uploads it to the same addresses.
  Result<void> load(int variation);
  int variation() const { return variation_; }
  /// What the buffer of input `index` must hold.
  std::span<const std::byte> host(std::size_t index) const { return host_[index]; }
  /// Whether the elements of an input differ from each other.
  bool vary() const;
  /// From the next load() on, input `index` is generated even if no buffer holds it.
  void need_on_host(std::size_t index) { wanted_[index] = true; }

  struct Change {
    std::size_t input = 0;
    std::int64_t first = 0;  ///< row-major index of the first changed element
  };
  /// Where buffers no longer hold what they must.
  Result<std::vector<Change>> changes();
  /// Uploads the private copy of a changed input again.
  Result<void> restore(const Change& change);

 private:
  Result<void> generate(std::size_t index);

  device::Device& device_;
  const problem::BoundProblem& problem_;
  unsigned threads_;
  int variation_ = -1;
  std::vector<std::optional<device::Address>> addresses_;
  std::vector<bool> wanted_;
  std::vector<std::vector<std::byte>> host_;
};

}  // namespace ridge::verify
