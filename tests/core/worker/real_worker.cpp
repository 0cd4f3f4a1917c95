// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge worker` without the rest of `ridge`.
#include <unistd.h>

#include <string>

#include "worker/worker.h"

int main(int count, char** arguments) {
  ridge::worker::Launch launch;
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string option = arguments[i], value = arguments[i + 1];
    if (option == "--role")
      launch.role = value == "compile" ? ridge::worker::Role::compile : ridge::worker::Role::device;
    if (option == "--device") launch.device = value;
    if (option == "--model") launch.model = value;
    if (option == "--replay") launch.replay = value;
  }
  return ridge::worker::serve(launch, STDIN_FILENO, STDOUT_FILENO);
}
