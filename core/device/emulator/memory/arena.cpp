// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/memory/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace ridge::device::emulator {

namespace {

constexpr std::uint64_t kPage = 4096;

std::uint64_t aligned(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

/// What the host could still give, shadows counted in: memory, its shadow of bytes and two marks a word make
/// four times.
std::uint64_t host_available() {
  const long pages = sysconf(_SC_AVPHYS_PAGES), total = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages < 0 || total < 0 || size < 0) return std::uint64_t{1} << 32;
  // Page caches can be given back: half of all memory counts as available when less is free.
  const auto available = std::max(static_cast<std::uint64_t>(pages), static_cast<std::uint64_t>(total) / 2);
  return available * static_cast<std::uint64_t>(size) / 4;
}

template <class T>
Zeroed<T> zeroed(std::uint64_t count) {
  return Zeroed<T>(static_cast<T*>(std::calloc(count, sizeof(T))));
}

}  // namespace

void FreeMemory::operator()(void* memory) const {
  std::free(memory);
}

Arena::Arena(std::int64_t capacity)
    : capacity_(static_cast<std::uint64_t>(std::max<std::int64_t>(capacity, 0))) {
  for (reserved_ =
           aligned(std::min<std::uint64_t>(capacity_ + (capacity_ >> 4), std::uint64_t{1} << 38), kPage);
       reserved_ >= kPage; reserved_ = aligned(reserved_ / 2, kPage)) {
    void* memory =
        mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      base_ = static_cast<std::uint8_t*>(memory);
      return;
    }
    if (reserved_ == kPage) break;
  }
  reserved_ = 0;
}

Arena::~Arena() {
  if (base_ != nullptr) munmap(base_, reserved_);
}

std::int64_t Arena::free_bytes() const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t left =
      std::min(capacity_, reserved_) > used_ ? std::min(capacity_, reserved_) - used_ : 0;
  return static_cast<std::int64_t>(std::min(left, host_available()));
}

Result<Allocation*> Arena::allocate(std::uint64_t bytes, const std::string& name, std::uint64_t alignment,
                                    std::uint64_t offset) {
  const auto free = static_cast<std::uint64_t>(free_bytes());
  const auto refused = [&] {
    Error error;
    error.kind = ErrorKind::component;
    error.code = "out_of_memory";
    error.message = say("Buffer {} needs {}, the emulated device has {} free.", name,
                        human_bytes(static_cast<double>(bytes)), human_bytes(static_cast<double>(free)));
    error.hint = say("Choose a smaller workload, or run it on a GPU.");
    return error;
  };
  if (bytes > free) return refused();
  const std::lock_guard lock(mutex_);
  const std::uint64_t step = std::max<std::uint64_t>(alignment, 256);
  const std::uint64_t zone = aligned(aligned(kGuard, step) + offset + bytes + kGuard, 256);
  std::uint64_t at = kBase;  // first fit
  for (const auto& [low, allocation] : allocations_) {
    if (low >= aligned(at, step) + zone) break;
    at = allocation->zone_high;
  }
  const std::uint64_t low = aligned(at + kGuard, step) + offset;
  const std::uint64_t high = aligned(low + bytes + kGuard, 256);
  if (high - kBase > reserved_) return refused();
  auto allocation = std::make_unique<Allocation>();
  allocation->low = low;
  allocation->high = low + bytes;
  allocation->name = name;
  allocation->zone_low = at;
  allocation->zone_high = high;
  allocation->origin = low >> kChunkShift << kChunkShift;
  allocation->initialised = zeroed<std::uint8_t>(bytes + 64);
  if (allocation->initialised == nullptr) return refused();
  fill_guards(*allocation);
  used_ += high - at;
  Allocation* result = allocation.get();
  allocations_.emplace(at, std::move(allocation));
  return result;
}

void Arena::fill_guards(const Allocation& allocation) {
  std::memset(host(allocation.low - kGuard), kGuardByte, kGuard);
  std::memset(host(allocation.high), kGuardByte, allocation.zone_high - allocation.high);
}

Arena::Allocations::iterator Arena::starting_at(std::uint64_t address) {
  return std::find_if(allocations_.begin(), allocations_.end(),
                      [&](const auto& entry) { return entry.second->low == address; });
}

std::unique_ptr<Allocation> Arena::remove(Allocations::iterator at) {
  std::unique_ptr<Allocation> removed = std::move(at->second);
  allocations_.erase(at);
  const std::uint64_t low = aligned(removed->low - kBase, kPage),
                      high = (removed->high - kBase) / kPage * kPage;
  if (high > low) madvise(base_ + low, high - low, MADV_DONTNEED);
  used_ -= removed->zone_high - removed->zone_low;
  return removed;
}

void Arena::release(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (const auto it = starting_at(address); it != allocations_.end()) remove(it);
}

void Arena::retire(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (const auto it = starting_at(address); it != allocations_.end()) retired_.push_back(remove(it));
}

bool Arena::was_freed(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(retired_.begin(), retired_.end(), [&](const auto& allocation) {
    return address == allocation->low || (address > allocation->low && address < allocation->high);
  });
}

void Arena::forget_retired() {
  const std::lock_guard lock(mutex_);
  retired_.clear();
}

void Arena::conceal(std::uint64_t address, bool concealed) {
  const std::lock_guard lock(mutex_);
  for (auto& [low, allocation] : allocations_)
    if (allocation->low == address) allocation->concealed = concealed;
}

Allocation* Arena::find(std::uint64_t address, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  auto it = allocations_.upper_bound(address);
  if (it == allocations_.begin()) return nullptr;
  Allocation* allocation = std::prev(it)->second.get();
  const bool inside = !allocation->concealed && address >= allocation->low && address <= allocation->high &&
                      bytes <= allocation->high - address;
  return inside ? allocation : nullptr;
}

const Allocation* Arena::nearest(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const Allocation* best = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  for (const auto& [low, allocation] : allocations_) {
    const std::uint64_t away = address < allocation->low     ? allocation->low - address
                               : address >= allocation->high ? address - allocation->high
                                                             : 0;
    if (!allocation->concealed && away < distance) {
      distance = away;
      best = allocation.get();
    }
  }
  return best;
}

std::vector<Sentence> Arena::damaged_guards() const {
  const std::lock_guard lock(mutex_);
  std::vector<Sentence> damaged;
  for (const auto& entry : allocations_) {
    const auto& allocation = entry.second;
    const auto check = [&](std::uint64_t first, std::uint64_t last, bool before) {
      std::uint64_t count = 0;
      for (std::uint64_t at = first; at < last; ++at) count += *host(at) != kGuardByte;
      if (count > 0)
        damaged.push_back(before ? say("{}: {} bytes before its start", allocation->name, count)
                                 : say("{}: {} bytes after its end", allocation->name, count));
    };
    check(allocation->low - kGuard, allocation->low, true);
    check(allocation->high, allocation->zone_high, false);
  }
  return damaged;
}

void Arena::prepare_marks(int shift, bool everywhere, std::span<const std::uint64_t> addresses) {
  const std::lock_guard lock(mutex_);
  for (auto& entry : allocations_) {
    auto& allocation = entry.second;
    const auto holds = [&](std::uint64_t address) {
      return address >= allocation->zone_low && address < allocation->zone_high;
    };
    allocation->stored =
        !allocation->constant && (everywhere || std::any_of(addresses.begin(), addresses.end(), holds));
    if (!allocation->stored || (allocation->writer != nullptr && allocation->shift <= shift)) continue;
    const std::uint64_t bytes = allocation->high - allocation->origin;
    const std::uint64_t chunks = (bytes >> kChunkShift) + 2;
    const std::uint64_t units = chunks << (kChunkShift - shift);
    allocation->writer = zeroed<std::uint32_t>(units);
    allocation->reader = zeroed<std::uint32_t>(units);
    allocation->chunk_writer = zeroed<std::uint32_t>(chunks);
    allocation->chunk_reader = zeroed<std::uint32_t>(chunks);
    allocation->shift = shift;
    // Without memory for them the marks are not kept.
    if (!allocation->writer || !allocation->reader || !allocation->chunk_writer ||
        !allocation->chunk_reader) {
      allocation->writer.reset();
      allocation->stored = false;
    }
  }
}

void Arena::set_initialised(Allocation& allocation, std::uint64_t at, std::uint64_t bytes,
                            std::uint8_t value) {
  std::memset(allocation.initialised.get() + (at - allocation.low), value, bytes);
  const std::uint64_t first = at - allocation.low;
  if (value == 0)
    allocation.known = std::min(allocation.known, first);
  else if (first <= allocation.known)
    allocation.known = std::max(allocation.known, first + bytes);
  allocation.complete = allocation.known == allocation.high - allocation.low;
}

void Arena::forget_marks() {
  const std::lock_guard lock(mutex_);
  for (auto& [low, allocation] : allocations_) {
    allocation->writer.reset();
    allocation->reader.reset();
  }
}

void Arena::release_heap(const void* module) {
  const std::lock_guard lock(mutex_);
  for (auto it = allocations_.begin(); it != allocations_.end();) {
    const auto next = std::next(it);
    if (it->second->heap == module) remove(it);
    it = next;
  }
}

}  // namespace ridge::device::emulator
