// SPDX-License-Identifier: GPL-3.0-or-later
// problem.toml becomes a Problem. Everything is read before anything is judged, so that all faults come at
// once; what has a fault of its own is left out of later checks, so that one slip is reported once.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/files.h"
#include "base/text.h"
#include "problem/checks.h"
#include "problem/expression.h"
#include "problem/expression_text.h"
#include "problem/problem.h"
#include "problem/toml_reader.h"

namespace ridge::problem {
namespace fs = std::filesystem;
namespace {

bool is_identifier(const std::string& name) {
  return !name.empty() && is_name_start(name[0]) && std::all_of(name.begin(), name.end(), is_name_part);
}

/// Workload names become names of folders (recorded references) and of rows in tables.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return is_name_part(c) || c == '-' || c == '.' || c == '+' || static_cast<unsigned char>(c) >= 0x80;
  });
}

/// The names that other schools give to data types and units.
std::string meant_dtype(const std::string& given) {
  static const std::map<std::string, std::string> meant = {
      {"fp64", "float64"},       {"f64", "float64"},      {"double", "float64"}, {"fp32", "float32"},
      {"f32", "float32"},        {"float", "float32"},    {"single", "float32"}, {"fp16", "float16"},
      {"f16", "float16"},        {"half", "float16"},     {"bf16", "bfloat16"},  {"fp8", "float8_e4m3fn"},
      {"e4m3", "float8_e4m3fn"}, {"e5m2", "float8_e5m2"}, {"int", "int32"},      {"long", "int64"},
      {"char", "int8"},          {"unsigned", "uint32"},  {"boolean", "bool"}};
  const auto found = meant.find(given);
  return found == meant.end() ? "" : found->second;
}
std::string meant_unit(const std::string& given) {
  static const std::map<std::string, std::string> meant = {
      {"float64", "fp64"},      {"double", "fp64"},  {"float32", "fp32"}, {"float", "fp32"},
      {"tfloat32", "tf32"},     {"float16", "fp16"}, {"half", "fp16"},    {"bfloat16", "bf16"},
      {"float8_e4m3fn", "fp8"}, {"float8", "fp8"}};
  const auto found = meant.find(given);
  return found == meant.end() ? "" : found->second;
}

class Loader {
 public:
  Loader(fs::path folder, std::string file, Diagnostics& diagnostics)
      : faults_(file, diagnostics), diagnostics_(diagnostics) {
    problem_.folder = std::move(folder);
    problem_.file = std::move(file);
  }

  std::optional<Problem> run(const toml::table& root) {
    TableReader reader(root, "the file", 1, faults_);
    read_head(reader);
    if (const toml::table* axes = reader.table("axes", "[axes]")) read_axes(*axes);
    find_circles();
    each(reader, "scalars", [&](TableReader& entry) { read_scalar(entry); });
    each(reader, "inputs", [&](TableReader& entry) { read_tensor(entry, true); });
    each(reader, "outputs", [&](TableReader& entry) { read_tensor(entry, false); });
    if (!reader.has("outputs")) reader.missing("[[outputs]]", "a kernel without an output cannot be judged");
    read_model(reader);
    read_verify(reader);
    read_reference(reader);
    each(reader, "workloads", [&](TableReader& entry) { read_workload(entry); });
    if (!reader.has("workloads"))
      reader.missing("[[workloads]]", "write [[workloads]] with name = \"small\" and axes = { rows = 4 }");
    reader.finish();
    bind_workloads();
    check_recorded();
    std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
    if (has_errors(diagnostics_)) return std::nullopt;
    return problem_;
  }

 private:
  Problem problem_;
  Faults faults_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::string> taken_;  ///< name -> "axis", "input"…
  Names axis_names_;                          ///< of all axes; the numbers have no meaning
  std::set<std::string> unsound_axes_;
  std::map<std::string, int> lines_;  ///< of the reference's and the workloads' files
  Problem sound_;                     ///< what is fit to be bound

  /// Calls `read` for each table of an array of tables.
  void each(TableReader& reader, const std::string& key, const std::function<void(TableReader&)>& read) {
    const toml::array* array = reader.array(key, "[[" + key + "]]");
    if (!array) return;
    const std::string one = key.substr(0, key.size() - 1);
    for (const toml::node& node : *array) {
      const toml::table* table = node.as_table();
      if (!table) {
        faults_.error(line_of(node), "wrong_type", key + " holds " + kind_of(node) + " where a table belongs",
                      "write [[" + key + "]] above each");
        continue;
      }
      TableReader entry(*table, one, line_of(node), faults_);
      if (const auto name = entry.text("name")) {
        entry.rename(one + " " + *name, entry.line_of("name"));
      } else if (!entry.has("name")) {
        entry.missing("name", "write name = \"…\"");
      }
      read(entry);
      entry.finish();
    }
  }

  static std::string name_in(TableReader& entry) {
    return entry.has("name") && entry.node("name")->is_string() ? entry.node("name")->as_string()->get()
                                                                : std::string();
  }

  /// Claims a name of an axis, tensor or scalar. False: it is no identifier or already taken.
  bool claim(const std::string& name, const std::string& as, int line) {
    if (!is_identifier(name)) {
      faults_.error(line, "bad_name",
                    as + " \"" + name + "\": a name is letters, digits and _, not beginning with a digit",
                    "kernel parameters are matched by it");
      return false;
    }
    const auto [entry, fresh] = taken_.emplace(name, as);
    if (!fresh) {
      faults_.error(line, "duplicate_name",
                    as + " " + name + ": the name is taken by an earlier " + entry->second,
                    "give each axis, tensor and scalar its own name");
    }
    return fresh;
  }

  void read_head(TableReader& reader) {
    const toml::table* table = reader.table("problem", "[problem]");
    if (!table) {
      if (!reader.has("problem")) reader.missing("[problem]", "begin with [problem] and name = \"…\"");
      return;
    }
    TableReader head(*table, "[problem]", reader.line_of("problem"), faults_);
    if (const auto name = head.text("name")) {
      problem_.name = *name;
      if (!is_plain_name(*name)) {
        faults_.error(head.line_of("name"), "bad_name", "[problem]: \"" + *name + "\" is no name of a folder",
                      "use letters, digits, _ and -");
      } else if (const std::string own = fs::path(problem_.folder).filename().string();
                 !own.empty() && own != "." && own != *name) {
        faults_.warning(head.line_of("name"), "name_differs",
                        "the problem is called " + *name + ", but its folder " + own,
                        "a problem has the name of its folder");
      }
    } else if (!head.has("name")) {
      head.missing("name", "write the name of the folder: name = \"softmax\"");
    }
    read_title(head);
    problem_.allow_empty = head.truth("allow_empty").value_or(false);
    head.finish();
  }

  void read_title(TableReader& head) {
    const toml::node* node = head.node("title");
    if (!node) return;
    if (const auto* text = node->as_string()) {
      problem_.title.en = text->get();
      return;
    }
    const toml::table* table = head.table("title", "title = { en = \"Row softmax\" }");
    if (!table) return;
    TableReader title(*table, "title", head.line_of("title"), faults_);
    problem_.title.en = title.text("en").value_or("");
    problem_.title.zh_CN = title.text("zh_CN").value_or("");
    title.finish();
  }

  void read_axes(const toml::table& table) {
    TableReader axes(table, "[axes]", line_of(table), faults_);
    for (const std::string& name : keys_in_order(table)) {
      const int line = axes.line_of(name);
      axis_names_[name] = 1;
      const bool named = claim(name, "axis", line);
      const toml::table* entry = axes.table(name, name + " = { kind = \"const\", value = 128 }");
      if (entry) {
        TableReader reader(*entry, "axis " + name, line, faults_);
        if (read_axis(reader, name) && named) continue;
      }
      unsound_axes_.insert(name);
    }
    // Only now are all names known.
    for (const Axis& axis : problem_.axes) {
      if (axis.kind == AxisKind::expression && !check_whole(axis.expression, "axis " + axis.name, axis.line))
        unsound_axes_.insert(axis.name);
    }
  }

  bool read_axis(TableReader& reader, const std::string& name) {
    static const std::vector<std::string> kinds = {"const", "var", "expr"};
    Axis axis;
    axis.name = name;
    axis.line = reader.line();
    const auto kind = reader.text("kind");
    bool sound = kind.has_value();
    if (!kind && !reader.has("kind")) reader.missing("kind", "write kind = \"var\", \"const\" or \"expr\"");
    if (kind && std::find(kinds.begin(), kinds.end(), *kind) == kinds.end()) {
      faults_.unknown(reader.line(), "unknown_kind", "axis " + name + ": there is no kind " + *kind, *kind,
                      kinds);
      sound = false;
    }
    if (kind == "const") {
      axis.kind = AxisKind::constant;
      const auto value = reader.whole("value");
      if (!value && !reader.has("value")) reader.missing("value", "write value = 64");
      const std::int64_t least = problem_.allow_empty ? 0 : 1;
      if (value && *value < least) {
        faults_.error(reader.line_of("value"), "extent",
                      "axis " + name + " = " + std::to_string(*value) + ", but an axis is at least " +
                          std::to_string(least),
                      least ? "or set [problem] allow_empty" : "");
      }
      sound = sound && value && *value >= least;
      axis.value = value.value_or(1);
    } else if (kind == "expr") {
      axis.kind = AxisKind::expression;
      const auto expression = reader.text("expression");
      if (!expression && !reader.has("expression"))
        reader.missing("expression", "write expression = \"ceil_div(cols, 64)\"");
      sound = sound && expression;
      axis.expression = expression.value_or("1");
    }
    if (sound || !kind) reader.finish();
    problem_.axes.push_back(axis);
    return sound;
  }

  /// Whether all names of an expression are axes. An axis with a fault of its own counts as known.
  bool check_names(const Result<std::vector<std::string>>& names, const std::string& expression,
                   const std::string& what, int line) {
    if (!names) {
      faults_.error(line, names.error().code, what + ": " + names.error().message, names.error().hint);
      return false;
    }
    bool sound = true;
    for (const std::string& name : *names) {
      if (axis_names_.contains(name)) continue;
      faults_.error(line, "unknown_axis", what + ": \"" + expression + "\": there is no axis " + name,
                    unknown_name_hint(name, axis_names_));
      sound = false;
    }
    return sound;
  }
  bool check_whole(const std::string& expression, const std::string& what, int line) {
    return check_names(names_in_whole(expression), expression, what, line);
  }
  bool check_real(const std::string& expression, const std::string& what, int line) {
    return check_names(names_in_real(expression), expression, what, line);
  }

  /// Reports each circle of axes once, at its first member in the file.
  void find_circles() {
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

  /// Depth first without recursion on `needs`: paths are as long as there are axes.
  void follow(const std::string& start, const std::map<std::string, std::vector<std::string>>& needs,
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

  void report_circle(const std::vector<std::string>& circle) {
    std::string chain;
    for (std::size_t i = 0; i < circle.size(); ++i) {
      chain += (i ? ", " : "") + circle[i] + " needs " + circle[(i + 1) % circle.size()];
      unsound_axes_.insert(circle[i]);
    }
    faults_.error(problem_.axis(circle.front())->line, "cycle", "axes need each other: " + chain,
                  "make one of them var or const");
  }

  std::optional<DType> read_dtype(TableReader& entry) {
    const auto word = entry.text("dtype");
    if (!word) {
      if (!entry.has("dtype")) entry.missing("dtype", "write dtype = \"float32\"");
      return std::nullopt;
    }
    const auto dtype = dtype_named(*word);
    if (!dtype) {
      faults_.unknown(entry.line_of("dtype"), "unknown_dtype", entry.where() + ": there is no dtype " + *word,
                      *word, dtype_names(), meant_dtype(*word));
    }
    return dtype;
  }

  void read_scalar(TableReader& entry) {
    Scalar scalar;
    scalar.name = name_in(entry);
    scalar.line = entry.line();
    bool sound = !scalar.name.empty() && claim(scalar.name, "scalar", entry.line());
    const auto dtype = read_dtype(entry);
    scalar.dtype = dtype.value_or(DType::float32);
    const auto value = entry.expression("value", dtype == DType::boolean);
    if (!value && !entry.has("value"))
      entry.missing("value", "write value = 0.125, or an expression in quotes");
    sound = sound && dtype && value && check_real(*value, entry.where(), entry.line_of("value"));
    scalar.value = value.value_or("0");
    problem_.scalars.push_back(scalar);
    if (sound) sound_.scalars.push_back(scalar);
  }

  bool read_shape(TableReader& entry, Tensor& tensor) {
    const toml::array* shape = entry.array("shape", "shape = [\"rows\"], or [] for one value");
    if (!shape) {
      if (!entry.has("shape")) entry.missing("shape", "write shape = [\"rows\"], or [] for one value");
      return false;
    }
    bool sound = true;
    for (const toml::node& extent : *shape) {
      const int line = line_of(extent) > 0 ? line_of(extent) : entry.line_of("shape");
      if (const auto* text = extent.as_string()) {
        tensor.shape.push_back(text->get());
        sound = check_whole(text->get(), entry.where() + ": shape", line) && sound;
      } else if (const auto* number = extent.as_integer(); number && number->get() >= 0) {
        tensor.shape.push_back(std::to_string(number->get()));
      } else {
        faults_.error(line, "wrong_type",
                      entry.where() + ": shape holds " + (number ? "a negative number" : kind_of(extent)) +
                          " where an axis belongs",
                      "write axes in quotes: shape = [\"rows\", \"cols\"]");
        sound = false;
      }
    }
    return sound;
  }

  /// The expressions of an init name axes only, and its file is there.
  bool check_init(const Init& init, const std::string& what, int line) {
    bool sound = true;
    for (const std::string* text :
         {&init.mean, &init.std, &init.low, &init.high, &init.value, &init.start, &init.step})
      sound = check_real(*text, what, line) && sound;
    if (init.kind == InitKind::file)
      sound = check_file(problem_.folder, init.file, what, line, faults_) && sound;
    return sound;
  }

  void read_tensor(TableReader& entry, bool input) {
    Tensor tensor;
    tensor.name = name_in(entry);
    tensor.line = entry.line();
    bool sound = !tensor.name.empty() && claim(tensor.name, input ? "input" : "output", entry.line());
    const auto dtype = read_dtype(entry);
    tensor.dtype = dtype.value_or(DType::float32);
    sound = read_shape(entry, tensor) && dtype && sound;
    tensor.init = default_init(tensor.dtype);
    if (input) {
      if (const toml::table* table = entry.table("init", "init = { kind = \"normal\", mean = 0, std = 1 }")) {
        const int line = entry.line_of("init");
        const std::string what = entry.where() + ": init";
        const auto init = read_init(TableReader(*table, what, line, faults_), tensor.dtype, faults_);
        sound = init && check_init(*init, what, line) && sound;
        if (init) tensor.init = *init;
      }
    } else if (const auto from = entry.text("from")) {
      tensor.from = *from;
      sound = check_from(entry, tensor) && sound;
    }
    (input ? problem_.inputs : problem_.outputs).push_back(tensor);
    if (sound) (input ? sound_.inputs : sound_.outputs).push_back(tensor);
  }

  bool check_from(TableReader& entry, const Tensor& tensor) {
    std::vector<std::string> inputs;
    for (const Tensor& input : problem_.inputs) {
      inputs.push_back(input.name);
      if (input.name != tensor.from) continue;
      if (input.dtype == tensor.dtype) return true;
      faults_.error(entry.line_of("from"), "from",
                    entry.where() + " is " + std::string(ridge::name_of(tensor.dtype)) +
                        ", but starts as a copy of " + tensor.from + ", which is " +
                        std::string(ridge::name_of(input.dtype)),
                    "give both the same dtype");
      return false;
    }
    faults_.unknown(entry.line_of("from"), "unknown_input",
                    entry.where() + ": there is no input " + tensor.from, tensor.from, inputs);
    return false;
  }

  void read_model(TableReader& reader) {
    const toml::table* table = reader.table("model", "[model]");
    if (!table) return;
    TableReader model(*table, "[model]", reader.line_of("model"), faults_);
    const auto amount = [&](const char* key, std::string& whole, std::string& fit) {
      const auto text = model.expression(key);
      if (!text) return;
      whole = *text;
      if (*text == "auto" ? &whole == &problem_.bytes : check_real(*text, key, model.line_of(key)))
        fit = *text;
    };
    amount("flops", problem_.flops, sound_.flops);
    amount("bytes", problem_.bytes, sound_.bytes);
    if (const auto word = model.text("unit")) {
      const auto unit = hardware::unit_named(*word);
      if (unit) {
        problem_.unit = *unit;
      } else {
        faults_.unknown(model.line_of("unit"), "unknown_unit", "[model]: there is no unit " + *word, *word,
                        hardware::unit_names(), meant_unit(*word));
      }
    }
    model.finish();
  }

  void read_verify(TableReader& reader) {
    const toml::table* table = reader.table("verify", "[verify]");
    if (!table) return;
    TableReader verify(*table, "[verify]", reader.line_of("verify"), faults_);
    const auto gate = [&](const char* key, std::optional<double>& rule) {
      rule = verify.number(key);
      if (!rule) return;
      const std::string what = std::string("[verify]: ") + key + " = ";
      if (!std::isfinite(*rule)) {
        faults_.error(
            verify.line_of(key), "not_finite",
            what + (std::isnan(*rule) ? "nan would refuse any answer" : "inf would accept any answer"),
            "write a finite number, or leave it out");
      } else if (*rule < 0) {
        faults_.error(verify.line_of(key), "bad_value",
                      what + shortest(*rule) + " is negative; nothing would pass",
                      "write a number that is not negative");
      }
    };
    gate("mse", problem_.verify.mse);
    gate("rtol", problem_.verify.rtol);
    gate("atol", problem_.verify.atol);
    if (const auto text = verify.expression("reduction")) {
      problem_.verify.reduction = *text;
      if (check_whole(*text, "reduction", verify.line_of("reduction"))) sound_.verify.reduction = *text;
    }
    verify.finish();
  }

  void read_reference(TableReader& reader) {
    const toml::table* table = reader.table("reference", "[reference]");
    if (!table) return;
    TableReader entry(*table, "[reference]", reader.line_of("reference"), faults_);
    const auto word = entry.text("kind");
    const auto file = entry.text("file");
    entry.finish();
    if (!word) {
      if (!entry.has("kind")) {
        faults_.error(entry.line(), "missing_key", "the reference has no kind",
                      "write kind = \"cuda\", \"python\" or \"recorded\"");
      }
      return;
    }
    const auto kind = reference_kind_named(*word);
    if (!kind || *kind == ReferenceKind::none) {
      faults_.unknown(entry.line_of("kind"), "unknown_kind", "[reference]: there is no kind " + *word, *word,
                      {"cuda", "python", "recorded"});
      return;
    }
    const int line = entry.has("file") ? entry.line_of("file") : entry.line_of("kind");
    problem_.reference.kind = *kind;
    lines_["reference"] = line;
    if (*kind == ReferenceKind::recorded) {
      if (file) {
        faults_.error(line, "unknown_key", "[reference]: a recorded reference takes no file",
                      "its results lie in <workload>/<tensor>.npy");
      }
      return;
    }
    problem_.reference.file = file.value_or(*kind == ReferenceKind::cuda ? "reference.cu" : "reference.py");
    check_file(problem_.folder, problem_.reference.file, "[reference]", line, faults_);
  }

  void read_workload(TableReader& entry) {
    Workload workload;
    workload.name = name_in(entry);
    workload.line = entry.has("axes") ? entry.line_of("axes") : entry.line();
    bool sound = check_workload_name(workload.name, entry.line());
    if (const toml::table* axes = entry.table("axes", "axes = { rows = 4, cols = 32 }")) {
      TableReader reader(*axes, entry.where() + ": axes", workload.line, faults_);
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
        faults_.error(entry.line_of("seed"), "bad_value", entry.where() + ": seed is negative",
                      "write seed = 1");
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

  bool check_workload_name(const std::string& name, int line) {
    if (name.empty()) return false;
    if (!is_plain_name(name)) {
      faults_.error(line, "bad_name", "workload \"" + name + "\": a name is letters, digits, _ and -",
                    "it is a folder's name too");
      return false;
    }
    if (!problem_.workload(name)) return true;
    faults_.error(line, "duplicate_name", "workload " + name + " exists already",
                  "give each workload its own name");
    return false;
  }

  bool read_workload_inits(const toml::table& inits, TableReader& entry, Workload& workload) {
    TableReader reader(inits, entry.where() + ": init", entry.line_of("init"), faults_);
    bool sound = true;
    std::vector<std::string> known;
    for (const Tensor& input : problem_.inputs) known.push_back(input.name);
    for (const std::string& name : keys_in_order(inits)) {
      const int line = reader.line_of(name);
      const auto input = std::find_if(problem_.inputs.begin(), problem_.inputs.end(),
                                      [&](const Tensor& tensor) { return tensor.name == name; });
      if (input == problem_.inputs.end()) {
        faults_.unknown(line, "unknown_input", reader.where() + ": there is no input " + name, name, known);
        sound = false;
        continue;
      }
      const toml::table* table = reader.table(name, name + " = { kind = \"uniform\", low = -1, high = 1 }");
      const std::string what = reader.where() + " of " + name;
      const auto init =
          table ? read_init(TableReader(*table, what, line, faults_), input->dtype, faults_) : std::nullopt;
      sound = init && check_init(*init, what, line) && sound;
      if (init) workload.init[name] = *init;
    }
    return sound;
  }

  bool read_workload_scalars(const toml::table& scalars, TableReader& entry, Workload& workload) {
    TableReader reader(scalars, entry.where() + ": scalars", entry.line_of("scalars"), faults_);
    bool sound = true;
    std::vector<std::string> known;
    for (const Scalar& scalar : problem_.scalars) known.push_back(scalar.name);
    for (const std::string& name : keys_in_order(scalars)) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        faults_.unknown(reader.line_of(name), "unknown_scalar",
                        reader.where() + ": there is no scalar " + name, name, known);
        sound = false;
        continue;
      }
      const auto value = reader.expression(name);
      sound = value && check_real(*value, reader.where() + " of " + name, reader.line_of(name)) && sound;
      if (value) workload.scalars[name] = *value;
    }
    return sound;
  }

  void bind_workloads() {
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

  void check_recorded() {
    if (problem_.reference.kind != ReferenceKind::recorded) return;
    for (const Workload& workload : sound_.workloads)
      for (const Tensor& output : sound_.outputs)
        check_file(problem_.folder, workload.name + "/" + output.name + ".npy", "[reference]",
                   lines_["reference"], faults_);
  }
};

}  // namespace

const std::string& Text::in(const std::string& locale) const {
  return locale.starts_with("zh") && !zh_CN.empty() ? zh_CN : en;
}

const Workload* Problem::workload(const std::string& wanted) const {
  const auto found =
      std::find_if(workloads.begin(), workloads.end(), [&](const auto& w) { return w.name == wanted; });
  return found == workloads.end() ? nullptr : &*found;
}

const Axis* Problem::axis(const std::string& wanted) const {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const auto& a) { return a.name == wanted; });
  return found == axes.end() ? nullptr : &*found;
}

LoadedProblem parse_problem(const std::string& text, const fs::path& folder, const std::string& file) {
  LoadedProblem loaded;
  const std::optional<toml::table> root = parse_toml(text, file, loaded.diagnostics);
  if (!root) return loaded;
  loaded.problem = Loader(folder, file, loaded.diagnostics).run(*root);
  return loaded;
}

LoadedProblem load_problem(const fs::path& folder) {
  std::error_code error;
  const bool is_file = fs::is_regular_file(folder, error);
  const fs::path path = is_file ? folder : folder / "problem.toml";
  Result<std::string> text = read_file(path);
  if (!text) {
    LoadedProblem loaded;
    loaded.diagnostics.push_back({Severity::error, path.string(), 0, 0, text.error().code,
                                  text.error().message, "a problem is a folder with a problem.toml"});
    return loaded;
  }
  fs::path home = path.parent_path();
  return parse_problem(*text, home.empty() ? fs::path(".") : home, path.string());
}

std::vector<fs::path> find_problems(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->path().filename() == "problem.toml") found.push_back(entries->path().parent_path());
    if (entries.depth() >= 8) entries.disable_recursion_pending();
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace ridge::problem
