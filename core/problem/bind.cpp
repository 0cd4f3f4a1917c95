// SPDX-License-Identifier: GPL-3.0-or-later
// From a problem and a workload to plain numbers. Every step reports its faults and goes on with what is
// sound.
#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "problem/checks.h"
#include "problem/expression.h"
#include "problem/expression_text.h"
#include "problem/problem.h"

namespace ridge::problem {
namespace {

using Int = std::int64_t;

class Binder {
 public:
  Binder(const Problem& problem, const Workload& workload, const std::set<std::string>& unsound)
      : problem_(problem), workload_(workload), unsound_(unsound) {}

  Bound run(const std::map<std::string, Int>& axes, std::optional<std::uint64_t> seed) {
    bound_.problem = problem_.name;
    bound_.workload = workload_.name;
    for (const auto& [name, value] : axes)
      label_ += (label_.empty() ? "" : ",") + name + "=" + std::to_string(value);
    if (!label_.empty()) bound_.workload = label_;
    bound_.seed = seed.value_or(workload_.seed);
    bound_.unit = problem_.unit;
    bound_.mse = problem_.verify.mse;
    bound_.rtol = problem_.verify.rtol;
    bound_.atol = problem_.verify.atol;
    bound_.reference = problem_.reference.kind;
    if (bound_.reference == ReferenceKind::python) bound_.reference_file = problem_.reference.file;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::absolute(problem_.folder, error);
    bound_.folder =
        error || problem_.folder.empty() ? problem_.folder.string() : folder.lexically_normal().string();
    bind_given_axes(axes);
    bind_computed_axes();
    bind_tensors();
    bind_scalars();
    bind_model();
    if (has_errors(diagnostics_)) return {std::nullopt, diagnostics_};
    return {bound_, diagnostics_};
  }

 private:
  const Problem& problem_;
  const Workload& workload_;
  std::set<std::string> unsound_;
  std::string label_;
  int line_ = 0;  ///< where the next faults are; 0: at the workload
  BoundProblem bound_;
  Diagnostics diagnostics_;

  Sentence who() const {
    return label_.empty() ? say("workload {}", workload_.name)
                          : say("workload {} with {}", workload_.name, label_);
  }
  void error(const std::string& code, const Sentence& message, const Sentence& hint = {}) {
    const int line = line_ > 0 ? line_ : workload_.line;
    diagnostics_.push_back(
        {Severity::error, problem_.file, line, 0, code, say("{}: {}", who(), message), hint});
  }
  void error(const Sentence& what, const Error& cause) {
    error(cause.code, say("{}: {}", what, cause.message), cause.hint);
  }

  Int least_extent() const { return problem_.allow_empty ? 0 : 1; }
  Sentence extent_rule() const {
    return problem_.allow_empty ? say("an extent is at least 0")
                                : say("an extent is at least 1 (or set [problem] allow_empty)");
  }

  /// Whether an expression can be judged: none of its names has a fault of its own.
  bool judgeable(const Result<std::vector<std::string>>& names) const {
    return !names ||
           std::none_of(names->begin(), names->end(), [&](const auto& n) { return unsound_.contains(n); });
  }
  std::optional<Int> whole(const std::string& expression, const Sentence& what) {
    if (!judgeable(names_in_whole(expression))) return std::nullopt;
    const Result<Int> value = evaluate_whole(expression, bound_.axes);
    if (value) return *value;
    error(what, value.error());
    return std::nullopt;
  }
  std::optional<double> real(const std::string& expression, const Sentence& what) {
    if (!judgeable(names_in_real(expression))) return std::nullopt;
    const Result<double> value = evaluate_real(expression, bound_.axes);
    if (value) return *value;
    error(what, value.error());
    return std::nullopt;
  }

  void bind_given_axes(const std::map<std::string, Int>& replaced) {
    std::map<std::string, Int> given = workload_.axes;
    for (const auto& [name, value] : replaced) given[name] = value;
    Sentence faults, hint;
    const auto fault = [&](const Sentence& text) {
      faults = faults.empty() ? text : say("{}; {}", faults, text);
    };
    std::vector<std::string> variable;
    for (const Axis& axis : problem_.axes)
      if (axis.kind == AxisKind::variable) variable.push_back(axis.name);
    for (const auto& [name, value] : given) {
      const Axis* axis = problem_.axis(name);
      if (unsound_.contains(name)) continue;
      if (!axis) {
        const std::string near = nearest(name, variable);
        fault(near.empty() ? say("{} is no axis", name) : say("{} is no axis ({} is meant?)", name, near));
      } else if (axis->kind == AxisKind::constant) {
        fault(say("{} is constant ({})", name, axis->value));
      } else if (axis->kind == AxisKind::expression) {
        fault(say("{} is computed ({})", name, axis->expression));
      } else if (value < least_extent()) {
        fault(name + " = " + std::to_string(value));
        hint = extent_rule();
        unsound_.insert(name);
      }
    }
    for (const Axis& axis : problem_.axes) {
      if (unsound_.contains(axis.name)) continue;
      if (axis.kind == AxisKind::constant) bound_.axes[axis.name] = axis.value;
      if (axis.kind != AxisKind::variable) continue;
      const auto value = given.find(axis.name);
      if (value != given.end()) {
        bound_.axes[axis.name] = value->second;
      } else {
        fault(say("{} has no value", axis.name));
        unsound_.insert(axis.name);
      }
    }
    if (faults.empty()) return;
    if (hint.empty())
      hint = say("it binds: {}", variable.empty() ? say("nothing") : Sentence(joined(variable)));
    error("workload_axes", faults, hint);
  }

  /// Each computed axis once those that it needs are bound (Kahn's order); circles were reported at loading.
  void bind_computed_axes() {
    std::map<std::string, const Axis*> waiting;
    for (const Axis& axis : problem_.axes)
      if (axis.kind == AxisKind::expression && !unsound_.contains(axis.name)) waiting[axis.name] = &axis;
    std::map<std::string, std::size_t> needs;
    std::map<std::string, std::vector<std::string>> needed_by;
    std::vector<std::string> ready;
    for (const auto& [name, axis] : waiting) {
      const Result<std::vector<std::string>> names = names_in_whole(axis->expression);
      for (const std::string& used : names ? *names : std::vector<std::string>{}) {
        if (!waiting.contains(used)) continue;
        ++needs[name];
        needed_by[used].push_back(name);
      }
      if (needs[name] == 0) ready.push_back(name);
    }
    while (!ready.empty()) {
      const std::string name = ready.back();
      ready.pop_back();
      bind_computed_axis(*waiting.at(name));
      waiting.erase(name);
      for (const std::string& next : needed_by[name])
        if (--needs[next] == 0) ready.push_back(next);
    }
    for (const auto& entry : waiting) {
      error("cycle", say("axis {} needs itself", entry.first), say("break the circle of axes"));
      unsound_.insert(entry.first);
    }
  }

  void bind_computed_axis(const Axis& axis) {
    const std::optional<Int> value = whole(axis.expression, say("axis {}", axis.name));
    if (value && *value >= least_extent()) {
      bound_.axes[axis.name] = *value;
      return;
    }
    if (value)
      error("extent", say("axis {}", axis.name + " = " + axis.expression + " = " + std::to_string(*value)),
            extent_rule());
    unsound_.insert(axis.name);
  }

  std::optional<BoundTensor> bind_shape(const Tensor& tensor, const Sentence& what) {
    BoundTensor result;
    result.name = tensor.name;
    result.dtype = tensor.dtype;
    result.from = tensor.from;
    bool sound = true;
    std::string shown;
    for (const std::string& expression : tensor.shape) {
      const std::optional<Int> extent = whole(expression, what);
      if (extent && *extent < least_extent())
        error("extent", say("{}: {}", what, expression + " = 0"), extent_rule());
      sound = sound && extent && *extent >= least_extent();
      if (!extent) continue;
      result.extents.push_back(*extent);
      shown += (shown.empty() ? "" : " x ") + std::to_string(*extent);
    }
    if (!sound) return std::nullopt;
    // Zero first, so that an empty tensor never overflows.
    const bool empty = std::find(result.extents.begin(), result.extents.end(), 0) != result.extents.end();
    result.elements = empty ? 0 : 1;
    bool fits = true;
    for (const Int extent : result.extents)
      fits = fits && !__builtin_mul_overflow(result.elements, extent, &result.elements);
    fits = fits &&
           !__builtin_mul_overflow(result.elements, static_cast<Int>(size_of(tensor.dtype)), &result.bytes);
    if (fits) return result;
    error("too_large",
          say("{}: {} elements of {} do not fit into 63 bits", what, shown, ridge::name_of(tensor.dtype)),
          say("no device takes such a tensor; use a smaller workload"));
    return std::nullopt;
  }

  void bind_init(const Init& init, const Sentence& what, BoundTensor& tensor) {
    BoundInit& result = tensor.init;
    result.kind = init.kind;
    result.sprinkle = init.sprinkle;
    const auto value = [&](const std::string& expression, const char* key) {
      return real(expression, say("{}: {}", what, key)).value_or(0);
    };
    const std::size_t before = diagnostics_.size();
    const auto rule = [&](bool holds, const Sentence& text) {
      if (!holds && diagnostics_.size() == before) error("init", say("{}: {}", what, text));
    };
    switch (init.kind) {
      case InitKind::normal:
        result.mean = value(init.mean, "mean");
        result.std = value(init.std, "std");
        rule(result.std >= 0, say("std is negative"));
        break;
      case InitKind::constant:
        result.value = value(init.value, "value");
        break;
      case InitKind::uniform:
      case InitKind::randint:
        result.low = value(init.low, "low");
        result.high = value(init.high, "high");
        check_range(init, tensor.dtype, result, rule);
        break;
      case InitKind::arange:
        result.start = value(init.start, "start");
        result.step = value(init.step, "step");
        break;
      case InitKind::file:
        result.file = (std::filesystem::path(bound_.folder) / init.file).string();
        break;
    }
  }

  template <class Rule>
  void check_range(const Init& init, DType dtype, const BoundInit& bounds, const Rule& rule) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: whole numbers beyond it are no longer exact
    rule(bounds.low < bounds.high, say("low must be below high ({} and {} are given)", init.low, init.high));
    if (init.kind != InitKind::randint) return;
    rule(bounds.low == std::floor(bounds.low) && bounds.high == std::floor(bounds.high),
         say("low and high must be whole"));
    rule(std::fabs(bounds.low) <= kExact && std::fabs(bounds.high) <= kExact,
         say("low and high are beyond 2^53"));
    if (is_floating(dtype)) return;
    const double largest = largest_of(dtype);
    const double lowest = is_signed(dtype) ? -largest - 1 : 0;
    rule(bounds.low >= lowest && bounds.high - 1 <= largest,
         say("{} does not hold all values from low to high - 1", ridge::name_of(dtype)));
  }

  void bind_tensors() {
    for (const Tensor& tensor : problem_.inputs) {
      const Sentence what = say("input {}", tensor.name);
      std::optional<BoundTensor> result = bind_shape(tensor, what);
      if (!result) continue;
      const auto own = workload_.init.find(tensor.name);
      line_ = own == workload_.init.end() ? tensor.line : 0;
      bind_init(own == workload_.init.end() ? tensor.init : own->second, say("{}: {}", what, "init"),
                *result);
      line_ = 0;
      bound_.inputs.push_back(std::move(*result));
    }
    for (const Tensor& tensor : problem_.outputs) {
      const Sentence what = say("output {}", tensor.name);
      std::optional<BoundTensor> result = bind_shape(tensor, what);
      if (!result) continue;
      const auto source = std::find_if(bound_.inputs.begin(), bound_.inputs.end(),
                                       [&](const BoundTensor& input) { return input.name == tensor.from; });
      if (source != bound_.inputs.end() && source->extents != result->extents)
        error("from", say("{} starts as a copy of {}, which has another shape", what, tensor.from),
              say("give both the same shape"));
      bound_.outputs.push_back(std::move(*result));
    }
  }

  void bind_scalars() {
    for (const Scalar& scalar : problem_.scalars) {
      const auto own = workload_.scalars.find(scalar.name);
      line_ = own == workload_.scalars.end() ? scalar.line : 0;
      const Sentence what = say("scalar {}", scalar.name);
      const std::optional<double> value =
          real(own == workload_.scalars.end() ? scalar.value : own->second, what);
      if (!value) continue;
      const double largest = largest_of(scalar.dtype);
      const double lowest =
          is_floating(scalar.dtype) || is_signed(scalar.dtype) ? -largest - !is_floating(scalar.dtype) : 0;
      const Sentence shown = say("{} does not fit into {}", shortest(*value), ridge::name_of(scalar.dtype));
      if (*value > largest || *value < lowest) {
        error("scalar", say("{}: {}", what, shown), say("take a wider dtype"));
      } else if (!is_floating(scalar.dtype) && *value != std::floor(*value)) {
        error("scalar", say("{}: {}", what, shown), say("write a whole number, or use floor( )"));
      }
      bound_.scalars.push_back({scalar.name, scalar.dtype, *value});
    }
    line_ = 0;
  }

  double fused_bytes() const {
    double total = 0;
    for (const BoundTensor& output : bound_.outputs)
      total += static_cast<double>(output.bytes) * (output.from.empty() ? 1 : 2);
    for (const BoundTensor& input : bound_.inputs) {
      // What an output starts as is read through that output.
      const bool copied = std::any_of(bound_.outputs.begin(), bound_.outputs.end(),
                                      [&](const BoundTensor& output) { return output.from == input.name; });
      if (!copied) total += static_cast<double>(input.bytes);
    }
    return total;
  }

  void bind_model() {
    const auto amount = [&](const std::string& expression, const Sentence& what) {
      const std::optional<double> value = real(expression, what);
      if (value && *value < 0) error("model", say("{} is negative: {}", what, shortest(*value)));
      return value.value_or(0);
    };
    bound_.flops = amount(problem_.flops, "flops");
    bound_.bytes = problem_.bytes == "auto" ? fused_bytes() : amount(problem_.bytes, "bytes");
    if (problem_.verify.reduction.empty()) return;
    bound_.reduction = std::max<Int>(whole(problem_.verify.reduction, "reduction").value_or(1), 1);
  }
};

}  // namespace

Bound bind_sound(const Problem& problem, const Workload& workload, const std::map<std::string, Int>& axes,
                 std::optional<std::uint64_t> seed, const std::set<std::string>& unsound) {
  return Binder(problem, workload, unsound).run(axes, seed);
}

Bound bind(const Problem& problem, const Workload& workload, const std::map<std::string, Int>& axes,
           std::optional<std::uint64_t> seed) {
  return bind_sound(problem, workload, axes, seed, {});
}

Int device_bytes(const BoundProblem& problem) {
  Int total = 0;
  const auto add = [&](const BoundTensor& tensor) {
    if (__builtin_add_overflow(total, tensor.bytes, &total)) total = std::numeric_limits<Int>::max();
  };
  std::for_each(problem.inputs.begin(), problem.inputs.end(), add);
  std::for_each(problem.outputs.begin(), problem.outputs.end(), add);
  return total;
}

}  // namespace ridge::problem
