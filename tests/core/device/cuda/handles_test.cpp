// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor maps, textures and large clusters through the driver.
#include <numeric>

#include "core/device/cuda/fake.h"

namespace ridge::device {
namespace {

using testing::HasSubstr;

// tile(y, map): the box at (4, 1) into y. fetch(y, tex): tex2D of texel (thread, 1). rank(y): the cluster's
// size.
constexpr const char* kHandles = R"(.version 8.0
.target sm_90
.address_size 64
.shared .align 128 .b8 s[256];
.shared .align 8 .b64 bar;
.visible .entry tile(.param .u64 y, .param .align 64 .b8 map[128]) {
.reg .pred %p<4>;
.reg .b32 %r<8>;
.reg .b64 %rd<8>;
ld.param.u64 %rd1, [y];
mov.u32 %r1, %tid.x;
mov.u32 %r2, s;
mov.u32 %r3, bar;
setp.eq.s32 %p1, %r1, 0;
@%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
bar.sync 0;
mov.b64 %rd2, map;
@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd3, [%r3], 32;
@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd2, {4, 1}], [%r3];
W:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
@!%p2 bra W;
shl.b32 %r4, %r1, 2;
add.s32 %r5, %r4, %r2;
ld.shared.u32 %r6, [%r5];
cvt.u64.u32 %rd4, %r4;
add.s64 %rd4, %rd4, %rd1;
st.global.u32 [%rd4], %r6;
ret;
}
.visible .entry fetch(.param .u64 y, .param .u64 tex) {
.reg .b32 %r<4>;
.reg .f32 %f<8>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [y];
ld.param.u64 %rd2, [tex];
mov.u32 %r1, %tid.x;
cvt.rn.f32.u32 %f1, %r1;
add.f32 %f1, %f1, 0f3F000000;
tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd2, {%f1, 0f3FC00000}];
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd3, %rd3, %rd1;
st.global.f32 [%rd3], %f2;
ret;
}
.visible .entry rank(.param .u64 y) {
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [y];
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %cluster_nctarank;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd2, %rd2, %rd1;
st.global.u32 [%rd2], %r2;
ret;
}
)";

class Handles : public FakeMachine {
 protected:
  Handles() {
    device = open();
    compile::CompiledKernel kernel;
    kernel.ok = true;
    kernel.ptx = kHandles;
    auto loaded = device->load(kernel);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    if (loaded) module = *std::move(loaded);
    std::vector<float> values(64);
    std::iota(values.begin(), values.end(), 0.0f);
    x = *device->allocate(256, "x", 0);
    y = *device->allocate(256, "y", 0);
    write_floats(*device, x, values);
    write_floats(*device, y, std::vector<float>(64, -1));
  }
  std::vector<hardware::Finding> run(const std::string& symbol, std::vector<std::vector<std::byte>> arguments,
                                     Extent grid, Extent block, Extent cluster = {1, 1, 1}) {
    Launch launch;
    launch.symbol = symbol;
    launch.grid = grid;
    launch.block = block;
    launch.cluster = cluster;
    launch.arguments = std::move(arguments);
    auto outcome = device->execute(*module, {{}, {}, {launch}}, {});
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message);
    return outcome ? outcome->findings : std::vector<hardware::Finding>{};
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  Address x = 0, y = 0;
};

TEST_F(Handles, TilesGoThroughTheDriversTensorMap) {
  TensorMapSpec spec;
  spec.name = "x_map";
  spec.extents = {4, 16};
  spec.box = {2, 4};
  const auto map = device->tensor_map(spec, x);
  ASSERT_TRUE(map) << map.error().message;
  ASSERT_EQ(map->size(), kTensorMapBytes);
  EXPECT_TRUE(run("tile", {argument(y), *map}, {1, 1, 1}, {8, 1, 1}).empty());
  EXPECT_THAT(read_floats(*device, y, 8), testing::ElementsAre(20, 21, 22, 23, 36, 37, 38, 39));
}

TEST_F(Handles, ATensorMapBeyondTheLimitsIsTheCandidatesFault) {
  TensorMapSpec spec;
  spec.name = "x_map";
  spec.extents = {4, 15};
  spec.box = {2, 4};
  spec.line = 3;
  const auto map = device->tensor_map(spec, x);
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().code, "launch_failed");
  EXPECT_EQ(map.error().line, 3);
  EXPECT_THAT(map.error().message.english(), HasSubstr("stride of 60 bytes"));
}

TEST_F(Handles, FetchesGoThroughTheDriversTexture) {
  TextureSpec spec;
  spec.name = "tex";
  spec.extents = {4, 16};
  const auto texture = device->texture(spec, x);
  ASSERT_TRUE(texture) << texture.error().message;
  EXPECT_TRUE(run("fetch", {argument(y), argument(*texture)}, {1, 1, 1}, {4, 1, 1}).empty());
  EXPECT_THAT(read_floats(*device, y, 4), testing::ElementsAre(16, 17, 18, 19));
  device->release(x);  // with its texture
}

TEST_F(Handles, LargeClustersAreOptedInTo) {
  EXPECT_TRUE(run("rank", {argument(y)}, {16, 1, 1}, {32, 1, 1}, {16, 1, 1}).empty());
  std::vector<std::uint32_t> sizes(16);
  ASSERT_TRUE(device->read(y, std::as_writable_bytes(std::span(sizes))));
  EXPECT_THAT(sizes, testing::Each(16u));
  const auto refused = run("rank", {argument(y)}, {32, 1, 1}, {32, 1, 1}, {32, 1, 1});
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_THAT(refused[0].message.english(), HasSubstr("at most 16"));
}

}  // namespace
}  // namespace ridge::device
