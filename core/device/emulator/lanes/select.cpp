// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <cstring>

#include "device/emulator/lanes/table.h"

namespace ridge::device::emulator {

#define RIDGE_DECLARE_LEVEL(name) \
  namespace name {                \
  extern const LanesTable table;  \
  }
RIDGE_LEVELS(RIDGE_DECLARE_LEVEL)

std::vector<const LanesTable*> compiled_lanes() {
#define RIDGE_LIST_LEVEL(name) &name::table,
  return {RIDGE_LEVELS(RIDGE_LIST_LEVEL)};
}

namespace {

/// Asks the CPU (and through it the operating system) for every level that could have been compiled. Not by
/// the level's name, which Clang 14 does not know.
bool is_runnable(const LanesTable& table) {
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (std::strcmp(table.level, "x86_64_v2") == 0) return v2;
  if (std::strcmp(table.level, "x86_64_v3") == 0) return v3;
  return std::strcmp(table.level, "x86_64_v4") == 0 && v4;
}

}  // namespace

const LanesTable& best_lanes() {
  static const LanesTable* const best = [] {
    const std::vector<const LanesTable*> levels = compiled_lanes();
    const LanesTable* chosen = levels.front();
    // RIDGE_CPU_LEVEL=x86_64_v2 holds the emulator to a lower level, for tests and comparisons.
    const char* wanted = std::getenv("RIDGE_CPU_LEVEL");
    for (const LanesTable* level : levels) {
      if (!is_runnable(*level)) break;
      chosen = level;
      if (wanted != nullptr && std::strcmp(level->level, wanted) == 0) break;
    }
    return chosen;
  }();
  return *best;
}

}  // namespace ridge::device::emulator
