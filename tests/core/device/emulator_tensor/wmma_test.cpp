// SPDX-License-Identifier: GPL-3.0-or-later
// wmma: load, multiply, store, for every shape, type, layout and state space. Only matrices in memory are
// compared: how the fragments lie in registers is nobody's business.
#include <cstring>

#include "device/emulator_tensor/matrix.h"
#include "support/emulated.h"

namespace ridge::device::tensor {
namespace {

struct Product {
  int m, n, k;
  std::string d, a, b, c;
  bool row_a, row_b, row_c;  ///< row-major; C and D alike
  std::string space;         ///< "global", "shared", "" (generic)
  std::string bit_operation;
  Rules rules;

  std::string shape() const {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  }
  std::string name() const {
    return shape() + "." + d + "." + a + "." + b + "." + c + (row_a ? ".row" : ".col") +
           (row_b ? ".row" : ".col") + (row_c ? ".row" : ".col") +
           (space.empty() ? ".generic" : "." + space) + bit_operation +
           (rules.saturating ? ".satfinite" : "");
  }
};
void PrintTo(const Product& test, std::ostream* out) {
  *out << test.name();
}

std::vector<Product> all() {
  std::vector<Product> tests;
  const char* spaces[] = {"global", "shared", ""};
  std::size_t count = 0;
  const auto add = [&](int m, int n, int k, const std::string& d, const std::string& a, const std::string& b,
                       const std::string& c, const std::string& bit_operation = "", Rules rules = {}) {
    const bool narrow = format(a).bits < 8;  // these have one layout only
    for (const bool row_a : {true, false})
      for (const bool row_b : {true, false})
        for (const bool row_c : {true, false}) {
          if (narrow && (!row_a || row_b)) continue;
          tests.push_back(
              {m, n, k, d, a, b, c, row_a, row_b, row_c, spaces[count++ % 3], bit_operation, rules});
        }
  };
  const std::vector<std::array<int, 3>> shapes{{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
  for (const auto& [m, n, k] : shapes) {
    for (const char* d : {"f16", "f32"})
      for (const char* c : {"f16", "f32"}) add(m, n, k, d, "f16", "f16", c);
    add(m, n, k, "f32", "bf16", "bf16", "f32");
    for (const char* type : {"s8", "u8"})
      for (const bool saturating : {false, true})
        add(m, n, k, "s32", type, type, "s32", "", {saturating, false, false, false});
  }
  add(16, 16, 8, "f32", "tf32", "tf32", "f32");
  add(8, 8, 4, "f64", "f64", "f64", "f64");
  for (const char* type : {"s4", "u4"}) add(8, 8, 32, "s32", type, type, "s32");
  add(8, 8, 128, "s32", "b1", "b1", "s32", ".and.popc");
  add(8, 8, 128, "s32", "b1", "b1", "s32", ".xor.popc", {false, true, false, false});
  return tests;
}

/// A matrix in memory, its lines `stride` elements apart.
std::vector<std::uint8_t> in_memory(const Matrix& matrix, bool row_major, int stride) {
  const int lines = row_major ? matrix.rows : matrix.columns,
            length = row_major ? matrix.columns : matrix.rows;
  const int bits = matrix.type.bits;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(lines * stride * bits / 8), 0);
  for (int line = 0; line < lines; ++line)
    for (int k = 0; k < length; ++k) {
      const std::uint64_t value = row_major ? matrix.at(line, k) : matrix.at(k, line);
      const auto first = static_cast<std::size_t>((line * stride + k) * bits);
      for (std::size_t bit = 0; bit < static_cast<std::size_t>(bits); ++bit)
        bytes[(first + bit) / 8] =
            static_cast<std::uint8_t>(bytes[(first + bit) / 8] | (value >> bit & 1) << ((first + bit) % 8));
    }
  bytes.resize((bytes.size() + 15) / 16 * 16);
  return bytes;
}

std::string registers_list(const std::string& prefix, int count) {
  std::string list;
  for (int r = 0; r < count; ++r) list += (r == 0 ? "{%" : ", %") + prefix + std::to_string(r);
  return list + "}";
}
int factor_registers(const Product& test, const std::string& type, int elements) {
  if (type == "f16") return 8;  // elements repeat
  const int bits = format(type).bits;
  static_cast<void>(test);
  return elements * bits / 32 / (bits == 64 ? 64 : 32);
}
int sum_registers(const std::string& type, int elements) {
  return type == "f16" ? elements / 64 : elements / 32;
}

constexpr int kSharedBytes = 16384;

/// Copies `bytes` between memory in `from` and `to` by 32 threads, word by word.
std::string copy(const std::string& label, const std::string& from_space, const std::string& from,
                 const std::string& to_space, const std::string& to, std::size_t bytes) {
  return "mov.u32 %r1, %tid.x;\nshl.b32 %r1, %r1, 2;\n" + label + ":\nsetp.ge.u32 %p1, %r1, " +
         std::to_string(bytes) + ";\n@%p1 bra " + label + "_END;\ncvt.u64.u32 %rd10, %r1;\nadd.s64 %rd11, " +
         from + ", %rd10;\nadd.s64 %rd12, " + to + ", %rd10;\nld." + from_space + ".b32 %r2, [%rd11];\nst." +
         to_space + ".b32 [%rd12], %r2;\nadd.s32 %r1, %r1, 128;\nbra " + label + ";\n" + label +
         "_END:\nbar.warp.sync 0xffffffff;\n";
}

std::string kernel(const Product& test, const std::size_t (&sizes)[3], const int (&strides)[3]) {
  const std::string sync = ".sync.aligned.";
  const auto layout = [](bool row) { return std::string(row ? "row" : "col"); };
  const auto class_of = [](const std::string& type) {
    return type == "f64" ? ".b64" : type == "f32" ? ".f32" : ".b32";
  };
  const int counts[4] = {factor_registers(test, test.a, test.m * test.k),
                         factor_registers(test, test.b, test.k * test.n),
                         sum_registers(test.c, test.m * test.n), sum_registers(test.d, test.m * test.n)};
  const std::string types[4] = {test.a, test.b, test.c, test.d};
  const char* names[4] = {"a", "b", "c", "d"};
  std::string body;
  for (int k = 0; k < 4; ++k)
    body += std::string(".reg ") + class_of(types[k]) + " %" + names[k] + "<" + std::to_string(counts[k]) +
            ">;\n";
  std::string pointers[4];
  for (int k = 0; k < 4; ++k) {
    pointers[k] = "%rd" + std::to_string(k + 1);
    body += std::string("ld.param.u64 ") + pointers[k] + ", [" + names[k] + "];\n";
  }
  const std::string space = test.space.empty() ? "" : "." + test.space;
  std::string out = pointers[3];
  if (test.space == "shared") {
    std::size_t offset = 0;
    for (int k = 0; k < 3; ++k) {
      const std::string target = "%rd" + std::to_string(k + 5);
      body += "mov.u64 " + target + ", s;\nadd.s64 " + target + ", " + target + ", " +
              std::to_string(offset) + ";\n" +
              copy("COPY" + std::to_string(k), "global", pointers[k], "shared", target, sizes[k]);
      pointers[k] = target;
      offset += sizes[k];
    }
    out = pointers[2];  // D replaces C
  }
  const auto load = [&](int k, bool row) {
    body += std::string("wmma.load.") + names[k] + sync + layout(row) + "." + test.shape() + space + "." +
            types[k] + " " + registers_list(names[k], counts[k]) + ", [" + pointers[k] + "], " +
            std::to_string(strides[k]) + ";\n";
  };
  load(0, test.row_a);
  load(1, test.row_b);
  load(2, test.row_c);
  const bool short_form = test.a == "f16";
  body += "wmma.mma" + test.bit_operation + sync + layout(test.row_a) + "." + layout(test.row_b) + "." +
          test.shape() + "." + test.d + (short_form ? "." : "." + test.a + "." + test.b + ".") + test.c +
          (test.rules.saturating ? ".satfinite " : " ");
  for (int k : {3, 0, 1, 2}) body += registers_list(names[k], counts[k]) + (k == 2 ? ";\n" : ", ");
  if (test.space == "shared") body += "bar.warp.sync 0xffffffff;\n";
  body += "wmma.store.d" + sync + layout(test.row_c) + "." + test.shape() + space + "." + test.d + " [" +
          out + "], " + registers_list("d", counts[3]) + ", " + std::to_string(strides[2]) + ";\n";
  if (test.space == "shared")
    body += "bar.warp.sync 0xffffffff;\n" + copy("BACK", "shared", out, "global", pointers[3], sizes[2]);
  return kernel_text("u64 a, u64 b, u64 c, u64 d", body,
                     ".shared .align 32 .b8 s[" + std::to_string(kSharedBytes) + "];");
}

class Wmma : public testing::TestWithParam<Product> {};

TEST_P(Wmma, AgreesWithTheOracle) {
  const Product& test = GetParam();
  const Format a_type = format(test.a), b_type = format(test.b), c_type = format(test.c),
               d_type = format(test.d);
  std::mt19937_64 random(11);
  for (const Fill how : kFills) {
    Matrix a(a_type, test.m, test.k), b(b_type, test.k, test.n), c(c_type, test.m, test.n);
    fill(a, how, random);
    fill(b, how == Fill::extreme ? Fill::ordinary : how, random);
    fill(c, how, random);
    const Matrix expected = product(a, b, &c, d_type, test.rules);
    const int pad = a_type.bits < 8 ? 128 / a_type.bits : 16;  // lines do not touch each other
    const int strides[3] = {(test.row_a ? test.k : test.m) + pad, (test.row_b ? test.n : test.k) + pad,
                            (test.row_c ? test.n : test.m) + 16};
    const auto a_bytes = in_memory(a, test.row_a, strides[0]), b_bytes = in_memory(b, test.row_b, strides[1]);
    // C and D have one size here, that of the wider of the two.
    auto c_bytes = in_memory(c, test.row_c, strides[2]);
    const auto wanted = in_memory(expected, test.row_c, strides[2]);
    c_bytes.resize(std::max(c_bytes.size(), wanted.size()));
    const std::size_t sizes[3] = {a_bytes.size(), b_bytes.size(), c_bytes.size()};
    ASSERT_LE(sizes[0] + sizes[1] + sizes[2], static_cast<std::size_t>(kSharedBytes));
    Emulated emulated(kernel(test, sizes, strides));
    ASSERT_EQ(emulated.load_error.message, "");
    const Address d = emulated.buffer(std::vector<std::uint8_t>(c_bytes.size()), "d");
    const LaunchOutcome outcome =
        emulated.run("k", {1, 1, 1}, {32, 1, 1},
                     {argument(emulated.buffer(a_bytes, "a")), argument(emulated.buffer(b_bytes, "b")),
                      argument(emulated.buffer(c_bytes, "c")), argument(d)});
    ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    const auto got = emulated.read<std::uint8_t>(d, c_bytes.size());
    const auto size = static_cast<std::size_t>(d_type.bits / 8);
    for (int row = 0; row < test.m; ++row)
      for (int column = 0; column < test.n; ++column) {
        const auto element =
            static_cast<std::size_t>(test.row_c ? row * strides[2] + column : column * strides[2] + row);
        std::uint64_t bits = 0;
        std::memcpy(&bits, got.data() + element * size, size);
        ASSERT_TRUE(agrees(d_type, bits, expected.at(row, column)))
            << "fill " << static_cast<int>(how) << ", row " << row << ", column " << column << std::hex
            << ": 0x" << bits << ", the ISA says 0x" << expected.at(row, column);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Wmma, testing::ValuesIn(all()),
                         [](const auto& test) { return test_name(test.param.name()); });

TEST(WmmaCounters, AFragmentIsReadOnceInWholeSectors) {
  const Product test{16, 16, 16, "f32", "f16", "f16", "f32", true, true, true, "global", "", {}};
  const std::size_t sizes[3] = {512, 512, 1024};
  const int strides[3] = {16, 16, 16};
  Emulated emulated(kernel(test, sizes, strides));
  const Address ab = emulated.buffer(std::vector<std::uint16_t>(256, 0x3c00), "ab");
  const Address c = emulated.buffer(std::vector<float>(256, 0), "c");
  const LaunchOutcome outcome =
      emulated.run("k", {1, 1, 1}, {32, 1, 1}, {argument(ab), argument(ab), argument(c), argument(c)});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(emulated.read<float>(c, 256), std::vector<float>(256, 16));
  EXPECT_EQ(outcome.counters.at("flops_tensor_fp16"), 2.0 * 16 * 16 * 16);
  EXPECT_EQ(outcome.counters.at("global_load_bytes"), 512 + 512 + 1024);
  EXPECT_EQ(outcome.counters.at("global_store_bytes"), 1024);
  EXPECT_EQ(outcome.counters.at("warp_instructions"), 10);  // 4 loads of parameters, 5 of wmma, ret
}

}  // namespace
}  // namespace ridge::device::tensor
