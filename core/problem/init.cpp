// SPDX-License-Identifier: GPL-3.0-or-later
// The `init` table of inputs and workloads, and the words of the file's enums.
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include "problem/checks.h"
#include "problem/expression.h"

namespace ridge::problem {
namespace fs = std::filesystem;
namespace {

constexpr std::pair<InitKind, std::string_view> kInitKinds[] = {
    {InitKind::normal, "normal"},   {InitKind::uniform, "uniform"}, {InitKind::constant, "constant"},
    {InitKind::randint, "randint"}, {InitKind::arange, "arange"},   {InitKind::file, "file"}};
constexpr std::pair<ReferenceKind, std::string_view> kReferenceKinds[] = {
    {ReferenceKind::none, "none"},
    {ReferenceKind::cuda, "cuda"},
    {ReferenceKind::python, "python"},
    {ReferenceKind::recorded, "recorded"}};

/// The expressions that each kind takes, and the member each fills.
struct Number {
  const char* key;
  std::string Init::*member;
};
std::vector<Number> numbers_of(InitKind kind) {
  switch (kind) {
    case InitKind::normal:
      return {{"mean", &Init::mean}, {"std", &Init::std}};
    case InitKind::uniform:
    case InitKind::randint:
      return {{"low", &Init::low}, {"high", &Init::high}};
    case InitKind::constant:
      return {{"value", &Init::value}};
    case InitKind::arange:
      return {{"start", &Init::start}, {"step", &Init::step}};
    case InitKind::file:
      return {};
  }
  return {};
}

void read_sprinkle(TableReader& outer, DType dtype, Init& init, Faults& faults) {
  const toml::table* table = outer.table("sprinkle", "sprinkle = { value = nan, every = 97, offset = 5 }");
  if (!table) return;
  const int line = outer.line_of("sprinkle");
  TableReader reader(*table, say("{}: {}", outer.where(), "sprinkle"), line, faults);
  Init::Sprinkle sprinkle;
  if (const auto value = reader.number("value")) {
    sprinkle.value = *value;
  } else if (!reader.has("value")) {
    reader.missing("value", say("write value = nan, or a number"));
  }
  sprinkle.every = reader.whole("every").value_or(1);
  sprinkle.offset = reader.whole("offset").value_or(0);
  reader.finish();
  if (sprinkle.every < 1 || sprinkle.offset < 0 || sprinkle.offset >= sprinkle.every) {
    faults.error(line, "bad_value",
                 say("{}: {} must hold, not every = {} and offset = {}", reader.where(),
                     "0 <= offset < every", sprinkle.every, sprinkle.offset),
                 say("every = {}, offset = {} would do", std::max<std::int64_t>(sprinkle.every, 1), 0));
  } else if (!is_floating(dtype) && !std::isfinite(sprinkle.value)) {
    faults.error(line, "bad_value",
                 say("{}: {} has no {}", reader.where(), ridge::name_of(dtype),
                     std::string(std::isnan(sprinkle.value) ? "nan" : "inf")),
                 say("write a whole number"));
  } else {
    init.sprinkle = sprinkle;
  }
}

}  // namespace

std::string_view name_of(InitKind kind) {
  for (const auto& [value, name] : kInitKinds)
    if (value == kind) return name;
  return "normal";
}

std::optional<InitKind> init_kind_named(std::string_view wanted) {
  for (const auto& [value, name] : kInitKinds)
    if (name == wanted) return value;
  return std::nullopt;
}

std::string_view name_of(ReferenceKind kind) {
  for (const auto& [value, name] : kReferenceKinds)
    if (value == kind) return name;
  return "none";
}

std::optional<ReferenceKind> reference_kind_named(std::string_view wanted) {
  for (const auto& [value, name] : kReferenceKinds)
    if (name == wanted) return value;
  return std::nullopt;
}

Init default_init(DType dtype) {
  Init init;
  if (is_floating(dtype)) return init;
  init.kind = InitKind::randint;
  init.high = dtype == DType::boolean ? "2" : "10";
  return init;
}

std::optional<Init> read_init(TableReader reader, DType dtype, Faults& faults) {
  Init init;
  const auto word = reader.text("kind");
  if (!word) {
    if (!reader.has("kind"))
      reader.missing("kind", say("write kind = \"normal\", uniform, constant, randint, arange or file"));
    return std::nullopt;
  }
  const auto kind = init_kind_named(*word);
  if (!kind) {
    std::vector<std::string> known;
    for (const auto& entry : kInitKinds) known.emplace_back(entry.second);
    faults.unknown(reader.line_of("kind"), "unknown_kind",
                   say("{}: there is no kind {}", reader.where(), *word), *word, known);
    return std::nullopt;
  }
  init.kind = *kind;
  if (dtype == DType::boolean) init.high = "2";
  bool sound = true;
  for (const Number& number : numbers_of(*kind)) {
    if (!reader.has(number.key)) {
      reader.node(number.key);
      continue;
    }
    const auto text = reader.expression(number.key);
    sound = sound && text.has_value();
    if (text) init.*number.member = *text;
  }
  if (*kind == InitKind::constant && !reader.has("value"))
    reader.missing("value", say("write {}", "value = 1"));
  if (*kind == InitKind::file) {
    if (const auto file = reader.text("file")) {
      init.file = *file;
    } else {
      if (!reader.has("file")) reader.missing("file", say("write {}", "file = \"x.npy\""));
      sound = false;
    }
  }
  read_sprinkle(reader, dtype, init, faults);
  reader.finish();
  return sound ? std::optional<Init>(init) : std::nullopt;
}

bool check_file(const fs::path& folder, const std::string& file, const Sentence& what, int line,
                Faults& faults) {
  const fs::path path(file);
  bool inside = !path.is_absolute() && !file.empty() && file.find('\0') == std::string::npos;
  for (const fs::path& part : path) inside = inside && part != "..";
  std::error_code error;
  if (inside && !folder.empty()) {
    // A link may lead out although the words do not.
    const fs::path root = fs::weakly_canonical(folder, error);
    const fs::path real = fs::weakly_canonical(folder / path, error);
    const auto [end, ignored] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
    inside = !error && end == root.end();
  }
  if (!inside) {
    faults.error(line, "path_escapes", say("{} \"{}\" does not lie in the folder of its problem", what, file),
                 say("copy the file into the folder and write its name"));
    return false;
  }
  if (!folder.empty() && !fs::is_regular_file(folder / path, error)) {
    faults.error(line, "missing_file",
                 say("{}: the file {} is not in the folder {}", what, file, folder.string()),
                 say("write it, or correct the name"));
    return false;
  }
  return true;
}

}  // namespace ridge::problem
