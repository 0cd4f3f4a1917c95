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
    RIDGE_ERROR(CUDA_ERROR_INVALID_VALUE, phrase("the driver refused an argument as out of range"),
                phrase("Check grid, block, shared memory and the sizes of the arguments."), launch_failed,
                false),
    RIDGE_ERROR(CUDA_ERROR_OUT_OF_MEMORY, phrase("the GPU's memory is used up"),
                phrase("Use a smaller workload, or end other programs that hold memory on this GPU "
                       "(nvidia-smi lists them)."),
                out_of_memory, false),
    RIDGE_ERROR(CUDA_ERROR_NOT_INITIALIZED, phrase("the driver was not initialised"),
                phrase("Start the worker again; if it stays, reload the NVIDIA driver."), device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_DEINITIALIZED, phrase("the driver is shutting down"),
                phrase("Start the worker again."), device_lost, true),
    RIDGE_ERROR(
        CUDA_ERROR_STUB_LIBRARY, phrase("the toolkit's stub libcuda was loaded instead of the driver"),
        phrase("Take the toolkit's lib/stubs folder out of LD_LIBRARY_PATH, or install the NVIDIA driver."),
        device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, phrase("the call needs a newer driver"),
                phrase("Update the NVIDIA driver."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_DEVICE_UNAVAILABLE,
                phrase("another process has this GPU for itself (exclusive compute mode)"),
                phrase("End that process or choose another GPU; nvidia-smi shows who holds it."), device_lost,
                false),
    RIDGE_ERROR(CUDA_ERROR_NO_DEVICE, phrase("the driver sees no GPU"),
                phrase("Check nvidia-smi, CUDA_VISIBLE_DEVICES, and in a container that the GPU was passed "
                       "in (--gpus)."),
                device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_DEVICE, phrase("there is no GPU with this number"),
                phrase("List them with `ridge devices`; CUDA_VISIBLE_DEVICES renumbers them."), device_lost,
                false),
    RIDGE_ERROR(CUDA_ERROR_DEVICE_NOT_LICENSED, phrase("the virtual GPU has no licence"),
                phrase("Ask the administrator of the vGPU licence server."), device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_IMAGE,
                phrase("the driver does not take this code: damaged, or not a cubin or PTX"),
                phrase("Compile again without the cache."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_CONTEXT, phrase("the context is not usable"),
                phrase("Start the worker again."), device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU, phrase("the code was compiled for another GPU architecture"),
                phrase("Compile for this device's own arch (leave --arch out, or give the one that `ridge "
                       "devices` shows)."),
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_ECC_UNCORRECTABLE,
                phrase("the GPU's memory had an error that ECC could not correct"),
                phrase("The hardware is at fault, not the kernel: reset the GPU or tell its administrator."),
                device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_UNSUPPORTED_LIMIT, phrase("this GPU does not support that limit"),
                phrase("Leave the limit out."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_INVALID_PTX, phrase("the driver's assembler refused the PTX"),
                phrase("Read its log; ptxas of the toolkit gives line numbers."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_NVLINK_UNCORRECTABLE, phrase("NVLink had an error that it could not correct"),
                phrase("The hardware is at fault, not the kernel: tell the administrator."), device_lost,
                true),
    RIDGE_ERROR(
        CUDA_ERROR_JIT_COMPILER_NOT_FOUND, phrase("the driver's PTX compiler is not installed"),
        phrase("Install libnvidia-ptxjitcompiler of the driver's version, or compile to a cubin (sm_XX)."),
        launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                phrase("the PTX is newer than the driver: the toolkit is ahead of it"),
                phrase("Compile to a cubin (sm_XX instead of compute_XX), or update the NVIDIA driver."),
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_JIT_COMPILATION_DISABLED, phrase("compiling PTX in the driver is switched off"),
                phrase("Unset CUDA_DISABLE_PTX_JIT, or compile to a cubin (sm_XX)."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC,
                phrase("the kernel waits for child grids, which this GPU cannot"),
                phrase("Remove cudaDeviceSynchronize from device code."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, phrase("a library of the driver did not start"),
                phrase("Reinstall the NVIDIA driver; its libraries must be of one version."), device_lost,
                false),
    RIDGE_ERROR(CUDA_ERROR_OPERATING_SYSTEM, phrase("a call to the operating system failed"),
                phrase("See `dmesg`; limits on memory or files (ulimit) are common causes."), device_lost,
                true),
    RIDGE_ERROR(CUDA_ERROR_INVALID_HANDLE, phrase("a handle is not valid in this context"),
                phrase("Start the worker again."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_NOT_FOUND, phrase("the module has nothing by that name"),
                phrase("Use the lowered (mangled) name; `ridge compile --json -` lists the entries."),
                launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS,
                phrase("the kernel read or wrote an address outside of every buffer"),
                phrase("Check the index arithmetic and the bounds test; the emulator (--device emulator) "
                       "names the line."),
                out_of_bounds, true),
    RIDGE_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                phrase("a block asks for more registers or shared memory than an SM has"),
                phrase("Use a smaller block, or cap the registers with __launch_bounds__ or --maxrregcount."),
                launch_failed, false),
    RIDGE_ERROR(
        CUDA_ERROR_LAUNCH_TIMEOUT,
        phrase("the driver's watchdog ended the kernel because this GPU also drives a display"),
        phrase("Use a smaller workload, or a GPU without a display; the kernel itself need not be wrong."),
        timeout, true),
    RIDGE_ERROR(CUDA_ERROR_CONTEXT_IS_DESTROYED, phrase("the context was destroyed"),
                phrase("Start the worker again."), device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_ASSERT, phrase("an assert of the kernel failed"),
                phrase("The assertion's file, line and thread are in the output."), trapped, true),
    RIDGE_ERROR(CUDA_ERROR_HARDWARE_STACK_ERROR,
                phrase("the call stack of a thread was corrupt or too small"),
                phrase("Look for runaway recursion and for writes past local arrays."), trapped, true),
    RIDGE_ERROR(
        CUDA_ERROR_ILLEGAL_INSTRUCTION,
        phrase("the kernel met an illegal instruction, as __trap() compiles to"),
        phrase("Look for __trap(), for a function without a return, and for code of another architecture."),
        trapped, true),
    RIDGE_ERROR(
        CUDA_ERROR_MISALIGNED_ADDRESS, phrase("an address was not a multiple of the size of its access"),
        phrase("float2 and float4 accesses need 8 and 16 byte alignment: check offsets and the row pitch."),
        misaligned, true),
    RIDGE_ERROR(
        CUDA_ERROR_INVALID_ADDRESS_SPACE, phrase("an instruction was used on memory of the wrong kind"),
        phrase("Check pointers converted between shared, local and global memory."), out_of_bounds, true),
    RIDGE_ERROR(CUDA_ERROR_INVALID_PC, phrase("a thread jumped to an address without code"),
                phrase("Check function pointers and writes past local arrays."), trapped, true),
    RIDGE_ERROR(
        CUDA_ERROR_LAUNCH_FAILED,
        phrase("the kernel failed while running, mostly by an access outside of shared or local memory"),
        phrase("Check shared-memory indices; the emulator (--device emulator) names the line."),
        launch_failed, true),
    RIDGE_ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                phrase("a cooperative grid must fit on the GPU all at once"),
                phrase("Use fewer or smaller blocks and loop over the work."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_TENSOR_MEMORY_LEAK, phrase("the kernel ended without freeing its tensor memory"),
                phrase("Deallocate with tcgen05.dealloc before every exit."), launch_failed, true),
    RIDGE_ERROR(CUDA_ERROR_NOT_PERMITTED, phrase("the operation is not permitted"),
                phrase("See the driver's log (dmesg)."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_NOT_SUPPORTED, phrase("this GPU or driver does not support the operation"),
                phrase("Leave the feature out, or choose another device."), launch_failed, false),
    RIDGE_ERROR(CUDA_ERROR_SYSTEM_NOT_READY, phrase("the system is not ready for CUDA"),
                phrase("On NVSwitch machines start nvidia-fabricmanager of the driver's version."),
                device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                phrase("the driver's library and its kernel module differ in version"),
                phrase("Restart the machine or reload the kernel module after a driver update."), device_lost,
                false),
    RIDGE_ERROR(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                phrase("the forward-compatibility library does not serve this GPU"),
                phrase("Take the cuda-compat folder out of LD_LIBRARY_PATH, or update the driver."),
                device_lost, false),
    RIDGE_ERROR(CUDA_ERROR_MPS_CONNECTION_FAILED, phrase("the MPS server does not answer"),
                phrase("Restart nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY."), device_lost,
                true),
    RIDGE_ERROR(CUDA_ERROR_MPS_SERVER_NOT_READY, phrase("the MPS server is recovering from a fault"),
                phrase("Try again in a moment."), device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_MPS_CLIENT_TERMINATED, phrase("the MPS server ended this client"),
                phrase("Start the worker again."), device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_EXTERNAL_DEVICE, phrase("a device outside of the GPU reported an error"),
                phrase("See dmesg."), device_lost, true),
    RIDGE_ERROR(CUDA_ERROR_INVALID_CLUSTER_SIZE, phrase("this GPU cannot place a cluster of that size"),
                phrase("Use a smaller cluster, a smaller block or less shared memory."), launch_failed,
                false),
    RIDGE_ERROR(CUDA_ERROR_UNKNOWN, phrase("the driver reports an unknown error"),
                phrase("See dmesg for an Xid line; if it stays, restart the machine."), device_lost, true),
};
#undef RIDGE_ERROR

constexpr Phrase<> kNoWords = phrase("a CUDA error that this program has no words for");
const Explanation kOther{CUDA_ERROR_UNKNOWN,
                         kNoWords.english(),
                         phrase("see the driver API manual"),
                         phrase("Start the worker again; if it stays, see dmesg."),
                         Status::device_lost,
                         true};

}  // namespace

const Explanation& explain(CUresult result) {
  const auto found =
      std::lower_bound(kTable.begin(), kTable.end(), result,
                       [](const Explanation& entry, CUresult number) { return entry.result < number; });
  return found != kTable.end() && found->result == result ? *found : kOther;
}

Sentence describe(CUresult result) {
  const Explanation& entry = explain(result);
  const Sentence name = &entry == &kOther ? Sentence(kNoWords) : Sentence(entry.name);
  return say("{} ({}): {}", name, static_cast<int>(result), entry.meaning);
}

Error cuda_error(CUresult result, const Sentence& doing) {
  const Explanation& entry = explain(result);
  const bool named = entry.sticky || entry.status == Status::out_of_memory;
  return {ErrorKind::component,
          named ? std::string(hardware::name_of(entry.status)) : "cuda_error",
          say("{} failed: {}.", doing, describe(result)),
          entry.remedy,
          {},
          0};
}

hardware::Finding cuda_finding(CUresult result, const Sentence& what, const std::string& file, int line) {
  const Explanation& entry = explain(result);
  hardware::Finding finding;
  finding.status = entry.status;
  finding.message = say("{} failed with {}. {}", what, describe(result), entry.remedy);
  finding.file = file;
  finding.line = line;
  return finding;
}

}  // namespace ridge::device::cuda
