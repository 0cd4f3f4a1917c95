// SPDX-License-Identifier: GPL-3.0-or-later
// Compiling: a PreparedSource becomes a CompiledKernel through NVRTC, with a disk cache keyed on content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/result.h"
#include "hardware/device_model.h"
#include "source/source.h"

namespace ridge::compile {

struct CompileRequest {
  source::PreparedSource source;
  std::string arch = "sm_90a";                               ///< "sm_XX"; compute_XX gives PTX only
  std::vector<std::pair<std::string, std::string>> defines;  ///< macros
  std::vector<std::string> options;                          ///< as written in the directive, split
  std::vector<std::string> name_expressions;                 ///< kernels to instantiate and look up
  bool line_info = true;
  bool use_cache = true;
  bool diagnose = false;  ///< only NVRTC's front end: its diagnostics soon, and no code
};

struct Parameter {
  std::uint32_t offset = 0, bytes = 0;
};

/// What ptxas says of one entry.
struct Resources {
  int registers = 0;              ///< per thread
  std::int64_t shared_bytes = 0;  ///< static
  std::int64_t stack_bytes = 0;
  std::int64_t spill_store_bytes = 0, spill_load_bytes = 0;
  std::int64_t constant_bytes = 0;
  int barriers = 0;
  int max_threads = 0;  ///< of __launch_bounds__; 0: not given
};

struct Entry {
  std::string name;                    ///< for people: "softmax<256>"
  std::string symbol;                  ///< in the module
  std::vector<Parameter> parameters;   ///< from the module
  std::optional<Resources> resources;  ///< absent for compute_XX
  int line = 0;                        ///< of its definition, when known
};

struct GlobalSymbol {  ///< a __device__ or __constant__ variable of the module
  std::string name;    ///< for people
  std::string symbol;
  std::int64_t bytes = 0;
  bool constant = false;
};

struct CompiledKernel {
  bool ok = false;
  std::string arch;
  std::string ptx;
  bool from_ptx = false;  ///< the source is this very text, and its lines are the ones to name
  std::string cubin;      ///< bytes; empty for compute_XX or PTX sources
  std::string log;        ///< whole
  Diagnostics diagnostics;
  std::vector<Entry> entries;
  std::vector<GlobalSymbol> globals;
  std::vector<std::pair<std::string, std::string>> lowered;  ///< name expression -> symbol
  bool cached = false;
  double compile_ms = 0;  ///< host wall time of this request (not stored in the cache)
  std::string compiler;   ///< "NVRTC 13.0"
  std::string key;        ///< of the cache

  const Entry* entry(const std::string& name_or_symbol) const;
};

Json to_json(const Resources& resources);
Resources resources_from_json(const Json& json);
Json to_json(const Entry& entry);
Json to_json(const CompiledKernel& kernel);  ///< cubin as base64
Result<CompiledKernel> compiled_kernel_from_json(const Json& json);
Json to_json(const CompileRequest& request);
Result<CompileRequest> compile_request_from_json(const Json& json);

/// The toolkit whose NVRTC is loaded and whose headers are passed. Found in RIDGE_CUDA_ROOT, CUDA_HOME,
/// CUDA_PATH, /usr/local/cuda, the private folder that packaging/ fills, or the loader's path.
struct Toolkit {
  std::filesystem::path root;
  std::filesystem::path nvrtc;                         ///< the library
  std::vector<std::filesystem::path> include_folders;  ///< include and include/cccl
  std::string version;                                 ///< "13.0"
  std::filesystem::path nvdisasm;                      ///< empty: none
};
Result<Toolkit> find_toolkit();

/// Owns NVRTC. One per process; calls are serialised by the caller (the compile worker is one thread).
class Compiler {
 public:
  static Result<std::unique_ptr<Compiler>> open();
  virtual ~Compiler() = default;
  virtual const Toolkit& toolkit() const = 0;
  /// Architectures NVRTC knows, "sm_75" upwards, with the `a` variants.
  virtual std::vector<std::string> architectures() const = 0;
  /// Never fails for the source's sake: those faults are diagnostics in the result (ok = false).
  virtual Result<CompiledKernel> compile(const CompileRequest& request) = 0;
  /// SASS text of a cubin by nvdisasm; an error with the way out when there is none.
  virtual Result<std::string> disassemble(const std::string& cubin) = 0;
};

/// True for sm_XX or compute_XX, with their variants, that a compiler with these `architectures` takes.
bool knows_architecture(const std::string& arch, const std::vector<std::string>& architectures);
/// Why `compiler` ("NVRTC 13.0") does not take `arch`, and which ones it takes; code unknown_arch.
Diagnostic unknown_architecture(const std::string& arch, const std::vector<std::string>& architectures,
                                const std::string& compiler);
/// The cause of a failed compilation when it is the architecture and not the text: the fault of the one who
/// asked for it by `option` or by a directive of `source`, or of a toolkit that does not know the device's
/// own.
std::optional<Error> architecture_fault(const CompiledKernel& kernel, const source::KernelSource& source,
                                        const std::string& option = {});

/// Theoretical occupancy: resident warps over the warps an SM holds.
struct Occupancy {
  double fraction = 0;
  int blocks_per_sm = 0;
  int warps_per_sm = 0;
  std::string limiter;  ///< "registers", "shared memory", "threads", "blocks"
};
Occupancy occupancy(const hardware::LaunchLimits& limits, int registers, std::int64_t threads_per_block,
                    std::int64_t shared_bytes_per_block);

/// The request that a source with its directives asks for: instantiates the kernels of its launches, applies
/// defines and tune defaults; `defines` and `kernel` (the command line's) come on top.
CompileRequest request_for(const source::KernelSource& source, const source::PreparedSource& prepared,
                           const std::string& arch,
                           const std::vector<std::pair<std::string, std::string>>& defines = {},
                           const std::string& kernel = {});

}  // namespace ridge::compile
