// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/inputs.h"

#include <algorithm>
#include <cstring>

#include "problem/generate.h"
#include "verify/parallel.h"

namespace ridge::verify {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 20;  ///< bytes read back at a time

/// Seeds of variations lie far apart, so that no workload's own seed is met again.
std::uint64_t seed_of(std::uint64_t seed, int variation) {
  return seed + 0x9E3779B97F4A7C15u * static_cast<std::uint64_t>(variation);
}

}  // namespace

Inputs::Inputs(device::Device& device, const problem::BoundProblem& problem, unsigned threads)
    : device_(device),
      problem_(problem),
      threads_(threads),
      addresses_(problem.inputs.size()),
      wanted_(problem.inputs.size(), false),
      host_(problem.inputs.size()) {}

Inputs::~Inputs() {
  for (const auto& address : addresses_) {
    if (address) device_.release(*address);
  }
}

Result<device::Address> Inputs::address(std::size_t index) {
  if (addresses_[index]) return *addresses_[index];
  const problem::BoundTensor& tensor = problem_.inputs[index];
  auto allocated = device_.allocate(std::max<std::int64_t>(tensor.bytes, 1), tensor.name);
  if (!allocated) return allocated.error();
  device_.protect(*allocated);
  addresses_[index] = *allocated;
  wanted_[index] = true;
  return *allocated;
}

Result<void> Inputs::generate(std::size_t index) {
  const problem::BoundTensor& tensor = problem_.inputs[index];
  host_[index].resize(static_cast<std::size_t>(tensor.bytes));
  const unsigned threads = threads_ > 0 ? threads_ : std::max(1u, std::thread::hardware_concurrency());
  return problem::generate(tensor, seed_of(problem_.seed, variation_), static_cast<std::uint32_t>(index),
                           host_[index], threads);
}

Result<void> Inputs::load(int variation) {
  variation_ = variation;
  for (std::size_t i = 0; i < problem_.inputs.size(); ++i) {
    if (!wanted_[i]) continue;
    if (auto generated = generate(i); !generated) return generated.error();
    if (!addresses_[i] || host_[i].empty()) continue;
    if (auto written = device_.write(*addresses_[i], host_[i]); !written) return written.error();
  }
  return {};
}

bool Inputs::vary() const {
  for (std::size_t i = 0; i < host_.size(); ++i) {
    const std::size_t size = size_of(problem_.inputs[i].dtype), bytes = host_[i].size();
    if (bytes > size && std::memcmp(host_[i].data(), host_[i].data() + size, bytes - size) != 0) return true;
  }
  return false;
}

Result<std::vector<Inputs::Change>> Inputs::changes() {
  std::vector<Change> found;
  std::vector<std::byte> chunk;
  for (std::size_t i = 0; i < host_.size(); ++i) {
    if (!addresses_[i]) continue;
    const std::vector<std::byte>& kept = host_[i];
    for (std::size_t at = 0; at < kept.size(); at += kChunk) {
      chunk.resize(std::min(kChunk, kept.size() - at));
      if (auto read = device_.read(*addresses_[i] + at, chunk); !read) return read.error();
      if (std::memcmp(chunk.data(), kept.data() + at, chunk.size()) == 0) continue;
      const auto differs =
          std::mismatch(chunk.begin(), chunk.end(), kept.begin() + static_cast<std::ptrdiff_t>(at));
      const std::size_t byte = at + static_cast<std::size_t>(differs.first - chunk.begin());
      found.push_back({i, static_cast<std::int64_t>(byte / size_of(problem_.inputs[i].dtype))});
      break;
    }
  }
  return found;
}

Result<void> Inputs::restore(const Change& change) {
  return device_.write(*addresses_[change.input], host_[change.input]);
}

}  // namespace ridge::verify
