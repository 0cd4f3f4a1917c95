// SPDX-License-Identifier: GPL-3.0-or-later
// Compile requests and compiled kernels as JSON: the worker's messages and the cache's entries.
#include "compile/compile.h"

namespace ridge::compile {

namespace {

bool valid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return static_cast<unsigned char>(at < text.size() ? text[at] : 0);
    };
    const unsigned char first = byte(i);
    const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first >= 0x80 && (first < 0xc2 || first > 0xf4)) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xc0) != 0x80) return false;
    if ((first == 0xe0 && byte(i + 1) < 0xa0) || (first == 0xed && byte(i + 1) > 0x9f) ||
        (first == 0xf0 && byte(i + 1) < 0x90) || (first == 0xf4 && byte(i + 1) > 0x8f))
      return false;
    i += length;
  }
  return true;
}

/// Sources may hold bytes that are no UTF-8 (comments in another encoding); JSON may not.
Json text_to_json(const std::string& text) {
  if (valid_utf8(text)) return text;
  return {{"base64", encode_base64(text)}};
}

std::string text_from_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return decode_base64(read_string(json, "base64")).value_or(std::string());
}

Json texts_to_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(text_to_json(text));
  return json;
}

std::vector<std::string> texts_from_json(const Json& json) {
  std::vector<std::string> texts;
  if (json.is_array())
    for (const Json& item : json) texts.push_back(text_from_json(item));
  return texts;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Json pairs_to_json(const Pairs& pairs) {
  Json json = Json::array();
  for (const auto& [first, second] : pairs) json.push_back(texts_to_json({first, second}));
  return json;
}

Pairs pairs_from_json(const Json& json) {
  Pairs pairs;
  if (!json.is_array()) return pairs;
  for (const Json& item : json) {
    std::vector<std::string> texts = texts_from_json(item);
    if (texts.size() == 2) pairs.emplace_back(std::move(texts[0]), std::move(texts[1]));
  }
  return pairs;
}

int read_int(const Json& json, std::string_view key) {
  return static_cast<int>(read_integer(json, key, 0));
}

Json signature_to_json(const source::Signature& signature) {
  Json parameters = Json::array();
  for (const source::Parameter& parameter : signature.parameters)
    parameters.push_back({{"type", parameter.type},
                          {"name", parameter.name},
                          {"pointer", parameter.pointer},
                          {"constant", parameter.constant}});
  return {{"name", signature.name},
          {"line", signature.line > 0 ? Json(signature.line) : Json()},
          {"parameters", parameters},
          {"template", signature.template_parameters},
          {"extern_c", signature.extern_c}};
}

source::Signature signature_from_json(const Json& json) {
  source::Signature signature;
  signature.name = read_string(json, "name");
  signature.line = read_int(json, "line");
  for (const Json& item : member(json, "parameters"))
    signature.parameters.push_back({read_string(item, "type"), read_string(item, "name"),
                                    read_bool(item, "pointer", false), read_bool(item, "constant", false)});
  signature.template_parameters = texts_from_json(member(json, "template"));
  signature.extern_c = read_bool(json, "extern_c", false);
  return signature;
}

Error malformed(Phrase<> what) {
  return {ErrorKind::protocol, "malformed", say("This is no {}: the JSON lacks what it must have", what)};
}

Json entry_to_json(const Entry& entry) {
  Json parameters = Json::array();
  for (const Parameter& parameter : entry.parameters)
    parameters.push_back({{"offset", parameter.offset}, {"bytes", parameter.bytes}});
  return {{"name", entry.name},
          {"symbol", entry.symbol},
          {"line", entry.line > 0 ? Json(entry.line) : Json()},
          {"parameters", parameters},
          {"resources", entry.resources ? to_json(*entry.resources) : Json()}};
}

Entry entry_from_json(const Json& json) {
  Entry entry;
  entry.name = read_string(json, "name");
  entry.symbol = read_string(json, "symbol");
  entry.line = read_int(json, "line");
  for (const Json& item : member(json, "parameters"))
    entry.parameters.push_back({static_cast<std::uint32_t>(read_unsigned(item, "offset", 0)),
                                static_cast<std::uint32_t>(read_unsigned(item, "bytes", 0))});
  if (const Json& resources = member(json, "resources"); resources.is_object())
    entry.resources = resources_from_json(resources);
  return entry;
}

}  // namespace

Json to_json(const Resources& resources) {
  return {{"registers", resources.registers},
          {"shared_bytes", resources.shared_bytes},
          {"stack_bytes", resources.stack_bytes},
          {"spill_store_bytes", resources.spill_store_bytes},
          {"spill_load_bytes", resources.spill_load_bytes},
          {"constant_bytes", resources.constant_bytes},
          {"barriers", resources.barriers},
          {"max_threads", resources.max_threads > 0 ? Json(resources.max_threads) : Json()}};
}

Resources resources_from_json(const Json& json) {
  Resources resources;
  resources.registers = read_int(json, "registers");
  resources.shared_bytes = read_integer(json, "shared_bytes", 0);
  resources.stack_bytes = read_integer(json, "stack_bytes", 0);
  resources.spill_store_bytes = read_integer(json, "spill_store_bytes", 0);
  resources.spill_load_bytes = read_integer(json, "spill_load_bytes", 0);
  resources.constant_bytes = read_integer(json, "constant_bytes", 0);
  resources.barriers = read_int(json, "barriers");
  resources.max_threads = read_int(json, "max_threads");
  return resources;
}

Json to_json(const Entry& entry) {
  return entry_to_json(entry);
}

Json to_json(const CompiledKernel& kernel) {
  Json entries = Json::array(), globals = Json::array();
  for (const Entry& entry : kernel.entries) entries.push_back(entry_to_json(entry));
  for (const GlobalSymbol& global : kernel.globals)
    globals.push_back({{"name", global.name},
                       {"symbol", global.symbol},
                       {"bytes", json_integer(global.bytes)},
                       {"constant", global.constant}});
  Json json = {{"ok", kernel.ok},
               {"arch", kernel.arch},
               {"compiler", kernel.compiler},
               {"key", kernel.key},
               {"cached", kernel.cached},
               {"compile_ms", json_number(kernel.compile_ms)},
               {"entries", entries},
               {"globals", globals},
               {"lowered", pairs_to_json(kernel.lowered)},
               {"diagnostics", to_json(kernel.diagnostics)},
               {"log", text_to_json(kernel.log)},
               {"ptx", text_to_json(kernel.ptx)},
               {"cubin", encode_base64(kernel.cubin)}};
  if (kernel.from_ptx) json["from_ptx"] = true;
  return json;
}

Result<CompiledKernel> compiled_kernel_from_json(const Json& json) {
  if (!json.is_object() || !member(json, "ok").is_boolean() || !member(json, "entries").is_array())
    return malformed(phrase("compiled kernel"));
  CompiledKernel kernel;
  kernel.ok = read_bool(json, "ok", false);
  kernel.arch = read_string(json, "arch");
  kernel.compiler = read_string(json, "compiler");
  kernel.key = read_string(json, "key");
  kernel.cached = read_bool(json, "cached", false);
  kernel.compile_ms = read_number(json, "compile_ms", 0);
  for (const Json& item : member(json, "entries")) kernel.entries.push_back(entry_from_json(item));
  if (const Json& globals = member(json, "globals"); globals.is_array())
    for (const Json& item : globals)
      kernel.globals.push_back({read_string(item, "name"), read_string(item, "symbol"),
                                read_integer(item, "bytes", 0), read_bool(item, "constant", false)});
  kernel.lowered = pairs_from_json(member(json, "lowered"));
  kernel.diagnostics = diagnostics_from_json(member(json, "diagnostics"));
  kernel.log = text_from_json(member(json, "log"));
  kernel.ptx = text_from_json(member(json, "ptx"));
  kernel.from_ptx = read_bool(json, "from_ptx", false);
  std::optional<std::string> cubin = decode_base64(read_string(json, "cubin"));
  if (!cubin) return malformed(phrase("compiled kernel (its cubin is no base64)"));
  kernel.cubin = *std::move(cubin);
  return kernel;
}

Json to_json(const CompileRequest& request) {
  const source::PreparedSource& source = request.source;
  Json kernels = Json::array();
  for (const source::Signature& signature : source.kernels) kernels.push_back(signature_to_json(signature));
  return {{"source",
           {{"file", text_to_json(source.file)},
            {"language", name_of(source.language)},
            {"text", text_to_json(source.text)},
            {"prelude", text_to_json(source.prelude)},
            {"include_folders", texts_to_json(source.include_folders)},
            {"options", texts_to_json(source.options)},
            {"headers", pairs_to_json(source.headers)},
            {"kernels", kernels}}},
          {"arch", request.arch},
          {"defines", pairs_to_json(request.defines)},
          {"options", texts_to_json(request.options)},
          {"name_expressions", texts_to_json(request.name_expressions)},
          {"line_info", request.line_info},
          {"use_cache", request.use_cache},
          {"diagnose", request.diagnose}};
}

Result<CompileRequest> compile_request_from_json(const Json& json) {
  const Json& source = member(json, "source");
  if (!source.is_object() || member(source, "text").is_null() || read_string(json, "arch").empty())
    return malformed(phrase("compile request"));
  CompileRequest request;
  request.source.file = text_from_json(member(source, "file"));
  const auto language = read_named(source, "language", phrase("The language of the source"),
                                   source::language_named, std::optional(source::Language::cuda));
  if (!language) return language.error();
  request.source.language = *language;
  request.source.text = text_from_json(member(source, "text"));
  request.source.prelude = text_from_json(member(source, "prelude"));
  request.source.include_folders = texts_from_json(member(source, "include_folders"));
  request.source.options = texts_from_json(member(source, "options"));
  request.source.headers = pairs_from_json(member(source, "headers"));
  if (const Json& kernels = member(source, "kernels"); kernels.is_array())
    for (const Json& item : kernels) request.source.kernels.push_back(signature_from_json(item));
  request.arch = read_string(json, "arch");
  request.defines = pairs_from_json(member(json, "defines"));
  request.options = texts_from_json(member(json, "options"));
  request.name_expressions = texts_from_json(member(json, "name_expressions"));
  request.line_info = read_bool(json, "line_info", true);
  request.use_cache = read_bool(json, "use_cache", true);
  request.diagnose = read_bool(json, "diagnose", false);
  return request;
}

}  // namespace ridge::compile
