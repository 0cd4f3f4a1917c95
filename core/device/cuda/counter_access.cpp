// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/counter_access.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>

#include "base/text.h"

namespace ridge::device::cuda {
namespace {

constexpr int kCapabilitySysAdmin = 21;
constexpr int kCapabilityPerfmon = 38;
constexpr int kPerfmonDriver = 565;  ///< the first driver that accepts CAP_PERFMON

/// The text after "key:" on its line, or "".
std::string_view field(std::string_view text, std::string_view key) {
  for (const std::string_view line : split_lines(text))
    if (line.substr(0, key.size()) == key && line.size() > key.size() && line[key.size()] == ':')
      return trim(line.substr(key.size() + 1));
  return {};
}

std::uint64_t number(std::string_view text, int base) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

// Files of /proc have no size to ask for.
std::string slurp(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

CounterAccess counter_access(std::string_view driver_parameters, std::string_view process_status,
                             std::string_view driver_version, int cc_major, int cc_minor) {
  if (cc_major * 10 + cc_minor < 75)
    return {false, say("Hardware counters need a GPU of compute capability 7.5 or newer.")};
  const bool admin_only = field(driver_parameters, "RmProfilingAdminOnly") != "0";
  if (!admin_only) return {true, {}};
  const std::uint64_t capabilities = number(field(process_status, "CapEff"), 16);
  const auto has = [capabilities](int bit) { return (capabilities >> bit & 1) != 0; };
  const bool perfmon_counts =
      number(driver_version.substr(0, driver_version.find('.')), 10) >= kPerfmonDriver;
  if (has(kCapabilitySysAdmin) || (perfmon_counts && has(kCapabilityPerfmon))) return {true, {}};
  return {false, say("The driver reserves hardware counters for administrators. Times and models are not "
                     "affected. To read counters, start with CAP_SYS_ADMIN (in a container: "
                     "--cap-add=SYS_ADMIN), or let an administrator put \"options nvidia "
                     "NVreg_RestrictProfilingToAdminUsers=0\" into /etc/modprobe.d/ and reload the driver.")};
}

CounterAccess counter_access(std::string_view driver_version, int cc_major, int cc_minor) {
  return counter_access(slurp("/proc/driver/nvidia/params"), slurp("/proc/self/status"), driver_version,
                        cc_major, cc_minor);
}

}  // namespace ridge::device::cuda
