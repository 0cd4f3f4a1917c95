// SPDX-License-Identifier: GPL-3.0-or-later
#include "interchange/definition.h"

#include <algorithm>
#include <cctype>

#include "base/files.h"
#include "base/text.h"
#include "interchange/reader.h"
#include "interchange/solution.h"
#include "interchange/workloads.h"
#include "problem/expression.h"

namespace ridge::interchange {
namespace fs = std::filesystem;
namespace {

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Python writes whole division as // and powers as **; these expressions know only / (which drops the rest).
std::string from_python(std::string expression) {
  for (std::size_t at = 0; (at = expression.find("//", at)) != std::string::npos;)
    expression.replace(at, 2, "/");
  return expression;
}

/// Names that people write for dtypes elsewhere.
std::string meant_dtype(const std::string& name) {
  static const std::map<std::string, std::string> kShort{
      {"bf16", "bfloat16"},  {"fp16", "float16"}, {"half", "float16"},     {"f16", "float16"},
      {"fp32", "float32"},   {"f32", "float32"},  {"float", "float32"},    {"fp64", "float64"},
      {"double", "float64"}, {"int", "int32"},    {"fp8", "float8_e4m3fn"}};
  if (const auto found = kShort.find(name); found != kShort.end()) return found->second;
  return nearest(name, dtype_names());
}

void read_axes(Reader& reader, problem::Problem& problem) {
  const Json* axes = reader.object("/axes", "axes");
  if (axes == nullptr) return;
  for (const auto& [name, axis] : axes->items()) {
    const std::string pointer = below("/axes", name);
    problem::Axis result;
    result.name = name;
    result.line = reader.line_of(pointer);
    const std::string type = read_string(axis, "type");
    if (type == "var") {
      result.kind = problem::AxisKind::variable;
    } else if (type == "const") {
      result.kind = problem::AxisKind::constant;
      result.value = read_integer(axis, "value", 0);
      if (!member(axis, "value").is_number_integer() || result.value < 1)
        reader.fault(below(pointer, "value"),
                     say("axis {} needs a whole number of at least 1 as its value", name));
    } else if (type == "expr" || type == "expression") {
      result.kind = problem::AxisKind::expression;
      result.expression = from_python(read_string(axis, "expression"));
      if (const auto names = problem::names_in_whole(result.expression); !names)
        reader.fault(below(pointer, "expression"), say("axis {}: {}", name, names.error().message));
    } else {
      reader.fault(below(pointer, "type"), say("axis {} has the type \"{}\"", name, type),
                   say("write const, var or expr"));
    }
    problem.axes.push_back(std::move(result));
  }
}

std::vector<std::string> axis_names(const problem::Problem& problem) {
  std::vector<std::string> names;
  for (const problem::Axis& axis : problem.axes) names.push_back(axis.name);
  return names;
}

void read_shape(Reader& reader, const std::string& pointer, const problem::Problem& problem,
                problem::Tensor& tensor) {
  const std::vector<std::string> known = axis_names(problem);
  const Json& shape = reader.at(pointer);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::string place = pointer + '/' + std::to_string(i);
    const Json& extent = shape[i];
    if (extent.is_number_integer()) {
      tensor.shape.push_back(std::to_string(extent.get<std::int64_t>()));
      continue;
    }
    const std::string expression =
        extent.is_string() ? from_python(extent.get<std::string>()) : std::string{};
    const auto names = problem::names_in_whole(expression);
    if (!names) {
      reader.fault(place, say("an extent of {} is the name of an axis or an expression", tensor.name),
                   names.error().message);
      continue;
    }
    for (const std::string& name : *names)
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        const std::string near = nearest(name, known);
        reader.fault(place, say("{} uses {}, which is no axis", tensor.name, name),
                     near.empty() ? say("the axes are {}", list_of(known)) : say("{} is near", near));
      }
    tensor.shape.push_back(expression);
  }
}

void read_tensors(Reader& reader, const std::string& group, problem::Problem& problem) {
  const Json* tensors = reader.object('/' + group, group);
  if (tensors == nullptr) return;
  if (tensors->empty()) reader.fault('/' + group, say("{} is empty", group));
  for (const auto& [name, value] : tensors->items()) {
    const std::string pointer = below('/' + group, name);
    problem::Tensor tensor;
    tensor.name = name;
    tensor.line = reader.line_of(pointer);
    const std::string dtype = read_string(value, "dtype");
    if (const auto known = dtype_named(dtype)) {
      tensor.dtype = *known;
    } else {
      const std::string meant = meant_dtype(dtype);
      reader.fault(
          below(pointer, "dtype"), say("{} has the dtype \"{}\", which does not exist", name, dtype),
          meant.empty() ? say("the dtypes are {}", list_of(dtype_names())) : say("{} is meant", meant));
    }
    const Json& shape = member(value, "shape");
    if (shape.is_null() && group == "inputs") {
      problem.scalars.push_back({name, tensor.dtype, "0", tensor.line});
      continue;
    }
    if (shape.is_array())
      read_shape(reader, below(pointer, "shape"), problem, tensor);
    else if (!shape.is_null())
      reader.fault(below(pointer, "shape"),
                   say("{} needs an array of axes as its shape, or null for one value", name));
    (group == "inputs" ? problem.inputs : problem.outputs).push_back(std::move(tensor));
  }
}

/// The parameter names of `def run(…)`, or nothing when there is no such function.
std::optional<std::vector<std::string>> run_parameters(const std::string& python) {
  for (std::size_t at = 0; (at = python.find("def run", at)) != std::string::npos; ++at) {
    if (at > 0 && python[at - 1] != '\n') continue;
    const std::size_t open = python.find('(', at);
    if (open == std::string::npos || !trim(std::string_view(python).substr(at + 7, open - at - 7)).empty())
      continue;
    int depth = 0;
    std::size_t close = open;
    for (; close < python.size(); ++close) {
      if (python[close] == '(' || python[close] == '[') ++depth;
      if ((python[close] == ')' || python[close] == ']') && --depth == 0) break;
    }
    std::vector<std::string> names;
    for (const std::string& part : split_list(std::string_view(python).substr(open + 1, close - open - 1))) {
      const std::size_t end = part.find_first_of(":= ");
      if (!part.empty() && part != "*" && part != "/") names.push_back(part.substr(0, end));
    }
    return names;
  }
  return {};
}

void check_reference(Reader& reader, Import& import) {
  const auto text = reader.text("/reference", say("the reference"));
  if (!text) return;
  import.reference = *text;
  const auto parameters = run_parameters(*text);
  std::vector<std::string> inputs;
  for (const auto& item : member(reader.root(), "inputs").items()) inputs.push_back(item.key());
  if (!parameters)
    reader.fault("/reference", say("the reference has no function run"),
                 say("write def run({})", list_of(inputs)));
  else if (*parameters != inputs)
    reader.fault("/reference",
                 say("run takes ({}), but the inputs are {}", list_of(*parameters), list_of(inputs)),
                 say("give run the inputs by name and in their order"));
}

}  // namespace

bool is_definition(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return fs::exists(path / "definition.json", ignored) || fs::is_directory(path / "definitions", ignored);
  if (path.extension() != ".json") return false;
  const auto text = read_file(path);
  const auto json = text ? parse_json(*text) : Result<Json>(text.error());
  return path.filename() == "definition.json" || (json && json->is_object() && json->contains("axes") &&
                                                  json->contains("inputs") && json->contains("outputs"));
}

Import import_definition(const fs::path& path) {
  Import import;
  const Files files = find_files(path, import.diagnostics);
  if (files.definition.empty()) return import;
  const std::string file = files.definition.string();
  const auto text = read_file(files.definition);
  if (!text) {
    import.diagnostics.push_back(to_diagnostic(text.error(), file));
    return import;
  }
  const auto located = parse_located(*text, file);
  if (!located) {
    import.diagnostics.push_back(to_diagnostic(located.error(), file));
    return import;
  }
  Reader reader(*located, file, import.diagnostics);
  for (const auto& [pointer, line] : located->duplicates)
    reader.fault(pointer,
                 say("the key {} stands twice in its object (again in line {})",
                     pointer.substr(pointer.rfind('/') + 1), line),
                 say("keep one of them"));
  import.definition = located->value;
  problem::Problem problem;
  problem.file = file;
  problem.folder = files.definition.parent_path();
  problem.name = reader.text("/name", say("the name")).value_or("");
  problem.title.en = read_string(located->value, "description", problem.name);
  problem.allow_empty = true;
  read_axes(reader, problem);
  read_tensors(reader, "inputs", problem);
  read_tensors(reader, "outputs", problem);
  check_reference(reader, import);
  problem.reference = {problem::ReferenceKind::python, "reference.py"};
  // Workloads and solutions are judged by the definition: without a sound one their faults would only repeat
  // its own.
  if (!has_errors(import.diagnostics)) {
    for (const fs::path& workloads : files.workloads) read_workloads(workloads, problem, import);
    for (const fs::path& solution : files.solutions) read_solution(solution, problem.name, import);
    for (const fs::path& traces : files.traces) read_traces(traces, problem, import);
  }
  if (!has_errors(import.diagnostics)) import.problem = std::move(problem);
  return import;
}

}  // namespace ridge::interchange
