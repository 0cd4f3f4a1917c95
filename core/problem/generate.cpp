// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/generate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace ridge::problem {
namespace {

/// Elements are drawn many at a time, so that the compiler finds vectors.
constexpr std::size_t kBatch = 16;

/// The 128 bits of each of kCount draws, word by word.
template <std::size_t kCount>
using Words = std::array<std::array<std::uint32_t, kCount>, 4>;

template <std::size_t kCount>
void run_philox(Words<kCount>& counters, std::array<std::uint32_t, 2> key) {
  auto& [a, b, c, d] = counters;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t k = 0; k < kCount; ++k) {
      const std::uint64_t first = std::uint64_t{0xD2511F53u} * a[k];
      const std::uint64_t second = std::uint64_t{0xCD9E8D57u} * c[k];
      a[k] = static_cast<std::uint32_t>(second >> 32) ^ b[k] ^ key[0];
      b[k] = static_cast<std::uint32_t>(second);
      c[k] = static_cast<std::uint32_t>(first >> 32) ^ d[k] ^ key[1];
      d[k] = static_cast<std::uint32_t>(first);
    }
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
}

/// The draws of kBatch elements that follow each other. `draw` tells the draws of one element apart; the
/// tensor index is in the key.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint32_t tensor_index)
      // The key has 64 bits: the seed, with the tensor index mixed in by an odd multiplier, so that no two
      // tensors of a problem and no two small seeds share a stream.
      : key_{static_cast<std::uint32_t>(seed),
             static_cast<std::uint32_t>(seed >> 32) ^ (tensor_index * 0x9E3779B9u)} {}

  Words<kBatch> operator()(std::uint64_t first, std::uint32_t draw) const {
    Words<kBatch> words;
    for (std::size_t k = 0; k < kBatch; ++k) {
      words[0][k] = static_cast<std::uint32_t>(first + k);
      words[1][k] = static_cast<std::uint32_t>((first + k) >> 32);
      words[2][k] = draw;
      words[3][k] = 0;
    }
    run_philox(words, key_);
    return words;
  }

 private:
  std::array<std::uint32_t, 2> key_;
};

using Values = std::array<double, kBatch>;

/// Irwin-Hall: the sum of twelve 16-bit uniforms, centred, has standard deviation 2^16 up to 1e-10; range
/// +-6.
void normal(const BoundInit& init, const Draws& draws, std::uint64_t first, Values& values) {
  std::array<std::int32_t, kBatch> sums{};
  for (const std::uint32_t draw : {0u, 1u}) {
    const Words<kBatch> words = draws(first, draw);
    for (std::size_t word = 0; word < (draw == 0 ? 4 : 2); ++word)
      for (std::size_t k = 0; k < kBatch; ++k)
        sums[k] += static_cast<std::int32_t>((words[word][k] & 0xFFFF) + (words[word][k] >> 16));
  }
  for (std::size_t k = 0; k < kBatch; ++k)
    values[k] = init.mean + init.std * (static_cast<double>(2 * sums[k] - 12 * 65535) * 0x1p-17);
}

/// Keeps a half-open range half-open where rounding to `dtype` would close it.
double stored_below(DType dtype, double value, double low, double high) {
  std::array<std::byte, 8> raw{};
  store_from_double(dtype, raw, 0, value);
  return load_as_double(dtype, raw, 0) < high ? value : low;
}

void uniform(const BoundTensor& tensor, const Draws& draws, std::uint64_t first, Values& values) {
  const BoundInit& init = tensor.init;
  const Words<kBatch> words = draws(first, 0);
  for (std::size_t k = 0; k < kBatch; ++k) {
    const std::uint64_t bits = (std::uint64_t{words[1][k]} << 32 | words[0][k]) >> 11;
    const double value = init.low + (init.high - init.low) * (static_cast<double>(bits) * 0x1p-53);
    values[k] = is_floating(tensor.dtype) ? stored_below(tensor.dtype, value, init.low, init.high)
                                          : std::floor(value);
  }
}

/// Whole numbers low <= value < high, without the bias of a remainder beyond 2^-64.
void whole(const BoundInit& init, const Draws& draws, std::uint64_t first, Values& values) {
  const auto range = static_cast<std::uint64_t>(std::max(init.high - init.low, 1.0));
  const Words<kBatch> words = draws(first, 0);
  __extension__ using Wide = unsigned __int128;
  for (std::size_t k = 0; k < kBatch; ++k) {
    const std::uint64_t bits = std::uint64_t{words[1][k]} << 32 | words[0][k];
    values[k] = init.low + static_cast<double>(static_cast<std::uint64_t>(Wide{bits} * range >> 64));
  }
}

/// Of the elements first, first + 1, …
Values values_of(const BoundTensor& tensor, const Draws& draws, std::uint64_t first) {
  const BoundInit& init = tensor.init;
  Values values{};
  switch (init.kind) {
    case InitKind::normal:
      normal(init, draws, first, values);
      break;
    case InitKind::uniform:
      uniform(tensor, draws, first, values);
      break;
    case InitKind::constant:
      values.fill(init.value);
      break;
    case InitKind::randint:
      whole(init, draws, first, values);
      break;
    case InitKind::arange:
      for (std::size_t k = 0; k < kBatch; ++k)
        values[k] = init.start + init.step * static_cast<double>(first + k);
      break;
    case InitKind::file:
      break;
  }
  return values;
}

void fill(const BoundTensor& tensor, const Draws& draws, std::span<std::byte> data, std::uint64_t first,
          std::uint64_t last) {
  for (; first < last; first += kBatch) {
    const Values values = values_of(tensor, draws, first);
    const std::size_t count = std::min<std::uint64_t>(kBatch, last - first);
    for (std::size_t k = 0; k < count; ++k) store_from_double(tensor.dtype, data, first + k, values[k]);
  }
}

void fill_sprinkles(const BoundTensor& tensor, std::span<std::byte> data) {
  if (!tensor.init.sprinkle) return;
  const Init::Sprinkle& sprinkle = *tensor.init.sprinkle;
  for (std::int64_t element = sprinkle.offset; element < tensor.elements; element += sprinkle.every)
    store_from_double(tensor.dtype, data, static_cast<std::size_t>(element), sprinkle.value);
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  Words<1> words{{{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}}};
  run_philox(words, key);
  return {words[0][0], words[1][0], words[2][0], words[3][0]};
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
  fill_sprinkles(tensor, data);
  return {};
}

}  // namespace ridge::problem
