// SPDX-License-Identifier: GPL-3.0-or-later
// Follows one thread through a launch, for device/trace.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/emulator/exec/launch.h"
#include "device/trace.h"

namespace ridge::device::emulator {

class Tracer {
 public:
  /// `text`: the PTX of the module.
  Tracer(const TraceRequest& request, const Launch& launch, const std::string& text, std::string source_file);

  /// False when the launch has no such thread: then nothing is followed.
  bool exists() const { return exists_; }
  bool follows(const Block& block, const Warp& warp) const {
    return exists_ && block.index == block_ && warp.id == warp_;
  }
  /// Executes an instruction of the warp followed and notes what it did to the thread.
  const Instruction* execute(Warp& warp, const Instruction* instruction);

  Trace take() { return std::move(trace_); }

 private:
  struct Register {
    std::string name;
    ptx::Type type = ptx::Type::b32;
    std::uint32_t slot = 0;
  };
  /// What is worth knowing of an instruction, found once.
  struct Shape {
    TraceStep step;  ///< place and text
    std::vector<Register> results;
    bool traced = false;
    bool memory = false;
    std::size_t begin = 0;  ///< of its PTX
  };

  static bool is_guarded(const Instruction& instruction);
  const Shape& shape_of(const Instruction& instruction);
  Shape describe(const Instruction& instruction) const;
  WarpAccess access_of(const Warp& warp, const Instruction& instruction, std::uint32_t lanes) const;

  const Launch& launch_;
  const std::string& text_;  ///< the PTX
  std::string source_file_;
  bool exists_ = false;
  std::uint64_t block_ = 0;
  std::uint32_t warp_ = 0, lane_ = 0;
  std::map<std::uint32_t, Shape> shapes_;  ///< by instruction
  std::uint32_t last_ = 0;                 ///< the instruction of the last step
  std::size_t last_begin_ = 0;
  Trace trace_;
};

}  // namespace ridge::device::emulator
