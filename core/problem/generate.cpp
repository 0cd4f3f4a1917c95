// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/generate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace ridge::problem {
namespace {

using Block = std::array<std::uint32_t, 4>;

/// The 128 bits of one draw. `draw` tells the draws of one element apart; the tensor index is in the key.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint32_t tensor_index)
      // The key has 64 bits: the seed, with the tensor index mixed in by an odd multiplier, so that no two
      // tensors of a problem and no two small seeds share a stream.
      : key_{static_cast<std::uint32_t>(seed),
             static_cast<std::uint32_t>(seed >> 32) ^ (tensor_index * 0x9E3779B9u)} {}

  Block operator()(std::uint64_t element, std::uint32_t draw) const {
    return philox({static_cast<std::uint32_t>(element), static_cast<std::uint32_t>(element >> 32), draw, 0},
                  key_);
  }

 private:
  std::array<std::uint32_t, 2> key_;
};

/// Irwin-Hall: the sum of twelve 16-bit uniforms, centred, has standard deviation 2^16 up to 1e-10; range
/// +-6.
double normal_from(const Draws& draws, std::uint64_t element) {
  std::int64_t sum = 0;
  for (std::uint32_t draw = 0; draw < 2; ++draw) {
    const Block block = draws(element, draw);
    for (int word = 0; word < (draw == 0 ? 4 : 2); ++word)
      sum += (block[static_cast<std::size_t>(word)] & 0xFFFF) + (block[static_cast<std::size_t>(word)] >> 16);
  }
  return static_cast<double>(2 * sum - 12 * 65535) * 0x1p-17;
}

double uniform_from(const Draws& draws, std::uint64_t element) {
  const Block block = draws(element, 0);
  const std::uint64_t bits = (std::uint64_t{block[1]} << 32 | block[0]) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

/// 0 <= result < range, without the bias of a remainder beyond 2^-64.
std::uint64_t below(const Draws& draws, std::uint64_t element, std::uint64_t range) {
  const Block block = draws(element, 0);
  const std::uint64_t bits = std::uint64_t{block[1]} << 32 | block[0];
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{bits} * range >> 64);
}

/// Keeps a half-open range half-open where rounding to `dtype` would close it.
double stored_below(DType dtype, double value, double low, double high) {
  std::array<std::byte, 8> raw{};
  store_from_double(dtype, raw, 0, value);
  return load_as_double(dtype, raw, 0) < high ? value : low;
}

double value_of(const BoundTensor& tensor, const Draws& draws, std::uint64_t element) {
  const BoundInit& init = tensor.init;
  const auto& sprinkle = init.sprinkle;
  if (sprinkle &&
      element % static_cast<std::uint64_t>(sprinkle->every) == static_cast<std::uint64_t>(sprinkle->offset))
    return sprinkle->value;
  switch (init.kind) {
    case InitKind::normal:
      return init.mean + init.std * normal_from(draws, element);
    case InitKind::uniform: {
      const double value = init.low + (init.high - init.low) * uniform_from(draws, element);
      return is_floating(tensor.dtype) ? stored_below(tensor.dtype, value, init.low, init.high)
                                       : std::floor(value);
    }
    case InitKind::constant:
      return init.value;
    case InitKind::randint: {
      const double range = std::max(init.high - init.low, 1.0);
      return init.low + static_cast<double>(below(draws, element, static_cast<std::uint64_t>(range)));
    }
    case InitKind::arange:
      return init.start + init.step * static_cast<double>(element);
    case InitKind::file:
      return 0;
  }
  return 0;
}

void fill(const BoundTensor& tensor, const Draws& draws, std::span<std::byte> data, std::uint64_t first,
          std::uint64_t last) {
  for (std::uint64_t element = first; element < last; ++element)
    store_from_double(tensor.dtype, data, element, value_of(tensor, draws, element));
}

void fill_sprinkles(const BoundTensor& tensor, std::span<std::byte> data) {
  if (!tensor.init.sprinkle) return;
  const Init::Sprinkle& sprinkle = *tensor.init.sprinkle;
  for (std::int64_t element = sprinkle.offset; element < tensor.elements; element += sprinkle.every)
    store_from_double(tensor.dtype, data, static_cast<std::size_t>(element), sprinkle.value);
}

}  // namespace

Block philox(Block counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {
        static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
        static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

Result<void> generate(const BoundTensor& tensor, std::uint64_t seed, std::uint32_t tensor_index,
                      std::span<std::byte> data, unsigned threads) {
  if (data.size() != static_cast<std::uint64_t>(tensor.bytes)) {
    return Error{ErrorKind::internal,
                 "generate",
                 say("input {}: the buffer has {} bytes, not {}", tensor.name, data.size(), tensor.bytes),
                 {},
                 {},
                 0};
  }
  if (tensor.init.kind == InitKind::file) {
    const Result<void> read = read_npy(tensor.init.file, tensor.dtype, tensor.extents, data);
    if (read) fill_sprinkles(tensor, data);
    return read;
  }
  const Draws draws(seed, tensor_index);
  const std::uint64_t elements = static_cast<std::uint64_t>(tensor.elements);
  constexpr std::uint64_t kLeastPerThread = 1 << 16;  // below it a thread costs more than it saves
  const std::uint64_t workers =
      std::clamp<std::uint64_t>(elements / kLeastPerThread, 1, std::max(threads, 1u));
  const std::uint64_t share = (elements + workers - 1) / workers;
  std::vector<std::thread> pool;
  for (std::uint64_t worker = 1; worker < workers; ++worker) {
    pool.emplace_back([&, worker] {
      fill(tensor, draws, data, std::min(worker * share, elements), std::min((worker + 1) * share, elements));
    });
  }
  fill(tensor, draws, data, 0, std::min(share, elements));
  for (std::thread& thread : pool) thread.join();
  return {};
}

}  // namespace ridge::problem
