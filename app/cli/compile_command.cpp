// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge compile`: diagnostics, entries and resources of a source, without a problem.
#include <memory>

#include "base/files.h"
#include "commands.h"
#include "run_options.h"
#include "workers.h"

namespace ridge::cli {
namespace {

struct CompileArguments {
  std::string file, arch, emit, output, json, kernel;
  std::vector<std::string> defines;
};

Json resources_json(const std::optional<compile::Resources>& resources) {
  if (!resources) return {};
  return {{"registers", resources->registers},
          {"shared_bytes", json_integer(resources->shared_bytes)},
          {"spill_bytes", json_integer(resources->spill_store_bytes + resources->spill_load_bytes)},
          {"stack_bytes", json_integer(resources->stack_bytes)},
          {"constant_bytes", json_integer(resources->constant_bytes)},
          {"max_threads", resources->max_threads > 0 ? Json(resources->max_threads) : Json()}};
}

Json entry_json(const compile::Entry& entry) {
  Json parameters = Json::array();
  for (const compile::Parameter& parameter : entry.parameters)
    parameters.push_back({{"offset", parameter.offset}, {"bytes", parameter.bytes}});
  return {{"name", entry.name},
          {"symbol", entry.symbol},
          {"line", entry.line > 0 ? Json(entry.line) : Json()},
          {"parameters", std::move(parameters)},
          {"resources", resources_json(entry.resources)}};
}

class CompileCommand {
 public:
  explicit CompileCommand(CompileArguments arguments)
      : arguments_(std::move(arguments)),
        // What is emitted to standard output leaves no room for a table there.
        console_(arguments_.json),
        workers_("auto", {}) {}

  Exit run() {
    if (auto compiled = compile(); !compiled) {
      status_ = worse(status_, exit_of(compiled.error()));
      diagnostics_.push_back(to_diagnostic(compiled.error()));
    }
    complain(diagnostics_);
    ask(questions_);
    if (status_ == Exit::done) print_entries();
    if (auto written = console_.write(document()); !written) {
      complain(written.error());
      status_ = worse(status_, exit_of(written.error()));
    }
    return status_;
  }

 private:
  Result<void> compile() {
    if (!arguments_.emit.empty() && arguments_.output.empty() && arguments_.json == "-")
      return Error{ErrorKind::usage,    "usage", "--emit and --json - both want standard output",
                   "name a file by -o", {},      0};
    for (const std::string& output : {arguments_.output, arguments_.json})
      if (auto sound = check_output(output, {arguments_.file}); !sound) {
        console_ = Console();  // nothing is written where something would be lost
        return sound.error();
      }
    auto source = source::read_source(arguments_.file);
    if (!source) return source.error();
    auto defines = parse_defines(arguments_.defines);
    if (!defines) return defines.error();
    const source::KernelSource answered =
        bench::with_answers(std::move(*source), *defines, arguments_.kernel);
    add(answered.diagnostics);
    const source::PreparedSource prepared = source::prepare(answered);
    add(prepared.diagnostics);
    questions_ = prepared.questions;
    status_ = worse(status_, exit_of(diagnostics_));
    // Which of several kernels is to run does not matter here; all of them are compiled.
    std::erase_if(questions_, [](const source::Question& question) { return question.kind == "kernel"; });
    if (!questions_.empty()) status_ = worse(status_, Exit::usage);
    if (status_ != Exit::done) return {};

    if (auto known = workers_.check_architecture(arguments_.arch); !known) return known.error();
    std::string arch = arguments_.arch;
    if (arch.empty() && !answered.directives.arch.given()) {
      auto device = workers_.device();
      arch = device ? device->arch : "sm_90a";
    }
    auto request = compile::request_for(answered, prepared, arch);
    if (!arguments_.arch.empty()) request.arch = arch;  // the user's word comes before the source's
    auto kernel = workers_.compile(request);
    if (!kernel) return kernel.error();
    if (auto fault = compile::architecture_fault(*kernel, answered, arguments_.arch))
      return *std::move(fault);
    kernel_ = std::move(*kernel);
    add(kernel_->diagnostics);
    if (!kernel_->ok) {
      status_ = worse(status_, Exit::compile);
      return {};
    }
    return emit();
  }

  void add(const Diagnostics& diagnostics) {
    diagnostics_.insert(diagnostics_.end(), diagnostics.begin(), diagnostics.end());
  }

  Result<void> emit() {
    if (arguments_.emit.empty()) return {};
    std::string bytes = arguments_.emit == "ptx" ? kernel_->ptx : kernel_->cubin;
    if (arguments_.emit != "ptx" && bytes.empty())
      return Error{ErrorKind::usage,
                   "no_cubin",
                   "there is no machine code for " + kernel_->arch,
                   kernel_->compiler.empty() ? "the diagnostics say why nothing was assembled"
                                             : "choose an architecture sm_XX by --arch",
                   {},
                   0};
    if (arguments_.emit == "sass") {
      auto sass = workers_.disassemble(kernel_->cubin);
      if (!sass) return sass.error();
      bytes = std::move(*sass);
    }
    if (!arguments_.output.empty()) return write_file(arguments_.output, bytes);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return {};
  }

  void print_entries() const {
    if (!arguments_.emit.empty() && arguments_.output.empty()) return;
    using Align = Table::Align;
    Table table({{"entry", Align::left},
                 {"registers", Align::right},
                 {"shared", Align::right},
                 {"spills", Align::right}});
    for (const compile::Entry& entry : kernel_->entries) {
      if (!entry.resources) {
        table.add({entry.name, "-", "-", "-"});
        continue;
      }
      const compile::Resources& r = *entry.resources;
      table.add({entry.name, std::to_string(r.registers), std::to_string(r.shared_bytes) + " B",
                 std::to_string(r.spill_store_bytes + r.spill_load_bytes) + " B"});
    }
    std::fputs(table.text().c_str(), console_.text());
    console_.print(kernel_->arch + ", " +
                   (kernel_->compiler.empty() ? "read by the emulator, not assembled" : kernel_->compiler) +
                   (kernel_->cached ? ", cached" : ""));
  }

  Json document() const {
    Json json = document_head();
    json["device"] = nullptr;
    json["questions"] = Json::array();
    for (const source::Question& question : questions_)
      json["questions"].push_back(source::to_json(question));
    json["diagnostics"] = ridge::to_json(diagnostics_);
    json["runs"] = Json::array();
    json["arch"] = kernel_ ? Json(kernel_->arch) : Json();
    json["compiler"] = kernel_ && !kernel_->compiler.empty() ? Json(kernel_->compiler) : Json();
    json["cached"] = kernel_ ? Json(kernel_->cached) : Json();
    json["entries"] = Json::array();
    json["resources"] = Json::object();
    if (!kernel_) return json;
    for (const compile::Entry& entry : kernel_->entries) {
      json["entries"].push_back(entry_json(entry));
      json["resources"][entry.name] = resources_json(entry.resources);
    }
    return json;
  }

  CompileArguments arguments_;
  Console console_;
  Workers workers_;
  Diagnostics diagnostics_;
  std::vector<source::Question> questions_;
  std::optional<compile::CompiledKernel> kernel_;
  Exit status_ = Exit::done;
};

}  // namespace

void add_compile(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<CompileArguments>();
  CLI::App* command = app.add_subcommand("compile", "Compile a source; needs no problem");
  CompileArguments& a = *arguments;
  command->add_option("file", a.file, "Kernel source: .cu or .ptx")->required();
  command->add_option("--arch", a.arch, "sm_XX, or compute_XX for PTX only (default: the device's own)")
      ->check(kNotEmpty);
  command->add_option("--emit", a.emit, "Write ptx, sass or cubin")->check(one_of({"ptx", "sass", "cubin"}));
  command->add_option("-o,--output", a.output, "File for --emit instead of standard output");
  command->add_option("--define", a.defines, "NAME=VALUE: a macro; may repeat")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--kernel", a.kernel, "Name expression of a template to instantiate");
  command->add_option("--json", a.json, "Write the document to a file, or to standard output with -");
  for (const char* text : {"file", "--define", "--kernel"}) command->get_option(text)->check(kNotEmpty);
  for (const char* output : {"--output", "--json"}) command->get_option(output)->check(kOutput);
  command->footer(
      "Examples:\n"
      "  ridge compile kernels/sgemm/tiled.cu\n"
      "  ridge compile mine.cu --arch sm_80 --emit ptx -o mine.ptx\n"
      "  ridge compile mine.cu --json -          diagnostics, entries and resources as JSON\n"
      "The document: diagnostics, questions, runs (empty), arch, compiler, cached, entries [{name, symbol, "
      "line,\n"
      "parameters, resources}] and resources by entry. A .ptx source is assembled by the toolkit's ptxas or\n"
      "libnvJitLink (compiler says by which), or read by the emulator (compiler is null).\n"
      "Exit status: 4 when the source does not compile.");
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return CompileCommand(*arguments).run(); }; });
}

}  // namespace ridge::cli
