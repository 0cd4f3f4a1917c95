// SPDX-License-Identifier: GPL-3.0-or-later
// The two worker processes behind a command: one compiles, one owns the device. Each starts when first needed
// and is started again when it died.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "worker/worker.h"

namespace ridge::cli {

/// All devices of a machine, and what is missing there.
struct DeviceList {
  std::vector<device::DeviceInfo> devices;
  std::vector<std::string> notes;
};

/// Files for what is said to the device: one to write, or one to answer from instead of a device. Empty:
/// none.
struct Transcripts {
  std::filesystem::path record, replay;
};

class Workers {
 public:
  /// `device`: auto, emulator, cuda:N. `model`: the emulator's catalogue entry, or empty.
  Workers(std::string device, std::string model, Transcripts transcripts = {});

  /// The device that runs will use. Wrong usage: a model for a GPU, an unknown device or model.
  Result<device::DeviceInfo> device();
  Result<DeviceList> devices();

  /// Wrong use when --arch names no architecture that the compiler knows. Empty: not given.
  Result<void> check_architecture(const std::string& arch);
  Result<compile::CompiledKernel> compile(const compile::CompileRequest& request);
  Result<std::string> disassemble(const std::string& cubin);
  Result<session::Run> run(const bench::Job& job, const bench::OnProgress& progress);

  /// Is all that was said to the device in the transcript, if one is written?
  Result<void> recorded() const;

 private:
  Result<worker::Client*> client(worker::Role role);

  std::string device_, model_;
  Transcripts transcripts_;
  std::unique_ptr<worker::Client> compile_, run_;
  Result<void> recorded_;  ///< of device workers that have ended
};

}  // namespace ridge::cli
