// SPDX-License-Identifier: GPL-3.0-or-later
#include <link.h>

#include <algorithm>
#include <sstream>

#include "compile/assemble.h"
#include "compile/log.h"
#include "nvrtc_fixture.h"
#include "source/prelude.h"

namespace ridge::compile {
namespace {

constexpr const char* kScale =
    "__global__ void scale(const float* x, float* y, int n, float a) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i];\n"
    "}\n";

TEST_F(NvrtcTest, AKernelBecomesCubinPtxAndEntry) {
  const CompiledKernel kernel = compile(kScale);
  ASSERT_TRUE(kernel.ok) << said(kernel);
  EXPECT_EQ(kernel.cubin.substr(1, 3), "ELF");
  EXPECT_NE(kernel.ptx.find(".target sm_90a"), std::string::npos);
  EXPECT_NE(kernel.ptx.find(".file\t1 \"kernel.cu\""), std::string::npos)
      << "lines are told by the user's name";
  EXPECT_EQ(kernel.compiler.rfind("NVRTC 1", 0), 0u);
  EXPECT_GT(kernel.compile_ms, 0);
  ASSERT_EQ(kernel.entries.size(), 1u);
  const Entry& entry = kernel.entries[0];
  EXPECT_EQ(entry.name, "scale");
  EXPECT_EQ(entry.symbol, "_Z5scalePKfPfif");
  EXPECT_EQ(entry.line, 1);
  ASSERT_EQ(entry.parameters.size(), 4u);
  EXPECT_EQ(entry.parameters[3].offset, 20u);
  EXPECT_EQ(entry.parameters[3].bytes, 4u);
  ASSERT_TRUE(entry.resources);
  EXPECT_GT(entry.resources->registers, 0);
  EXPECT_EQ(entry.resources->spill_load_bytes, 0);
}

TEST_F(NvrtcTest, ItsBuiltInsAreLoadedFromItsOwnFolder) {
  const auto look = [](dl_phdr_info* library, std::size_t, void* found) {
    const std::filesystem::path path = library->dlpi_name;
    if (path.filename().string().starts_with("libnvrtc-builtins.so"))
      *static_cast<std::filesystem::path*>(found) = path;
    return 0;
  };
  std::filesystem::path builtins;
  dl_iterate_phdr(look, &builtins);
  ASSERT_NE(builtins, "") << "opening the compiler is enough, before NVRTC looks for them by name";
  EXPECT_EQ(std::filesystem::canonical(builtins).parent_path(),
            std::filesystem::canonical(find_toolkit()->nvrtc).parent_path());
}

TEST_F(NvrtcTest, AnErrorInLineSevenNamesLineSeven) {
  const CompiledKernel kernel = compile("__global__ void k(float* x) {\n\n\n\n\n\n  y[0] = 1;\n}\n");
  EXPECT_FALSE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].line, 7);
  EXPECT_EQ(kernel.diagnostics[0].column, 3);
  EXPECT_EQ(kernel.diagnostics[0].file, "kernel.cu");
  EXPECT_EQ(kernel.diagnostics[0].severity, Severity::error);
  EXPECT_NE(kernel.log.find("kernel.cu(7)"), std::string::npos);
  EXPECT_EQ(kernel.log.find(folder_.string()), std::string::npos) << kernel.log;
}

TEST_F(NvrtcTest, WarningsDoNotFail) {
  const CompiledKernel kernel = compile("__global__ void k(float* x) {\n  int unused;\n  x[0] = 1;\n}\n");
  EXPECT_TRUE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u);
  EXPECT_EQ(kernel.diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(kernel.diagnostics[0].line, 2);
}

TEST_F(NvrtcTest, HalfPrecisionHeadersAreThere) {
  const CompiledKernel kernel = compile(
      "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__global__ void k(__half* x) { x[0] = __hadd(x[1], "
      "x[2]); }\n");
  EXPECT_TRUE(kernel.ok) << said(kernel);
}

TEST_F(NvrtcTest, HeavyHeadersAreQuickTheSecondTime) {
  const std::string text = "#include <cooperative_groups.h>\n__global__ void k(int* x) { x[0] = ";
  CompileRequest first = request(text + "1; }\n"), second = request(text + "2; }\n");
  first.source.prelude = second.source.prelude = "typedef unsigned int my_u32;\n";
  const CompiledKernel cold = compile(first), warm = compile(second);
  ASSERT_TRUE(cold.ok && warm.ok) << said(cold) << said(warm);
  EXPECT_FALSE(warm.cached);
  EXPECT_NE(warm.log.find("using precompiled header"), std::string::npos) << warm.log;
  EXPECT_TRUE(warm.diagnostics.empty()) << said(warm);
  EXPECT_NE(warm.ptx.find(".file\t1 \"kernel.cu\""), std::string::npos);
}

TEST_F(NvrtcTest, ThePreludeAndTheMacrosAreInFront) {
  CompileRequest asked = request("__global__ void k(u32* x) { x[0] = VALUE; }\n");
  asked.source.prelude = "typedef unsigned int u32;\n";
  asked.defines = {{"VALUE", "(3 + 4)"}, {"EMPTY", ""}};
  EXPECT_TRUE(compile(asked).ok);
  const CompiledKernel without = compile("__global__ void k(u32* x) { x[0] = 1; }\n");
  ASSERT_FALSE(without.diagnostics.empty());
  EXPECT_EQ(without.diagnostics[0].line, 1);
}

TEST_F(NvrtcTest, EveryMacroOfThePreludeIsAConstant) {
  const std::string prelude = source::prelude_for("");
  std::string constants, stores;
  int count = 0;
  std::istringstream lines(prelude);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string define, name;
    if (!(words >> define >> name) || define != "#define") continue;
    const std::string number = std::to_string(count++);
    constants += "constexpr auto c" + number + " = " + name + ";\n";
    stores += "  x[" + number + "] = static_cast<double>(" + name + ") + c" + number + ";\n";
  }
  ASSERT_GT(count, 30);
  CompileRequest asked = request(constants + "__global__ void k(double* x) {\n" + stores + "}\n");
  asked.source.prelude = prelude;
  const CompiledKernel kernel = compile(asked);
  EXPECT_TRUE(kernel.ok) << said(kernel);
}

TEST_F(NvrtcTest, TheStandardIsCpp17UnlessAskedFor) {
  const std::string text = "static_assert(__cplusplus == STANDARD);\n__global__ void k() {}\n";
  CompileRequest asked = request(text);
  asked.defines = {{"STANDARD", "201703L"}};
  EXPECT_TRUE(compile(asked).ok) << said(compile(asked));
  asked.defines = {{"STANDARD", "202002L"}};
  asked.options = {"--std=c++20"};
  EXPECT_TRUE(compile(asked).ok) << said(compile(asked));
}

TEST_F(NvrtcTest, VirtualArchitecturesGivePtxOnly) {
  CompileRequest asked = request(kScale);
  asked.arch = "compute_90";
  const CompiledKernel kernel = compile(asked);
  ASSERT_TRUE(kernel.ok) << said(kernel);
  EXPECT_TRUE(kernel.cubin.empty());
  EXPECT_FALSE(kernel.ptx.empty());
  EXPECT_FALSE(kernel.entries.at(0).resources);
}

TEST_F(NvrtcTest, ArchitecturesThatAreGoneAreNamed) {
  for (const char* arch :
       {"sm_70", "sm_9000", "gfx90a", "", "sm_90b", "sm_", "sm_90f", "sm_090", "SM_90", "sm_90a "}) {
    CompileRequest asked = request(kScale);
    asked.arch = arch;
    const CompiledKernel kernel = compile(asked);
    EXPECT_FALSE(kernel.ok) << arch;
    ASSERT_EQ(kernel.diagnostics.size(), 1u) << arch;
    EXPECT_EQ(kernel.diagnostics[0].code, "unknown_arch");
    EXPECT_NE(kernel.diagnostics[0].hint.english().find("sm_90a"), std::string::npos);
  }
}

TEST_F(NvrtcTest, TensorInstructionsOfOneArchitectureAskForItsVariant) {
  const std::string text =
      "__global__ void k(float* x) {\n  x[1] = 2;\n  asm volatile(\"wgmma.fence.sync.aligned;\");\n}\n";
  EXPECT_TRUE(compile(text).ok);
  CompileRequest asked = request(text);
  asked.arch = "sm_90";
  const CompiledKernel kernel = compile(asked);
  EXPECT_FALSE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].code, "needs_arch");
  EXPECT_EQ(kernel.diagnostics[0].line, 3)
      << "ptxas counts lines of the PTX, which know where they come from";
  EXPECT_EQ(kernel.diagnostics[0].file, "kernel.cu");
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("sm_90a"), std::string::npos);
}

TEST_F(NvrtcTest, TooMuchStaticSharedMemoryIsRefusedOnEveryArchitecture) {
  const std::string text =
      "__global__ void mirror(float* x) {\n  __shared__ float tile[14336];\n  tile[threadIdx.x] = "
      "x[threadIdx.x];\n"
      "  __syncthreads();\n  x[threadIdx.x] = tile[255 - threadIdx.x];\n}\n";
  for (const char* arch : {"sm_80", "sm_90", "sm_90a"}) {
    CompileRequest asked = request(text);
    asked.arch = arch;
    const CompiledKernel kernel = compile(asked);
    EXPECT_FALSE(kernel.ok) << arch;
    ASSERT_EQ(kernel.diagnostics.size(), 1u) << arch << said(kernel);
    EXPECT_EQ(kernel.diagnostics[0].line, 2);
    EXPECT_EQ(kernel.diagnostics[0].message,
              "mirror uses 57344 bytes of static shared memory (tile, line 2), the limit is 49152");
    EXPECT_NE(kernel.diagnostics[0].hint.english().find("extern __shared__"), std::string::npos);
  }
}

TEST_F(NvrtcTest, MissingHeadersAreExplained) {
  const auto first = [&](const std::string& header) {
    const CompiledKernel kernel = compile("\n#include <" + header + ">\n__global__ void k() {}\n");
    EXPECT_FALSE(kernel.ok);
    if (kernel.diagnostics.empty()) return Diagnostic{};
    EXPECT_EQ(kernel.diagnostics[0].line, 2);
    EXPECT_EQ(kernel.diagnostics[0].code, "missing_header");
    return kernel.diagnostics[0];
  };
  EXPECT_NE(first("vector").message.english().find("host's compiler"), std::string::npos);
  EXPECT_NE(first("cute/tensor.hpp").message.english().find("CUTLASS"), std::string::npos);
  EXPECT_NE(first("torch/extension.h").hint.english().find("remove"), std::string::npos);
  EXPECT_NE(first("kernels/common/vec_types.cuh").message.english().find("needs its project"),
            std::string::npos);
}

TEST_F(NvrtcTest, RemovedFeaturesAreNamed) {
  const CompiledKernel kernel =
      compile("texture<float, 1> t;\n__global__ void k(float* x) { x[0] = tex1Dfetch(t, 0); }\n");
  ASSERT_FALSE(kernel.diagnostics.empty());
  EXPECT_EQ(kernel.diagnostics[0].code, "removed_feature");
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("cudaTextureObject_t"), std::string::npos);
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("installation"), std::string::npos);
}

TEST_F(NvrtcTest, OptionsOfNvccAreRefusedWithAWayOut) {
  CompileRequest asked = request(kScale);
  asked.options = {"-O3"};
  const CompiledKernel kernel = compile(asked);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].code, "bad_option");
  EXPECT_NE(kernel.diagnostics[0].hint.english().find("nvcc"), std::string::npos);
  asked.options = {"-arch=sm_80"};
  EXPECT_NE(compile(asked).diagnostics.at(0).hint.english().find("//@ arch:"), std::string::npos);
  asked.options = {"-dlto"};
  EXPECT_FALSE(compile(asked).ok);
  asked.options = {"-G"};
  EXPECT_TRUE(compile(asked).ok) << said(compile(asked));
}

TEST_F(NvrtcTest, VariablesOfTheModuleAreListed) {
  const CompiledKernel kernel = compile(
      "__constant__ float taps[7];\nnamespace app { __device__ int counter; }\n"
      "__global__ void k(float* x) { x[0] = taps[1] + app::counter; printf(\"%f\", x[0]); }\n");
  ASSERT_TRUE(kernel.ok) << said(kernel);
  ASSERT_EQ(kernel.globals.size(), 2u);
  const GlobalSymbol& taps = kernel.globals[kernel.globals[0].name == "taps" ? 0 : 1];
  EXPECT_EQ(taps.bytes, 28);
  EXPECT_TRUE(taps.constant);
}

TEST_F(NvrtcTest, ResourcesSayWhatSpills) {
  CompileRequest asked = request(
      "__global__ void k(float* x, int n) {\n  float a[96];\n"
      "#pragma unroll\n  for (int i = 0; i < 96; ++i) a[i] = x[i * n];\n  __syncthreads();\n"
      "#pragma unroll\n  for (int i = 0; i < 96; ++i) x[i * n + 1] = a[i] * a[95 - i];\n}\n");
  asked.options = {"--maxrregcount=32"};
  const CompiledKernel kernel = compile(asked);
  ASSERT_TRUE(kernel.ok) << said(kernel);
  const Resources& resources = *kernel.entries.at(0).resources;
  EXPECT_LE(resources.registers, 32);
  EXPECT_GT(resources.stack_bytes, 0);
  EXPECT_GT(resources.spill_load_bytes, 0);
  EXPECT_EQ(resources.max_threads, 0);
}

TEST_F(NvrtcTest, LaunchBoundsAreKnown) {
  const CompiledKernel kernel = compile("__global__ void __launch_bounds__(128) k(float* x) { x[0] = 1; }\n");
  ASSERT_TRUE(kernel.ok) << said(kernel);
  EXPECT_EQ(kernel.entries.at(0).resources->max_threads, 128);
}

TEST_F(NvrtcTest, PtxSourcesAreAssembledWhereTheToolkitCan) {
  const CompiledKernel made = compile(kScale);
  CompileRequest asked = request(made.ptx);
  asked.source.file = "scale.ptx";
  asked.source.language = source::Language::ptx;
  asked.use_cache = false;
  const CompiledKernel kernel = compile(asked);
  ASSERT_TRUE(kernel.ok) << said(kernel);
  EXPECT_EQ(kernel.ptx, made.ptx);
  ASSERT_EQ(kernel.entries.size(), 1u);
  EXPECT_EQ(kernel.entries[0].name, "scale");
  const Assembler assembler = assembler_of(compiler_->toolkit());
  EXPECT_EQ(kernel.compiler, assembler.name);
  EXPECT_EQ(kernel.cubin.empty(), assembler.name.empty());
  ASSERT_EQ(kernel.entries[0].resources.has_value(), !assembler.name.empty());
  if (assembler.name.empty()) return;
  EXPECT_EQ(kernel.entries[0].resources->registers, made.entries[0].resources->registers);
}

TEST_F(NvrtcTest, BothAssemblersSayWhatTheyMadeAndWhereAFaultIs) {
  const CompiledKernel made = compile(kScale);
  const Assembler found = assembler_of(compiler_->toolkit());
  const std::filesystem::path root = compiler_->toolkit().root;
  Assembler linker;
  for (const char* library : {"lib64/libnvJitLink.so.13", "lib/libnvJitLink.so.13"})
    if (std::filesystem::exists(root / library)) linker.nvjitlink = root / library;
  for (const Assembler& assembler : {found, linker}) {
    if (assembler.ptxas.empty() && assembler.nvjitlink.empty()) continue;
    const auto good = assemble(assembler, "sm_90a", made.ptx, {}, true);
    ASSERT_TRUE(good) << good.error().message;
    EXPECT_TRUE(good->ok) << good->log;
    EXPECT_FALSE(good->cubin.empty());
    const Log log = parse_log(good->log);
    ASSERT_EQ(log.resources.size(), 1u) << good->log;
    EXPECT_GT(log.resources.begin()->second.registers, 0);
    const auto bad = assemble(assembler, "sm_90a", ".version 8.0\n.target sm_80\n.nonsense\n", {}, true);
    ASSERT_TRUE(bad) << bad.error().message;
    EXPECT_FALSE(bad->ok);
    ASSERT_FALSE(parse_log(bad->log).messages.empty()) << bad->log;
    EXPECT_EQ(parse_log(bad->log).messages[0].ptx_line, 3) << bad->log;
  }
}

TEST_F(NvrtcTest, ForATargetThatNobodyKnowsOneThatIsKnownIsProposed) {
  if (assembler_of(compiler_->toolkit()).name.empty()) GTEST_SKIP() << "no assembler is here";
  CompileRequest asked =
      request(".version 9.0\n.target sm_999\n.address_size 64\n.visible .entry k() { ret; }\n");
  asked.source.language = source::Language::ptx;
  const CompiledKernel kernel = compile(asked);
  EXPECT_FALSE(kernel.ok);
  ASSERT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
  EXPECT_EQ(kernel.diagnostics[0].line, 2);
  EXPECT_EQ(kernel.diagnostics[0].hint.english().find("sm_999a"), std::string::npos);
  EXPECT_NE(kernel.diagnostics[0].hint.english().find(asked.arch), std::string::npos);
}

TEST_F(NvrtcTest, BrokenPtxIsExplained) {
  const auto fault = [&](const std::string& name) {
    CompileRequest asked =
        request(*read_file(std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/inputs/ptx" / name));
    asked.source.file = name;
    asked.source.language = source::Language::ptx;
    const CompiledKernel kernel = compile(asked);
    EXPECT_FALSE(kernel.ok) << name;
    EXPECT_EQ(kernel.diagnostics.size(), 1u) << said(kernel);
    return kernel.diagnostics.empty() ? Diagnostic{} : kernel.diagnostics[0];
  };
  const Diagnostic truncated = fault("truncated.ptx");
  EXPECT_EQ(truncated.line, 95);
  EXPECT_NE(truncated.message.english().find("fused_add_relu_kernel_1"), std::string::npos)
      << truncated.message;
  const Diagnostic disguise = fault("cuda_source_in_disguise.ptx");
  EXPECT_EQ(disguise.line, 2);
  EXPECT_NE(disguise.message.english().find("CUDA C++"), std::string::npos);
  const Diagnostic newer = fault("newer_version.ptx");
  EXPECT_EQ(newer.line, 8);
  EXPECT_NE(newer.message.english().find("9.9 is newer than"), std::string::npos) << newer.message;
}

TEST_F(NvrtcTest, DisassemblyOrTheWayToIt) {
  const CompiledKernel kernel = compile(kScale);
  const Result<std::string> sass = compiler_->disassemble(kernel.cubin);
  if (compiler_->toolkit().nvdisasm.empty()) {
    ASSERT_FALSE(sass.ok());
    EXPECT_EQ(sass.error().code, "nvdisasm_missing");
    EXPECT_NE(sass.error().hint.english().find("nvdisasm"), std::string::npos);
  } else {
    ASSERT_TRUE(sass.ok()) << sass.error().message;
    EXPECT_NE(sass->find("EXIT"), std::string::npos);
    EXPECT_FALSE(compiler_->disassemble("no cubin").ok());
  }
}

TEST_F(NvrtcTest, ArchitecturesComeWithTheirVariants) {
  const std::vector<std::string> known = compiler_->architectures();
  for (const char* arch : {"sm_80", "sm_90", "sm_90a", "sm_100a", "sm_120a"})
    EXPECT_NE(std::find(known.begin(), known.end(), arch), known.end()) << arch;
  EXPECT_EQ(std::find(known.begin(), known.end(), "sm_80a"), known.end());
}

}  // namespace
}  // namespace ridge::compile
