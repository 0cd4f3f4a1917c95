// SPDX-License-Identifier: GPL-3.0-or-later
// The workloads of a problem file, bound once each so that their faults are known.
#include <algorithm>

#include "base/text.h"
#include "problem/expression.h"
#include "problem/loader.h"

namespace ridge::problem {

void Loader::read_workload(TableReader& entry) {
  Workload workload;
  workload.name = name_in(entry);
  workload.line = entry.has("axes") ? entry.line_of("axes") : entry.line();
  bool sound = check_workload_name(workload.name, entry.line());
  if (const toml::table* axes = entry.table("axes", "axes = { rows = 4, cols = 32 }")) {
    TableReader reader(*axes, say("{}: {}", entry.where(), "axes"), workload.line, faults_);
    for (const std::string& name : keys_in_order(*axes)) {
      const auto value = reader.whole(name);
      sound = sound && value;
      if (value) workload.axes[name] = *value;
    }
  } else {
    sound = sound && !entry.has("axes");
  }
  if (const auto seed = entry.whole("seed")) {
    if (*seed < 0)
      faults_.error(entry.line_of("seed"), "bad_value", say("{}: seed is negative", entry.where()),
                    say("write {}", "seed = 1"));
    workload.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(*seed, 0));
  }
  workload.large = entry.truth("large").value_or(false);
  if (const toml::table* inits =
          entry.table("init", "init = { x = { kind = \"uniform\", low = -1, high = 1 } }"))
    sound = read_workload_inits(*inits, entry, workload) && sound;
  if (const toml::table* scalars = entry.table("scalars", "scalars = { eps = 1e-6 }"))
    sound = read_workload_scalars(*scalars, entry, workload) && sound;
  problem_.workloads.push_back(workload);
  if (sound) sound_.workloads.push_back(workload);
}

bool Loader::check_workload_name(const std::string& name, int line) {
  if (name.empty()) return false;
  if (!is_plain_name(name)) {
    faults_.error(line, "bad_name", say("workload \"{}\": a name is letters, digits, _ and -", name),
                  say("it is a folder's name too"));
    return false;
  }
  if (!problem_.workload(name)) return true;
  faults_.error(line, "duplicate_name", say("workload {} exists already", name),
                say("give each workload its own name"));
  return false;
}

bool Loader::read_workload_inits(const toml::table& inits, TableReader& entry, Workload& workload) {
  TableReader reader(inits, say("{}: {}", entry.where(), "init"), entry.line_of("init"), faults_);
  bool sound = true;
  std::vector<std::string> known;
  for (const Tensor& input : problem_.inputs) known.push_back(input.name);
  for (const std::string& name : keys_in_order(inits)) {
    const int line = reader.line_of(name);
    const auto input = std::find_if(problem_.inputs.begin(), problem_.inputs.end(),
                                    [&](const Tensor& tensor) { return tensor.name == name; });
    if (input == problem_.inputs.end()) {
      faults_.unknown(line, "unknown_input", say("{}: there is no input {}", reader.where(), name), name,
                      known);
      sound = false;
      continue;
    }
    const toml::table* table = reader.table(name, name + " = { kind = \"uniform\", low = -1, high = 1 }");
    const Sentence what = say("{} of {}", reader.where(), name);
    const auto init =
        table ? read_init(TableReader(*table, what, line, faults_), input->dtype, faults_) : std::nullopt;
    sound = init && check_init(*init, what, line) && sound;
    if (init) workload.init[name] = *init;
  }
  return sound;
}

bool Loader::read_workload_scalars(const toml::table& scalars, TableReader& entry, Workload& workload) {
  TableReader reader(scalars, say("{}: {}", entry.where(), "scalars"), entry.line_of("scalars"), faults_);
  bool sound = true;
  std::vector<std::string> known;
  for (const Scalar& scalar : problem_.scalars) known.push_back(scalar.name);
  for (const std::string& name : keys_in_order(scalars)) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      faults_.unknown(reader.line_of(name), "unknown_scalar",
                      say("{}: there is no scalar {}", reader.where(), name), name, known);
      sound = false;
      continue;
    }
    const auto value = reader.expression(name);
    sound = value && check_real(*value, say("{} of {}", reader.where(), name), reader.line_of(name)) && sound;
    if (value) workload.scalars[name] = *value;
  }
  return sound;
}

void Loader::bind_workloads() {
  sound_.file = problem_.file;
  sound_.folder = problem_.folder;
  sound_.allow_empty = problem_.allow_empty;
  sound_.axes = problem_.axes;
  for (const Workload& workload : sound_.workloads) {
    for (const Diagnostic& fault : bind_sound(sound_, workload, {}, {}, unsound_axes_).diagnostics) {
      // A fault of a scalar or an init is the same for every workload: the first tells it.
      const bool told = std::any_of(diagnostics_.begin(), diagnostics_.end(), [&](const Diagnostic& other) {
        return fault.line != workload.line && other.line == fault.line && other.code == fault.code;
      });
      if (!told) diagnostics_.push_back(fault);
    }
  }
}

void Loader::check_recorded() {
  if (problem_.reference.kind != ReferenceKind::recorded) return;
  for (const Workload& workload : sound_.workloads)
    for (const Tensor& output : sound_.outputs)
      check_file(problem_.folder, workload.name + "/" + output.name + ".npy", "[reference]",
                 lines_["reference"], faults_);
}

}  // namespace ridge::problem
