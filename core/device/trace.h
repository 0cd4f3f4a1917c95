// SPDX-License-Identifier: GPL-3.0-or-later
// What one thread did, instruction by instruction, and what its warp asked of memory on the way: the
// emulator's view for a debugger, a lesson or a drawing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace ridge::device {

/// The thread to follow through the first launch that has it.
struct TraceRequest {
  std::array<std::int64_t, 3> block{0, 0, 0}, thread{0, 0, 0};
  std::int64_t most_steps = 2000;
};
/// Reads "BLOCK:THREAD", each as one to three numbers with commas: "3:17", "1,0:5,2".
Result<TraceRequest> read_trace_request(const std::string& text);

/// A register that an instruction wrote, as the thread holds it then.
struct TracedValue {
  std::string name;   ///< "%r5"
  std::string type;   ///< "f32", "pred"
  std::string value;  ///< a number, "true", or hexadecimal digits of untyped bits
};

/// One memory instruction of the warp: who asked for what.
struct WarpAccess {
  std::string space;  ///< "global", "shared", "local", "const", "generic"
  bool store = false, atomic = false;
  int bytes = 4;                                       ///< of one lane
  std::array<std::optional<std::uint64_t>, 32> lanes;  ///< address in the space; nothing: the lane was off
  int sectors = 0;                                     ///< of 32 bytes (global, local)
  int wavefronts = 0, bank_conflicts = 0;              ///< (shared)
};

struct TraceStep {
  std::string file;
  int line = 0;  ///< of the kernel's source; 0: unknown
  int ptx_line = 0;
  std::string instruction;   ///< PTX text
  std::uint32_t active = 0;  ///< lanes that executed it together
  std::vector<TracedValue> values;
  std::optional<WarpAccess> access;
};

struct Trace {
  TraceRequest request;
  std::vector<TraceStep> steps;
  bool cut = false;  ///< the thread did more than most_steps
};

Json to_json(const TraceRequest& request);
TraceRequest trace_request_from_json(const Json& json);
Json to_json(const Trace& trace);
Trace trace_from_json(const Json& json);

}  // namespace ridge::device
