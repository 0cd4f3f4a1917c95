// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge worker`: the process that loads NVRTC or a device; spoken to in JSON-RPC on standard input and
// output.
#include <unistd.h>
#include <memory>

#include "commands.h"
#include "worker/worker.h"

namespace ridge::cli {

void add_worker(CLI::App& app, Action& chosen) {
  auto launch = std::make_shared<worker::Launch>();
  auto role = std::make_shared<std::string>("compile");
  CLI::App* command = app.add_subcommand(
      "worker", "Serve one role on standard input and output (JSON-RPC 2.0, a message a line)");
  command->add_option("--role", *role, "compile or device")
      ->check(one_of({"compile", "device"}))
      ->capture_default_str();
  command->add_option("--device", launch->device, "auto, emulator or cuda:N (role device)")
      ->capture_default_str();
  command->add_option("--model", launch->model, "Catalogue entry that the emulator stands for");
  command->add_option("--replay", launch->replay, "Answer from a transcript");
  command->footer(
      "Example:\n  ridge worker --role device --device emulator\nStarted by ridge and ridgepoint themselves, "
      "here or through a launcher such as ssh.");
  command->callback([launch, role, &chosen] {
    chosen = [launch, role] {
      launch->role = *role == "device" ? worker::Role::device : worker::Role::compile;
      return worker::serve(*launch, STDIN_FILENO, STDOUT_FILENO) == 0 ? Exit::done : Exit::component;
    };
  });
}

}  // namespace ridge::cli
