# SPDX-License-Identifier: GPL-3.0-or-later
# Headers of a CUDA toolkit >= 12.9 (cuda.h, nvrtc.h, cupti*.h): from RIDGE_CUDA_ROOT, CUDA_HOME, CUDA_PATH or
# /usr/local/cuda. Only headers: every CUDA library is loaded with dlopen at run time.
set(RIDGE_CUDA_ROOT "" CACHE PATH "Root of a CUDA toolkit >= 12.9 (or of NVIDIA's wheels: .../nvidia/cu13)")
find_path(RIDGE_CUDA_INCLUDE nvrtc.h
  HINTS ${RIDGE_CUDA_ROOT} ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include targets/x86_64-linux/include
  NO_DEFAULT_PATH)
find_path(RIDGE_CUPTI_INCLUDE cupti.h
  HINTS ${RIDGE_CUDA_INCLUDE} ${RIDGE_CUDA_ROOT} ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
  PATH_SUFFIXES . include extras/CUPTI/include NO_DEFAULT_PATH)
if(NOT RIDGE_CUDA_INCLUDE OR NOT RIDGE_CUPTI_INCLUDE)
  message(FATAL_ERROR "No CUDA toolkit headers (nvrtc.h, cupti.h) found; run packaging/run.sh, which fetches them, "
    "or give -DRIDGE_CUDA_ROOT=DIR of a toolkit >= 12.9")
endif()
file(STRINGS ${RIDGE_CUDA_INCLUDE}/cuda.h ridge_cuda_version_line REGEX "#define CUDA_VERSION ")
string(REGEX MATCH "[0-9]+$" RIDGE_CUDA_VERSION "${ridge_cuda_version_line}")
if(RIDGE_CUDA_VERSION LESS 12090)
  message(FATAL_ERROR "The CUDA toolkit in ${RIDGE_CUDA_INCLUDE} is version ${RIDGE_CUDA_VERSION}; 12.9 or newer is needed")
endif()
add_library(ridge_cuda_headers INTERFACE)
target_include_directories(ridge_cuda_headers SYSTEM INTERFACE ${RIDGE_CUDA_INCLUDE} ${RIDGE_CUPTI_INCLUDE})
