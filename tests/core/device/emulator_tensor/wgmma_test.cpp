// SPDX-License-Identifier: GPL-3.0-or-later
// wgmma: all types, A from registers and from memory, every swizzle and majorness, against the oracle. The
// layouts of shared memory are those of the ISA's table of canonical layouts.
#include "device/emulator_tensor/matrix.h"
#include "support/emulated.h"

namespace ridge::device::tensor {
namespace {

struct Product {
  int n;
  std::string d, a, b;
  int swizzle_a, swizzle_b;  ///< bytes; 0: none
  bool register_a, transposed_a, transposed_b;
  bool adds;  ///< scale-d
  Rules rules;

  int k() const { return 256 / format(a).bits; }
  std::string name() const {
    const auto memory = [](bool transposed, int swizzle) {
      return std::string(transposed ? ".mn" : ".k") + std::to_string(swizzle);
    };
    return "m64n" + std::to_string(n) + "k" + std::to_string(k()) + "." + d + "." + a + "." + b +
           (register_a ? ".registers" : memory(transposed_a, swizzle_a)) + memory(transposed_b, swizzle_b) +
           (adds ? "" : ".fresh") + (rules.negated_a ? ".nega" : "") + (rules.negated_b ? ".negb" : "") +
           (rules.saturating ? ".satfinite" : "");
  }
};
void PrintTo(const Product& test, std::ostream* out) {
  *out << test.name();
}

std::vector<Product> all() {
  std::vector<Product> tests;
  const int swizzles[] = {0, 32, 64, 128};
  // Layouts, in f16.
  for (const int swizzle : swizzles)
    for (const bool transposed_a : {false, true})
      for (const bool transposed_b : {false, true})
        tests.push_back(
            {64, "f32", "f16", "f16", swizzle, swizzle, false, transposed_a, transposed_b, true, {}});
  for (const int swizzle : swizzles)
    tests.push_back({24, "f32", "f16", "f16", 0, swizzle, true, false, swizzle % 64 == 0, true, {}});
  // Every width.
  for (int n = 8; n <= 256; n += 8)
    tests.push_back({n, "f32", "bf16", "bf16", 128, 128, false, false, n % 64 == 0, true, {}});
  // Types.
  const auto types = [&](const std::string& d, const std::string& a, const std::string& b, Rules rules = {}) {
    for (const bool register_a : {false, true})
      for (const bool adds : {false, true})
        tests.push_back({40, d, a, b, 64, 32, register_a, false, false, adds, rules});
  };
  for (const char* d : {"f16", "f32"}) {
    types(d, "f16", "f16");
    for (const char* a : {"e4m3", "e5m2"})
      for (const char* b : {"e4m3", "e5m2"}) types(d, a, b);
  }
  types("f32", "bf16", "bf16");
  types("f32", "tf32", "tf32");
  for (const char* a : {"s8", "u8"})
    for (const char* b : {"s8", "u8"})
      for (const bool saturating : {false, true}) types("s32", a, b, {saturating, false, false, false});
  types("s32", "b1", "b1");
  for (const Rules& rules : {Rules{false, false, true, false}, Rules{false, false, false, true}})
    types("f32", "f16", "f16", rules);
  // Integers come in fewer widths.
  for (Product& test : tests)
    if (test.d == "s32") test.n = 48;
  return tests;
}

/// A matrix of `lines` rows (columns of B) by 32 bytes of k in shared memory.
struct Layout {
  int leading = 0, stride = 0;  ///< bytes
  int bytes = 0;                ///< of the whole
};

/// Swizzle<b, 4, 3> on a byte address: bits 4.. are xor-ed with bits 7.., as many as there are rows in a
/// pattern.
int swizzled(int address, int swizzle) {
  const int mask = swizzle == 0 ? 0 : swizzle / 16 - 1;
  return address ^ ((address >> 7 & mask) << 4);
}

/// Where element (line, k) lies. In units of T elements = 16 bytes the ISA's layouts are, for K-major:
/// ((8,m),(T,2)):((1T,SBO),(1,LBO)) without a swizzle, else ((8,m),(T,2)):((wT,SBO),(1,T)), w = swizzle / 16;
/// for MN-major: ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO)), else ((T,w,m),(8,k)):((1,T,LBO),(wT,SBO)).
int offset_of(const Layout& layout, int swizzle, bool transposed, int bits, int line, int k) {
  const int unit = 128 / bits, width = swizzle == 0 ? 1 : swizzle / 16;
  if (!transposed) {
    const int chunk = k / unit, rest = k % unit * bits / 8;
    const int along = swizzle == 0 ? chunk * layout.leading : chunk * 16;
    return line % 8 * width * 16 + line / 8 * layout.stride + along + rest;
  }
  const int chunk = line / unit, rest = line % unit * bits / 8;
  if (swizzle == 0) return rest + chunk * layout.stride + k % 8 * 16 + k / 8 * layout.leading;
  return rest + chunk % width * 16 + chunk / width * layout.leading + k % 8 * width * 16 +
         k / 8 * layout.stride;
}

/// Offsets with gaps between the atoms, so that no stride can be taken for another.
Layout layout_for(int swizzle, bool transposed, int lines) {
  Layout layout;
  const int width = swizzle == 0 ? 16 : swizzle, atom = 8 * width;
  if (!transposed) {
    layout.stride = swizzle == 0 ? atom + 16 : atom * 2;
    layout.leading = swizzle == 0 ? layout.stride * (lines / 8) + 32 : 16;
    layout.bytes = layout.stride * (lines / 8) + (swizzle == 0 ? layout.leading : 0) + atom;
  } else {
    const int chunks = (lines * 2 + width - 1) / width;  // atoms along M or N
    if (swizzle == 0) {
      layout.stride = atom + 32;
      layout.leading = layout.stride * (lines / 8) + 16;
      layout.bytes = 2 * layout.leading + atom;
    } else {
      layout.leading = 2 * atom;
      layout.stride = layout.leading * chunks + 1024;
      layout.bytes = 2 * layout.stride + atom;
    }
  }
  layout.bytes = (layout.bytes + 1023) / 1024 * 1024;
  return layout;
}

std::uint64_t descriptor(const Layout& layout, int start, int swizzle) {
  const auto encoded = [](int bytes) { return static_cast<std::uint64_t>((bytes & 0x3ffff) >> 4); };
  const std::uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
  return encoded(start) | encoded(layout.leading) << 16 | encoded(layout.stride) << 32 | mode << 62;
}

void place(std::vector<std::uint8_t>& image, int start, const Layout& layout, int swizzle, bool transposed,
           int bits, int line, int k, std::uint64_t value) {
  const int address = swizzled(start + offset_of(layout, swizzle, transposed, bits, line, k), swizzle);
  const int bytes = std::max(bits / 8, 1);
  for (int b = 0; b < bytes; ++b) {
    std::uint8_t& byte = image[static_cast<std::size_t>(address + b)];
    byte = static_cast<std::uint8_t>(byte | (bits < 8 ? value << (k % 8) : value >> (8 * b)));
  }
}

std::string registers_list(const std::string& prefix, int count) {
  std::string list;
  for (int r = 0; r < count; ++r) list += (r == 0 ? "{%" : ", %") + prefix + std::to_string(r);
  return list + "}";
}

/// 128 threads copy the image to shared memory, multiply, and store D.
std::string kernel(const Product& test, int image_bytes, int d_count, std::uint64_t a, std::uint64_t b) {
  std::string body =
      ".reg .b32 %d<" + std::to_string(d_count) +
      ">;\n.reg .b32 %a<4>;\n"
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [image];\nld.param.u64 %rd2, [d];\nld.param.u64 %rd3, [a];\n"
      "mov.u64 %rd4, s;\nmul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd1, %rd1, %rd5;\nadd.s64 %rd4, %rd4, %rd5;\n"
      "add.s64 %rd2, %rd2, %rd5;\nadd.s64 %rd3, %rd3, %rd5;\nmov.u32 %r2, 0;\n"
      "LOOP:\nld.global.u32 %r3, [%rd1];\nst.shared.u32 [%rd4], %r3;\nadd.s64 %rd1, %rd1, 512;\n"
      "add.s64 %rd4, %rd4, 512;\nadd.u32 %r2, %r2, 512;\nsetp.lt.u32 %p1, %r2, " +
      std::to_string(image_bytes) + ";\n@%p1 bra LOOP;\nfence.proxy.async;\nbar.sync 0;\n";
  for (int r = 0; r < d_count; ++r)
    body += "ld.global.u32 %d" + std::to_string(r) + ", [%rd2+" + std::to_string(512 * r) + "];\n";
  for (int r = 0; r < 4; ++r)
    body += "ld.global.u32 %a" + std::to_string(r) + ", [%rd3+" + std::to_string(512 * r) + "];\n";
  body += "mov.u64 %rd6, " + std::to_string(a) + ";\nmov.u64 %rd7, " + std::to_string(b) +
          ";\nsetp.ne.b32 %p2, " + (test.adds ? "1" : "0") +
          ", 0;\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n" + std::to_string(test.n) +
          "k" + std::to_string(test.k()) + "." + test.d + "." + test.a + "." + test.b +
          (test.a == "b1"          ? ".and.popc "
           : test.rules.saturating ? ".satfinite "
                                   : " ") +
          registers_list("d", d_count) + ", " + (test.register_a ? registers_list("a", 4) : "%rd6") +
          ", %rd7, %p2";
  if (test.d != "s32")
    body += std::string(test.rules.negated_a ? ", -1" : ", 1") + (test.rules.negated_b ? ", -1" : ", 1");
  if (test.a == "f16" || test.a == "bf16") {
    if (!test.register_a) body += test.transposed_a ? ", 1" : ", 0";
    body += test.transposed_b ? ", 1" : ", 0";
  }
  body += ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  for (int r = 0; r < d_count; ++r)
    body += "st.global.u32 [%rd2+" + std::to_string(512 * r) + "], %d" + std::to_string(r) + ";\n";
  return kernel_text("u64 image, u64 d, u64 a", body,
                     ".shared .align 1024 .b8 s[" + std::to_string(image_bytes) + "];");
}

class Wgmma : public testing::TestWithParam<Product> {};

TEST_P(Wgmma, AgreesWithTheOracle) {
  const Product& test = GetParam();
  const int k = test.k();
  const Format a_type = format(test.a), b_type = format(test.b), d_type = format(test.d);
  const Layout a_layout = layout_for(test.swizzle_a, test.transposed_a, 64),
               b_layout = layout_for(test.swizzle_b, test.transposed_b, test.n);
  const int a_bytes = test.register_a ? 0 : a_layout.bytes, image_bytes = a_bytes + b_layout.bytes;
  const int d_count = test.n * 16 * d_type.bits / 1024;
  std::mt19937_64 random(13);
  for (const Fill how : kFills) {
    Matrix a(a_type, 64, k), b(b_type, k, test.n), c(d_type, 64, test.n);
    fill(a, how, random);
    fill(b, how == Fill::extreme ? Fill::ordinary : how, random);
    fill(c, how, random);
    const Matrix expected = product(a, b, test.adds ? &c : nullptr, d_type, test.rules);

    std::vector<std::uint8_t> image(static_cast<std::size_t>(image_bytes));
    // Registers of the warpgroup: register by register, 128 threads side by side.
    std::vector<std::uint32_t> a_words(4 * 128), d_words(static_cast<std::size_t>(d_count) * 128);
    const auto register_of = [](int thread, int bits, int element) {
      return static_cast<std::size_t>(element / (32 / bits) * 128 + thread);
    };
    for (int line = 0; line < 64 && !test.register_a; ++line)
      for (int i = 0; i < k; ++i)
        place(image, 0, a_layout, test.swizzle_a, test.transposed_a, a_type.bits, line, i, a.at(line, i));
    for (int line = 0; line < test.n; ++line)
      for (int i = 0; i < k; ++i)
        place(image, a_bytes, b_layout, test.swizzle_b, test.transposed_b, b_type.bits, line, i,
              b.at(i, line));
    const auto d_position = [](int thread, int i) {
      const int lane = thread % 32;
      return Position{thread / 32 * 16 + lane / 4 + 8 * (i / 2 % 2), i / 4 * 8 + lane % 4 * 2 + i % 2};
    };
    for (int thread = 0; thread < 128; ++thread) {
      for (int i = 0; i < 16 * k / 32; ++i) {
        const auto [row, column] = position_a(16, a_type.bits, thread % 32, i);
        a_words[register_of(thread, a_type.bits, i)] |= static_cast<std::uint32_t>(
            a.at(thread / 32 * 16 + row, column) << (i % (32 / a_type.bits) * a_type.bits));
      }
      for (int i = 0; i < test.n / 2; ++i) {
        const auto [row, column] = d_position(thread, i);
        d_words[register_of(thread, d_type.bits, i)] |=
            static_cast<std::uint32_t>(c.at(row, column) << (i % (32 / d_type.bits) * d_type.bits));
      }
    }
    Emulated emulated(kernel(test, image_bytes, d_count, descriptor(a_layout, 0, test.swizzle_a),
                             descriptor(b_layout, a_bytes, test.swizzle_b)));
    ASSERT_EQ(emulated.load_error.message, "");
    const Address d = emulated.buffer(d_words);
    const LaunchOutcome outcome =
        emulated.run("k", {1, 1, 1}, {128, 1, 1},
                     {argument(emulated.buffer(image)), argument(d), argument(emulated.buffer(a_words))});
    ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    const auto got = emulated.read<std::uint32_t>(d, d_words.size());
    for (int thread = 0; thread < 128; ++thread)
      for (int i = 0; i < test.n / 2; ++i) {
        const auto [row, column] = d_position(thread, i);
        const std::uint64_t word = got[register_of(thread, d_type.bits, i)];
        const std::uint64_t bits =
            word >> (i % (32 / d_type.bits) * d_type.bits) & ((std::uint64_t{1} << d_type.bits) - 1);
        ASSERT_TRUE(agrees(d_type, bits, expected.at(row, column)))
            << "fill " << static_cast<int>(how) << ", row " << row << ", column " << column << std::hex
            << ": 0x" << bits << ", the ISA says 0x" << expected.at(row, column);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Wgmma, testing::ValuesIn(all()),
                         [](const auto& test) { return test_name(test.param.name()); });

TEST(DynamicSharedMemory, HasTheAlignmentThatASwizzleNeeds) {
  Emulated emulated(
      kernel_text("u64 x",
                  "mov.u32 %r1, s;\nmov.u32 %r2, dynamic;\nst.shared.u32 [%r1], 0;\nld.param.u64 %rd1, "
                  "[x];\nst.global.u32 [%rd1], %r2;\n",
                  ".shared .align 4 .b8 s[4];\n.extern .shared .align 1024 .b8 dynamic[];"));
  ASSERT_EQ(emulated.load_error.message, "");
  const Address x = emulated.buffer(std::vector<std::uint32_t>{7});
  EXPECT_TRUE(emulated.run("k", {1, 1, 1}, {1, 1, 1}, {argument(x)}, 64).findings.empty());
  EXPECT_EQ(emulated.read<std::uint32_t>(x, 1), std::vector<std::uint32_t>{1024});
}

TEST(WgmmaCounters, AWarpgroupReadsBOnce) {
  const Product test{64, "f32", "f16", "f16", 128, 128, false, false, false, true, {}};
  const Layout layout = layout_for(128, false, 64);
  Emulated emulated(
      kernel(test, 2 * layout.bytes, 32, descriptor(layout, 0, 128), descriptor(layout, layout.bytes, 128)));
  const Address image =
      emulated.buffer(std::vector<std::uint8_t>(static_cast<std::size_t>(2 * layout.bytes)));
  const Address d = emulated.buffer(std::vector<std::uint32_t>(32 * 128)),
                a = emulated.buffer(std::vector<std::uint32_t>(512));
  const LaunchOutcome outcome =
      emulated.run("k", {1, 1, 1}, {128, 1, 1}, {argument(image), argument(d), argument(a)});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.counters.at("flops_tensor_fp16"), 2.0 * 64 * 64 * 16);
  EXPECT_EQ(outcome.counters.at("shared_load_requests"), 4 + 4);
  EXPECT_EQ(outcome.counters.at("shared_load_wavefronts"), 4 * (4 + 4))
      << "core matrices of 128 bytes, no conflicts";
  EXPECT_EQ(outcome.counters.at("shared_load_bank_conflicts"), 0);
}

}  // namespace
}  // namespace ridge::device::tensor
