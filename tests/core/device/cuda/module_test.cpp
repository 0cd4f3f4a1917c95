// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cuda/fake.h"

namespace ridge::device {
namespace {

using testing::HasSubstr;

class CudaModules : public FakeMachine {
 protected:
  CudaModules() : device(open()) {}
  std::unique_ptr<Device> device;
};

TEST_F(CudaModules, KnowParametersAndGlobals) {
  const auto module = load(*device);
  const auto parameters = module->parameters("saxpy");
  ASSERT_TRUE(parameters) << parameters.error().message;
  ASSERT_EQ(parameters->size(), 4u);
  EXPECT_EQ((*parameters)[0].bytes, 4u);
  EXPECT_EQ((*parameters)[1].bytes, 8u);
  EXPECT_EQ((*parameters)[1].offset, 8u);
  const auto table = module->global("table");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->bytes, 64);
  EXPECT_TRUE(module->resources("saxpy"));
}

TEST_F(CudaModules, UnknownNamesAreFaultsOfTheSource) {
  const auto module = load(*device);
  const auto kernel = module->parameters("sgemm");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, "unknown_kernel");
  EXPECT_EQ(kernel.error().kind, ErrorKind::definition);
  const auto symbol = module->global("no_table");
  ASSERT_FALSE(symbol);
  EXPECT_EQ(symbol.error().code, "unknown_symbol");
  EXPECT_THAT(symbol.error().message.english(), HasSubstr("no_table"));
}

TEST_F(CudaModules, TheCubinIsPreferredToThePtx) {
  compile::CompiledKernel kernel;
  kernel.cubin = std::string("fake cubin\n") + kPtx;
  kernel.ptx = "this is not PTX";
  const auto module = device->load(kernel);
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_TRUE((*module)->parameters("saxpy"));
}

TEST_F(CudaModules, BadPtxComesWithTheAssemblersLog) {
  compile::CompiledKernel kernel;
  kernel.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { frobnicate.u32 %r1; }\n";
  const auto module = device->load(kernel);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, "module_load");
  EXPECT_THAT(module.error().message.english(),
              AllOf(HasSubstr("CUDA_ERROR_INVALID_PTX"), HasSubstr("frobnicate")));
}

TEST_F(CudaModules, CodeOfAnotherArchitectureNamesBoth) {
  compile::CompiledKernel kernel;
  kernel.arch = "sm_80";
  kernel.cubin =
      "\x7f"
      "ELF";
  const auto module = device->load(kernel);
  ASSERT_FALSE(module);
  EXPECT_THAT(module.error().message.english(),
              AllOf(HasSubstr("CUDA_ERROR_NO_BINARY_FOR_GPU"), HasSubstr("for sm_80"), HasSubstr("sm_90a")));
  EXPECT_THAT(module.error().hint.english(), HasSubstr("own arch"));
}

TEST_F(CudaModules, NothingToLoadIsAnError) {
  const auto module = device->load({});
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, "no_code");
}

}  // namespace
}  // namespace ridge::device
