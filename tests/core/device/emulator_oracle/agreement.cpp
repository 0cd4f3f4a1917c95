// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU against the emulator, on the cases of the oracle: the same PTX on both, bit for bit where PTX is
// exact, within what the ISA allows where it is not. At the end a table says how many results were compared
// and how far the inexact ones lie apart.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "device/cuda/cuda.h"
#include "device/emulator/emulator.h"
#include "device/emulator_oracle/execution.h"
#include "hardware/device_model.h"

namespace ridge::oracle {
namespace {

constexpr int kMostShown = 5;
/// Distances in units of the last place: 0, up to 1, up to 2, up to 4, up to 16, more.
constexpr std::array<double, 5> kBounds = {0, 1, 2, 4, 16};

struct Distances {
  std::string name;
  std::array<long, kBounds.size() + 1> counts{};
  double largest = 0;
};

/// The devices of the program and what was seen on them.
class Agreement : public testing::Environment {
 public:
  void SetUp() override {
    const hardware::DeviceModel* model = hardware::catalogue().find("H200");
    ASSERT_NE(model, nullptr);
    emulator = device::open_emulator(*model);
    if (device::list_cuda_devices(&why_no_gpu).empty()) return;
    auto opened = device::open_cuda(0);
    if (opened)
      gpu = std::move(*opened);
    else
      why_no_gpu = opened.error().message;
  }
  void TearDown() override {
    if (gpu == nullptr) return;
    std::printf("%ld results of %ld exact cases compared with %s, %ld of them differ\n", exact_results,
                exact_cases, gpu->info().name.c_str(), exact_differences);
    std::printf("%ld cases in which an H200 departs from the text of the ISA were left out\n", departures);
    std::printf("inexact cases, distance in units of the last place:\n%-28s %7s %7s %7s %7s %7s %7s  %s\n",
                "", "0", "<= 1", "<= 2", "<= 4", "<= 16", "more", "largest");
    for (const Distances& one : inexact) {
      std::printf("%-28s", one.name.c_str());
      for (const long count : one.counts) std::printf(" %7ld", count);
      std::printf("  %g\n", one.largest);
    }
    emulator.reset();
    gpu.reset();
  }

  std::unique_ptr<device::Device> gpu, emulator;
  Sentence why_no_gpu;
  long departures = 0;  ///< cases in which the GPU is known not to follow the ISA's text
  long exact_cases = 0, exact_results = 0, exact_differences = 0;
  std::vector<Distances> inexact;
};

Agreement* const agreement = [] {
  auto* environment = new Agreement;  // GoogleTest owns it
  testing::AddGlobalTestEnvironment(environment);
  return environment;
}();

/// The emulator rounds correctly where the ISA only bounds the error, so the bound holds between the two.
void compare(const Case& test, const std::vector<Tuple>& tuples, const std::vector<Bits>& gpu,
             const std::vector<Bits>& emulator, Distances* distances) {
  int shown = 0;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    if (distances != nullptr) {
      const double ulps = ulps_between(gpu[i], emulator[i], test.allowed.as);
      std::size_t bin = 0;
      while (bin < kBounds.size() && !(ulps <= kBounds[bin])) ++bin;
      ++distances->counts[bin];
      distances->largest = std::isfinite(ulps) ? std::max(distances->largest, ulps) : INFINITY;
    } else {
      ++agreement->exact_results;
    }
    if (agrees(gpu[i], emulator[i], test.allowed)) continue;
    if (distances == nullptr) ++agreement->exact_differences;
    if (++shown > kMostShown) continue;
    ADD_FAILURE() << test.instruction << " of (" << hexadecimal(tuples[i]) << ") gave "
                  << hexadecimal({gpu[i]}) << " on the GPU and " << hexadecimal({emulator[i]})
                  << " on the emulator";
  }
}

}  // namespace

void check(const Case& test) {
  if (agreement->gpu == nullptr) GTEST_SKIP() << agreement->why_no_gpu;
  if (test.h200_departs) {
    ++agreement->departures;
    return;
  }
  const std::vector<Tuple> tuples = tuples_of(test);
  const std::optional<Results> gpu = execute(*agreement->gpu, test, tuples);
  const std::optional<Results> emulator = execute(*agreement->emulator, test, tuples);
  if (!gpu || !emulator) return;
  const bool exact = test.allowed.ulps == 0 && test.allowed.absolute == 0;
  if (exact)
    ++agreement->exact_cases;
  else
    agreement->inexact.push_back({test.name, {}, 0});
  Distances* const distances = exact ? nullptr : &agreement->inexact.back();
  compare(test, tuples, gpu->full, emulator->full, distances);
  compare(test, tuples, gpu->masked, emulator->masked, distances);
}

}  // namespace ridge::oracle
