// SPDX-License-Identifier: GPL-3.0-or-later
// `ridge report` and `ridge export`: saved sessions as files for other programs and for people.
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "commands.h"
#include "session/store.h"

namespace ridge::cli {
namespace {

struct ExportArguments {
  std::string session, output, format, title;
};

Result<std::string> exported(const ExportArguments& arguments) {
  auto store = session::Store::open(arguments.session);
  if (!store) return store.error();
  Diagnostics damaged;
  auto runs = (*store)->runs(&damaged);
  complain(damaged);
  if (!runs) return runs.error();
  std::string title = arguments.title;
  if (title.empty()) {
    if (auto stored = (*store)->title(); stored) title = *stored;
  }
  if (title.empty()) title = std::filesystem::path(arguments.session).stem().string();
  return session::export_runs(*runs, arguments.format, title);
}

Exit write_export(const ExportArguments& arguments) {
  if (auto sound = check_output(arguments.output, {arguments.session}); !sound) {
    complain(sound.error());
    return exit_of(sound.error());
  }
  auto text = exported(arguments);
  Result<void> written;
  if (text && arguments.output.empty())
    std::fwrite(text->data(), 1, text->size(), stdout);
  else if (text)
    written = write_file(arguments.output, *text);
  if (text && written) return Exit::done;
  const Error& error = text ? written.error() : text.error();
  complain(error);
  return exit_of(error);
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<ExportArguments>();
  arguments->format = "html";
  CLI::App* command = app.add_subcommand("report", "Write a saved session as a self-contained HTML report");
  command->add_option("session", arguments->session, "Session: a .ridge file")->required();
  command->add_option("-o,--output", arguments->output, "The HTML file")->required();
  command->add_option("--title", arguments->title, "Title of the report");
  command->get_option("session")->check(kNotEmpty);
  command->get_option("--output")->check(kOutput);
  command->footer("Example:\n  ridge report today.ridge -o today.html");
  command->callback([arguments, &chosen] { chosen = [arguments] { return write_export(*arguments); }; });
}

void add_export(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<ExportArguments>();
  arguments->format = "csv";
  CLI::App* command = app.add_subcommand("export", "Write the runs of a saved session in another format");
  command->add_option("session", arguments->session, "Session: a .ridge file")->required();
  command->add_option("--format", arguments->format, "csv, json or html")
      ->check(one_of({"csv", "json", "html"}))
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "File instead of standard output");
  command->get_option("session")->check(kNotEmpty);
  command->get_option("--output")->check(kOutput);
  command->footer(
      "Examples:\n  ridge export today.ridge > today.csv\n  ridge export today.ridge --format json -o "
      "today.json");
  command->callback([arguments, &chosen] { chosen = [arguments] { return write_export(*arguments); }; });
}

}  // namespace ridge::cli
