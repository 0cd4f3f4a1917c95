// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/flush.h"

#include <algorithm>
#include <array>

namespace ridge::device::cuda {
namespace {

constexpr std::uint64_t kUnknownL2 = 64 << 20;
constexpr std::uint64_t kVectorBytes = 16;
constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerSm = 8;

// PTX, because this library is built without nvcc and the driver compiles it for any GPU since Turing.
// Threads stride over the buffer by 16-byte vectors, past L1 (.cg). The reads are folded into one word that
// is stored if it comes to a value which a zeroed buffer never gives: the loads must not be optimised away,
// and nothing may be dirtied.
constexpr const char* kFlushPtx = R"(.version 6.4
.target sm_75
.address_size 64

.visible .entry ridge_flush_read(.param .u64 buffer, .param .u64 vectors)
{
  .reg .pred %done, %never;
  .reg .b32 %block, %size, %lane, %blocks, %step32, %a, %b, %c, %d, %fold;
  .reg .b64 %base, %count, %index, %step, %at;
  ld.param.u64 %base, [buffer];
  ld.param.u64 %count, [vectors];
  cvta.to.global.u64 %base, %base;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %lane, %tid.x;
  mov.u32 %blocks, %nctaid.x;
  mul.lo.u32 %step32, %size, %blocks;
  cvt.u64.u32 %step, %step32;
  mad.lo.u32 %lane, %block, %size, %lane;
  cvt.u64.u32 %index, %lane;
  mov.u32 %fold, 0;
READ:
  setp.ge.u64 %done, %index, %count;
  @%done bra FOLD;
  shl.b64 %at, %index, 4;
  add.u64 %at, %base, %at;
  ld.global.cg.v4.u32 {%a, %b, %c, %d}, [%at];
  or.b32 %a, %a, %b;
  or.b32 %c, %c, %d;
  or.b32 %a, %a, %c;
  or.b32 %fold, %fold, %a;
  add.u64 %index, %index, %step;
  bra READ;
FOLD:
  setp.eq.u32 %never, %fold, 0x5EEDF00D;
  @%never st.global.u32 [%base], %fold;
  ret;
}

.visible .entry ridge_flush_write(.param .u64 buffer, .param .u64 vectors)
{
  .reg .pred %done;
  .reg .b32 %block, %size, %lane, %blocks, %step32, %zero;
  .reg .b64 %base, %count, %index, %step, %at;
  ld.param.u64 %base, [buffer];
  ld.param.u64 %count, [vectors];
  cvta.to.global.u64 %base, %base;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %lane, %tid.x;
  mov.u32 %blocks, %nctaid.x;
  mul.lo.u32 %step32, %size, %blocks;
  cvt.u64.u32 %step, %step32;
  mad.lo.u32 %lane, %block, %size, %lane;
  cvt.u64.u32 %index, %lane;
  mov.u32 %zero, 0;
WRITE:
  setp.ge.u64 %done, %index, %count;
  @%done bra END;
  shl.b64 %at, %index, 4;
  add.u64 %at, %base, %at;
  st.global.v4.u32 [%at], {%zero, %zero, %zero, %zero};
  add.u64 %index, %index, %step;
  bra WRITE;
END:
  ret;
}
)";

}  // namespace

Result<std::unique_ptr<Flusher>> Flusher::open(std::shared_ptr<Context> context) {
  std::unique_ptr<Flusher> flusher(new Flusher(context));
  const Driver& cu = context->driver();
  const std::uint64_t l2 =
      context->info().l2_bytes > 0 ? static_cast<std::uint64_t>(context->info().l2_bytes) : kUnknownL2;
  flusher->read_bytes_ = (3 * l2 + l2 / 4) / kVectorBytes * kVectorBytes;
  flusher->write_bytes_ = 2 * l2 / kVectorBytes * kVectorBytes;

  const Sentence doing = say("Preparing to flush the L2 cache (needs {} MiB and the driver's PTX compiler)",
                             flusher->read_bytes_ >> 20);
  auto done = context->check(cu.module_load(&flusher->module_, kFlushPtx, 0, nullptr, nullptr), doing);
  if (done)
    done = context->check(cu.module_function(&flusher->read_, flusher->module_, "ridge_flush_read"), doing);
  if (done)
    done = context->check(cu.module_function(&flusher->write_, flusher->module_, "ridge_flush_write"), doing);
  if (done) done = context->check(cu.memory_allocate(&flusher->buffer_, flusher->read_bytes_), doing);
  if (done)
    done = context->check(cu.set_bytes(flusher->buffer_, 0, flusher->read_bytes_, context->stream()), doing);
  if (done) done = context->synchronize(doing);
  if (!done) return done.error();
  return flusher;
}

Flusher::~Flusher() {
  if (!context_->enter()) return;
  if (buffer_ != 0) context_->driver().memory_free(buffer_);
  if (module_ != nullptr) context_->driver().module_unload(module_);
}

CUresult Flusher::enqueue(Flush kind) {
  if (kind == Flush::none) return CUDA_SUCCESS;
  std::uint64_t vectors = (kind == Flush::read ? read_bytes_ : write_bytes_) / kVectorBytes;
  std::array<void*, 2> arguments{&buffer_, &vectors};
  CUlaunchConfig config{};
  config.gridDimX = kBlocksPerSm * static_cast<unsigned>(std::max(context_->info().sm_count, 1));
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = kThreads;
  config.hStream = context_->stream();
  return context_->driver().launch(&config, kind == Flush::read ? read_ : write_, arguments.data(), nullptr);
}

}  // namespace ridge::device::cuda
