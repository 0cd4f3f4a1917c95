// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator_oracle/execution.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

namespace ridge::oracle {
namespace {

constexpr std::int64_t kBlock = 64;
constexpr std::size_t kRandom = 192;       ///< random operand tuples a case
constexpr std::size_t kMostTuples = 8192;  ///< of edge values
constexpr int kMemory = 32;                ///< bytes of device memory that each thread has for itself
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

bool needs_memory(const Case& test) {
  return test.instruction.find("$m") != std::string::npos;
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
  if (needs_memory(test)) {
    body += "  mov.u64 %x2, memory;\n  mad.wide.u32 %x2, %r2, " + std::to_string(kMemory) + ", %x2;\n";
    names.emplace_back("$m", "%x2");
  }
  const std::string skip =
      masked ? "  popc.b32 %r3, %r2;\n  and.b32 %r3, %r3, 1;\n  setp.eq.u32 %p1, %r3, 0;\n  @%p1 bra skip;\n"
             : "";
  return ".visible .entry " + name + "(" + parameters + ")\n{\n" +
         "  .reg .pred %p<12>;\n  .reg .b16 %h<40>;\n  .reg .b32 %r<40>;\n  .reg .b64 %x<40>;\n" +
         "  mov.u32 %r0, %tid.x;\n  mov.u32 %r1, %ctaid.x;\n  mad.lo.u32 %r2, %r1, " +
         std::to_string(kBlock) + ", %r0;\n" + skip + body + "  " + substituted(test.instruction, names) +
         "\n" + store + "skip:\n  ret;\n}\n";
}

/// Ends the test with the device's own words.
template <class T>
bool worked(const Result<T>& result, const std::string& doing) {
  if (result) return true;
  ADD_FAILURE() << doing << ": " << result.error().message;
  return false;
}

/// Device memory that is given back.
class Buffers {
 public:
  explicit Buffers(device::Device& device) : device_(device) {}
  ~Buffers() {
    for (const device::Address address : addresses_) device_.release(address);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  bool add(std::size_t bytes, const std::string& name) {
    const auto address = device_.allocate(static_cast<std::int64_t>(bytes), name);
    if (!worked(address, "allocate")) return false;
    addresses_.push_back(*address);
    return true;
  }
  bool add(const std::vector<std::byte>& data, const std::string& name) {
    return add(data.size(), name) && worked(device_.write(addresses_.back(), data), "write");
  }
  const std::vector<device::Address>& addresses() const { return addresses_; }

 private:
  device::Device& device_;
  std::vector<device::Address> addresses_;
};

std::vector<std::byte> operand_bytes(const Case& test, const std::vector<Tuple>& tuples, std::size_t k) {
  const auto width = static_cast<std::size_t>(bytes_of(test.inputs[k]));
  std::vector<std::byte> data(tuples.size() * width);
  for (std::size_t i = 0; i < tuples.size(); ++i) std::memcpy(data.data() + i * width, &tuples[i][k], width);
  return data;
}

bool launch(device::Device& device, device::Module& module, const Buffers& buffers, std::size_t count,
            bool masked) {
  device::Launch launch;
  launch.symbol = masked ? "masked" : "full";
  launch.grid = {static_cast<std::int64_t>(count) / kBlock, 1, 1};
  launch.block = {kBlock, 1, 1};
  for (const device::Address address : buffers.addresses()) {
    std::vector<std::byte> bytes(8);
    std::memcpy(bytes.data(), &address, 8);
    launch.arguments.push_back(std::move(bytes));
  }
  device::LaunchOptions options;
  options.threads = 1;
  const auto outcome = device.execute(module, {{}, {}, {launch}}, options);
  if (!worked(outcome, "execute")) return false;
  bool sound = true;
  for (const auto& finding : outcome->findings) {
    if (finding.status == hardware::Status::suspect) continue;  // division by zero has a result all the same
    ADD_FAILURE() << finding.message;
    sound = false;
  }
  return sound;
}

}  // namespace

std::vector<Tuple> tuples_of(const Case& test) {
  std::size_t product = 1;
  for (const auto& values : test.values) product *= values.size();
  const std::size_t stride = product > kMostTuples ? product / kMostTuples | 1 : 1;
  std::vector<Tuple> tuples;
  for (std::size_t index = 0; index < product; index += stride) {
    Tuple tuple;
    std::size_t rest = index;
    for (const auto& values : test.values) {
      tuple.push_back(values[rest % values.size()]);
      rest /= values.size();
    }
    tuples.push_back(std::move(tuple));
  }
  std::mt19937_64 random(std::hash<std::string>{}(test.name));
  while (tuples.size() < kRandom || tuples.size() % kBlock != 0) {
    Tuple tuple;
    for (const auto& values : test.values) {
      // Half of the random operands lie near an edge value: that is where arithmetic goes wrong.
      const Bits bits = random();
      tuple.push_back((bits & 1) != 0 ? random() : values[bits / 2 % values.size()] ^ (bits >> 60));
    }
    tuples.push_back(std::move(tuple));
  }
  for (Tuple& tuple : tuples) {
    for (std::size_t k = 0; k < tuple.size(); ++k)
      tuple[k] =
          test.inputs[k] == Width::pred ? tuple[k] & 1 : truncated(tuple[k], 8 * bytes_of(test.inputs[k]));
  }
  return tuples;
}

std::optional<Results> execute(device::Device& device, const Case& test, const std::vector<Tuple>& tuples) {
  compile::CompiledKernel kernel;
  kernel.ok = true;
  kernel.arch = "sm_90a";
  kernel.ptx = ".version 8.7\n.target sm_90a\n.address_size 64\n";
  if (needs_memory(test))
    kernel.ptx +=
        ".global .align 32 .b8 memory[" + std::to_string(tuples.size() * std::size_t{kMemory}) + "];\n";
  kernel.ptx += entry(test, "full", false) + entry(test, "masked", true);
  const auto module = device.load(kernel);
  if (!worked(module, test.instruction)) return std::nullopt;
  const auto width = static_cast<std::size_t>(bytes_of(test.output));
  const std::size_t size = tuples.size() * width;
  Buffers buffers(device);
  if (!buffers.add(size, "out")) return std::nullopt;
  for (std::size_t k = 0; k < test.inputs.size(); ++k) {
    if (!buffers.add(operand_bytes(test, tuples, k), "in" + std::to_string(k))) return std::nullopt;
  }
  Results results;
  for (const bool masked : {false, true}) {
    const device::Address out = buffers.addresses().front();
    if (!worked(device.fill(out, static_cast<std::int64_t>(size), kUntouched & 0xFF), "fill") ||
        !launch(device, **module, buffers, tuples.size(), masked))
      return std::nullopt;
    std::vector<std::byte> bytes(size);
    if (!worked(device.read(out, bytes), "read")) return std::nullopt;
    std::vector<Bits>& values = masked ? results.masked : results.full;
    values.assign(tuples.size(), 0);
    for (std::size_t i = 0; i < tuples.size(); ++i) std::memcpy(&values[i], bytes.data() + i * width, width);
  }
  return results;
}

bool idle(std::size_t tuple) {
  return std::popcount(tuple) % 2 == 0;
}

Bits untouched(const Case& test) {
  return truncated(kUntouched, 8 * bytes_of(test.output));
}

std::string hexadecimal(const Tuple& tuple) {
  std::string text;
  for (const Bits bits : tuple) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%s0x%llx", text.empty() ? "" : ", ",
                  static_cast<unsigned long long>(bits));
    text += digits;
  }
  return text;
}

}  // namespace ridge::oracle
