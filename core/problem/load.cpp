// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/text.h"
#include "problem/expression_text.h"
#include "problem/loader.h"

namespace ridge::problem {
namespace fs = std::filesystem;
namespace {

bool is_identifier(const std::string& name) {
  return !name.empty() && is_name_start(name[0]) && std::all_of(name.begin(), name.end(), is_name_part);
}

/// The names that other schools give to units.
std::string meant_unit(const std::string& given) {
  static const std::map<std::string, std::string> meant = {
      {"float64", "fp64"},      {"double", "fp64"},  {"float32", "fp32"}, {"float", "fp32"},
      {"tfloat32", "tf32"},     {"float16", "fp16"}, {"half", "fp16"},    {"bfloat16", "bf16"},
      {"float8_e4m3fn", "fp8"}, {"float8", "fp8"}};
  const auto found = meant.find(given);
  return found == meant.end() ? "" : found->second;
}

}  // namespace

bool is_plain_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return is_name_part(c) || c == '-' || c == '.' || c == '+' || static_cast<unsigned char>(c) >= 0x80;
  });
}

namespace {

/// What one of the tables [[inputs]] and so on is called in messages.
struct Entry {
  std::string_view key;
  Phrase<> one;
  Phrase<1> named;
};
constexpr std::array<Entry, 4> kEntries{{{"scalars", phrase("scalar"), phrase<1>("scalar {}")},
                                         {"inputs", phrase("input"), phrase<1>("input {}")},
                                         {"outputs", phrase("output"), phrase<1>("output {}")},
                                         {"workloads", phrase("workload"), phrase<1>("workload {}")}}};

}  // namespace

Loader::Loader(fs::path folder, std::string file, Diagnostics& diagnostics)
    : faults_(file, diagnostics), diagnostics_(diagnostics) {
  problem_.folder = std::move(folder);
  problem_.file = std::move(file);
}

std::optional<Problem> Loader::run(const toml::table& root) {
  TableReader reader(root, say("the file"), 1, faults_);
  read_head(reader);
  if (const toml::table* axes = reader.table("axes", "[axes]")) read_axes(*axes);
  find_circles();
  each(reader, "scalars", [&](TableReader& entry) { read_scalar(entry); });
  each(reader, "inputs", [&](TableReader& entry) { read_tensor(entry, true); });
  each(reader, "outputs", [&](TableReader& entry) { read_tensor(entry, false); });
  if (!reader.has("outputs"))
    reader.missing("[[outputs]]", say("a kernel without an output cannot be judged"));
  read_model(reader);
  read_verify(reader);
  read_reference(reader);
  each(reader, "workloads", [&](TableReader& entry) { read_workload(entry); });
  if (!reader.has("workloads"))
    reader.missing("[[workloads]]", say("write [[workloads]] with name = \"small\" and axes = { rows = 4 }"));
  reader.finish();
  bind_workloads();
  check_recorded();
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  if (has_errors(diagnostics_)) return std::nullopt;
  return problem_;
}

void Loader::each(TableReader& reader, const std::string& key,
                  const std::function<void(TableReader&)>& read) {
  const toml::array* array = reader.array(key, say("write {}", "[[" + key + "]]"));
  if (!array) return;
  const auto kind =
      std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& e) { return e.key == key; });
  for (const toml::node& node : *array) {
    const toml::table* table = node.as_table();
    if (!table) {
      faults_.error(line_of(node), "wrong_type", say("{} holds {} where a table belongs", key, kind_of(node)),
                    say("write [[{}]] above each", key));
      continue;
    }
    TableReader entry(*table, kind->one, line_of(node), faults_);
    if (const auto name = entry.text("name")) {
      entry.rename(Sentence(kind->named, {*name}), entry.line_of("name"));
    } else if (!entry.has("name")) {
      entry.missing("name", say("write {}", "name = \"…\""));
    }
    read(entry);
    entry.finish();
  }
}

std::string Loader::name_in(TableReader& entry) {
  return entry.has("name") && entry.node("name")->is_string() ? entry.node("name")->as_string()->get()
                                                              : std::string();
}

bool Loader::claim(const std::string& name, Phrase<> as, int line) {
  if (!is_identifier(name)) {
    faults_.error(line, "bad_name",
                  say("{} \"{}\": a name is letters, digits and _, not beginning with a digit", as, name),
                  say("kernel parameters are matched by it"));
    return false;
  }
  const auto [entry, fresh] = taken_.emplace(name, as);
  if (!fresh) {
    faults_.error(line, "duplicate_name",
                  say("{} {}: the name is taken by an earlier {}", as, name, entry->second),
                  say("give each axis, tensor and scalar its own name"));
  }
  return fresh;
}

void Loader::read_head(TableReader& reader) {
  const toml::table* table = reader.table("problem", "[problem]");
  if (!table) {
    if (!reader.has("problem")) reader.missing("[problem]", say("begin with [problem] and name = \"…\""));
    return;
  }
  TableReader head(*table, "[problem]", reader.line_of("problem"), faults_);
  if (const auto name = head.text("name")) {
    problem_.name = *name;
    if (!is_plain_name(*name)) {
      faults_.error(head.line_of("name"), "bad_name", say("[problem]: \"{}\" is no name of a folder", *name),
                    say("use letters, digits, _ and -"));
    } else if (const std::string own = fs::path(problem_.folder).filename().string();
               !own.empty() && own != "." && own != *name) {
      faults_.warning(head.line_of("name"), "name_differs",
                      say("the problem is called {}, but its folder {}", *name, own),
                      say("a problem has the name of its folder"));
    }
  } else if (!head.has("name")) {
    head.missing("name", say("write the name of the folder: name = \"softmax\""));
  }
  read_title(head);
  problem_.allow_empty = head.truth("allow_empty").value_or(false);
  head.finish();
}

void Loader::read_title(TableReader& head) {
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

void Loader::read_model(TableReader& reader) {
  const toml::table* table = reader.table("model", "[model]");
  if (!table) return;
  TableReader model(*table, "[model]", reader.line_of("model"), faults_);
  const auto amount = [&](const char* key, std::string& whole, std::string& fit) {
    const auto text = model.expression(key);
    if (!text) return;
    whole = *text;
    if (*text == "auto" ? &whole == &problem_.bytes : check_real(*text, key, model.line_of(key))) fit = *text;
  };
  amount("flops", problem_.flops, sound_.flops);
  amount("bytes", problem_.bytes, sound_.bytes);
  if (const auto word = model.text("unit")) {
    const auto unit = hardware::unit_named(*word);
    if (unit) {
      problem_.unit = *unit;
    } else {
      faults_.unknown(model.line_of("unit"), "unknown_unit", say("[model]: there is no unit {}", *word),
                      *word, hardware::unit_names(), meant_unit(*word));
    }
  }
  model.finish();
}

void Loader::read_verify(TableReader& reader) {
  const toml::table* table = reader.table("verify", "[verify]");
  if (!table) return;
  TableReader verify(*table, "[verify]", reader.line_of("verify"), faults_);
  const auto gate = [&](const char* key, std::optional<double>& rule) {
    rule = verify.number(key);
    if (!rule) return;
    const std::string what = std::string("[verify]: ") + key + " = ";
    if (!std::isfinite(*rule)) {
      faults_.error(verify.line_of(key), "not_finite",
                    std::isnan(*rule) ? say("{} would refuse any answer", what + "nan")
                                      : say("{} would accept any answer", what + "inf"),
                    say("write a finite number, or leave it out"));
    } else if (*rule < 0) {
      faults_.error(verify.line_of(key), "bad_value",
                    say("{} is negative; nothing would pass", what + shortest(*rule)),
                    say("write a number that is not negative"));
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

void Loader::read_reference(TableReader& reader) {
  const toml::table* table = reader.table("reference", "[reference]");
  if (!table) return;
  TableReader entry(*table, "[reference]", reader.line_of("reference"), faults_);
  const auto word = entry.text("kind");
  const auto file = entry.text("file");
  entry.finish();
  if (!word) {
    if (!entry.has("kind")) {
      faults_.error(entry.line(), "missing_key", say("the reference has no kind"),
                    say("write kind = \"cuda\", \"python\" or \"recorded\""));
    }
    return;
  }
  const auto kind = reference_kind_named(*word);
  if (!kind || *kind == ReferenceKind::none) {
    faults_.unknown(entry.line_of("kind"), "unknown_kind", say("[reference]: there is no kind {}", *word),
                    *word, {"cuda", "python", "recorded"});
    return;
  }
  const int line = entry.has("file") ? entry.line_of("file") : entry.line_of("kind");
  problem_.reference.kind = *kind;
  lines_["reference"] = line;
  if (*kind == ReferenceKind::recorded) {
    if (file) {
      faults_.error(line, "unknown_key", say("[reference]: a recorded reference takes no file"),
                    say("its results lie in <workload>/<tensor>.npy"));
    }
    return;
  }
  problem_.reference.file = file.value_or(*kind == ReferenceKind::cuda ? "reference.cu" : "reference.py");
  check_file(problem_.folder, problem_.reference.file, "[reference]", line, faults_);
}

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
                                  text.error().message, say("a problem is a folder with a problem.toml")});
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
