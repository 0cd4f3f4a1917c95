// SPDX-License-Identifier: GPL-3.0-or-later
// mma.sync: every dense shape and type of the ISA up to sm_90, on ordinary numbers and on edges.
#include "device/emulator_tensor/matrix.h"
#include "support/emulated.h"

namespace ridge::device::tensor {
namespace {

struct Product {
  std::string opcode;
  int m, n, k;
  std::string d, a, b, c;
  Rules rules;
};
void PrintTo(const Product& test, std::ostream* out) {
  *out << test.opcode;
}

std::vector<Product> all() {
  std::vector<Product> tests;
  const auto add = [&](int m, int k, const std::string& d, const std::string& a, const std::string& b,
                       const std::string& suffix = "", Rules rules = {}) {
    const std::string shape = "m" + std::to_string(m) + "n8k" + std::to_string(k);
    tests.push_back({"mma.sync.aligned." + shape + ".row.col." + d + "." + a + "." + b + "." + d + suffix, m,
                     8, k, d, a, b, d, rules});
  };
  for (const int k : {8, 16})
    for (const char* d : {"f16", "f32"}) add(16, k, d, "f16", "f16");
  for (const int k : {8, 16}) add(16, k, "f32", "bf16", "bf16");
  for (const int k : {4, 8}) add(16, k, "f32", "tf32", "tf32");
  add(8, 4, "f64", "f64", "f64");
  for (const int k : {4, 8, 16}) add(16, k, "f64", "f64", "f64");
  for (const int bits : {8, 4})
    for (const auto& [m, k] : bits == 8 ? std::vector<std::pair<int, int>>{{8, 16}, {16, 16}, {16, 32}}
                                        : std::vector<std::pair<int, int>>{{8, 32}, {16, 32}, {16, 64}})
      for (const char* a : {"s", "u"})
        for (const char* b : {"s", "u"})
          for (const bool saturating : {false, true})
            add(m, k, "s32", a + std::to_string(bits), b + std::to_string(bits),
                saturating ? ".satfinite" : "", {saturating, false, false, false});
  for (const auto& [m, k] : std::vector<std::pair<int, int>>{{8, 128}, {16, 128}, {16, 256}})
    for (const bool exclusive : {false, true})
      add(m, k, "s32", "b1", "b1", exclusive ? ".xor.popc" : ".and.popc", {false, exclusive, false, false});
  for (const int k : {16, 32})
    for (const char* d : {"f16", "f32"})
      for (const char* a : {"e4m3", "e5m2"})
        for (const char* b : {"e4m3", "e5m2"}) add(16, k, d, a, b);
  return tests;
}

/// "{%x0, %x1}" with the registers' loads or stores.
struct Registers {
  std::string list, loads, stores;
};
Registers describe(const std::string& prefix, const std::string& pointer, int count, int bytes) {
  Registers result;
  const std::string type = bytes == 8 ? "b64" : "b32";
  for (int r = 0; r < count; ++r) {
    const std::string reg = prefix + std::to_string(r);
    result.list += (r == 0 ? "{" : ", ") + reg;
    const std::string address = "[" + pointer + "+" + std::to_string(r * 32 * bytes) + "]";
    result.loads += "ld.global." + type + " " + reg + ", " + address + ";\n";
    result.stores += "st.global." + type + " " + address + ", " + reg + ";\n";
  }
  result.list += "}";
  return result;
}

/// Loads fragments, multiplies, stores D; one warp a block, one set of fragments a block.
std::string kernel(const std::string& opcode, const int (&counts)[4], const int (&bytes)[4]) {
  std::string body = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n", declared;
  std::string lists[4], loads, stores;
  const char* names[4] = {"d", "a", "b", "c"};
  for (int k = 0; k < 4; ++k) {
    const std::string name = names[k], pointer = "%rd" + std::to_string(k + 1);
    body += "ld.param.u64 " + pointer + ", [" + name + "];\nmad.wide.u32 " + pointer + ", %r1, " +
            std::to_string(bytes[k]) + ", " + pointer + ";\nmad.wide.u32 " + pointer + ", %r2, " +
            std::to_string(counts[k] * 32 * bytes[k]) + ", " + pointer + ";\n";
    declared +=
        ".reg .b" + std::to_string(8 * bytes[k]) + " %" + name + "<" + std::to_string(counts[k]) + ">;\n";
    const Registers registers = describe("%" + name, pointer, counts[k], bytes[k]);
    lists[k] = registers.list;
    if (k == 0)
      stores = registers.stores;
    else
      loads += registers.loads;
  }
  return kernel_text("u64 d, u64 a, u64 b, u64 c", declared + body + loads + opcode + " " + lists[0] + ", " +
                                                       lists[1] + ", " + lists[2] + ", " + lists[3] + ";\n" +
                                                       stores);
}

int registers_of(int elements, int bits) {
  return elements * bits / 32 / (bits == 64 ? 64 : 32);
}
void append(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

class Mma : public testing::TestWithParam<Product> {};

TEST_P(Mma, AgreesWithTheOracle) {
  const Product& test = GetParam();
  const Format a_type = format(test.a), b_type = format(test.b), c_type = format(test.c),
               d_type = format(test.d);
  const int counts[4] = {
      registers_of(test.m * test.n, d_type.bits), registers_of(test.m * test.k, a_type.bits),
      registers_of(test.k * test.n, b_type.bits), registers_of(test.m * test.n, c_type.bits)};
  const int bytes[4] = {d_type.bits == 64 ? 8 : 4, a_type.bits == 64 ? 8 : 4, b_type.bits == 64 ? 8 : 4,
                        c_type.bits == 64 ? 8 : 4};
  std::mt19937_64 random(7);
  std::vector<std::uint32_t> a_words, b_words, c_words;
  std::vector<Matrix> expected;
  for (const Fill how : kFills) {
    Matrix a(a_type, test.m, test.k), b(b_type, test.k, test.n), c(c_type, test.m, test.n);
    fill(a, how, random);
    fill(b, how == Fill::extreme ? Fill::ordinary : how, random);
    fill(c, how, random);
    expected.push_back(product(a, b, &c, d_type, test.rules));
    auto ra = registers(counts[1] * bytes[1] / 4), rb = registers(counts[2] * bytes[2] / 4),
         rc = registers(counts[3] * bytes[3] / 4);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < test.m * test.k / 32; ++i) {
        const auto [row, column] = position_a(test.m, a_type.bits, lane, i);
        put(ra, a_type.bits, lane, i, a.at(row, column));
      }
      for (int i = 0; i < test.k * test.n / 32; ++i) {
        const auto [row, column] = position_b(b_type.bits, lane, i);
        put(rb, b_type.bits, lane, i, b.at(row, column));
      }
      for (int i = 0; i < test.m * test.n / 32; ++i) {
        const auto [row, column] = position_c(lane, i);
        put(rc, c_type.bits, lane, i, c.at(row, column));
      }
    }
    append(a_words, ra);
    append(b_words, rb);
    append(c_words, rc);
  }

  Emulated emulated(kernel(test.opcode, counts, bytes));
  ASSERT_EQ(emulated.load_error.message, "");
  const std::size_t words = static_cast<std::size_t>(counts[0] * bytes[0] / 4) * 32;
  const Address d = emulated.scratch(static_cast<std::int64_t>(words * 4 * std::size(kFills)));
  const LaunchOutcome outcome =
      emulated.run("k", {std::ssize(kFills), 1, 1}, {32, 1, 1},
                   {argument(d), argument(emulated.buffer(a_words)), argument(emulated.buffer(b_words)),
                    argument(emulated.buffer(c_words))});
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  const auto got = emulated.read<std::uint32_t>(d, words * std::size(kFills));
  for (std::size_t trial = 0; trial < expected.size(); ++trial) {
    const std::vector<std::uint32_t> own(got.begin() + static_cast<std::ptrdiff_t>(trial * words),
                                         got.begin() + static_cast<std::ptrdiff_t>((trial + 1) * words));
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < test.m * test.n / 32; ++i) {
        const auto [row, column] = position_c(lane, i);
        const std::uint64_t bits = get(own, d_type.bits, lane, i), wanted = expected[trial].at(row, column);
        ASSERT_TRUE(agrees(d_type, bits, wanted))
            << "fill " << trial << ", row " << row << ", column " << column << std::hex << ": 0x" << bits
            << ", the ISA says 0x" << wanted;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Mma, testing::ValuesIn(all()),
                         [](const auto& test) { return test_name(test.param.opcode.substr(17)); });

// ---- mma.m8n8k4 of f16: four products, each by eight lanes ----

struct QuadProduct {
  std::string a_layout, b_layout, d, c;
};
void PrintTo(const QuadProduct& test, std::ostream* out) {
  *out << test.a_layout << "." << test.b_layout << "." << test.d << "." << test.c;
}

class QuadMma : public testing::TestWithParam<QuadProduct> {};

TEST_P(QuadMma, AgreesWithTheOracle) {
  const QuadProduct& test = GetParam();
  const Format half = format("f16"), d_type = format(test.d), c_type = format(test.c);
  const auto place = [](const Format& type, int lane, int i) {  // of an accumulator
    const int upper = lane < 16 ? 0 : 4;
    if (type.bits == 16) return Position{lane % 4 + upper, i};
    return Position{(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
  };
  std::mt19937_64 random(9);
  const int c_count = c_type.bits == 16 ? 4 : 8, d_count = d_type.bits == 16 ? 4 : 8;
  std::vector<std::uint32_t> a_words, b_words, c_words;
  std::vector<std::vector<Matrix>> expected;
  for (const Fill how : kFills) {
    auto ra = registers(2), rb = registers(2), rc = registers(c_count);
    expected.emplace_back();
    for (int quad = 0; quad < 4; ++quad) {
      Matrix a(half, 8, 4), b(half, 4, 8), c(c_type, 8, 8);
      fill(a, how, random);
      fill(b, how, random);
      fill(c, how, random);
      expected.back().push_back(product(a, b, &c, d_type));
      for (const int lane : {0, 1, 2, 3, 16, 17, 18, 19}) {
        const int upper = lane < 16 ? 0 : 4, low = lane % 4, at = lane + 4 * quad;
        for (int i = 0; i < 4; ++i) {
          put(ra, 16, at, i, test.a_layout == "row" ? a.at(low + upper, i) : a.at(i + upper, low));
          put(rb, 16, at, i, test.b_layout == "row" ? b.at(low, i + upper) : b.at(i, low + upper));
        }
        for (int i = 0; i < 8; ++i) {
          const auto [row, column] = place(c_type, lane, i);
          put(rc, c_type.bits, at, i, c.at(row, column));
        }
      }
    }
    append(a_words, ra);
    append(b_words, rb);
    append(c_words, rc);
  }
  Emulated emulated(kernel(
      "mma.sync.aligned.m8n8k4." + test.a_layout + "." + test.b_layout + "." + test.d + ".f16.f16." + test.c,
      {d_count, 2, 2, c_count}, {4, 4, 4, 4}));
  ASSERT_EQ(emulated.load_error.message, "");
  const std::size_t words = static_cast<std::size_t>(d_count) * 32;
  const Address d = emulated.scratch(static_cast<std::int64_t>(words * 4 * std::size(kFills)));
  const LaunchOutcome outcome =
      emulated.run("k", {std::ssize(kFills), 1, 1}, {32, 1, 1},
                   {argument(d), argument(emulated.buffer(a_words)), argument(emulated.buffer(b_words)),
                    argument(emulated.buffer(c_words))});
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  EXPECT_EQ(outcome.counters.at("flops_tensor_fp16"), 4.0 * 2 * 8 * 8 * 4 * 4);
  const auto got = emulated.read<std::uint32_t>(d, words * std::size(kFills));
  for (std::size_t trial = 0; trial < expected.size(); ++trial)
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 8; ++i) {
        const std::vector<std::uint32_t> own(got.begin() + static_cast<std::ptrdiff_t>(trial * words),
                                             got.begin() + static_cast<std::ptrdiff_t>((trial + 1) * words));
        const auto [row, column] = place(d_type, lane, i);
        const auto quad = static_cast<std::size_t>(lane / 4 % 4);
        ASSERT_TRUE(agrees(d_type, get(own, d_type.bits, lane, i), expected[trial][quad].at(row, column)))
            << "fill " << trial << ", product " << quad << ", row " << row << ", column " << column;
      }
}

std::vector<QuadProduct> quads() {
  std::vector<QuadProduct> tests;
  for (const char* a : {"row", "col"})
    for (const char* b : {"row", "col"})
      for (const auto& [d, c] : {std::pair{"f16", "f16"}, std::pair{"f32", "f32"}, std::pair{"f32", "f16"}})
        tests.push_back({a, b, d, c});
  return tests;
}
INSTANTIATE_TEST_SUITE_P(All, QuadMma, testing::ValuesIn(quads()), [](const auto& test) {
  return test.param.a_layout + "_" + test.param.b_layout + "_" + test.param.d + "_" + test.param.c;
});

TEST(MmaUnsupported, SparseProductsAreRefusedByName) {
  Emulated emulated(kernel_text(
      "u64 x",
      "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r3, %r4}, {%r5, %r6}, {%r7, %r8}, "
      "%r9, 0x0;\n"));
  EXPECT_NE(emulated.load_error.message.english().find("mma.sp"), std::string::npos)
      << emulated.load_error.message;
}

}  // namespace
}  // namespace ridge::device::tensor
