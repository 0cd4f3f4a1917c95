// SPDX-License-Identifier: GPL-3.0-or-later
// What a CUDA error means, whose fault it is and what to do: one table.
#pragma once

#include <cuda.h>

#include <string>

#include "base/result.h"
#include "hardware/finding.h"

namespace ridge::device::cuda {

struct Explanation {
  CUresult result;
  const char* name;         ///< "CUDA_ERROR_ILLEGAL_ADDRESS"
  Phrase<> meaning;         ///< half a sentence
  Phrase<> remedy;          ///< a sentence
  hardware::Status status;  ///< when it follows a launch
  bool sticky;              ///< the context is dead afterwards
};

/// The entry of the table, or one for an error that is not in it.
const Explanation& explain(CUresult result);

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700): …".
Sentence describe(CUresult result);

/// An Error for a call that is not the candidate's doing: "<doing> failed: <description>." with the remedy as
/// hint. Its code is the name of the status ("out_of_memory", "device_lost", …), or "cuda_error".
Error cuda_error(CUresult result, const Sentence& doing);

/// A finding for a launch that failed.
hardware::Finding cuda_finding(CUresult result, const Sentence& what, const std::string& file, int line);

}  // namespace ridge::device::cuda
