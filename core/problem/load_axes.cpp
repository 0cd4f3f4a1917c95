// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of a problem file, and whether they need each other.
#include <algorithm>

#include "base/text.h"
#include "problem/expression.h"
#include "problem/expression_text.h"
#include "problem/loader.h"

namespace ridge::problem {

void Loader::read_axes(const toml::table& table) {
  TableReader axes(table, "[axes]", line_of(table), faults_);
  for (const std::string& name : keys_in_order(table)) {
    const int line = axes.line_of(name);
    axis_names_[name] = 1;
    const bool named = claim(name, phrase("axis"), line);
    const toml::table* entry = axes.table(name, name + " = { kind = \"const\", value = 128 }");
    if (entry) {
      TableReader reader(*entry, say("axis {}", name), line, faults_);
      if (read_axis(reader, name) && named) continue;
    }
    unsound_axes_.insert(name);
  }
  // Only now are all names known.
  for (const Axis& axis : problem_.axes) {
    if (axis.kind == AxisKind::expression &&
        !check_whole(axis.expression, say("axis {}", axis.name), axis.line))
      unsound_axes_.insert(axis.name);
  }
}

bool Loader::read_axis(TableReader& reader, const std::string& name) {
  static const std::vector<std::string> kinds = {"const", "var", "expr"};
  Axis axis;
  axis.name = name;
  axis.line = reader.line();
  const auto kind = reader.text("kind");
  bool sound = kind.has_value();
  if (!kind && !reader.has("kind"))
    reader.missing("kind", say("write kind = \"var\", \"const\" or \"expr\""));
  if (kind && std::find(kinds.begin(), kinds.end(), *kind) == kinds.end()) {
    faults_.unknown(reader.line(), "unknown_kind", say("axis {}: there is no kind {}", name, *kind), *kind,
                    kinds);
    sound = false;
  }
  if (kind == "const") {
    axis.kind = AxisKind::constant;
    const auto value = reader.whole("value");
    if (!value && !reader.has("value")) reader.missing("value", say("write {}", "value = 64"));
    const std::int64_t least = problem_.allow_empty ? 0 : 1;
    if (value && *value < least) {
      faults_.error(reader.line_of("value"), "extent",
                    say("axis {} = {}, but an axis is at least {}", name, *value, least),
                    least ? say("or set [problem] allow_empty") : Sentence());
    }
    sound = sound && value && *value >= least;
    axis.value = value.value_or(1);
  } else if (kind == "expr") {
    axis.kind = AxisKind::expression;
    const auto expression = reader.text("expression");
    if (!expression && !reader.has("expression"))
      reader.missing("expression", say("write {}", "expression = \"ceil_div(cols, 64)\""));
    sound = sound && expression;
    axis.expression = expression.value_or("1");
  }
  if (sound || !kind) reader.finish();
  problem_.axes.push_back(axis);
  return sound;
}

bool Loader::check_names(const Result<std::vector<std::string>>& names, const std::string& expression,
                         const Sentence& what, int line) {
  if (!names) {
    faults_.error(line, names.error().code, say("{}: {}", what, names.error().message), names.error().hint);
    return false;
  }
  bool sound = true;
  for (const std::string& name : *names) {
    if (axis_names_.contains(name)) continue;
    faults_.error(line, "unknown_axis", say("{}: \"{}\": there is no axis {}", what, expression, name),
                  unknown_name_hint(name, axis_names_));
    sound = false;
  }
  return sound;
}

bool Loader::check_whole(const std::string& expression, const Sentence& what, int line) {
  return check_names(names_in_whole(expression), expression, what, line);
}

bool Loader::check_real(const std::string& expression, const Sentence& what, int line) {
  return check_names(names_in_real(expression), expression, what, line);
}

void Loader::find_circles() {
  std::map<std::string, std::vector<std::string>> needs;
  for (const Axis& axis : problem_.axes) {
    if (axis.kind != AxisKind::expression || unsound_axes_.contains(axis.name)) continue;
    const auto names = names_in_whole(axis.expression);
    if (names) needs[axis.name] = *names;
  }
  std::set<std::string> done;
  for (const Axis& axis : problem_.axes) {
    std::vector<std::string> path;
    follow(axis.name, needs, path, done);
  }
}

void Loader::follow(const std::string& start, const std::map<std::string, std::vector<std::string>>& needs,
                    std::vector<std::string>& path, std::set<std::string>& done) {
  struct Step {
    std::string name;
    std::size_t next = 0;
  };
  std::vector<Step> steps;
  const auto enter = [&](const std::string& name) {
    if (done.contains(name) || !needs.contains(name)) return;
    const auto again = std::find(path.begin(), path.end(), name);
    if (again == path.end()) {
      path.push_back(name);
      steps.push_back({name, 0});
      return;
    }
    report_circle({again, path.end()});
  };
  enter(start);
  while (!steps.empty()) {
    Step& step = steps.back();
    const std::vector<std::string>& wanted = needs.at(step.name);
    if (step.next < wanted.size()) {
      const std::string name = wanted[step.next++];
      enter(name);
      continue;
    }
    done.insert(step.name);
    path.pop_back();
    steps.pop_back();
  }
}

void Loader::report_circle(const std::vector<std::string>& circle) {
  std::vector<Sentence> chain;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    chain.push_back(say("{} needs {}", circle[i], circle[(i + 1) % circle.size()]));
    unsound_axes_.insert(circle[i]);
  }
  faults_.error(problem_.axis(circle.front())->line, "cycle", say("axes need each other: {}", listed(chain)),
                say("make one of them var or const"));
}

}  // namespace ridge::problem
