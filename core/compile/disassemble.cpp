// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/disassemble.h"

#include "base/text.h"
#include "compile/tool.h"

namespace ridge::compile {

namespace {

Error failed(Sentence message, Sentence hint = {}) {
  return {ErrorKind::component, "nvdisasm_failed", std::move(message), std::move(hint)};
}

}  // namespace

Result<std::string> run_nvdisasm(const std::filesystem::path& program, const std::string& cubin) {
  if (program.empty())
    return Error{ErrorKind::component, "nvdisasm_missing",
                 say("There is no nvdisasm in the toolkit or on the path: no SASS can be shown."),
                 say("Install cuda-nvdisasm of the toolkit (wheel nvidia-cuda-nvdisasm)")};
  if (cubin.empty())
    return failed(say("There is no binary to disassemble."), say("Compile for sm_XX, not compute_XX"));
  const TemporaryFile file(cubin);
  if (!file.whole())
    return failed(say("The binary could not be written to a temporary file."), say("Free some disk space"));
  auto outcome = run_tool(program, {"--print-line-info", "--no-dataflow", file.path()});
  if (!outcome) return failed(outcome.error().message, outcome.error().hint);
  if (!outcome->ok) return failed(say("nvdisasm failed: {}", trim(outcome->text.substr(0, 500))));
  return std::move(outcome->text);
}

}  // namespace ridge::compile
