// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "base/files.h"
#include "hardware/device_model.h"
#include "hardware/toml.h"

namespace ridge::hardware {

namespace {

constexpr double kAgreement = 0.01;    // of a peak with SMs x FLOP/clock/SM x clock
constexpr double kClockMargin = 1.02;  // of a peak's clock over the boost clock
constexpr double kMemoryMargin = 0.1;  // of the driver's memory size against the catalogue's

/// Letters and digits in lower case: "RTX 4090", "rtx-4090" and "RTX4090" are one name.
std::string bare(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

struct Capability {
  std::string arch;
  LaunchLimits limits;
};

bool read_capability(TableReader& reader, Capability& capability) {
  capability.arch = reader.text("arch");
  LaunchLimits& limits = capability.limits;
  limits.max_threads_per_sm = reader.integer("threads_per_sm");
  limits.max_blocks_per_sm = reader.integer("blocks_per_sm");
  limits.shared_bytes_per_sm = reader.integer("shared_bytes_per_sm");
  limits.shared_bytes_per_block_optin = reader.integer("shared_bytes_per_block_optin");
  limits.max_cluster = reader.integer("cluster");
  return reader.finish();
}

bool parse_capability(const std::string& text, int& major, int& minor) {
  const char* end = text.data() + text.size();
  const auto [dot, first] = std::from_chars(text.data(), end, major);
  if (first != std::errc() || dot == end || *dot != '.') return false;
  const auto [rest, second] = std::from_chars(dot + 1, end, minor);
  return second == std::errc() && rest == end;
}

/// Why the figure cannot be right, or nothing.
Sentence contradiction(const Peak& peak, const DeviceModel& device) {
  const double implied = device.sm_count * peak.flop_per_clock_sm * peak.clock_mhz * 1e6;
  if (!(std::abs(implied - peak.flops) <= kAgreement * peak.flops))
    return say("{} SMs x {} FLOP/clock/SM x {} MHz = {} TFLOP/s, not {}", device.sm_count,
               fmt::format("{}", peak.flop_per_clock_sm), fmt::format("{}", peak.clock_mhz),
               fmt::format("{:.4g}", implied / 1e12), fmt::format("{:.4g}", peak.flops / 1e12));
  if (peak.clock_mhz > kClockMargin * device.boost_clock_mhz)
    return say("it implies {} MHz, above the boost clock of {} MHz", fmt::format("{}", peak.clock_mhz),
               fmt::format("{}", device.boost_clock_mhz));
  return {};
}

std::optional<Peak> read_peak(const toml::table& table, const std::string& file, const DeviceModel& device,
                              const std::map<std::string, std::string>& sources, Diagnostics& diagnostics) {
  TableReader reader(table, file, say("peak of {}", device.name), diagnostics);
  Peak peak;
  const std::string unit = reader.text("unit");
  const std::optional<Unit> known = unit_named(unit);
  if (!unit.empty() && (!known || *known == Unit::none))
    reader.complain("unknown_unit", say("'{}' is no unit", unit),
                    say("Use one of fp64 fp64_tensor fp32 tf32 fp16 bf16 fp8 int8 fp4"));
  peak.unit = known.value_or(Unit::none);
  peak.flops = reader.number("flops");
  peak.flop_per_clock_sm = reader.number("flop_per_clock_sm");
  peak.clock_mhz = reader.number("clock_mhz");
  peak.from_sparse = reader.flag("sparse", false);
  const std::string source = reader.text("source");
  if (!reader.finish()) return std::nullopt;
  if (const auto text = sources.find(source); text != sources.end())
    peak.source = text->second;
  else
    reader.complain("unknown_source", say("source '{}' is not in [sources]", source));
  if (peak.from_sparse) {
    peak.flops /= 2;
    peak.source += ", half of the figure with sparsity";
  }
  if (const Sentence why = contradiction(peak, device); !why.empty())
    reader.complain("contradictory_peak", say("{}: {}", unit, why),
                    say("The figure is left out; correct it"));
  return reader.finish() ? std::optional(peak) : std::nullopt;
}

std::optional<DeviceModel> read_device(const toml::table& table, const std::string& file,
                                       const std::map<std::string, Capability>& capabilities,
                                       const std::map<std::string, std::string>& sources,
                                       Diagnostics& diagnostics) {
  const std::string name = table["name"].value_or(std::string());
  TableReader reader(table, file, name.empty() ? say("a device") : say("device {}", name), diagnostics);
  DeviceModel device;
  device.name = reader.text("name");
  device.title = reader.text("title");
  device.reported = reader.texts("reported");
  const std::string cc = reader.text("cc");
  device.sm_count = static_cast<int>(std::min<std::int64_t>(reader.integer("sm_count"), 1 << 16));
  device.memory_bytes = std::min<std::int64_t>(reader.integer("memory_mib"), std::int64_t{1} << 40) << 20;
  device.memory_bandwidth = reader.number("memory_bandwidth");
  device.l2_bytes = std::min<std::int64_t>(reader.integer("l2_kib"), std::int64_t{1} << 40) << 10;
  device.boost_clock_mhz = reader.number("boost_clock_mhz");
  device.tdp_watts = reader.number("tdp_watts");
  device.nvlink_bandwidth = reader.number("nvlink_bandwidth");
  device.pcie_bandwidth = reader.number("pcie_bandwidth");
  const std::string memory_source = reader.text("memory_source");
  const toml::array* peaks = reader.array("peaks");
  if (!reader.finish()) return std::nullopt;

  if (const auto text = sources.find(memory_source); text != sources.end())
    device.memory_source = text->second;
  else
    reader.complain("unknown_source", say("source '{}' is not in [sources]", memory_source));
  const auto capability = capabilities.find(cc);
  if (capability == capabilities.end() || !parse_capability(cc, device.cc_major, device.cc_minor)) {
    reader.complain("unknown_capability", say("compute capability '{}' has no [capability] table", cc));
    return std::nullopt;
  }
  device.arch = capability->second.arch;
  device.limits = capability->second.limits;
  for (const toml::node& node : *peaks) {
    const toml::table* entry = node.as_table();
    if (!entry) {
      reader.complain("wrong_type", say("'peaks' holds something that is no table"), {}, &node);
      continue;
    }
    const std::optional<Peak> peak = read_peak(*entry, file, device, sources, diagnostics);
    if (!peak) continue;
    if (device.peak(peak->unit))
      reader.complain("duplicate_peak", say("{} stands twice", name_of(peak->unit)), {}, &node);
    else
      device.peaks.push_back(*peak);
  }
  if (device.sm_count == 0 || device.memory_bytes == 0 || device.memory_bandwidth == 0 ||
      device.peaks.empty())
    reader.complain("contradictory_device", say("without SMs, memory or any peak that holds it is left out"));
  return reader.finish() ? std::optional(device) : std::nullopt;
}

}  // namespace

const Peak* DeviceModel::peak(Unit unit) const {
  for (const Peak& peak : peaks)
    if (peak.unit == unit) return &peak;
  return nullptr;
}

const DeviceModel* Catalogue::find(const std::string& name) const {
  const std::string key = bare(name);
  if (key.empty()) return nullptr;
  for (const DeviceModel& device : devices)
    if (bare(device.name) == key) return &device;
  for (const DeviceModel& device : devices)
    if (bare(device.name.substr(0, device.name.find('-'))) == key) return &device;
  return nullptr;
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> names;
  for (const DeviceModel& device : devices) names.push_back(device.name);
  return names;
}

const DeviceModel* Catalogue::match(const std::string& reported, int sm_count,
                                    std::int64_t memory_bytes) const {
  for (const DeviceModel& device : devices) {
    if (std::find(device.reported.begin(), device.reported.end(), reported) == device.reported.end())
      continue;
    const double difference = std::abs(static_cast<double>(memory_bytes - device.memory_bytes));
    if (device.sm_count == sm_count && difference <= kMemoryMargin * static_cast<double>(device.memory_bytes))
      return &device;
  }
  return nullptr;
}

Catalogue load_catalogue(const std::filesystem::path& path) {
  Catalogue catalogue;
  const std::optional<toml::table> root = parse_toml(path, catalogue.diagnostics);
  if (!root) return catalogue;
  const std::string file = path.string();
  TableReader reader(*root, file, say("the catalogue"), catalogue.diagnostics);

  std::map<std::string, std::string> sources;
  if (const toml::table* table = reader.table("sources"))
    for (const auto& [key, node] : *table) sources.emplace(key.str(), node.value_or(std::string()));

  std::map<std::string, Capability> capabilities;
  if (const toml::table* table = reader.table("capability"))
    for (const auto& [key, node] : *table) {
      const std::string name(key.str());
      if (!node.is_table()) continue;
      TableReader limits(*node.as_table(), file, say("capability {}", name), catalogue.diagnostics);
      Capability capability;
      if (read_capability(limits, capability)) capabilities.emplace(name, std::move(capability));
    }

  if (const toml::array* devices = reader.array("device"))
    for (const toml::node& node : *devices) {
      const toml::table* table = node.as_table();
      if (!table) {
        reader.complain("wrong_type", say("'device' holds something that is no table"), {}, &node);
        continue;
      }
      std::optional<DeviceModel> device =
          read_device(*table, file, capabilities, sources, catalogue.diagnostics);
      if (!device) continue;
      const auto same = [&](const DeviceModel& other) { return bare(other.name) == bare(device->name); };
      if (std::any_of(catalogue.devices.begin(), catalogue.devices.end(), same))
        reader.complain("duplicate_device", say("device '{}' stands twice", device->name), say("Rename one"),
                        &node);
      else
        catalogue.devices.push_back(std::move(*device));
    }
  reader.finish();
  return catalogue;
}

const Catalogue& catalogue() {
  static const Catalogue loaded = load_catalogue(resources_folder() / "devices.toml");
  return loaded;
}

Json to_json(const LaunchLimits& limits) {
  return {{"max_grid", limits.max_grid},
          {"max_block", limits.max_block},
          {"max_threads_per_block", limits.max_threads_per_block},
          {"shared_bytes_per_block", limits.shared_bytes_per_block},
          {"shared_bytes_per_block_optin", limits.shared_bytes_per_block_optin},
          {"shared_bytes_per_sm", limits.shared_bytes_per_sm},
          {"shared_bytes_reserved_per_block", limits.shared_bytes_reserved_per_block},
          {"registers_per_block", limits.registers_per_block},
          {"registers_per_sm", limits.registers_per_sm},
          {"max_registers_per_thread", limits.max_registers_per_thread},
          {"max_threads_per_sm", limits.max_threads_per_sm},
          {"max_blocks_per_sm", limits.max_blocks_per_sm},
          {"max_cluster", limits.max_cluster},
          {"constant_bytes", limits.constant_bytes}};
}

LaunchLimits limits_from_json(const Json& json) {
  LaunchLimits limits;
  const auto extent = [&](const char* key, std::array<std::int64_t, 3>& values) {
    const Json& list = member(json, key);
    if (!list.is_array() || list.size() != 3) return;
    for (std::size_t i = 0; i < 3; ++i)
      if (list[i].is_number_integer()) values[i] = list[i].get<std::int64_t>();
  };
  const auto integer = [&](const char* key, std::int64_t& value) { value = read_integer(json, key, value); };
  extent("max_grid", limits.max_grid);
  extent("max_block", limits.max_block);
  integer("max_threads_per_block", limits.max_threads_per_block);
  integer("shared_bytes_per_block", limits.shared_bytes_per_block);
  integer("shared_bytes_per_block_optin", limits.shared_bytes_per_block_optin);
  integer("shared_bytes_per_sm", limits.shared_bytes_per_sm);
  integer("shared_bytes_reserved_per_block", limits.shared_bytes_reserved_per_block);
  integer("registers_per_block", limits.registers_per_block);
  integer("registers_per_sm", limits.registers_per_sm);
  integer("max_registers_per_thread", limits.max_registers_per_thread);
  integer("max_threads_per_sm", limits.max_threads_per_sm);
  integer("max_blocks_per_sm", limits.max_blocks_per_sm);
  integer("max_cluster", limits.max_cluster);
  integer("constant_bytes", limits.constant_bytes);
  return limits;
}

}  // namespace ridge::hardware
