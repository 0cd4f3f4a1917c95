// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator_oracle/oracle.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "base/dtype.h"
#include "device/emulator/emulator.h"
#include "hardware/device_model.h"

namespace ridge::oracle {
namespace {

constexpr std::int64_t kBlock = 64;
constexpr std::size_t kRandom = 192;       ///< random operand tuples a case
constexpr std::size_t kMostTuples = 8192;  ///< of edge values
constexpr Bits kUntouched = 0x5A5A5A5A5A5A5A5A;

int bytes_of(Width width) {
  switch (width) {
    case Width::b16:
      return 2;
    case Width::b64:
      return 8;
    default:
      return 4;
  }
}
std::string suffix_of(Width width) {
  return "b" + std::to_string(8 * bytes_of(width));
}
std::string prefix_of(Width width) {
  return width == Width::b16 ? "%h" : width == Width::b64 ? "%x" : "%r";
}

std::string substituted(std::string text, const std::vector<std::pair<std::string, std::string>>& names) {
  for (const auto& [from, to] : names)
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

/// Entry `name`: thread i loads operand k from array k, executes, stores. With `masked`, only threads with an
/// odd popcount of their index do so.
std::string entry(const Case& test, const std::string& name, bool masked) {
  std::string parameters = ".param .u64 out";
  std::string body;
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t k = 0; k < test.inputs.size(); ++k) {
    const Width width = test.inputs[k];
    const std::string number = std::to_string(k);
    parameters += ", .param .u64 in" + number;
    const std::string reg =
        width == Width::pred ? "%p" + std::to_string(4 + k) : prefix_of(width) + std::to_string(10 + k);
    body += "  ld.param.u64 %x1, [in" + number +
            "];\n  cvta.to.global.u64 %x1, %x1;\n  mad.wide.u32 %x1, %r2, " +
            std::to_string(bytes_of(width)) + ", %x1;\n";
    if (width == Width::pred)
      body += "  ld.global.b32 %r9, [%x1];\n  setp.ne.u32 " + reg + ", %r9, 0;\n";
    else
      body += "  ld.global." + suffix_of(width) + " " + reg + ", [%x1];\n";
    names.emplace_back(std::string("$") + "abce"[k], reg);
  }
  const std::string result = test.output == Width::pred ? "%p9" : prefix_of(test.output) + "30";
  names.emplace_back("$d", result);
  std::string store =
      "  ld.param.u64 %x1, [out];\n  cvta.to.global.u64 %x1, %x1;\n  mad.wide.u32 %x1, %r2, " +
      std::to_string(bytes_of(test.output)) + ", %x1;\n";
  if (test.output == Width::pred)
    store += "  selp.b32 %r31, 1, 0, %p9;\n  st.global.b32 [%x1], %r31;\n";
  else
    store += "  st.global." + suffix_of(test.output) + " [%x1], " + result + ";\n";
  const std::string skip =
      masked ? "  popc.b32 %r3, %r2;\n  and.b32 %r3, %r3, 1;\n  setp.eq.u32 %p1, %r3, 0;\n  @%p1 bra skip;\n"
             : "";
  return ".visible .entry " + name + "(" + parameters + ")\n{\n" +
         "  .reg .pred %p<12>;\n  .reg .b16 %h<40>;\n  .reg .b32 %r<40>;\n  .reg .b64 %x<40>;\n" +
         "  mov.u32 %r0, %tid.x;\n  mov.u32 %r1, %ctaid.x;\n  mad.lo.u32 %r2, %r1, " +
         std::to_string(kBlock) + ", %r0;\n" + skip + body + "  " + substituted(test.instruction, names) +
         "\n" + store + "skip:\n  ret;\n}\n";
}

/// The edge tuples (their cross product, thinned when it is too large) and random ones, padded to whole
/// blocks.
std::vector<std::vector<Bits>> tuples_of(const Case& test) {
  std::size_t product = 1;
  for (const auto& values : test.values) product *= values.size();
  const std::size_t stride = product > kMostTuples ? product / kMostTuples | 1 : 1;
  std::vector<std::vector<Bits>> tuples;
  for (std::size_t index = 0; index < product; index += stride) {
    std::vector<Bits> tuple;
    std::size_t rest = index;
    for (const auto& values : test.values) {
      tuple.push_back(values[rest % values.size()]);
      rest /= values.size();
    }
    tuples.push_back(std::move(tuple));
  }
  std::mt19937_64 random(std::hash<std::string>{}(test.name));
  while (tuples.size() < kRandom || tuples.size() % kBlock != 0) {
    std::vector<Bits> tuple;
    for (const auto& values : test.values) {
      // Half of the random operands lie near an edge value: that is where arithmetic goes wrong.
      const Bits bits = random();
      tuple.push_back((bits & 1) != 0 ? random() : values[bits / 2 % values.size()] ^ (bits >> 60));
    }
    tuples.push_back(std::move(tuple));
  }
  return tuples;
}

double ulp_of(double value, int significand, int lowest_exponent) {
  if (value == 0 || !std::isfinite(value)) return std::ldexp(1.0, lowest_exponent);
  return std::ldexp(1.0, std::max(std::ilogb(value) - significand + 1, lowest_exponent));
}

bool close(double got, double expected, int significand, int lowest_exponent, const Allowed& allowed) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (got == expected) return allowed.ulps > 0 || std::signbit(got) == std::signbit(expected);
  if (std::isinf(got) || std::isinf(expected)) return false;
  return std::abs(got - expected) <=
         allowed.ulps * ulp_of(expected, significand, lowest_exponent) + allowed.absolute;
}

bool agrees(Bits got, Bits expected, const Allowed& allowed) {
  const auto half = [](Bits bits) { return static_cast<std::uint16_t>(bits & 0xFFFF); };
  switch (allowed.as) {
    case Allowed::As::bits:
      return got == expected;
    case Allowed::As::f16:
      return close(half_to_float(half(got)), half_to_float(half(expected)), 11, -24, allowed);
    case Allowed::As::bf16:
      return close(bfloat16_to_float(half(got)), bfloat16_to_float(half(expected)), 8, -133, allowed);
    case Allowed::As::f32:
      return close(as_f32(got), as_f32(expected), 24, -149, allowed);
    case Allowed::As::f64:
      return close(as_f64(got), as_f64(expected), 53, -1074, allowed);
    case Allowed::As::f16x2:
    case Allowed::As::bf16x2: {
      const Allowed one{allowed.as == Allowed::As::f16x2 ? Allowed::As::f16 : Allowed::As::bf16, allowed.ulps,
                        allowed.absolute};
      return agrees(got & 0xFFFF, expected & 0xFFFF, one) &&
             agrees(got >> 16 & 0xFFFF, expected >> 16 & 0xFFFF, one);
    }
  }
  return false;
}

std::string hexadecimal(const std::vector<Bits>& tuple) {
  std::string text;
  for (const Bits bits : tuple) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%s0x%llx", text.empty() ? "" : ", ",
                  static_cast<unsigned long long>(bits));
    text += digits;
  }
  return text;
}

/// Ends the test with the device's own words.
template <class T>
bool worked(const Result<T>& result, const std::string& doing) {
  if (result) return true;
  ADD_FAILURE() << doing << ": " << result.error().message;
  return false;
}

class Bench {
 public:
  explicit Bench(const Case& test) : test_(test), tuples_(tuples_of(test)) {
    hardware::DeviceModel model;
    model.name = "H200";
    model.arch = "sm_90a";
    model.cc_major = 9;
    model.sm_count = 132;
    model.memory_bytes = std::int64_t{1} << 30;
    model.l2_bytes = 50 << 20;
    device_ = device::open_emulator(model);
  }

  void run() {
    compile::CompiledKernel kernel;
    kernel.ok = true;
    kernel.arch = "sm_90a";
    kernel.ptx = ".version 8.7\n.target sm_90a\n.address_size 64\n" + entry(test_, "full", false) +
                 entry(test_, "masked", true);
    const auto module = device_->load(kernel);
    if (!worked(module, test_.instruction)) return;
    for (std::size_t k = 0; k < test_.inputs.size(); ++k)
      if (!upload(k)) return;
    const std::int64_t size = static_cast<std::int64_t>(tuples_.size()) * bytes_of(test_.output);
    const auto out = device_->allocate(size, "out");
    if (!worked(out, "allocate")) return;
    for (const bool masked : {false, true}) {
      if (!worked(device_->fill(*out, size, kUntouched & 0xFF), "fill")) return;
      if (!launch(**module, *out, masked)) return;
      std::vector<std::byte> result(static_cast<std::size_t>(size));
      if (!worked(device_->read(*out, result), "read")) return;
      compare(result, masked);
    }
  }

 private:
  bool upload(std::size_t operand) {
    const auto width = static_cast<std::size_t>(bytes_of(test_.inputs[operand]));
    std::vector<std::byte> data(tuples_.size() * width);
    for (std::size_t i = 0; i < tuples_.size(); ++i) {
      Bits bits = tuples_[i][operand];
      if (test_.inputs[operand] == Width::pred) bits &= 1;
      std::memcpy(data.data() + i * width, &bits, width);
    }
    const auto address =
        device_->allocate(static_cast<std::int64_t>(data.size()), "in" + std::to_string(operand));
    if (!worked(address, "allocate") || !worked(device_->write(*address, data), "write")) return false;
    inputs_.push_back(*address);
    return true;
  }

  bool launch(device::Module& module, device::Address out, bool masked) {
    device::Launch launch;
    launch.symbol = masked ? "masked" : "full";
    launch.grid = {static_cast<std::int64_t>(tuples_.size()) / kBlock, 1, 1};
    launch.block = {kBlock, 1, 1};
    std::vector<device::Address> addresses{out};
    addresses.insert(addresses.end(), inputs_.begin(), inputs_.end());
    for (const device::Address address : addresses) {
      std::vector<std::byte> bytes(8);
      std::memcpy(bytes.data(), &address, 8);
      launch.arguments.push_back(std::move(bytes));
    }
    device::LaunchOptions options;
    options.threads = 1;
    const auto outcome = device_->execute(module, {{}, {}, {launch}}, options);
    if (!worked(outcome, "execute")) return false;
    for (const auto& finding : outcome->findings) ADD_FAILURE() << finding.message;
    return outcome->findings.empty();
  }

  void compare(const std::vector<std::byte>& result, bool masked) {
    const auto width = static_cast<std::size_t>(bytes_of(test_.output));
    int shown = 0;
    for (std::size_t i = 0; i < tuples_.size() && shown < 5; ++i) {
      Bits got = 0;
      std::memcpy(&got, result.data() + i * width, width);
      std::vector<Bits> tuple = tuples_[i];
      for (std::size_t k = 0; k < tuple.size(); ++k)
        tuple[k] = test_.inputs[k] == Width::pred ? tuple[k] & 1
                                                  : truncated(tuple[k], 8 * bytes_of(test_.inputs[k]));
      const bool idle = masked && std::popcount(i) % 2 == 0;
      const Bits expected = truncated(idle ? kUntouched : test_.expected(tuple), static_cast<int>(8 * width));
      if (idle ? got == expected : agrees(got, expected, test_.allowed)) continue;
      ++shown;
      ADD_FAILURE() << test_.instruction << (masked ? " (half of the lanes off)" : "") << " of ("
                    << hexadecimal(tuple) << ") gave " << hexadecimal({got}) << ", the ISA says "
                    << hexadecimal({expected});
    }
  }

  const Case& test_;
  std::vector<std::vector<Bits>> tuples_;
  std::unique_ptr<device::Device> device_;
  std::vector<device::Address> inputs_;
};

}  // namespace

void PrintTo(const Case& test, std::ostream* out) {
  *out << test.instruction;
}

void check(const Case& test) {
  Bench(test).run();
}

std::vector<Bits> edges_integer(int width) {
  const Bits top = Bits{1} << (width - 1);
  const Bits all = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  return {0,  1,  2,  3,    7,       8,   15,      16,  17,      31,      32,     33,
          63, 64, 65, 0xFF, top - 1, top, top + 1, all, all - 1, all / 3, all / 7};
}

std::vector<Bits> edges_f16() {
  return {0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x8400, 0x3C00, 0xBC00, 0x3C01, 0x3800,
          0x4248, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x7C01, 0x6400, 0x5640, 0x1000};
}

std::vector<Bits> edges_bf16() {
  return {0x0000, 0x8000, 0x0001, 0x8001, 0x007F, 0x0080, 0x8080, 0x3F80, 0xBF80, 0x3F81, 0x3F00,
          0x4049, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7F81, 0x4B00, 0x3380, 0x2000};
}

std::vector<Bits> edges_f32() {
  return {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
          0x3F800000, 0xBF800000, 0x3F800001, 0x3F7FFFFF, 0x3F000000, 0x40490FDB, 0xC0200000,
          0x4B000000, 0x4F000000, 0x5F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
          0x7FC00000, 0xFFC00001, 0x7F800001, 0x33800000, 0x3FC00000, 0x7E800000};
}

std::vector<Bits> edges_f64() {
  return {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x0010000000000000,
          0x3FF0000000000000, 0xBFF0000000000000, 0x3FF0000000000001, 0x3FE0000000000000, 0x400921FB54442D18,
          0xC004000000000000, 0x4330000000000000, 0x41DFFFFFFFC00000, 0x43E0000000000000, 0x7FEFFFFFFFFFFFFF,
          0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x3CA0000000000000,
          0x3810000000000000, 0x47EFFFFFE0000000};
}

std::vector<Bits> packed(const std::vector<Bits>& halves) {
  std::vector<Bits> pairs;
  for (std::size_t i = 0; i < halves.size(); ++i)
    pairs.push_back(halves[i] | halves[(i * 7 + 3) % halves.size()] << 16);
  return pairs;
}

float as_f32(Bits bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double as_f64(Bits bits) {
  return std::bit_cast<double>(bits);
}
Bits of_f32(float value) {
  return std::isnan(value) ? 0x7FFFFFFF : std::bit_cast<std::uint32_t>(value);
}
Bits of_f64(double value) {
  return std::bit_cast<Bits>(value);
}

std::int64_t as_signed(Bits bits, int width) {
  if (width == 64) return static_cast<std::int64_t>(bits);
  const Bits top = Bits{1} << (width - 1);
  return static_cast<std::int64_t>((truncated(bits, width) ^ top) - top);
}

Bits truncated(Bits bits, int width) {
  return width >= 64 ? bits : bits & ((Bits{1} << width) - 1);
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

RoundingScope::RoundingScope(Round mode) : before_(std::fegetround()) {
  static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(kModes[static_cast<int>(mode)]);
}
RoundingScope::~RoundingScope() {
  std::fesetround(before_);
}

std::string test_name(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

}  // namespace ridge::oracle
