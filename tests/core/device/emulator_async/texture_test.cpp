// SPDX-License-Identifier: GPL-3.0-or-later
// tex against the formulas of the CUDA programming guide, for every filter and address mode.
#include <cmath>

#include "async_fixture.h"

namespace ridge::device {
namespace {

constexpr int kWidth = 8, kHeight = 3;

float texel(int x, int y) {
  return static_cast<float>(x * x + 100 * y);
}

/// The index of a texel in range, or -1 for what counts as 0.
int in_range(int index, int extent, TextureAddress address) {
  if (address == TextureAddress::border) return index >= 0 && index < extent ? index : -1;
  if (address == TextureAddress::clamp) return std::min(std::max(index, 0), extent - 1);
  while (index < 0) index += 2 * extent;
  if (address == TextureAddress::wrap) return index % extent;
  index %= 2 * extent;
  return index < extent ? index : 2 * extent - 1 - index;
}
float at(int x, int y, TextureAddress address) {
  x = in_range(x, kWidth, address);
  y = in_range(y, kHeight, address);
  return x < 0 || y < 0 ? 0.0f : texel(x, y);
}

/// tex2D as the guide defines it; weights in 256ths.
float expected(float x, float y, const TextureSpec& spec) {
  if (spec.normalized_coordinates) {
    x *= kWidth;
    y *= kHeight;
  }
  if (!spec.linear) return at(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)), spec.address);
  const float xb = x - 0.5f, yb = y - 0.5f;
  const int i = static_cast<int>(std::floor(xb)), j = static_cast<int>(std::floor(yb));
  const float a = std::round((xb - static_cast<float>(i)) * 256) / 256;
  const float b = std::round((yb - static_cast<float>(j)) * 256) / 256;
  return (1 - a) * (1 - b) * at(i, j, spec.address) + a * (1 - b) * at(i + 1, j, spec.address) +
         (1 - a) * b * at(i, j + 1, spec.address) + a * b * at(i + 1, j + 1, spec.address);
}

/// Fetches at the coordinates of `places` (x, y, x, y…) with one thread for each.
std::vector<float> fetch(const TextureSpec& spec, const std::vector<float>& texels,
                         const std::vector<float>& places, const std::string& operation, std::string& message,
                         const std::string& behind = "") {
  const bool whole = operation.ends_with("s32"), one = operation.find(".1d") != std::string::npos;
  std::string body =
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [places];\nld.param.u64 %rd2, [y];\nld.param.u64 %rd3, "
      "[tex];\n"
      "mul.wide.u32 %rd4, %r1, 8;\nadd.s64 %rd4, %rd4, %rd1;\nld.global.f32 %f1, [%rd4];\nld.global.f32 %f2, "
      "[%rd4+4];\ncvt.rzi.s32.f32 %r2, %f1;\ncvt.rzi.s32.f32 %r3, %f2;\n";
  body += operation + " {%f3, %f4, %f5, %f6}, [%rd3, {" + (whole ? "%r2" : "%f1") +
          (one     ? ""
           : whole ? ", %r3"
                   : ", %f2") +
          "}]" + behind + ";\n";
  body += "mul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd5, %rd5, %rd2;\nst.global.f32 [%rd5], %f3;\n";
  Emulated emulated(kernel_text("u64 places, u64 y, u64 tex", body));
  EXPECT_EQ(emulated.load_error.message, "");
  const std::size_t count = places.size() / 2;
  const Address image = emulated.buffer(texels, "image");
  const Address at_places = emulated.buffer(places, "places");
  const Address y = emulated.scratch(static_cast<std::int64_t>(4 * count), "y");
  const auto texture = emulated.device().texture(spec, image);
  EXPECT_TRUE(texture.ok()) << (texture.ok() ? "" : texture.error().message);
  if (!texture) return {};
  const LaunchOutcome outcome = emulated.run("k", {1, 1, 1}, {static_cast<std::int64_t>(count), 1, 1},
                                             {argument(at_places), argument(y), argument(*texture)});
  message = outcome.findings.empty() ? "" : outcome.findings[0].message.english();
  return emulated.read<float>(y, count);
}

std::vector<float> image() {
  std::vector<float> texels;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) texels.push_back(texel(x, y));
  return texels;
}

TEST(Textures, EveryFilterAddressModeAndKindOfCoordinate) {
  for (const bool linear : {false, true})
    for (const bool normalized : {false, true})
      for (const TextureAddress address :
           {TextureAddress::clamp, TextureAddress::border, TextureAddress::wrap, TextureAddress::mirror}) {
        const bool repeats = address == TextureAddress::wrap || address == TextureAddress::mirror;
        if (repeats && !normalized) continue;
        TextureSpec spec;
        spec.name = "tex";
        spec.extents = {kHeight, kWidth};
        spec.linear = linear;
        spec.normalized_coordinates = normalized;
        spec.address = address;
        std::vector<float> places;
        for (int k = 0; k < 64; ++k) {
          const float x = static_cast<float>(k) * 0.3125f - 5.1f,
                      y = static_cast<float>(k % 9) * 0.71f - 1.3f;
          places.push_back(normalized ? x / kWidth : x);
          places.push_back(normalized ? y / kHeight : y);
        }
        std::string message;
        const std::vector<float> got = fetch(spec, image(), places, "tex.2d.v4.f32.f32", message);
        EXPECT_EQ(message, "");
        ASSERT_EQ(got.size(), 64u);
        for (std::size_t k = 0; k < 64; ++k)
          EXPECT_NEAR(got[k], expected(places[2 * k], places[2 * k + 1], spec), linear ? 1.0f : 0.0f)
              << linear << normalized << static_cast<int>(address) << " at " << places[2 * k] << ", "
              << places[2 * k + 1];
      }
}

TEST(Textures, WholeCoordinatesCountTexels) {
  TextureSpec spec;
  spec.name = "tex";
  spec.extents = {kHeight, kWidth};
  std::string message;
  EXPECT_EQ(fetch(spec, image(), {3, 1, 7, 2, 0, 0}, "tex.2d.v4.f32.s32", message),
            (std::vector<float>{texel(3, 1), texel(7, 2), texel(0, 0)}));
  spec.extents = {kHeight * kWidth};
  EXPECT_EQ(fetch(spec, image(), {9, 0, 2, 0}, "tex.1d.v4.f32.s32", message),
            (std::vector<float>{texel(1, 1), texel(2, 0)}));
  EXPECT_EQ(message, "");
}

TEST(Textures, TheLevelIsTheOnlyOneWhateverIsAskedFor) {
  TextureSpec spec;
  spec.name = "tex";
  spec.extents = {kHeight, kWidth};
  spec.linear = true;
  const std::vector<float> places{1.25f, 0.5f, 7.9f, 2.9f, -3.0f, 1.5f, 4.0f, 1.0f};
  std::string message;
  const std::vector<float> plain = fetch(spec, image(), places, "tex.2d.v4.f32.f32", message);
  for (const char* level : {"0f00000000", "0f40A00000", "0fC0000000", "0f7FC00000"})
    EXPECT_EQ(fetch(spec, image(), places, "tex.level.2d.v4.f32.f32", message, std::string(", ") + level),
              plain)
        << level;
  EXPECT_EQ(fetch(spec, image(), places, "tex.grad.2d.v4.f32.f32", message, ", {%f1, %f2}, {%f2, %f1}"),
            plain);
  spec.extents = {kHeight * kWidth};
  spec.linear = false;
  const std::vector<float> line = fetch(spec, image(), places, "tex.1d.v4.f32.f32", message);
  EXPECT_EQ(fetch(spec, image(), places, "tex.level.1d.v4.f32.f32", message, ", %f2"), line);
  EXPECT_EQ(fetch(spec, image(), places, "tex.grad.1d.v4.f32.f32", message, ", {%f2}, {%f1}"), line);
  EXPECT_EQ(message, "");
}

TEST(Textures, FaultsOfFetches) {
  TextureSpec spec;
  spec.name = "tex";
  spec.extents = {kHeight * kWidth};
  std::string message;
  fetch(spec, image(), {1, 1}, "tex.2d.v4.f32.f32", message);
  EXPECT_NE(message.find("1 dimensions"), std::string::npos) << message;
  const Ran ran = run_async("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n");
  EXPECT_NE(ran.message().find("//@ texture:"), std::string::npos) << ran.message();
}

}  // namespace
}  // namespace ridge::device
