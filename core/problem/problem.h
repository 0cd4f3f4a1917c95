// SPDX-License-Identifier: GPL-3.0-or-later
// Problems: what is to be computed. A folder's problem.toml becomes a Problem; a Problem and one of its
// workloads become a BoundProblem, in which every name is a number.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/dtype.h"
#include "base/json.h"
#include "hardware/units.h"

namespace ridge::problem {

/// Text in the languages of the window; zh_CN falls back to en.
struct Text {
  std::string en, zh_CN;
  const std::string& in(const std::string& locale) const;
};

enum class AxisKind { constant, variable, expression };
struct Axis {
  std::string name;
  AxisKind kind = AxisKind::variable;
  std::int64_t value = 0;  ///< of a constant
  std::string expression;  ///< of an expression: whole-number
  int line = 0;
};

enum class InitKind { normal, uniform, constant, randint, arange, file };
/// How an input is filled. Numbers are real expressions over the axes, as written in the file.
struct Init {
  InitKind kind = InitKind::normal;
  std::string mean = "0", std = "1";    ///< normal
  std::string low = "0", high = "1";    ///< uniform, randint: low <= v < high
  std::string value = "0";              ///< constant
  std::string start = "0", step = "1";  ///< arange
  std::string file;                     ///< .npy inside the problem's folder
  struct Sprinkle {
    double value = 0;                    ///< may be NaN or infinite
    std::int64_t every = 1, offset = 0;  ///< where (row-major index) % every == offset
  };
  std::optional<Sprinkle> sprinkle;
};

struct Tensor {
  std::string name;
  DType dtype = DType::float32;
  std::vector<std::string> shape;  ///< whole-number expressions; empty: one value
  Init init;                       ///< inputs
  std::string from;                ///< outputs: starts as a copy of this input; empty: poisoned
  int line = 0;
};

struct Scalar {
  std::string name;
  DType dtype = DType::float32;
  std::string value;  ///< a number, or a real expression over the axes
  int line = 0;
};

struct VerifyRules {
  std::optional<double> mse, rtol, atol;  ///< gates as stated; rtol/atol left out are derived
  std::string reduction;                  ///< whole-number expression: accumulation length; empty: 1
};

enum class ReferenceKind { none, cuda, python, recorded };
struct Reference {
  ReferenceKind kind = ReferenceKind::none;
  std::string file;  ///< inside the problem's folder
};

struct Workload {
  std::string name;
  std::map<std::string, std::int64_t> axes;
  std::uint64_t seed = 1;
  bool large = false;
  std::map<std::string, Init> init;            ///< replaces the init of the named inputs
  std::map<std::string, std::string> scalars;  ///< replaces the value of the named scalars
  int line = 0;
};

struct Problem {
  std::string name;
  Text title;
  std::filesystem::path folder;
  std::string file;  ///< problem.toml as it is to be named in diagnostics
  bool allow_empty = false;
  std::vector<Axis> axes;  ///< in the order of the file
  std::vector<Scalar> scalars;
  std::vector<Tensor> inputs, outputs;
  std::string flops = "0";
  std::string bytes = "auto";
  hardware::Unit unit = hardware::Unit::none;
  VerifyRules verify;
  Reference reference;
  std::vector<Workload> workloads;

  const Workload* workload(const std::string& name) const;
  const Axis* axis(const std::string& name) const;
};

struct LoadedProblem {
  std::optional<Problem> problem;  ///< absent when a diagnostic is an error
  Diagnostics diagnostics;         ///< every fault at once, each with line and way out
};

/// Reads folder/problem.toml and checks it whole, every workload included. `named` is how diagnostics call
/// the file.
LoadedProblem load_problem(const std::filesystem::path& folder);
/// The same from text, for the editor: `file` need not exist; files that it names are looked for in `folder`.
LoadedProblem parse_problem(const std::string& text, const std::filesystem::path& folder,
                            const std::string& file);

/// An init whose expressions have become numbers.
struct BoundInit {
  InitKind kind = InitKind::normal;
  double mean = 0, std = 1, low = 0, high = 1, value = 0, start = 0, step = 1;
  std::string file;  ///< absolute
  std::optional<Init::Sprinkle> sprinkle;
};

struct BoundTensor {
  std::string name;
  DType dtype = DType::float32;
  std::vector<std::int64_t> extents;  ///< row-major; empty: one value
  std::int64_t elements = 1;
  std::int64_t bytes = 4;
  BoundInit init;    ///< inputs
  std::string from;  ///< outputs: name of the input it starts as a copy of
};

struct BoundScalar {
  std::string name;
  DType dtype = DType::float32;
  double value = 0;
};

/// A problem at one shape: plain numbers, ready to be sent to a worker.
struct BoundProblem {
  std::string problem, workload;
  std::map<std::string, std::int64_t> axes;  ///< all of them: const, var and expr
  std::uint64_t seed = 1;
  std::vector<BoundTensor> inputs, outputs;
  std::vector<BoundScalar> scalars;
  double flops = 0;
  double bytes = 0;  ///< fused bytes: each boundary tensor once, a `from` output twice and its source not
                     ///< again, or the model's expression
  hardware::Unit unit = hardware::Unit::none;
  std::optional<double> mse, rtol, atol;
  std::int64_t reduction = 1;
  ReferenceKind reference = ReferenceKind::none;
  std::string reference_file;  ///< of a Python reference, in the folder
  std::string folder;          ///< of the problem, absolute
};

struct Bound {
  std::optional<BoundProblem> problem;
  Diagnostics diagnostics;
};

/// Binds one workload. `axes` replaces values of var axes ("--axis M=65"); `seed` replaces the workload's.
Bound bind(const Problem& problem, const Workload& workload,
           const std::map<std::string, std::int64_t>& axes = {}, std::optional<std::uint64_t> seed = {});

/// Bytes that one copy of all inputs and outputs takes.
std::int64_t device_bytes(const BoundProblem& problem);

Json to_json(const BoundProblem& problem);
Result<BoundProblem> bound_problem_from_json(const Json& json);

/// Problem folders below `folder` (each holds a problem.toml), sorted by name.
std::vector<std::filesystem::path> find_problems(const std::filesystem::path& folder);

}  // namespace ridge::problem
