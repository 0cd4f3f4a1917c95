// SPDX-License-Identifier: GPL-3.0-or-later
#include "hardware/units.h"

#include <array>
#include <utility>

namespace ridge::hardware {

namespace {

constexpr std::array<std::pair<Unit, std::string_view>, 10> kUnits{{{Unit::none, "none"},
                                                                    {Unit::fp64, "fp64"},
                                                                    {Unit::fp64_tensor, "fp64_tensor"},
                                                                    {Unit::fp32, "fp32"},
                                                                    {Unit::tf32, "tf32"},
                                                                    {Unit::fp16, "fp16"},
                                                                    {Unit::bf16, "bf16"},
                                                                    {Unit::fp8, "fp8"},
                                                                    {Unit::int8, "int8"},
                                                                    {Unit::fp4, "fp4"}}};

constexpr std::array<std::pair<CeilingSource, std::string_view>, 3> kSources{
    {{CeilingSource::datasheet, "datasheet"},
     {CeilingSource::derived, "derived"},
     {CeilingSource::measured, "measured"}}};

}  // namespace

std::string_view name_of(Unit unit) {
  for (const auto& [value, name] : kUnits)
    if (value == unit) return name;
  return "none";
}

std::optional<Unit> unit_named(std::string_view name) {
  for (const auto& [value, known] : kUnits)
    if (known == name) return value;
  return std::nullopt;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const auto& entry : kUnits) names.emplace_back(entry.second);
  return names;
}

std::string_view name_of(CeilingSource source) {
  for (const auto& [value, name] : kSources)
    if (value == source) return name;
  return "datasheet";
}

std::optional<CeilingSource> ceiling_source_named(std::string_view name) {
  for (const auto& [value, known] : kSources)
    if (known == name) return value;
  return std::nullopt;
}

Json to_json(const Ceiling& ceiling) {
  Json json{{"name", ceiling.name},
            {"value", json_number(ceiling.value)},
            {"unit", ceiling.unit},
            {"source", name_of(ceiling.source)}};
  if (!ceiling.note.empty()) json["note"] = ceiling.note;
  if (ceiling.clock_mhz > 0) json["clock_mhz"] = json_number(ceiling.clock_mhz);
  return json;
}

Result<Ceiling> ceiling_from_json(const Json& json) {
  Ceiling ceiling;
  ceiling.name = read_string(json, "name");
  ceiling.value = read_number(json, "value", 0);
  ceiling.unit = read_string(json, "unit");
  const auto source = read_named(json, "source", phrase("The source of a ceiling"), ceiling_source_named,
                                 std::optional(CeilingSource::datasheet));
  if (!source) return source.error();
  ceiling.source = *source;
  ceiling.note = read_string(json, "note");
  ceiling.clock_mhz = read_number(json, "clock_mhz", 0);
  return ceiling;
}

}  // namespace ridge::hardware
