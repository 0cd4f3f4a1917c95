// SPDX-License-Identifier: GPL-3.0-or-later
// The role that owns NVRTC.
#include <algorithm>
#include <optional>

#include "base/version.h"
#include "compile/assemble.h"
#include "device/emulator/emulator.h"
#include "hardware/device_model.h"
#include "worker/protocol.h"
#include "worker/service.h"

namespace ridge::worker {
namespace {

class CompileService final : public Service {
 public:
  Result<Json> initialize(const Json& parameters, const Call& call) override;
  Result<Json> answer(const std::string& method, const Json& parameters, const Call& call) override;
  /// NVRTC cannot be stopped, and nearly always ends by itself.
  std::chrono::milliseconds patience() const override { return std::chrono::seconds(10); }

 private:
  Result<Json> compile(const Json& parameters);
  Result<Json> disassemble(const Json& parameters);
  /// Lets the emulator read PTX that nothing has assembled, so that its faults are known all the same.
  void check_ptx(const std::string& file, compile::CompiledKernel& kernel) const;

  std::unique_ptr<compile::Compiler> compiler_;
  Error why_not_{ErrorKind::component, "nvrtc_missing", say("NVRTC has not been loaded."), {}, {}, 0};
};

Result<Json> CompileService::initialize(const Json&, const Call&) {
  Capabilities capabilities;
  capabilities.protocol = kWorkerProtocol;
  capabilities.version = kVersion;
  capabilities.role = Role::compile;
  // Without NVRTC the worker still starts and says why: the client then uses another worker to compile.
  if (auto opened = compile::Compiler::open(); opened) {
    compiler_ = *std::move(opened);
    capabilities.toolkit = compiler_->toolkit().version;
    capabilities.architectures = compiler_->architectures();
    capabilities.disassembler = !compiler_->toolkit().nvdisasm.empty();
    if (!capabilities.disassembler)
      capabilities.notes.push_back(say("nvdisasm is not in the toolkit, so no SASS can be shown."));
  } else {
    why_not_ = opened.error();
    capabilities.notes.push_back(why_not_.message);
  }
  return to_json(capabilities);
}

Result<Json> CompileService::answer(const std::string& method, const Json& parameters, const Call&) {
  if (method != "compile" && method != "disassemble") return unknown_method(method, Role::compile);
  if (method == "compile") return compile(parameters);
  if (!compiler_) return why_not_;
  return disassemble(parameters);
}

Result<Json> CompileService::compile(const Json& parameters) {
  const auto request = compile::compile_request_from_json(member(parameters, "request"));
  if (!request) return request.error();
  const bool ptx = request->source.language == source::Language::ptx;
  if (!compiler_ && !ptx) return why_not_;
  auto kernel = compiler_ ? compiler_->compile(*request) : compile::read_ptx(*request);
  if (!kernel) return kernel.error();
  if (ptx && kernel->ok && kernel->cubin.empty()) check_ptx(request->source.file, *kernel);
  return Json{{"kernel", compile::to_json(*kernel)}};
}

void CompileService::check_ptx(const std::string& file, compile::CompiledKernel& kernel) const {
  const auto& models = hardware::catalogue().devices;
  if (models.empty()) return;
  const auto emulator = device::open_emulator(models.front());  // any: the text is read, nothing runs
  const auto loaded = emulator->load(kernel);
  if (loaded) {
    const bool tried = std::any_of(kernel.diagnostics.begin(), kernel.diagnostics.end(),
                                   [](const Diagnostic& said) { return said.code == "assembler_failed"; });
    if (tried) return;
    const bool assembler = compiler_ && !compile::assembler_of(compiler_->toolkit()).name.empty();
    kernel.diagnostics.push_back(
        {Severity::note, file, 0, 0, "not_assembled",
         say("The PTX was read and decoded by the emulator, not assembled: {}",
             assembler ? say("{} is nothing that this toolkit assembles for", kernel.arch)
                       : say("no ptxas and no libnvJitLink were found")),
         assembler
             ? say("Choose an architecture sm_XX by --arch")
             : say("Install cuda-nvcc of the CUDA toolkit (wheel nvidia-cuda-nvcc) for machine code and "
                   "resources")});
    return;
  }
  Diagnostic fault = to_diagnostic(loaded.error());
  if (fault.file.empty()) fault.file = file;
  // What the emulator lacks is no fault of the text; running it there says so.
  if (fault.code != "ptx_syntax") fault.severity = Severity::warning;
  kernel.ok = fault.severity != Severity::error;
  kernel.diagnostics.push_back(std::move(fault));
}

Result<Json> CompileService::disassemble(const Json& parameters) {
  const auto cubin = decode_base64(read_string(parameters, "cubin"));
  if (!cubin || cubin->empty())
    return protocol_error("invalid_parameters",
                          say("disassemble needs 'cubin', the module's bytes as base64."));
  auto text = compiler_->disassemble(*cubin);
  if (!text) return text.error();
  return Json{{"text", *std::move(text)}};
}

}  // namespace

Error unknown_method(const std::string& method, Role role) {
  return protocol_error("unknown_method",
                        say("A worker of role {} has no method '{}'.", name_of(role), method));
}

std::unique_ptr<Service> make_compile_service() {
  return std::make_unique<CompileService>();
}

}  // namespace ridge::worker
