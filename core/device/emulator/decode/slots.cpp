// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/decode/slots.h"

#include <algorithm>

namespace ridge::device::emulator {

namespace {
constexpr std::uint32_t kLanes = 32;
std::uint32_t aligned(std::uint32_t value) {
  return (value + 63) / 64 * 64;
}
}  // namespace

int Frame::slot_bytes(ptx::Type type) {
  return std::max(2, ptx::size_of(type));
}

Frame::Frame(const ptx::Function& function, const std::vector<LiveRange>& ranges, FunctionCode& code)
    : code_(code), registers_(function.registers.size(), kNoSlot) {
  std::vector<int> order;
  for (std::size_t r = 0; r < function.registers.size(); ++r) {
    if (ranges[r].first < 0) continue;
    if (function.registers[r].type == ptx::Type::pred) {
      registers_[r] = end_;
      if (ranges[r].at_entry) code_.zeroed_masks.push_back(end_);
      end_ += 4;
    } else {
      order.push_back(static_cast<int>(r));
    }
  }
  end_ = aligned(end_);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return ranges[static_cast<std::size_t>(a)].first < ranges[static_cast<std::size_t>(b)].first;
  });
  std::map<int, std::vector<std::uint32_t>> free;            // by bytes of a lane
  std::multimap<int, std::pair<int, std::uint32_t>> active;  // by last use
  for (const int reg : order) {
    const auto r = static_cast<std::size_t>(reg);
    const int bytes = slot_bytes(function.registers[r].type);
    while (!active.empty() && active.begin()->first < ranges[r].first) {
      free[active.begin()->second.first].push_back(active.begin()->second.second);
      active.erase(active.begin());
    }
    std::uint32_t slot;
    if (auto& list = free[bytes]; !list.empty()) {
      slot = list.back();
      list.pop_back();
    } else {
      slot = reserve(bytes);
    }
    registers_[r] = slot;
    if (ranges[r].at_entry) code_.zeroed.emplace_back(slot, static_cast<std::uint32_t>(bytes) * kLanes);
    active.emplace(ranges[r].last, std::pair{bytes, slot});
  }
  code_.register_slots = registers_;
}

std::uint32_t Frame::reserve(int lane_bytes) {
  const std::uint32_t slot = end_;
  end_ = aligned(end_ + static_cast<std::uint32_t>(lane_bytes) * kLanes);
  return slot;
}

std::uint32_t Frame::constant(int bytes, std::uint64_t bits) {
  if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
  const auto [known, added] = constants_.try_emplace({bytes, bits}, 0);
  if (added) {
    known->second = reserve(bytes);
    code_.constants.push_back({known->second, static_cast<std::uint8_t>(bytes), bits});
  }
  return known->second;
}

std::uint32_t Frame::constant_predicate(bool holds) {
  // A mask of all lanes has the bits of a 32-bit constant's first lane.
  return constant(4, holds ? 0xffffffffu : 0);
}

std::uint32_t Frame::special(Special special, int bytes) {
  const auto [known, added] = specials_.try_emplace({special, bytes}, 0);
  if (added) {
    known->second = reserve(bytes);
    code_.specials.push_back({known->second, static_cast<std::uint8_t>(bytes), special});
  }
  return known->second;
}

std::uint32_t Frame::parameter(std::uint32_t offset, int bytes, int slot_bytes, bool sign_extend) {
  const auto [known, added] =
      parameters_.try_emplace({offset, (bytes * 16 + slot_bytes) * 2 + (sign_extend ? 1 : 0)}, 0);
  if (added) {
    known->second = reserve(slot_bytes);
    code_.parameter_slots.push_back({known->second, offset, static_cast<std::uint8_t>(bytes),
                                     static_cast<std::uint8_t>(slot_bytes), sign_extend});
  }
  return known->second;
}

FrameVariable Frame::variable(std::uint64_t bytes) {
  const auto padded = static_cast<std::uint32_t>((bytes + 7) / 8 * 8);
  return {reserve(static_cast<int>(padded)), padded};
}

std::uint32_t Frame::carry() {
  if (carry_ == kNoSlot) {
    carry_ = reserve(2);
    code_.zeroed_masks.push_back(carry_);
  }
  return carry_;
}

void Frame::finish() {
  code_.frame_bytes = std::max<std::uint32_t>(aligned(end_), 64);
}

}  // namespace ridge::device::emulator
