// SPDX-License-Identifier: GPL-3.0-or-later
// BoundProblem as JSON, for the worker protocol and session files. Reading trusts nothing: sizes are computed
// again.
#include <algorithm>

#include "problem/checks.h"
#include "problem/problem.h"

namespace ridge::problem {
namespace {

Json to_json(const BoundInit& init) {
  Json json = {{"kind", name_of(init.kind)}};
  switch (init.kind) {
    case InitKind::normal:
      json["mean"] = json_number(init.mean), json["std"] = json_number(init.std);
      break;
    case InitKind::uniform:
    case InitKind::randint:
      json["low"] = json_number(init.low), json["high"] = json_number(init.high);
      break;
    case InitKind::constant:
      json["value"] = json_number(init.value);
      break;
    case InitKind::arange:
      json["start"] = json_number(init.start), json["step"] = json_number(init.step);
      break;
    case InitKind::file:
      json["file"] = init.file;
      break;
  }
  if (init.sprinkle) {
    json["sprinkle"] = {{"value", json_number(init.sprinkle->value)},
                        {"every", json_integer(init.sprinkle->every)},
                        {"offset", json_integer(init.sprinkle->offset)}};
  }
  return json;
}

Json to_json(const BoundTensor& tensor, bool input) {
  Json json = {{"name", tensor.name}, {"dtype", ridge::name_of(tensor.dtype)}};
  json["extents"] = Json::array();
  for (const std::int64_t extent : tensor.extents) json["extents"].push_back(json_integer(extent));
  if (input) json["init"] = to_json(tensor.init);
  if (!tensor.from.empty()) json["from"] = tensor.from;
  return json;
}

Error bad(const Sentence& what) {
  return {ErrorKind::protocol, "bad_problem", say("the bound problem is not sound: {}", what), {}, {}, 0};
}

Result<BoundInit> init_from_json(const Json& json) {
  const auto kind = read_named(json, "kind", phrase("The init of a tensor"), init_kind_named,
                               std::optional(InitKind::normal));
  if (!kind) return kind.error();
  BoundInit init;
  init.kind = *kind;
  init.mean = read_number(json, "mean", init.mean);
  init.std = read_number(json, "std", init.std);
  init.low = read_number(json, "low", init.low);
  init.high = read_number(json, "high", init.high);
  init.value = read_number(json, "value", init.value);
  init.start = read_number(json, "start", init.start);
  init.step = read_number(json, "step", init.step);
  init.file = read_string(json, "file");
  const Json& sprinkle = member(json, "sprinkle");
  if (sprinkle.is_object()) {
    init.sprinkle = Init::Sprinkle{read_number(sprinkle, "value", 0.0), read_integer(sprinkle, "every", 1),
                                   read_integer(sprinkle, "offset", 0)};
    if (init.sprinkle->every < 1 || init.sprinkle->offset < 0) return bad(say("a sprinkle that never falls"));
  }
  return init;
}

Result<BoundTensor> tensor_from_json(const Json& json) {
  BoundTensor tensor;
  tensor.name = read_string(json, "name");
  if (tensor.name.empty()) return bad(say("a tensor without a name"));
  const auto dtype = dtype_named(read_string(json, "dtype"));
  if (!dtype) return bad(say("tensor {} has no known dtype", tensor.name));
  tensor.dtype = *dtype;
  tensor.from = read_string(json, "from");
  const Json& extents = member(json, "extents");
  if (!extents.is_array()) return bad(say("tensor {} has no extents", tensor.name));
  for (const Json& extent : extents) {
    const Json wrapped = {{"extent", extent}};
    const std::int64_t value = read_integer(wrapped, "extent", -1);
    if (value < 0) return bad(say("tensor {} has a negative extent", tensor.name));
    tensor.extents.push_back(value);
  }
  const bool empty = std::find(tensor.extents.begin(), tensor.extents.end(), 0) != tensor.extents.end();
  tensor.elements = empty ? 0 : 1;
  bool fits = true;
  for (const std::int64_t extent : tensor.extents)
    fits = fits && !__builtin_mul_overflow(tensor.elements, extent, &tensor.elements);
  fits = fits &&
         !__builtin_mul_overflow(tensor.elements, static_cast<std::int64_t>(size_of(*dtype)), &tensor.bytes);
  if (!fits) return bad(say("tensor {} does not fit into 63 bits", tensor.name));
  const Json& init = member(json, "init");
  if (init.is_object()) {
    Result<BoundInit> read = init_from_json(init);
    if (!read) return read.error();
    tensor.init = *read;
  }
  return tensor;
}

Result<void> read_tensors(const Json& json, const char* key, std::vector<BoundTensor>& tensors) {
  const Json& array = member(json, key);
  if (!array.is_array()) return bad(say("{} is no array", key));
  for (const Json& entry : array) {
    Result<BoundTensor> tensor = tensor_from_json(entry);
    if (!tensor) return tensor.error();
    tensors.push_back(std::move(*tensor));
  }
  return {};
}

}  // namespace

Json to_json(const BoundProblem& problem) {
  Json json = {{"problem", problem.problem}, {"workload", problem.workload}};
  json["axes"] = Json::object();
  for (const auto& [name, value] : problem.axes) json["axes"][name] = json_integer(value);
  json["seed"] = json_unsigned(problem.seed);
  json["inputs"] = Json::array();
  for (const BoundTensor& tensor : problem.inputs) json["inputs"].push_back(to_json(tensor, true));
  json["outputs"] = Json::array();
  for (const BoundTensor& tensor : problem.outputs) json["outputs"].push_back(to_json(tensor, false));
  json["scalars"] = Json::array();
  for (const BoundScalar& scalar : problem.scalars) {
    json["scalars"].push_back({{"name", scalar.name},
                               {"dtype", ridge::name_of(scalar.dtype)},
                               {"value", json_number(scalar.value)}});
  }
  json["flops"] = json_number(problem.flops);
  json["bytes"] = json_number(problem.bytes);
  json["unit"] = hardware::name_of(problem.unit);
  json["mse"] = json_number(problem.mse);
  json["rtol"] = json_number(problem.rtol);
  json["atol"] = json_number(problem.atol);
  json["reduction"] = json_integer(problem.reduction);
  json["reference"] = name_of(problem.reference);
  if (problem.reference == ReferenceKind::python) json["reference_file"] = problem.reference_file;
  json["folder"] = problem.folder;
  return json;
}

Result<BoundProblem> bound_problem_from_json(const Json& json) {
  if (!json.is_object()) return bad(say("it is no object"));
  BoundProblem problem;
  problem.problem = read_string(json, "problem");
  problem.workload = read_string(json, "workload");
  const Json& axes = member(json, "axes");
  if (!axes.is_object()) return bad(say("it has no axes"));
  for (const auto& [name, value] : axes.items()) problem.axes[name] = read_integer(axes, name, 0);
  problem.seed = read_unsigned(json, "seed", 1);
  if (const Result<void> read = read_tensors(json, "inputs", problem.inputs); !read) return read.error();
  if (const Result<void> read = read_tensors(json, "outputs", problem.outputs); !read) return read.error();
  const Json& scalars = member(json, "scalars");
  if (scalars.is_array()) {
    for (const Json& entry : scalars) {
      const auto dtype = dtype_named(read_string(entry, "dtype"));
      if (!dtype) return bad(say("a scalar without a known dtype"));
      problem.scalars.push_back({read_string(entry, "name"), *dtype, read_number(entry, "value", 0.0)});
    }
  }
  problem.flops = read_number(json, "flops", 0.0);
  problem.bytes = read_number(json, "bytes", 0.0);
  const auto unit = read_named(json, "unit", phrase("The problem's unit"), hardware::unit_named,
                               std::optional(hardware::Unit::none));
  if (!unit) return unit.error();
  problem.unit = *unit;
  problem.mse = read_number(json, "mse");
  problem.rtol = read_number(json, "rtol");
  problem.atol = read_number(json, "atol");
  problem.reduction = std::max<std::int64_t>(read_integer(json, "reduction", 1), 1);
  const auto reference = read_named(json, "reference", phrase("The kind of the reference"),
                                    reference_kind_named, std::optional(ReferenceKind::none));
  if (!reference) return reference.error();
  problem.reference = *reference;
  problem.reference_file = read_string(json, "reference_file");
  problem.folder = read_string(json, "folder");
  return problem;
}

}  // namespace ridge::problem
