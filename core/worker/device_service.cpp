// SPDX-License-Identifier: GPL-3.0-or-later
// The role that owns a device.
#include <algorithm>
#include <charconv>

#include "base/version.h"
#include "device/cuda/cuda.h"
#include "device/emulator/emulator.h"
#include "worker/protocol.h"
#include "worker/service.h"

namespace ridge::worker {
namespace {

class DeviceService final : public Service {
 public:
  DeviceService(std::string device, std::string model)
      : wanted_(std::move(device)), model_(std::move(model)) {}

  Result<Json> initialize(const Json& parameters, const Call& call) override;
  Result<Json> answer(const std::string& method, const Json& parameters, const Call& call) override;
  bool lost() const override { return lost_; }

 private:
  Result<std::unique_ptr<device::Device>> open(const std::vector<device::DeviceInfo>& gpus,
                                               const Sentence& why_none);
  std::vector<device::DeviceInfo> devices(Sentence* why_none) const;
  Result<Json> run(const Json& parameters, const Call& call);

  std::string wanted_, model_;
  std::unique_ptr<device::Device> device_;
  bool lost_ = false;
};

/// The emulator of a catalogue entry.
Result<std::unique_ptr<device::Device>> open_emulator(const std::string& wanted) {
  constexpr const char* kDefaultModel = "H200";
  const std::string name = wanted.empty() ? kDefaultModel : wanted;
  const hardware::Catalogue& catalogue = hardware::catalogue();
  if (const hardware::DeviceModel* model = catalogue.find(name)) return device::open_emulator(*model);
  std::string known;
  for (const hardware::DeviceModel& model : catalogue.devices)
    known += (known.empty() ? "" : ", ") + model.name;
  return Error{ErrorKind::usage,
               "unknown_model",
               say("The catalogue has no device '{}'.", name),
               say("Write one of: {}.", known),
               {},
               0};
}

std::vector<device::DeviceInfo> DeviceService::devices(Sentence* why_none) const {
  std::vector<device::DeviceInfo> all = device::list_cuda_devices(why_none);
  if (auto emulator = open_emulator(model_)) all.push_back((*emulator)->info());
  return all;
}

Result<std::unique_ptr<device::Device>> DeviceService::open(const std::vector<device::DeviceInfo>& gpus,
                                                            const Sentence& why_none) {
  if (wanted_ == "emulator" || (wanted_ == "auto" && gpus.empty())) return open_emulator(model_);
  if (wanted_ == "auto") return device::open_cuda(0);
  constexpr std::string_view kPrefix = "cuda:";
  std::size_t ordinal = 0;
  const char* first = wanted_.data() + std::min(kPrefix.size(), wanted_.size());
  const char* last = wanted_.data() + wanted_.size();
  const auto [end, problem] = std::from_chars(first, last, ordinal);
  if (!wanted_.starts_with(kPrefix) || problem != std::errc() || end != last)
    return Error{ErrorKind::usage,
                 "unknown_device",
                 say("There is no device '{}'.", wanted_),
                 say("Write auto, emulator, or cuda:N."),
                 {},
                 0};
  if (ordinal >= gpus.size())
    return Error{
        ErrorKind::component,
        "no_such_gpu",
        gpus.empty() ? say("There is no GPU here. {}", why_none)
        : gpus.size() == 1
            ? say("There is no {}: the driver shows {} GPU, cuda:0.", wanted_, gpus.size())
            : say("There is no {}: the driver shows {} GPUs, counted from cuda:0.", wanted_, gpus.size()),
        say("Use --device emulator, which needs no GPU."),
        {},
        0};
  return device::open_cuda(static_cast<int>(ordinal));
}

Result<Json> DeviceService::initialize(const Json&, const Call&) {
  Capabilities capabilities;
  capabilities.protocol = kWorkerProtocol;
  capabilities.version = kVersion;
  capabilities.role = Role::device;
  Sentence why_none;
  // The emulator is listed too, but no GPU is touched for its sake.
  const bool only_emulator = wanted_ == "emulator";
  std::vector<device::DeviceInfo> gpus;
  if (!only_emulator) gpus = device::list_cuda_devices(&why_none);
  auto opened = open(gpus, why_none);
  if (!opened) return opened.error();
  device_ = *std::move(opened);
  if (!why_none.empty()) capabilities.notes.push_back(why_none);
  const device::DeviceInfo& info = device_->info();
  capabilities.devices = std::move(gpus);
  if (info.kind == device::Kind::emulator) capabilities.devices.push_back(info);
  capabilities.device = info.id;
  if (!info.counters && !info.counters_why_not.empty()) capabilities.notes.push_back(info.counters_why_not);
  return to_json(capabilities);
}

Result<Json> DeviceService::answer(const std::string& method, const Json& parameters, const Call& call) {
  if (method == "run") return run(parameters, call);
  if (method != "devices") return unknown_method(method, Role::device);
  Sentence why_none;
  Json list = Json::array();
  for (const device::DeviceInfo& info : devices(&why_none)) list.push_back(device::to_json(info));
  return Json{{"devices", std::move(list)},
              {"why_no_gpu", why_none.empty() ? Json() : Json(why_none.english())}};
}

Result<Json> DeviceService::run(const Json& parameters, const Call& call) {
  const auto job = bench::job_from_json(member(parameters, "job"));
  if (!job) return job.error();
  const bench::OnProgress progress = [&call](const bench::Progress& now) {
    call.notify("progress",
                {{"stage", now.stage}, {"workload", now.workload}, {"step", now.step}, {"steps", now.steps}});
  };
  auto run = bench::execute(*device_, *job, progress, call.stop);
  // A sticky error of CUDA outlives the run: whatever the verdict, the device itself says whether it can go
  // on.
  lost_ = !device_->free_bytes();
  if (!run) return run.error();
  if (std::string printed = call.take_output(); !printed.empty()) run->output += printed;
  return Json{{"run", session::to_json(*run, true)}, {"lost", lost_}};
}

}  // namespace

std::unique_ptr<Service> make_device_service(const std::string& device, const std::string& model) {
  return std::make_unique<DeviceService>(device, model);
}

}  // namespace ridge::worker
