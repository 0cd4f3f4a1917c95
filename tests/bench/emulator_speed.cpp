// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the emulator is: every kernel of tests/bench/kernels, and an example, with bounds only, with
// counters, and with all checks. A table goes to standard output; `--write` keeps the times, and `--against`
// compares with times kept earlier (or made by another emulator from the PTX that `--emit` writes).
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "compile/compile.h"
#include "device/emulator/emulator.h"
#include "hardware/device_model.h"
#include "source/source.h"

namespace ridge {
namespace {

enum class Data { f32, f16, bf16, u32, out_f32, out_16 };

struct Argument {
  std::vector<std::byte> bytes;  ///< of a scalar
  Data data = Data::f32;
  std::int64_t count = 0;  ///< elements of a buffer; 0: a scalar
};
template <class T>
Argument scalar(T value) {
  Argument argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}
Argument buffer(Data data, std::int64_t count) {
  return {{}, data, count};
}

struct Case {
  std::string file, entry, shape;
  device::Extent grid, block;
  std::vector<Argument> arguments;
  std::string folder = "tests/bench/kernels";
};

Case sgemm(const std::string& entry, std::int64_t n, std::int64_t tile, device::Extent block) {
  return {entry,
          entry,
          std::to_string(n) + "^3",
          {n / tile, n / tile, 1},
          block,
          {scalar(static_cast<int>(n)), scalar(static_cast<int>(n)), scalar(static_cast<int>(n)),
           buffer(Data::f32, n * n), buffer(Data::f32, n * n), buffer(Data::out_f32, n * n)}};
}
/// The example of the same name, as `ridge run` launches it: tiles of 32 x 32.
Case example_sgemm_tiled(std::int64_t n) {
  const Argument size = scalar(static_cast<int>(n));
  return {
      "tiled",
      "sgemm_tiled",
      std::to_string(n) + "^3-32x32",
      {n / 32, n / 32, 1},
      {32, 32, 1},
      {buffer(Data::f32, n * n), buffer(Data::f32, n * n), buffer(Data::out_f32, n * n), size, size, size},
      "kernels/sgemm"};
}
Case tensor_gemm(const std::string& file, const std::string& entry, std::int64_t n, device::Extent grid,
                 device::Extent block) {
  return {file,
          entry,
          std::to_string(n) + "^3",
          grid,
          block,
          {scalar(static_cast<int>(n)), scalar(static_cast<int>(n)), scalar(static_cast<int>(n)),
           buffer(Data::f16, n * n), buffer(Data::f16, n * n), buffer(Data::out_f32, n * n)}};
}
Case softmax(const std::string& entry) {
  constexpr int kRows = 1024, kColumns = 1024;
  return {"softmax",
          entry,
          "1024x1024",
          {kRows, 1, 1},
          {256, 1, 1},
          {scalar(kRows), scalar(kColumns), buffer(Data::f32, kRows * kColumns),
           buffer(Data::out_f32, kRows * kColumns)}};
}
Case transpose(const std::string& entry) {
  constexpr int kSide = 2048;
  return {
      "transpose",
      entry,
      "2048^2",
      {kSide / 32, kSide / 32, 1},
      {32, 8, 1},
      {scalar(kSide), scalar(kSide), buffer(Data::f32, kSide * kSide), buffer(Data::out_f32, kSide * kSide)}};
}
Case layernorm(const std::string& entry, Data data) {
  constexpr int kSide = 1024;
  return {"layernorm",
          entry,
          "1024x1024",
          {kSide, 1, 1},
          {256, 1, 1},
          {scalar(kSide), buffer(data, kSide * kSide), buffer(data, kSide), buffer(data, kSide),
           buffer(Data::out_16, kSide * kSide)}};
}

std::vector<Case> all_cases() {
  constexpr int kMillion = 1 << 20;
  return {{"saxpy",
           "saxpy",
           "1M",
           {kMillion / 256, 1, 1},
           {256, 1, 1},
           {scalar(kMillion), scalar(2.5f), buffer(Data::f32, kMillion), buffer(Data::f32, kMillion)}},
          sgemm("sgemm_naive", 256, 16, {16, 16, 1}),
          sgemm("sgemm_naive", 512, 16, {16, 16, 1}),
          sgemm("sgemm_tiled", 256, 64, {256, 1, 1}),
          sgemm("sgemm_tiled", 512, 64, {256, 1, 1}),
          example_sgemm_tiled(512),
          sgemm("sgemm_registers", 256, 128, {256, 1, 1}),
          sgemm("sgemm_registers", 512, 128, {256, 1, 1}),
          softmax("softmax"),
          softmax("softmax_expf"),
          transpose("transpose"),
          transpose("transpose_conf"),
          {"reduce",
           "reduce",
           "1M",
           {128, 1, 1},
           {256, 1, 1},
           {scalar(kMillion), buffer(Data::f32, kMillion), buffer(Data::f32, 1), buffer(Data::u32, 1)}},
          layernorm("layernorm_h2", Data::f16),
          layernorm("layernorm_bf16", Data::bf16),
          tensor_gemm("wmma", "wmma_gemm", 512, {512 / 16 * 512 / 16 / 4, 1, 1}, {128, 1, 1}),
          tensor_gemm("mma", "mma_ptx", 512, {512 / 8, 512 / 16, 1}, {32, 1, 1}),
          {"mandelbrot",
           "mandelbrot",
           "1024x768",
           {64, 96, 1},
           {16, 8, 1},
           {scalar(1024), scalar(768), scalar(256), buffer(Data::out_f32, 1024 * 768)}}};
}

/// Numbers in [-1, 1), the same in every run.
std::vector<std::byte> values_of(const Argument& argument) {
  const auto count = static_cast<std::size_t>(argument.count);
  const bool half = argument.data == Data::f16 || argument.data == Data::bf16;
  std::vector<std::byte> bytes(count * (half ? 2 : 4));
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    if (half) {
      // Any exponent from 2^-7 up to below 1 and any sign: ordinary numbers in both formats.
      const std::uint32_t exponent =
          argument.data == Data::f16 ? 8 + (state >> 28 & 7) - 1 : 120 + (state >> 28 & 7) - 1;
      const std::uint32_t bits = argument.data == Data::f16
                                     ? (state >> 31 << 15) | exponent << 10 | (state >> 12 & 0x3ff)
                                     : (state >> 31 << 15) | exponent << 7 | (state >> 12 & 0x7f);
      const auto value = static_cast<std::uint16_t>(bits);
      std::memcpy(bytes.data() + 2 * i, &value, 2);
    } else if (argument.data == Data::f32) {
      const float value = static_cast<float>(static_cast<std::int32_t>(state)) * (1.0f / 2147483648.0f);
      std::memcpy(bytes.data() + 4 * i, &value, 4);
    }
  }
  return bytes;
}

/// Milliseconds: of CPU time, which a busy machine distorts less, or of wall time where several threads work.
double now_ms(unsigned threads) {
  if (threads == 1) {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Times {
  std::array<double, 3> ms{};  ///< bounds, counters, all
  double instructions = 0;     ///< of threads
};
constexpr std::array<const char*, 3> kModes{"bounds", "counters", "all"};

Result<Times> measure(const Case& one, const compile::CompiledKernel& kernel, int repeat, unsigned threads) {
  const hardware::DeviceModel* model = hardware::catalogue().find("H200");
  const std::unique_ptr<device::Device> device = device::open_emulator(*model);
  Result<std::unique_ptr<device::Module>> module = device->load(kernel);
  if (!module) return module.error();
  const compile::Entry* entry = kernel.entry(one.entry);
  if (entry == nullptr)
    return Error{ErrorKind::definition, "no_entry", "it has no such kernel", "", one.file, 0};
  device::Launch launch;
  launch.symbol = entry->symbol;
  launch.grid = one.grid;
  launch.block = one.block;
  for (const Argument& argument : one.arguments) {
    if (argument.count == 0) {
      launch.arguments.push_back(argument.bytes);
      continue;
    }
    const bool output = argument.data == Data::out_f32 || argument.data == Data::out_16;
    const std::int64_t bytes =
        argument.count *
        (argument.data == Data::out_16 || argument.data == Data::f16 || argument.data == Data::bf16 ? 2 : 4);
    Result<device::Address> address = device->allocate(bytes, "buffer");
    if (!address) return address.error();
    Result<void> filled =
        output ? device->poison(*address, bytes, 0xffc1ffc1u) : device->write(*address, values_of(argument));
    if (!filled) return filled.error();
    launch.arguments.push_back(scalar(*address).bytes);
  }
  device::Sequence sequence;
  sequence.launches.push_back(std::move(launch));
  Times times;
  for (std::size_t mode = 0; mode < times.ms.size(); ++mode) {
    device::LaunchOptions options;
    options.threads = threads;
    options.counters = mode >= 1;
    options.checks = mode >= 2;
    times.ms[mode] = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeat; ++i) {
      const double start = now_ms(threads);
      Result<device::LaunchOutcome> outcome = device->execute(**module, sequence, options);
      const double took = now_ms(threads) - start;
      if (!outcome) return outcome.error();
      if (!outcome->findings.empty())
        return Error{ErrorKind::definition,    "finding", outcome->findings[0].message, "", one.file,
                     outcome->findings[0].line};
      times.ms[mode] = std::min(times.ms[mode], took);
      if (options.counters) times.instructions = outcome->counters.at("thread_instructions");
    }
  }
  return times;
}

using Kept = std::map<std::string, double>;  ///< "entry shape mode" -> ms

Kept read_times(const std::string& path) {
  Kept kept;
  std::ifstream file(path);
  for (std::string entry, shape, mode; file >> entry >> shape >> mode;) {
    double ms = 0;
    file >> ms;
    kept[entry + " " + shape + " " + mode] = ms;
  }
  return kept;
}

Result<compile::CompiledKernel> compile_file(compile::Compiler& compiler, const std::string& path) {
  Result<source::KernelSource> read = source::read_source(path);
  if (!read) return read.error();
  compile::CompileRequest request;
  request.source = source::prepare(*read);
  request.arch = "sm_80";  // the oldest one that has all that the kernels use
  Result<compile::CompiledKernel> kernel = compiler.compile(request);
  if (kernel && !kernel->ok) return Error{ErrorKind::definition, "compile_error", kernel->log, "", path, 0};
  return kernel;
}

int run(int argc, char** argv) {
  CLI::App app("Times the emulator on the kernels of tests/bench/kernels and an example");
  int repeat = 9;
  unsigned threads = 1;
  std::string against, write, emit;
  std::vector<std::string> only;
  app.add_option("--repeat", repeat, "Runs of each, the best one counts")->check(CLI::PositiveNumber);
  app.add_option("--threads", threads, "Host threads");
  app.add_option("--only", only, "Entries");
  app.add_option("--against", against, "Compare with the times in this file: ratios above 1 are faster here");
  app.add_option("--write", write, "Keep the times: lines of entry, shape, mode, ms");
  app.add_option("--emit", emit, "Write the PTX of the kernels to this folder and stop");
  CLI11_PARSE(app, argc, argv);

  Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::open();
  if (!compiler) {
    std::printf("skipped: %s\n", compiler.error().message.english().c_str());
    return 77;
  }
  const Kept kept = against.empty() ? Kept{} : read_times(against);
  std::ofstream times_file;
  if (!write.empty()) times_file.open(write);
  if (emit.empty())
    std::printf("%-16s %-10s %9s | %9s %9s %9s | %8s %8s%s\n", "kernel", "shape", "M thread", "bounds",
                "counters", "all", "G/s all", "all/bnd",
                kept.empty() ? "" : " | times faster: bounds counters all");
  int failures = 0;
  std::map<std::string, compile::CompiledKernel> compiled;
  for (const Case& one : all_cases()) {
    if (!only.empty() && std::find(only.begin(), only.end(), one.entry) == only.end()) continue;
    if (!compiled.contains(one.file)) {
      const std::string file = RIDGE_SOURCE_DIR "/" + one.folder + "/" + one.file + ".cu";
      Result<compile::CompiledKernel> kernel = compile_file(**compiler, file);
      if (!kernel) {
        std::printf("%-16s %s\n", one.entry.c_str(), kernel.error().message.english().c_str());
        ++failures;
        continue;
      }
      compiled[one.file] = std::move(*kernel);
    }
    if (!emit.empty()) {
      std::ofstream(std::filesystem::path(emit) / (one.file + ".ptx")) << compiled[one.file].ptx;
      continue;
    }
    const Result<Times> times = measure(one, compiled[one.file], repeat, threads);
    if (!times) {
      std::printf("%-16s %-10s %s\n", one.entry.c_str(), one.shape.c_str(),
                  times.error().message.english().c_str());
      failures += times.error().code == "unsupported" ? 0 : 1;
      continue;
    }
    std::printf("%-16s %-10s %9.1f | %9.2f %9.2f %9.2f | %8.2f %8.2f", one.entry.c_str(), one.shape.c_str(),
                times->instructions / 1e6, times->ms[0], times->ms[1], times->ms[2],
                times->instructions / times->ms[2] / 1e6, times->ms[2] / times->ms[0]);
    if (!kept.empty()) std::printf(" |");
    for (std::size_t mode = 0; mode < kModes.size(); ++mode) {
      const std::string name = one.entry + " " + one.shape + " " + kModes[mode];
      if (times_file.is_open()) times_file << name << " " << times->ms[mode] << "\n";
      const auto other = kept.find(name);
      if (other != kept.end()) std::printf(" %8.2f", other->second / times->ms[mode]);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ridge

int main(int argc, char** argv) {
  return ridge::run(argc, argv);
}
