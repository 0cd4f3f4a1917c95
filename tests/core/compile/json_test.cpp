// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "compile/compile.h"

namespace ridge::compile {
namespace {

TEST(CompileRequestJson, RoundTrip) {
  CompileRequest request;
  request.source.file = "kern\xc3\xa9l.cu";
  request.source.text = "// gbk \xc4\xe3\xba\xc3\n__global__ void k(float* y) {}\n";
  request.source.prelude = "typedef unsigned uint32_t;\n";
  request.source.include_folders = {"/a b", "/c"};
  request.source.kernels.push_back({"ns::k", 2, {{"float *", "y", true, false}}, {"int B"}, false});
  request.arch = "sm_100a";
  request.defines = {{"VEC", "4"}, {"FLAG", ""}};
  request.options = {"--use_fast_math"};
  request.name_expressions = {"ns::k<4>"};
  request.line_info = false;
  request.use_cache = false;
  const Json json = to_json(request);
  const Result<Json> sent = parse_json(json.dump());
  ASSERT_TRUE(sent.ok()) << "bytes that are no UTF-8 must not reach the wire";
  const Result<CompileRequest> back = compile_request_from_json(*sent);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->source.text, request.source.text);
  EXPECT_EQ(back->source.kernels[0].parameters[0].type, "float *");
  EXPECT_EQ(to_json(*back), json);
}

TEST(CompileRequestJson, GarbageIsAnError) {
  for (const char* text :
       {"{}", "[]", "1", R"({"source": 3, "arch": "sm_90"})", R"({"source": {"text": "x"}})"})
    EXPECT_FALSE(compile_request_from_json(*parse_json(text)).ok()) << text;
}

TEST(CompileRequestJson, ALanguageOfANewerReleaseIsRefusedByName) {
  Json json = to_json(CompileRequest{});
  json["arch"] = "sm_90";
  ASSERT_TRUE(compile_request_from_json(json).ok());
  json["source"]["language"] = "tile";
  const auto request = compile_request_from_json(json);
  ASSERT_FALSE(request.ok());
  EXPECT_NE(request.error().message.english().find("'tile'"), std::string::npos) << request.error().message;
}

TEST(CompiledKernelJson, RoundTrip) {
  CompiledKernel kernel;
  kernel.ok = true;
  kernel.arch = "sm_90a";
  kernel.ptx = ".version 9.0\n";
  kernel.cubin = std::string(
      "\x7f"
      "ELF\0\xff",
      6);
  kernel.log = "k.cu(1): warning #177-D: x\n";
  kernel.diagnostics.push_back({Severity::warning, "k.cu", 1, 2, "nvrtc", "x", "y"});
  Resources resources;
  resources.registers = 40;
  resources.spill_load_bytes = 8;
  resources.max_threads = 256;
  kernel.entries.push_back({"k", "_Z1kPi", {{0, 8}, {8, 4}}, resources, 7});
  kernel.entries.push_back({"j", "j", {}, {}, 0});
  kernel.globals.push_back({"table", "_Ztable", 132, true});
  kernel.lowered.emplace_back("k", "_Z1kPi");
  kernel.compile_ms = 31.5;
  kernel.compiler = "NVRTC 13.0";
  kernel.key = "abc";
  const Json json = to_json(kernel);
  EXPECT_TRUE(json["entries"][1]["resources"].is_null());
  EXPECT_TRUE(json["entries"][1]["line"].is_null());
  const Result<CompiledKernel> back = compiled_kernel_from_json(*parse_json(json.dump()));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->cubin, kernel.cubin);
  EXPECT_EQ(back->entries[0].resources->registers, 40);
  EXPECT_EQ(to_json(*back), json);
}

TEST(CompiledKernelJson, GarbageIsAnError) {
  for (const char* text : {"{}", "null", R"({"ok": 1, "entries": []})", R"({"ok": true})",
                           R"({"ok": true, "entries": [], "cubin": "not base64!"})"})
    EXPECT_FALSE(compiled_kernel_from_json(*parse_json(text)).ok()) << text;
}

}  // namespace
}  // namespace ridge::compile
