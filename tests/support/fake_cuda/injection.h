// SPDX-License-Identifier: GPL-3.0-or-later
// Errors on demand. RIDGE_FAKE_CUDA holds rules "function:error[:sticky][@n]" joined by commas: function is
// an exported name, or "kernel" for the moment in which a launch executes; error is a number, or "hang"
// (kernel only); with @n only the n-th call fails, else every one. "cuMemAlloc_v2:2@3,kernel:700:sticky"
#pragma once

#include <cuda.h>

#include <string>
#include <string_view>
#include <vector>

namespace fake_cuda {

struct Injected {
  CUresult result = CUDA_SUCCESS;
  bool sticky = false;
  bool hang = false;
};

class Injection {
 public:
  explicit Injection(const std::string& rules);
  /// What this call of `function` has to answer; counts the calls. Not thread-safe.
  Injected next(std::string_view function);

 private:
  struct Rule {
    std::string function;
    Injected injected;
    int nth = 0;  ///< 0: every call
    int calls = 0;
  };
  std::vector<Rule> rules_;
};

}  // namespace fake_cuda
