// SPDX-License-Identifier: GPL-3.0-or-later
#include "workers.h"

#include <algorithm>
#include <cstdio>

#include "hardware/device_model.h"

namespace ridge::cli {
namespace {

Error wrong_use(std::string message, std::string hint) {
  return {ErrorKind::usage, "usage", std::move(message), std::move(hint), {}, 0};
}

/// Faults that the command line alone can see.
Result<void> check_names(const std::string& device, const std::string& model) {
  const bool numbered = device.starts_with("cuda:") && device.size() > 5 &&
                        device.find_first_not_of("0123456789", 5) == std::string::npos;
  if (device != "auto" && device != "emulator" && !numbered)
    return wrong_use("there is no device " + device,
                     "choose auto, emulator or cuda:N; ridge devices lists them");
  if (model.empty()) return {};
  if (numbered)
    return wrong_use("--model is for the emulator, not for " + device,
                     "leave it out, or choose --device emulator");
  if (hardware::catalogue().find(model) != nullptr) return {};
  std::vector<std::string> names;
  std::string list;
  for (const hardware::DeviceModel& known : hardware::catalogue().devices) {
    names.push_back(known.name);
    list += (list.empty() ? "" : ", ") + known.name;
  }
  const std::string near = nearest(model, names);
  return wrong_use("the catalogue has no device " + model,
                   near.empty() ? "it has " + list : near + " is near");
}

}  // namespace

Workers::Workers(std::string device, std::string model, Transcripts transcripts)
    : device_(std::move(device)), model_(std::move(model)), transcripts_(std::move(transcripts)) {}

Result<worker::Client*> Workers::client(worker::Role role) {
  std::unique_ptr<worker::Client>& slot = role == worker::Role::compile ? compile_ : run_;
  if (slot && slot->alive()) return slot.get();
  worker::Launch launch;
  launch.role = role;
  launch.device = device_;
  launch.model = model_;
  if (role == worker::Role::device) {
    launch.record = transcripts_.record;
    launch.record_on = slot != nullptr;
    recorded_ = recorded();
    launch.replay = transcripts_.replay;
  }
  auto started = worker::Client::start(
      launch, [](const std::string& line) { std::fprintf(stderr, "worker: %s\n", line.c_str()); });
  if (!started) return started.error();
  slot = std::move(*started);
  return slot.get();
}

Result<void> Workers::recorded() const {
  return recorded_ && run_ ? run_->recorded() : recorded_;
}

Result<device::DeviceInfo> Workers::device() {
  if (auto sound = check_names(device_, model_); !sound) return sound.error();
  auto worker = client(worker::Role::device);
  if (!worker) return worker.error();
  const worker::Capabilities& capabilities = (*worker)->capabilities();
  for (const device::DeviceInfo& info : capabilities.devices) {
    if (info.id != capabilities.device) continue;
    if (!model_.empty() && info.kind == device::Kind::cuda)
      return wrong_use("--model is for the emulator, but auto chose " + info.id, "add --device emulator");
    return info;
  }
  return Error{ErrorKind::component,
               "no_device",
               "the worker serves no device",
               "ridge devices lists what there is",
               {},
               0};
}

Result<DeviceList> Workers::devices() {
  auto worker = client(worker::Role::device);
  if (!worker) return worker.error();
  auto answer = (*worker)->call("devices", Json::object());
  if (!answer) return answer.error();
  DeviceList list;
  if (const Json& devices = member(*answer, "devices"); devices.is_array()) {
    for (const Json& info : devices) {
      auto device = device::device_info_from_json(info);
      if (!device) return device.error();
      list.devices.push_back(*std::move(device));
    }
  }
  for (const Sentence& note : (*worker)->capabilities().notes) list.notes.push_back(note.english());
  const std::string why = read_string(*answer, "why_no_gpu");
  if (!why.empty() && std::find(list.notes.begin(), list.notes.end(), why) == list.notes.end())
    list.notes.push_back(why);
  return list;
}

Result<void> Workers::check_architecture(const std::string& arch) {
  if (arch.empty()) return {};
  auto worker = client(worker::Role::compile);
  if (!worker) return worker.error();
  const worker::Capabilities& compiler = (*worker)->capabilities();
  // Without NVRTC nobody can say; compiling then tells what is missing.
  if (compiler.architectures.empty() || compile::knows_architecture(arch, compiler.architectures)) return {};
  const Diagnostic unknown =
      compile::unknown_architecture(arch, compiler.architectures, "NVRTC " + compiler.toolkit);
  Error error = wrong_use("--arch: " + unknown.message.english(), unknown.hint.english());
  error.code = unknown.code;
  return error;
}

Result<compile::CompiledKernel> Workers::compile(const compile::CompileRequest& request) {
  auto worker = client(worker::Role::compile);
  if (!worker) return worker.error();
  return (*worker)->compile(request);
}

Result<std::string> Workers::disassemble(const std::string& cubin) {
  auto worker = client(worker::Role::compile);
  if (!worker) return worker.error();
  return (*worker)->disassemble(cubin);
}

Result<session::Run> Workers::run(const bench::Job& job, const bench::OnProgress& progress) {
  auto worker = client(worker::Role::device);
  if (!worker) return worker.error();
  return (*worker)->run(job, progress);
}

}  // namespace ridge::cli
