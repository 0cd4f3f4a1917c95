// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels get from malloc: it goes with the module, and what is freed can still be looked at.
#include "device/emulator/memory/arena.h"

#include "support/emulated.h"

namespace ridge::device {
namespace {

/// Thread 0 mallocs a megabyte, stores into it and, if asked, frees it.
std::string allocating(bool frees) {
  return kernel_text(
      "u64 x",
      std::string("{\n.param .b64 n;\n.param .b64 p;\nst.param.b64 [n], 1048576;\ncall.uni (p), malloc, "
                  "(n);\nld.param.b64 %rd1, [p];\n}\nst.u32 [%rd1], 1;\n") +
          (frees ? "{\n.param .b64 q;\nst.param.b64 [q], %rd1;\ncall.uni free, (q);\n}\n" : ""),
      ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n");
}

TEST(DeviceHeap, GoesWithItsModule) {
  const auto device = open_emulator(test_model());
  const std::int64_t free = *device->free_bytes();
  const auto load = [&](bool frees) {
    compile::CompiledKernel kernel;
    kernel.ok = true;
    kernel.ptx = allocating(frees);
    auto module = device->load(kernel);
    EXPECT_TRUE(module) << module.error().message;
    return std::move(*module);
  };
  const auto run = [&](Module& module) {
    Launch launch;
    launch.symbol = "k";
    launch.arguments = {argument(std::uint64_t{0})};
    Sequence sequence;
    sequence.launches = {launch};
    const auto outcome = device->execute(module, sequence, {});
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->findings.empty()) << outcome->findings[0].message;
  };
  {
    const auto keeps = load(false), other = load(true);
    run(*keeps);
    EXPECT_LE(*device->free_bytes(), free - (1 << 20));
    const std::int64_t kept = *device->free_bytes();
    run(*other);
    EXPECT_EQ(*device->free_bytes(), kept) << "it freed what was its own";
    run(*keeps);
    EXPECT_LE(*device->free_bytes(), kept - (1 << 20)) << "memory of earlier launches stays";
  }
  EXPECT_EQ(*device->free_bytes(), free);
}

TEST(DeviceHeap, WhatIsRetiredCanBeLookedAtUntilTheLaunchEnds) {
  emulator::Arena arena(std::int64_t{1} << 24);
  const std::int64_t free = arena.free_bytes();
  const auto memory = arena.allocate(1000, "scratch", 16);
  ASSERT_TRUE(memory);
  const emulator::Allocation* const seen = *memory;  // as another thread of the host keeps it
  const std::uint64_t low = seen->low;
  arena.retire(low);
  EXPECT_EQ(arena.find(low, 1), nullptr);
  EXPECT_EQ(arena.free_bytes(), free);
  EXPECT_EQ(seen->name, "scratch");
  arena.forget_retired();
}

TEST(Textures, TakeThePlaceOfThoseWhoseMemoryIsGone) {
  const auto device = open_emulator(test_model());
  TextureSpec spec;
  spec.name = "t";
  spec.extents = {16};
  std::optional<std::uint64_t> handle;
  for (int round = 0; round < 3; ++round) {
    const auto memory = device->allocate(64, "x");
    ASSERT_TRUE(memory);
    const auto texture = device->texture(spec, *memory);
    ASSERT_TRUE(texture) << texture.error().message;
    EXPECT_EQ(*texture, handle.value_or(*texture));
    handle = *texture;
    device->release(*memory);
  }
}

}  // namespace
}  // namespace ridge::device
