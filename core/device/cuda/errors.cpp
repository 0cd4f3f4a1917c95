// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/errors.h"

#include <algorithm>
#include <array>

namespace ridge::device::cuda {
namespace {

using hardware::Status;

#define RIDGE_ERROR(name, meaning, remedy, status, sticky) \
  Explanation {                                            \
    name, #name, meaning, remedy, Status::status, sticky   \
  }

// Sorted by number.
const std::array kTable{
    RIDGE_ERROR(CUDA_ERROR_INVALID_VALUE, "the driver refused an argument as out of range",
                "Check grid, block, shared memory and the sizes of the arguments.", launch_failed, false),
    RIDGE_ERROR(
        CUDA_ERROR_OUT_OF_MEMORY, "the GPU's memory is used up",
        "Use a smaller workload, or end other programs that hold memory on this GPU (nvidia-smi lists them).",
        out_of_memory, false),
    RIDGE_ERROR(CUDA_ERROR_NOT_INITIALIZED, "the driver was not initialised",
                "Start the worker again; if it stays, reload the NVIDIA driver.", device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_DEINITIALIZED, "the driver is shutting down", "Start the worker again.",
                device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_STUB_LIBRARY, "the toolkit's stub libcuda was loaded instead of the driver",
                "Take the toolkit's lib/stubs folder out of LD_LIBRARY_PATH, or install the NVIDIA driver.",
                device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "the call needs a newer driver",
                "Update the NVIDIA driver.", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_DEVICE_UNAVAILABLE,
                "another process has this GPU for itself (exclusive compute mode)",
                "End that process or choose another GPU; nvidia-smi shows who holds it.", device_lost, false),
    RIDGE_ERROR(
        CUDA_ERROR_NO_DEVICE, "the driver sees no GPU",
        "Check nvidia-smi, CUDA_VISIBLE_DEVICES, and in a container that the GPU was passed in (--gpus).",
        device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_DEVICE, "there is no GPU with this number",
                "List them with `ridge devices`; CUDA_VISIBLE_DEVICES renumbers them.", device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_DEVICE_NOT_LICENSED, "the virtual GPU has no licence",
                "Ask the administrator of the vGPU licence server.", device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_IMAGE,
                "the driver does not take this code: damaged, or not a cubin or PTX",
                "Compile again without the cache.", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_CONTEXT, "the context is not usable", "Start the worker again.",
                device_lost, true),
    RIDGE_ERROR(
        CUDA_ERROR_NO_BINARY_FOR_GPU, "the code was compiled for another GPU architecture",
        "Compile for this device's own arch (leave --arch out, or give the one that `ridge devices` shows).",
        launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_ECC_UNCORRECTABLE, "the GPU's memory had an error that ECC could not correct",
                "The hardware is at fault, not the kernel: reset the GPU or tell its administrator.",
                device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_UNSUPPORTED_LIMIT, "this GPU does not support that limit", "Leave the limit out.",
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_PTX, "the driver's assembler refused the PTX",
                "Read its log; ptxas of the toolkit gives line numbers.", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_NVLINK_UNCORRECTABLE, "NVLink had an error that it could not correct",
                "The hardware is at fault, not the kernel: tell the administrator.", device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "the driver's PTX compiler is not installed",
                "Install libnvidia-ptxjitcompiler of the driver's version, or compile to a cubin (sm_XX).",
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                "the PTX is newer than the driver: the toolkit is ahead of it",
                "Compile to a cubin (sm_XX instead of compute_XX), or update the NVIDIA driver.",
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_JIT_COMPILATION_DISABLED, "compiling PTX in the driver is switched off",
                "Unset CUDA_DISABLE_PTX_JIT, or compile to a cubin (sm_XX).", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC,
                "the kernel waits for child grids, which this GPU cannot",
                "Remove cudaDeviceSynchronize from device code.", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "a library of the driver did not start",
                "Reinstall the NVIDIA driver; its libraries must be of one version.", device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_OPERATING_SYSTEM, "a call to the operating system failed",
                "See `dmesg`; limits on memory or files (ulimit) are common causes.", device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_INVALID_HANDLE, "a handle is not valid in this context", "Start the worker again.",
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_NOT_FOUND, "the module has nothing by that name",
                "Use the lowered (mangled) name; `ridge compile --json -` lists the entries.", launch_failed,
                false),
    RIDGE_ERROR(
        CUDA_ERROR_ILLEGAL_ADDRESS, "the kernel read or wrote an address outside of every buffer",
        "Check the index arithmetic and the bounds test; the emulator (--device emulator) names the line.",
        out_of_bounds, true),
    RIDGE_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                "a block asks for more registers or shared memory than an SM has",
                "Use a smaller block, or cap the registers with __launch_bounds__ or --maxrregcount.",
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_LAUNCH_TIMEOUT,
                "the driver's watchdog ended the kernel because this GPU also drives a display",
                "Use a smaller workload, or a GPU without a display; the kernel itself need not be wrong.",
                timeout, true),
    RIDGE_ERROR(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context was destroyed", "Start the worker again.",
                device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_ASSERT, "an assert of the kernel failed",
                "The assertion's file, line and thread are in the output.", trapped, true),
    RIDGE_ERROR(CUDA_ERROR_HARDWARE_STACK_ERROR, "the call stack of a thread was corrupt or too small",
                "Look for runaway recursion and for writes past local arrays.", trapped, true),
    RIDGE_ERROR(CUDA_ERROR_ILLEGAL_INSTRUCTION,
                "the kernel met an illegal instruction, as __trap() compiles to",
                "Look for __trap(), for a function without a return, and for code of another architecture.",
                trapped, true),
    RIDGE_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "an address was not a multiple of the size of its access",
                "float2 and float4 accesses need 8 and 16 byte alignment: check offsets and the row pitch.",
                misaligned, true),
    RIDGE_ERROR(CUDA_ERROR_INVALID_ADDRESS_SPACE, "an instruction was used on memory of the wrong kind",
                "Check pointers converted between shared, local and global memory.", out_of_bounds, true),
    RIDGE_ERROR(CUDA_ERROR_INVALID_PC, "a thread jumped to an address without code",
                "Check function pointers and writes past local arrays.", trapped, true),
    RIDGE_ERROR(CUDA_ERROR_LAUNCH_FAILED,
                "the kernel failed while running, mostly by an access outside of shared or local memory",
                "Check shared-memory indices; the emulator (--device emulator) names the line.",
                launch_failed, true),
    RIDGE_ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "a cooperative grid must fit on the GPU all at once",
                "Use fewer or smaller blocks and loop over the work.", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_TENSOR_MEMORY_LEAK, "the kernel ended without freeing its tensor memory",
                "Deallocate with tcgen05.dealloc before every exit.", launch_failed, true),
    RIDGE_ERROR(CUDA_ERROR_NOT_PERMITTED, "the operation is not permitted", "See the driver's log (dmesg).",
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_NOT_SUPPORTED, "this GPU or driver does not support the operation",
                "Leave the feature out, or choose another device.", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_SYSTEM_NOT_READY, "the system is not ready for CUDA",
                "On NVSwitch machines start nvidia-fabricmanager of the driver's version.", device_lost,
                false),
    RIDGE_ERROR(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                "the driver's library and its kernel module differ in version",
                "Restart the machine or reload the kernel module after a driver update.", device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                "the forward-compatibility library does not serve this GPU",
                "Take the cuda-compat folder out of LD_LIBRARY_PATH, or update the driver.", device_lost,
                false),
    RIDGE_ERROR(CUDA_ERROR_MPS_CONNECTION_FAILED, "the MPS server does not answer",
                "Restart nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY.", device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_MPS_SERVER_NOT_READY, "the MPS server is recovering from a fault",
                "Try again in a moment.", device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_MPS_CLIENT_TERMINATED, "the MPS server ended this client",
                "Start the worker again.", device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_EXTERNAL_DEVICE, "a device outside of the GPU reported an error", "See dmesg.",
                device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_INVALID_CLUSTER_SIZE, "this GPU cannot place a cluster of that size",
                "Use a smaller cluster, a smaller block or less shared memory.", launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_UNKNOWN, "the driver reports an unknown error",
                "See dmesg for an Xid line; if it stays, restart the machine.", device_lost, true),
};
#undef RIDGE_ERROR

const Explanation kOther{CUDA_ERROR_UNKNOWN,          "a CUDA error that this program has no words for",
                         "see the driver API manual", "Start the worker again; if it stays, see dmesg.",
                         Status::device_lost,         true};

}  // namespace

const Explanation& explain(CUresult result) {
  const auto found =
      std::lower_bound(kTable.begin(), kTable.end(), result,
                       [](const Explanation& entry, CUresult number) { return entry.result < number; });
  return found != kTable.end() && found->result == result ? *found : kOther;
}

std::string describe(CUresult result) {
  const Explanation& entry = explain(result);
  return std::string(entry.name) + " (" + std::to_string(static_cast<int>(result)) + "): " + entry.meaning;
}

Error cuda_error(CUresult result, const std::string& doing) {
  const Explanation& entry = explain(result);
  const bool named = entry.sticky || entry.status == Status::out_of_memory;
  return {ErrorKind::component,
          named ? std::string(hardware::name_of(entry.status)) : "cuda_error",
          doing + " failed: " + describe(result) + ".",
          entry.remedy,
          {},
          0};
}

hardware::Finding cuda_finding(CUresult result, const std::string& what, const std::string& file, int line) {
  const Explanation& entry = explain(result);
  hardware::Finding finding;
  finding.status = entry.status;
  finding.message = what + " failed with " + describe(result) + ". " + entry.remedy;
  finding.file = file;
  finding.line = line;
  return finding;
}

}  // namespace ridge::device::cuda
