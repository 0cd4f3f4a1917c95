// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/assessment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/roofline.h"

namespace ridge::model {

namespace {

using hardware::Ceiling;
using hardware::CeilingSource;
using hardware::Unit;

constexpr double kMicroseconds = 1e6;  // in a second
constexpr double kPhysics = 1.02;      // data sheets round; a rate this far above every roof is no rounding

bool positive(std::optional<double> value) {
  return value && std::isfinite(*value) && *value > 0;
}

/// T_SOL and its company under a pair of ceilings; without a compute ceiling only bytes count.
Basis basis_of(const AssessmentInput& input, const std::optional<Ceiling>& compute, const Ceiling& memory) {
  Basis basis;
  if (compute) basis.ceilings.push_back(*compute);
  basis.ceilings.push_back(memory);
  const double compute_us = compute ? input.flops / compute->value * kMicroseconds : 0;
  const double memory_us = input.bytes / memory.value * kMicroseconds;
  const double t_sol = std::max(compute_us, memory_us);
  if (!positive(t_sol)) return basis;  // nothing to do takes no time, and no time is no measure
  basis.t_sol_us = t_sol;
  basis.bound = compute_us > memory_us ? "compute" : "memory";
  if (!positive(input.cold_us)) return basis;
  basis.sol_percent = 100 * t_sol / *input.cold_us;
  if (positive(input.baseline_us) && *input.baseline_us > t_sol) {
    const double distance = 1 + (*input.cold_us - t_sol) / (*input.baseline_us - t_sol);
    if (distance > 0) basis.sol_score = 1 / distance;
  }
  return basis;
}

std::optional<Ceiling> measured_ceiling(const AssessmentInput& input, std::string_view name) {
  for (const Ceiling& ceiling : input.measured)
    if (ceiling.name == name && ceiling.value > 0) return ceiling;
  return std::nullopt;
}

/// The highest of the known roofs called `name`; 0: none is known.
double highest(const Assessment& assessment, std::string_view name) {
  double value = 0;
  const auto look_at = [&](const Basis& basis) {
    for (const Ceiling& ceiling : basis.ceilings)
      if (ceiling.name == name) value = std::max(value, ceiling.value);
  };
  look_at(assessment.datasheet);
  if (assessment.derived) look_at(*assessment.derived);
  if (assessment.measured) look_at(*assessment.measured);
  return value;
}

std::optional<Sentence> too_fast(const Assessment& assessment) {
  const auto with_causes = [](const Sentence& what) {
    return say(
        "{} Likely causes: outputs that are not all written, work that is skipped or done outside of the "
        "measured span (another stream), data that was still in the L2 cache (persisting lines), or a FLOP "
        "or "
        "byte model of the problem that counts too much",
        what);
  };
  const double memory = highest(assessment, kMemoryRoof);
  if (memory > 0 && assessment.achieved_bandwidth && *assessment.achieved_bandwidth > kPhysics * memory)
    return with_causes(say("{} GB/s is above the {} GB/s that the memory can deliver.",
                           fmt::format("{:.0f}", *assessment.achieved_bandwidth / 1e9),
                           fmt::format("{:.0f}", memory / 1e9)));
  const double compute = highest(assessment, assessment.unit);
  if (compute > 0 && assessment.achieved_flops && *assessment.achieved_flops > kPhysics * compute)
    return with_causes(say("{} TFLOP/s is above the {} TFLOP/s of {}.",
                           fmt::format("{:.4g}", *assessment.achieved_flops / 1e12),
                           fmt::format("{:.4g}", compute / 1e12), assessment.unit));
  return std::nullopt;
}

Json basis_to_json(const Basis& basis) {
  Json ceilings = Json::array();
  for (const Ceiling& ceiling : basis.ceilings) ceilings.push_back(to_json(ceiling));
  return {{"t_sol_us", json_number(basis.t_sol_us)},
          {"bound", basis.bound.empty() ? Json() : Json(basis.bound)},
          {"sol_percent", json_number(basis.sol_percent)},
          {"sol_score", json_number(basis.sol_score)},
          {"ceilings", ceilings}};
}

Result<Basis> basis_from_json(const Json& json) {
  Basis basis;
  basis.t_sol_us = read_number(json, "t_sol_us");
  basis.bound = read_string(json, "bound");
  basis.sol_percent = read_number(json, "sol_percent");
  basis.sol_score = read_number(json, "sol_score");
  if (const Json& ceilings = member(json, "ceilings"); ceilings.is_array())
    for (const Json& item : ceilings) {
      Result<Ceiling> ceiling = hardware::ceiling_from_json(item);
      if (!ceiling) return ceiling.error();
      basis.ceilings.push_back(*std::move(ceiling));
    }
  return basis;
}

Result<std::optional<Basis>> optional_basis(const Json& json) {
  if (!json.is_object()) return std::optional<Basis>();
  Result<Basis> basis = basis_from_json(json);
  if (!basis) return basis.error();
  return std::optional(*std::move(basis));
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

}  // namespace

Assessment assess(const AssessmentInput& input) {
  Assessment result;
  result.flops = input.flops;
  result.bytes = input.bytes;
  result.unit = std::string(name_of(input.unit));
  if (input.bytes > 0 && input.unit != Unit::none) result.intensity = input.flops / input.bytes;
  if (positive(input.cold_us)) {
    if (input.flops > 0) result.achieved_flops = input.flops / *input.cold_us * kMicroseconds;
    if (input.bytes > 0) result.achieved_bandwidth = input.bytes / *input.cold_us * kMicroseconds;
  }
  if (!input.device) {
    result.diagnostics.push_back({Severity::note, "", 0, 0, "unknown_device",
                                  say("The device is not in the catalogue: T_SOL and SOL % are not known"),
                                  say("Add its data sheet to resources/devices.toml")});
    return result;
  }
  const hardware::DeviceModel& device = *input.device;
  result.device = device.name;

  // A problem without arithmetic to speak of is judged by its bytes alone.
  const bool computes = input.unit != Unit::none && input.flops > 0;
  const Ceiling memory = memory_ceiling(device);
  const auto fill = [&](const std::optional<Ceiling>& compute, const Ceiling& bandwidth) {
    if (!computes) return basis_of(input, std::nullopt, bandwidth);
    if (compute) return basis_of(input, compute, bandwidth);
    Basis unknown;
    unknown.ceilings.push_back(bandwidth);
    return unknown;
  };
  const std::optional<Ceiling> peak = datasheet_ceiling(device, input.unit);
  result.datasheet = fill(peak, memory);
  if (computes && !peak)
    result.diagnostics.push_back(
        {Severity::warning, "", 0, 0, "no_ceiling",
         say("{} has no data sheet figure for {}: T_SOL is not known", device.name, result.unit),
         say("Choose another --model, or another unit in the problem's [model]")});
  if (positive(input.sm_mhz))
    result.derived = fill(derived_ceiling(device, input.unit, *input.sm_mhz), memory);
  const std::optional<Ceiling> bandwidth = measured_ceiling(input, kMemoryRoof);
  const std::optional<Ceiling> rate = measured_ceiling(input, result.unit);
  if (bandwidth && (rate || !computes)) result.measured = fill(rate, *bandwidth);
  result.suspect = too_fast(result);
  return result;
}

Json to_json(const Assessment& assessment) {
  Json json{{"device", text_or_null(assessment.device)},
            {"unit", text_or_null(assessment.unit)},
            {"flops", json_number(assessment.flops)},
            {"bytes", json_number(assessment.bytes)},
            {"intensity", json_number(assessment.intensity)}};
  json.update(basis_to_json(assessment.datasheet));
  json["achieved_flops"] = json_number(assessment.achieved_flops);
  json["achieved_bandwidth"] = json_number(assessment.achieved_bandwidth);
  json["suspect"] = nullptr;
  if (assessment.suspect) put_sentence(json, "suspect", *assessment.suspect);
  json["bases"] = {{"derived", assessment.derived ? basis_to_json(*assessment.derived) : Json()},
                   {"measured", assessment.measured ? basis_to_json(*assessment.measured) : Json()}};
  json["diagnostics"] = to_json(assessment.diagnostics);
  return json;
}

Result<Assessment> assessment_from_json(const Json& json) {
  Assessment result;
  result.device = read_string(json, "device");
  result.unit = read_string(json, "unit");
  result.flops = read_number(json, "flops", 0);
  result.bytes = read_number(json, "bytes", 0);
  result.intensity = read_number(json, "intensity");
  Result<Basis> datasheet = basis_from_json(json);
  if (!datasheet) return datasheet.error();
  result.datasheet = *std::move(datasheet);
  result.achieved_flops = read_number(json, "achieved_flops");
  result.achieved_bandwidth = read_number(json, "achieved_bandwidth");
  if (const Json& suspect = member(json, "suspect"); suspect.is_string())
    result.suspect = read_sentence(json, "suspect");
  for (const auto& [name, basis] :
       {std::pair("derived", &Assessment::derived), std::pair("measured", &Assessment::measured)}) {
    Result<std::optional<Basis>> read = optional_basis(member(member(json, "bases"), name));
    if (!read) return read.error();
    result.*basis = *std::move(read);
  }
  result.diagnostics = diagnostics_from_json(member(json, "diagnostics"));
  return result;
}

}  // namespace ridge::model
