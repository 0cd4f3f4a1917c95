// SPDX-License-Identifier: GPL-3.0-or-later
// Something that executes a compiled kernel: a CUDA GPU (device/cuda) or the PTX emulator (device/emulator).
// A device is used by one thread at a time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/json.h"
#include "base/result.h"
#include "compile/compile.h"
#include "device/trace.h"
#include "device/writers.h"
#include "hardware/counters.h"
#include "hardware/device_model.h"
#include "hardware/finding.h"

namespace ridge::device {

enum class Kind { cuda, emulator };
std::string_view name_of(Kind kind);
std::optional<Kind> kind_named(std::string_view name);

struct DeviceInfo {
  Kind kind = Kind::emulator;
  std::string id;     ///< "cuda:0", "emulator"
  std::string name;   ///< "NVIDIA H200", "PTX emulator"
  std::string model;  ///< catalogue key, or empty
  std::string arch;   ///< default for NVRTC: "sm_90a"
  std::string uuid;   ///< "GPU-…"; empty for the emulator
  int cc_major = 0, cc_minor = 0;
  int sm_count = 0;
  std::int64_t memory_bytes = 0, memory_free = 0;
  std::int64_t l2_bytes = 0;
  hardware::LaunchLimits limits;
  bool watchdog = false;      ///< the driver ends long kernels (display attached)
  std::string driver;         ///< "580.159.04, CUDA 13.0"; empty for the emulator
  bool counters = false;      ///< hardware (or emulated) counters can be read
  Sentence counters_why_not;  ///< a sentence with the remedy
};
Json to_json(const DeviceInfo& info);
Result<DeviceInfo> device_info_from_json(const Json& json);  ///< error: unknown_word

using Address = std::uint64_t;               ///< of device memory
using Extent = std::array<std::int64_t, 3>;  ///< x, y, z

struct Launch {
  std::string symbol;  ///< entry of the module
  Extent grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  std::int64_t shared_bytes = 0;  ///< dynamic; opt-in above 48 KB is automatic
  bool cooperative = false;
  std::vector<std::vector<std::byte>> arguments;          ///< one per parameter, of exactly its size
  int line = 0;                                           ///< of its grid directive or kernel, for messages
  int block_line = 0, shared_line = 0, cluster_line = 0;  ///< of these directives; 0: not given
};
struct Copy {
  Address to = 0, from = 0;
  std::int64_t bytes = 0;
};
struct Fill {
  Address at = 0;
  std::int64_t bytes = 0;
  std::uint8_t value = 0;
};

/// What happens for one answer: copies (untimed), fills (timed), launches (timed), in this order.
struct Sequence {
  std::vector<Copy> restore;
  std::vector<Fill> zero;
  std::vector<Launch> launches;
};

/// In which order the emulator starts blocks; a GPU ignores it.
struct BlockOrder {
  bool permuted = false;
  std::uint64_t seed = 0;
};

struct LaunchOptions {
  std::string source_file;  ///< names the kernel source in findings
  BlockOrder order;
  std::int64_t budget = std::int64_t{1} << 28;  ///< instructions of warps, a block (emulator)
  double time_limit_seconds = 10;               ///< a launch (GPU)
  unsigned threads = 0;                         ///< host threads of the emulator; 0: all cores
  bool counters = true;                         ///< emulator: count
  bool lines = false;                           ///< counters per source line
  bool traffic = false;                         ///< emulator: count what passes L2 and device memory too
  bool checks = true;                 ///< emulator: races, uninitialised reads… (bounds are always checked)
  std::optional<TraceRequest> trace;  ///< emulator: a thread to follow
  const std::atomic<bool>* stop = nullptr;  ///< becomes true when the user says stop
  std::vector<Watch> watches;  ///< emulator: of these elements tell who stored them last; needs checks
};

/// What came of executing a sequence. Findings are ranked, the cause first; none: every launch completed.
struct LaunchOutcome {
  std::vector<hardware::Finding> findings;
  hardware::CounterSet counters;
  std::vector<hardware::LineCounters> lines;
  std::optional<Trace> trace;
  std::string output;            ///< of device printf, cut at 1 MiB with a note
  bool stopped = false;          ///< by LaunchOptions::stop
  bool device_lost = false;      ///< sticky: this process can no longer use the device
  bool given_up = false;         ///< emulator: so many faults that not all was executed
  std::vector<Writers> writers;  ///< one per watch
  /// Emulator: host threads that worked on it. With several, what a faulty kernel does depends on their
  /// timing.
  unsigned threads = 1;
};

/// Loaded code. `__device__` variables keep their values for as long as it lives.
class Module {
 public:
  virtual ~Module() = default;
  struct Global {
    Address address = 0;
    std::int64_t bytes = 0;
  };
  virtual Result<Global> global(const std::string& symbol) = 0;
  /// Sizes of the parameters of an entry, from the module itself.
  virtual Result<std::vector<compile::Parameter>> parameters(const std::string& symbol) = 0;
  virtual Result<compile::Resources> resources(const std::string& symbol) = 0;
};

enum class Flush { read, write, none };
std::string_view name_of(Flush flush);
std::optional<Flush> flush_named(std::string_view name);

/// One timed execution of a sequence.
struct Sample {
  double device_us = 0;  ///< first start to last end on the device
  double host_us = 0;    ///< launch call to synchronised, as the host sees it
  double sm_mhz = 0;     ///< 0: unknown
  bool throttled = false;
};
struct SampleRequest {
  Flush flush = Flush::read;  ///< before each sample; none: back to back (warm)
  int count = 1;
  double time_limit_seconds = 10;  ///< a sequence
  bool host_time = true;           ///< take host_us too, by a second execution of each sample; else it is 0
};
struct Samples {
  std::vector<Sample> samples;
  std::string source;  ///< "activity" (CUPTI) or "event"
  Sentence note;       ///< why not activity
};
/// State of the device around a measurement, from NVML; absent values could not be read.
struct Health {
  std::optional<double> sm_mhz, memory_mhz, temperature_c, power_w;
  std::vector<std::string> throttle_reasons;
};

/// The clock of a device that has one; the emulator has none.
class Stopwatch {
 public:
  virtual ~Stopwatch() = default;
  virtual Result<Samples> sample(Module& module, const Sequence& sequence, const SampleRequest& request) = 0;
  virtual Health health() = 0;
};

/// What a CUtensorMap says of a tensor in device memory; extents go outermost first and lie densely.
struct TensorMapSpec {
  std::string name;
  DType dtype = DType::float32;
  std::vector<std::int64_t> extents, box;
  int swizzle_bytes = 0;  ///< 0, 32, 64, 128
  int l2_bytes = 0;       ///< promotion: 0, 64, 128, 256
  bool nan_fill = false;  ///< what lies outside is NaN instead of 0
  int line = 0;           ///< of its directive
};
inline constexpr std::size_t kTensorMapBytes = 128;

enum class TextureAddress : std::uint8_t { clamp, border, wrap, mirror };
/// What a cudaTextureObject_t says of a tensor in device memory; extents go outermost first and lie densely.
struct TextureSpec {
  std::string name;
  DType dtype = DType::float32;
  std::vector<std::int64_t> extents;  ///< one or two
  bool linear = false;                ///< filtering
  TextureAddress address = TextureAddress::clamp;
  bool normalized_coordinates = false;
  bool normalized_read = false;  ///< integers are read as [0, 1] or [-1, 1]
  int line = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual Result<std::int64_t> free_bytes() = 0;

  /// Loads the cubin (CUDA) or the PTX (emulator). The emulator names every instruction it lacks, with its
  /// source line: error code "unsupported".
  virtual Result<std::unique_ptr<Module>> load(const compile::CompiledKernel& kernel) = 0;

  /// Memory with a guard zone before and after it; aligned to 256 bytes plus `offset`. Content: undefined,
  /// and tracked as uninitialised by the emulator. Error code "out_of_memory" says needed and free.
  virtual Result<Address> allocate(std::int64_t bytes, const std::string& name, std::int64_t offset = 0) = 0;
  virtual void release(Address address) = 0;
  /// Kernels must not write to this buffer. A device that can tell reports who does (Status::input_modified).
  virtual void protect(Address) {}
  /// While a buffer is concealed no kernel's access lies in it, for a device that can tell: it is out of
  /// bounds.
  virtual void conceal(Address, bool) {}
  virtual Result<void> write(Address to, std::span<const std::byte> data) = 0;
  virtual Result<void> read(Address from, std::span<std::byte> data) = 0;
  /// Repeats a 32-bit pattern; the memory counts as uninitialised afterwards.
  virtual Result<void> poison(Address to, std::int64_t bytes, std::uint32_t pattern) = 0;
  virtual Result<void> fill(Address to, std::int64_t bytes, std::uint8_t value) = 0;
  virtual Result<void> copy(Address to, Address from, std::int64_t bytes) = 0;
  /// Names and offsets of guard zones that were written to since they were last restored ("y: 4 bytes after
  /// its end").
  virtual Result<std::vector<Sentence>> damaged_guards() = 0;

  /// The 128 bytes of a CUtensorMap of the tensor at this address.
  virtual Result<std::vector<std::byte>> tensor_map(const TensorMapSpec& spec, Address address);
  /// The handle of a texture object of the tensor at this address; it lives as long as the memory.
  virtual Result<std::uint64_t> texture(const TextureSpec& spec, Address address);

  /// Executes a sequence and waits. Faults of the kernel are findings; an Error is a failure of the device
  /// itself.
  virtual Result<LaunchOutcome> execute(Module& module, const Sequence& sequence,
                                        const LaunchOptions& options) = 0;

  /// Null when the device has no clock.
  virtual Stopwatch* stopwatch() = 0;
};

/// The findings of `launch` against a device's limits, each naming axis, limit and way out; empty when it may
/// be made.
std::vector<hardware::Finding> check_limits(const Launch& launch, const hardware::LaunchLimits& limits,
                                            const compile::Resources& resources,
                                            const std::string& source_file);

}  // namespace ridge::device
