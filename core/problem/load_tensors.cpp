// SPDX-License-Identifier: GPL-3.0-or-later
// Scalars, inputs and outputs of a problem file.
#include <algorithm>

#include "base/text.h"
#include "problem/expression.h"
#include "problem/loader.h"

namespace ridge::problem {
namespace {

/// The names that other schools give to data types.
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

}  // namespace

std::optional<DType> Loader::read_dtype(TableReader& entry) {
  const auto word = entry.text("dtype");
  if (!word) {
    if (!entry.has("dtype")) entry.missing("dtype", say("write {}", "dtype = \"float32\""));
    return std::nullopt;
  }
  const auto dtype = dtype_named(*word);
  if (!dtype) {
    faults_.unknown(entry.line_of("dtype"), "unknown_dtype",
                    say("{}: there is no dtype {}", entry.where(), *word), *word, dtype_names(),
                    meant_dtype(*word));
  }
  return dtype;
}

void Loader::read_scalar(TableReader& entry) {
  Scalar scalar;
  scalar.name = name_in(entry);
  scalar.line = entry.line();
  bool sound = !scalar.name.empty() && claim(scalar.name, phrase("scalar"), entry.line());
  const auto dtype = read_dtype(entry);
  scalar.dtype = dtype.value_or(DType::float32);
  const auto value = entry.expression("value", dtype == DType::boolean);
  if (!value && !entry.has("value"))
    entry.missing("value", say("write value = 0.125, or an expression in quotes"));
  sound = sound && dtype && value && check_real(*value, entry.where(), entry.line_of("value"));
  scalar.value = value.value_or("0");
  problem_.scalars.push_back(scalar);
  if (sound) sound_.scalars.push_back(scalar);
}

bool Loader::read_shape(TableReader& entry, Tensor& tensor) {
  const toml::array* shape = entry.array("shape", say("write shape = [\"rows\"], or [] for one value"));
  if (!shape) {
    if (!entry.has("shape")) entry.missing("shape", say("write shape = [\"rows\"], or [] for one value"));
    return false;
  }
  bool sound = true;
  for (const toml::node& extent : *shape) {
    const int line = line_of(extent) > 0 ? line_of(extent) : entry.line_of("shape");
    if (const auto* text = extent.as_string()) {
      tensor.shape.push_back(text->get());
      sound = check_whole(text->get(), say("{}: {}", entry.where(), "shape"), line) && sound;
    } else if (const auto* number = extent.as_integer(); number && number->get() >= 0) {
      tensor.shape.push_back(std::to_string(number->get()));
    } else {
      faults_.error(line, "wrong_type",
                    say("{}: shape holds {} where an axis belongs", entry.where(),
                        (number ? say("a negative number") : kind_of(extent))),
                    say("write axes in quotes: shape = [\"rows\", \"cols\"]"));
      sound = false;
    }
  }
  return sound;
}

bool Loader::check_init(const Init& init, const Sentence& what, int line) {
  bool sound = true;
  for (const std::string* text :
       {&init.mean, &init.std, &init.low, &init.high, &init.value, &init.start, &init.step})
    sound = check_real(*text, what, line) && sound;
  if (init.kind == InitKind::file)
    sound = check_file(problem_.folder, init.file, what, line, faults_) && sound;
  return sound;
}

void Loader::read_tensor(TableReader& entry, bool input) {
  Tensor tensor;
  tensor.name = name_in(entry);
  tensor.line = entry.line();
  bool sound =
      !tensor.name.empty() && claim(tensor.name, input ? phrase("input") : phrase("output"), entry.line());
  const auto dtype = read_dtype(entry);
  tensor.dtype = dtype.value_or(DType::float32);
  sound = read_shape(entry, tensor) && dtype && sound;
  tensor.init = default_init(tensor.dtype);
  if (input) {
    if (const toml::table* table = entry.table("init", "init = { kind = \"normal\", mean = 0, std = 1 }")) {
      const int line = entry.line_of("init");
      const Sentence what = say("{}: {}", entry.where(), "init");
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

bool Loader::check_from(TableReader& entry, const Tensor& tensor) {
  std::vector<std::string> inputs;
  for (const Tensor& input : problem_.inputs) {
    inputs.push_back(input.name);
    if (input.name != tensor.from) continue;
    if (input.dtype == tensor.dtype) return true;
    faults_.error(entry.line_of("from"), "from",
                  say("{} is {}, but starts as a copy of {}, which is {}", entry.where(),
                      ridge::name_of(tensor.dtype), tensor.from, ridge::name_of(input.dtype)),
                  say("give both the same dtype"));
    return false;
  }
  faults_.unknown(entry.line_of("from"), "unknown_input",
                  say("{}: there is no input {}", entry.where(), tensor.from), tensor.from, inputs);
  return false;
}

}  // namespace ridge::problem
