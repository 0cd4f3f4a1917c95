// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace ridge::device::cuda {
namespace {

using hardware::Status;
using testing::HasSubstr;

TEST(CudaErrors, FaultsOfAKernelHaveTheirStatusAndStick) {
  const std::pair<CUresult, Status> faults[] = {{CUDA_ERROR_ILLEGAL_ADDRESS, Status::out_of_bounds},
                                                {CUDA_ERROR_MISALIGNED_ADDRESS, Status::misaligned},
                                                {CUDA_ERROR_ASSERT, Status::trapped},
                                                {CUDA_ERROR_ILLEGAL_INSTRUCTION, Status::trapped},
                                                {CUDA_ERROR_LAUNCH_TIMEOUT, Status::timeout},
                                                {CUDA_ERROR_LAUNCH_FAILED, Status::launch_failed},
                                                {CUDA_ERROR_ECC_UNCORRECTABLE, Status::device_lost},
                                                {CUDA_ERROR_UNKNOWN, Status::device_lost}};
  for (const auto& [result, status] : faults) {
    EXPECT_EQ(explain(result).status, status) << result;
    EXPECT_TRUE(explain(result).sticky) << result;
  }
}

TEST(CudaErrors, RefusedLaunchesLeaveTheDeviceUsable) {
  for (const CUresult result :
       {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
        CUDA_ERROR_INVALID_CLUSTER_SIZE, CUDA_ERROR_OUT_OF_MEMORY})
    EXPECT_FALSE(explain(result).sticky) << result;
}

TEST(CudaErrors, EveryNumberHasWords) {
  int known = 0;
  for (int number = 1; number < 1000; ++number) {
    const Explanation& entry = explain(static_cast<CUresult>(number));
    EXPECT_FALSE(std::string_view(entry.meaning.english()).empty()) << number;
    EXPECT_TRUE(std::string_view(entry.remedy.english()).ends_with(".")) << number;
    if (entry.result == number) ++known;
  }
  EXPECT_EQ(known, 49) << "each is found by its number: the table is sorted";
}

TEST(CudaErrors, AnErrorSaysWhatWasDoneAndTheWayOut) {
  const Error error = cuda_error(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "Loading the code");
  EXPECT_EQ(error.kind, ErrorKind::component);
  EXPECT_THAT(error.message.english(), AllOf(HasSubstr("Loading the code failed"),
                                             HasSubstr("CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222)")));
  EXPECT_THAT(error.hint.english(), HasSubstr("sm_XX"));
  EXPECT_EQ(cuda_error(CUDA_ERROR_OUT_OF_MEMORY, "x").code, "out_of_memory");
  EXPECT_EQ(cuda_error(CUDA_ERROR_ILLEGAL_ADDRESS, "x").code, "out_of_bounds");
  EXPECT_EQ(cuda_error(CUDA_ERROR_INVALID_VALUE, "x").code, "cuda_error");
}

TEST(CudaErrors, AFindingHasThePlace) {
  const auto finding = cuda_finding(CUDA_ERROR_ILLEGAL_ADDRESS, "saxpy", "k.cu", 12);
  EXPECT_EQ(finding.status, Status::out_of_bounds);
  EXPECT_EQ(finding.file, "k.cu");
  EXPECT_EQ(finding.line, 12);
  EXPECT_THAT(finding.message.english(),
              AllOf(HasSubstr("saxpy"), HasSubstr("(700)"), HasSubstr("emulator")));
}

}  // namespace
}  // namespace ridge::device::cuda
