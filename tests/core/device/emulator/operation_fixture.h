// SPDX-License-Identifier: GPL-3.0-or-later
// One instruction applied to a table of operands, one row to a thread.
#pragma once

#include <string>
#include <vector>

#include "support/emulated.h"

namespace ridge::device {

/// Register class for a value of so many bytes.
inline std::string register_name(std::size_t bytes, bool floating, int index) {
  const std::string number = std::to_string(index);
  if (bytes <= 2) return "%h" + number;
  if (bytes == 4) return (floating ? "%f" : "%r") + std::to_string(index + 10);
  return (floating ? "%fd" : "%rd") + std::to_string(index + 10);
}

inline std::string load_type(std::size_t bytes) {
  return "b" + std::to_string(8 * bytes);
}

/// Applies `opcode d, a, b, c` with as many sources as there are columns; all columns have the same length.
template <class D, class S>
std::vector<D> apply(const std::string& opcode, const std::vector<std::vector<S>>& columns,
                     const std::string& suffix = "") {
  const std::size_t rows = columns[0].size();
  std::string parameters = "u64 out",
              body =
                  "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r1, %r2, 128, %r1;\n"
                  "setp.ge.u32 %p1, %r1, " +
                  std::to_string(rows) +
                  ";\n@%p1 ret;\n"
                  "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, " +
                  std::to_string(sizeof(D)) + ";\nadd.s64 %rd1, %rd1, %rd2;\nmul.wide.u32 %rd2, %r1, " +
                  std::to_string(sizeof(S)) + ";\n";
  std::string operands;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::string name = "in" + std::to_string(k);
    const std::string reg = register_name(sizeof(S), false, static_cast<int>(k) + 1);
    parameters += ", u64 " + name;
    body += "ld.param.u64 %rd3, [" + name + "];\nadd.s64 %rd3, %rd3, %rd2;\nld.global." +
            load_type(sizeof(S)) + " " + reg + ", [%rd3];\n";
    operands += ", " + reg;
  }
  const std::string result = register_name(sizeof(D), false, 0);
  body += opcode + " " + result + operands + suffix + ";\nst.global." + load_type(sizeof(D)) + " [%rd1], " +
          result + ";\n";
  Emulated emulated(kernel_text(parameters, body));
  EXPECT_EQ(emulated.load_error.message, "") << opcode;
  std::vector<std::vector<std::byte>> arguments;
  const Address out = emulated.scratch(static_cast<std::int64_t>(rows * sizeof(D)));
  arguments.push_back(argument(out));
  for (const auto& column : columns) arguments.push_back(argument(emulated.buffer(column)));
  const LaunchOutcome outcome =
      emulated.run("k", {static_cast<std::int64_t>((rows + 127) / 128), 1, 1}, {128, 1, 1}, arguments);
  for (const hardware::Finding& finding : outcome.findings)  // division by zero is only suspect
    EXPECT_EQ(finding.status, hardware::Status::suspect) << opcode << ": " << finding.message;
  return emulated.read<D>(out, rows);
}

}  // namespace ridge::device
