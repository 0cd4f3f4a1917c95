// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cuda/fake.h"

#include <dlfcn.h>

#include <cstdlib>
#include <span>

#include "device/emulator/emulator.h"
#include "support/fake_cuda/fake_cuda.h"

namespace ridge::device {
namespace {

std::unique_ptr<Device> open_executor() {
  const auto* model = hardware::catalogue().find("H200");
  return model == nullptr ? nullptr : open_emulator(*model);
}

}  // namespace

const char* const kPtx = R"(.version 8.0
.target sm_90
.address_size 64

.visible .global .align 16 .b8 table[64];

.visible .entry saxpy(.param .f32 p_a, .param .u64 p_x, .param .u64 p_y, .param .u32 p_n)
{
  .reg .pred %p<2>;
  .reg .f32 %f<5>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.f32 %f1, [p_a];
  ld.param.u64 %rd1, [p_x];
  ld.param.u64 %rd2, [p_y];
  ld.param.u32 %r1, [p_n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mul.wide.u32 %rd5, %r5, 4;
  add.s64 %rd6, %rd3, %rd5;
  add.s64 %rd7, %rd4, %rd5;
  ld.global.f32 %f2, [%rd6];
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f4, %f1, %f2, %f3;
  st.global.f32 [%rd7], %f4;
DONE:
  ret;
}

.visible .entry overrun(.param .u64 p_y, .param .u64 p_ahead)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p_y];
  ld.param.u64 %rd2, [p_ahead];
  cvta.to.global.u64 %rd3, %rd1;
  add.s64 %rd4, %rd3, %rd2;
  mov.u32 %r1, 0;
  st.global.u32 [%rd4], %r1;
  ret;
}

.extern .shared .align 16 .b8 scratch[];

.visible .entry fill_shared(.param .u64 p_y)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p_y];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 77;
  mov.u32 %r2, scratch;
  st.shared.u32 [%r2+65532], %r1;
  ld.shared.u32 %r3, [%r2+65532];
  st.global.u32 [%rd2], %r3;
  ret;
}

.visible .entry add_table(.param .u64 p_y)
{
  .reg .f32 %f<4>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<7>;
  ld.param.u64 %rd1, [p_y];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  mov.u64 %rd5, table;
  add.s64 %rd6, %rd5, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd4], %f3;
  ret;
}
)";

FakeMachine::FakeMachine() {
  restart();
}

FakeMachine::~FakeMachine() {
  unsetenv("RIDGE_LIBCUDA");
}

void FakeMachine::restart(const std::string& rules, const std::string& devices) {
  setenv("RIDGE_LIBCUDA", RIDGE_FAKE_LIBCUDA, 1);
  setenv("RIDGE_FAKE_CUDA", rules.c_str(), 1);
  setenv("RIDGE_FAKE_CUDA_DEVICES", devices.c_str(), 1);
  void* library = dlopen(RIDGE_FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto start =
      reinterpret_cast<decltype(&ridge_fake_cuda_restart)>(dlsym(library, "ridge_fake_cuda_restart"));
  ASSERT_NE(start, nullptr);
  start(&open_executor);
}

std::unique_ptr<Device> FakeMachine::open() {
  auto device = open_cuda(0);
  if (!device) {
    ADD_FAILURE() << device.error().message;
    return nullptr;
  }
  return *std::move(device);
}

std::unique_ptr<Module> FakeMachine::load(Device& device) {
  compile::CompiledKernel kernel;
  kernel.ok = true;
  kernel.ptx = kPtx;
  auto module = device.load(kernel);
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return nullptr;
  }
  return *std::move(module);
}

std::vector<float> read_floats(Device& device, Address from, std::size_t count) {
  std::vector<float> values(count);
  const auto done = device.read(from, std::as_writable_bytes(std::span(values)));
  EXPECT_TRUE(done) << done.error().message;
  return values;
}

void write_floats(Device& device, Address to, const std::vector<float>& values) {
  const auto done = device.write(to, std::as_bytes(std::span(values)));
  EXPECT_TRUE(done) << done.error().message;
}

Launch saxpy(float a, Address x, Address y, unsigned n) {
  Launch launch;
  launch.symbol = "saxpy";
  launch.grid = {(n + 127) / 128, 1, 1};
  launch.block = {128, 1, 1};
  launch.arguments = {argument(a), argument(x), argument(y), argument(n)};
  launch.line = 3;
  return launch;
}

}  // namespace ridge::device
