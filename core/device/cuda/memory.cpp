// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/memory.h"

#include <algorithm>

#include "base/text.h"

namespace ridge::device::cuda {
namespace {

constexpr std::int64_t kGuard = 64 << 10;  ///< bytes before and after a buffer
constexpr std::int64_t kAlignment = 256;
constexpr std::int64_t kLargest = std::int64_t{1} << 60;
constexpr std::uint8_t kPattern = 0xC3;  ///< a finite, large negative number in every float type

Error out_of_memory(const std::string& name, std::int64_t needed, std::int64_t free, std::int64_t total) {
  return {ErrorKind::component,
          "out_of_memory",
          say("{} does not fit on the GPU: needed {}, free {} of {}.", name,
              human_bytes(static_cast<double>(needed)), human_bytes(static_cast<double>(free)),
              human_bytes(static_cast<double>(total))),
          say("Use a smaller workload, or end other programs that hold memory on this GPU (nvidia-smi lists "
              "them)."),
          {},
          0};
}

}  // namespace

Memory::~Memory() {
  if (context_->lost()) return;
  for (const auto& [address, buffer] : buffers_) context_->driver().memory_free(buffer.base);
}

Result<Address> Memory::allocate(std::int64_t bytes, const std::string& name, std::int64_t offset) {
  if (bytes < 0 || offset < 0 || offset > kGuard)
    return Error{ErrorKind::internal,
                 "bad_allocation",
                 say("{} was asked for with {} bytes at offset {}.", name, bytes, offset),
                 say("Give a size of at least 0 and an offset of 0 to {}.", kGuard),
                 {},
                 0};
  if (auto entered = context_->enter(); !entered) return entered.error();
  const Driver& cu = context_->driver();
  std::size_t free = 0, total_memory = 0;
  if (auto done = context_->check(cu.memory_info(&free, &total_memory), phrase("Reading the free memory"));
      !done)
    return done.error();

  Buffer buffer;
  buffer.name = name;
  buffer.bytes = bytes;
  buffer.before = kGuard + offset;
  if (bytes > kLargest)
    return out_of_memory(name, bytes, static_cast<std::int64_t>(free),
                         static_cast<std::int64_t>(total_memory));
  buffer.total = (buffer.before + bytes + kGuard + kAlignment - 1) / kAlignment * kAlignment;
  if (buffer.total > static_cast<std::int64_t>(free))
    return out_of_memory(name, buffer.total, static_cast<std::int64_t>(free),
                         static_cast<std::int64_t>(total_memory));
  const CUresult result = cu.memory_allocate(&buffer.base, static_cast<std::size_t>(buffer.total));
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return out_of_memory(name, buffer.total, static_cast<std::int64_t>(free),
                         static_cast<std::int64_t>(total_memory));
  if (auto done = context_->check(result, say("Allocating {}", name)); !done) return done.error();

  const Address address = buffer.base + static_cast<Address>(buffer.before);
  const std::int64_t after = buffer.total - buffer.before - buffer.bytes;
  buffers_.emplace(address, buffer);
  const Sentence doing = say("Setting the guard zones of {}", name);
  auto done = context_->check(
      cu.set_bytes(buffer.base, kPattern, static_cast<std::size_t>(buffer.before), context_->stream()),
      doing);
  if (done)
    done = context_->check(cu.set_bytes(address + static_cast<Address>(bytes), kPattern,
                                        static_cast<std::size_t>(after), context_->stream()),
                           doing);
  if (done) done = context_->synchronize(doing);
  if (!done) {
    release(address);
    return done.error();
  }
  return address;
}

void Memory::release(Address address) {
  const auto found = buffers_.find(address);
  if (found == buffers_.end()) return;
  if (context_->enter()) context_->driver().memory_free(found->second.base);
  buffers_.erase(found);
}

Result<void> Memory::write(Address to, std::span<const std::byte> data) {
  if (auto entered = context_->enter(); !entered) return entered;
  if (data.empty()) return {};
  const Driver& cu = context_->driver();
  const Phrase<> doing = phrase("Copying to the GPU");
  if (auto done = context_->check(cu.copy_to_device(to, data.data(), data.size(), context_->stream()), doing);
      !done)
    return done;
  return context_->synchronize(doing);
}

Result<void> Memory::read(Address from, std::span<std::byte> data) {
  if (auto entered = context_->enter(); !entered) return entered;
  if (data.empty()) return {};
  const Driver& cu = context_->driver();
  const Phrase<> doing = phrase("Copying from the GPU");
  if (auto done = context_->check(cu.copy_to_host(data.data(), from, data.size(), context_->stream()), doing);
      !done)
    return done;
  return context_->synchronize(doing);
}

Result<void> Memory::poison(Address to, std::int64_t bytes, std::uint32_t pattern) {
  if (auto entered = context_->enter(); !entered) return entered;
  const Driver& cu = context_->driver();
  const Phrase<> doing = phrase("Poisoning memory");
  // Words where they are aligned; the bytes at both ends one by one, so that the pattern keeps its phase.
  const auto byte_of = [pattern](Address at) { return static_cast<unsigned char>(pattern >> (at % 4 * 8)); };
  const Address end = to + static_cast<Address>(std::max<std::int64_t>(bytes, 0));
  while (to < end && (to % 4 != 0 || end - to < 4)) {
    if (auto done = context_->check(cu.set_bytes(to, byte_of(to), 1, context_->stream()), doing); !done)
      return done;
    ++to;
  }
  const Address words = (end - to) / 4;
  if (words > 0)
    if (auto done = context_->check(cu.set_words(to, pattern, words, context_->stream()), doing); !done)
      return done;
  for (to += words * 4; to < end; ++to)
    if (auto done = context_->check(cu.set_bytes(to, byte_of(to), 1, context_->stream()), doing); !done)
      return done;
  return context_->synchronize(doing);
}

Result<void> Memory::fill(Address to, std::int64_t bytes, std::uint8_t value) {
  if (auto entered = context_->enter(); !entered) return entered;
  if (bytes <= 0) return {};
  const Phrase<> doing = phrase("Filling memory");
  if (auto done = context_->check(
          context_->driver().set_bytes(to, value, static_cast<std::size_t>(bytes), context_->stream()),
          doing);
      !done)
    return done;
  return context_->synchronize(doing);
}

Result<void> Memory::copy(Address to, Address from, std::int64_t bytes) {
  if (auto entered = context_->enter(); !entered) return entered;
  if (bytes <= 0) return {};
  const Phrase<> doing = phrase("Copying on the GPU");
  if (auto done = context_->check(
          context_->driver().copy_on_device(to, from, static_cast<std::size_t>(bytes), context_->stream()),
          doing);
      !done)
    return done;
  return context_->synchronize(doing);
}

Result<Sentence> Memory::examine(const Buffer& buffer, bool after) {
  const std::int64_t size = after ? buffer.total - buffer.before - buffer.bytes : buffer.before;
  const Address zone = buffer.base + static_cast<Address>(after ? buffer.before + buffer.bytes : 0);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (auto done = read(zone, bytes); !done) return done.error();
  const auto is_damaged = [](std::byte byte) { return byte != std::byte{kPattern}; };
  const auto damaged = std::count_if(bytes.begin(), bytes.end(), is_damaged);
  if (damaged == 0) return Sentence();
  if (auto done = fill(zone, size, kPattern); !done) return done.error();
  const Sentence count = damaged == 1 ? say("{} byte", damaged) : say("{} bytes", damaged);
  if (after) {
    const auto first = std::find_if(bytes.begin(), bytes.end(), is_damaged) - bytes.begin();
    return say("{}: {} written after its end, the first {} bytes past it", buffer.name, count, first);
  }
  const auto last = std::find_if(bytes.rbegin(), bytes.rend(), is_damaged) - bytes.rbegin();
  return say("{}: {} written before its start, the nearest {} bytes ahead of it", buffer.name, count,
             last + 1);
}

Result<std::vector<Sentence>> Memory::damaged_guards() {
  std::vector<Sentence> damages;
  for (const auto& [address, buffer] : buffers_) {
    for (const bool after : {false, true}) {
      auto damage = examine(buffer, after);
      if (!damage) return damage.error();
      if (!damage->empty()) damages.push_back(*std::move(damage));
    }
  }
  return damages;
}

}  // namespace ridge::device::cuda
