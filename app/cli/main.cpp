// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge`: the command line of Ridgepoint.
#include <cstdio>
#include <exception>
#include <sstream>

#include "base/version.h"
#include "commands.h"
#include "wrong_use.h"

int main(int argc, char** argv) {
  using namespace ridge::cli;
  CLI::App app{"Run, judge, time and model CUDA kernels; on a GPU, or on the embedded PTX emulator.",
               "ridge"};
  app.set_version_flag("--version", std::string("ridge ") + ridge::kVersion);
  app.require_subcommand(1);
  app.footer("ridge COMMAND --help explains a command and shows examples.");
  Action chosen;
  add_run(app, chosen);
  add_compile(app, chosen);
  add_devices(app, chosen);
  add_problems(app, chosen);
  add_check(app, chosen);
  add_zoo(app, chosen);
  add_compare(app, chosen);
  add_report(app, chosen);
  add_export(app, chosen);
  add_worker(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == 0;  // for help or the version
    if (asked && unknown_command(app).empty()) {
      std::ostringstream text;
      app.exit(error, text);
      std::fputs(text.str().c_str(), stdout);
      return static_cast<int>(finish_output(Exit::done));
    }
    complain(explain(app, error, {argv + 1, argv + argc}));
    return static_cast<int>(Exit::usage);
  }
  try {
    return static_cast<int>(finish_output(chosen()));
  } catch (const std::exception& error) {
    complain(ridge::Error{ridge::ErrorKind::internal,
                          "internal",
                          error.what(),
                          "This is a fault of ridge; please report it.",
                          {},
                          0});
    return static_cast<int>(Exit::component);
  }
}
