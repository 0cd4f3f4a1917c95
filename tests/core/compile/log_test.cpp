// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/log.h"

#include <gtest/gtest.h>

namespace ridge::compile {
namespace {

TEST(Log, ErrorsHaveFileLineAndColumn) {
  const Log log = parse_log(
      "k.cu(7): error: identifier \"y\" is undefined\n"
      "    y[0]=1;\n"
      "    ^\n\n"
      "k.cu(8): warning #177-D: variable \"unused\" was declared but never referenced\n"
      "   int unused;}\n"
      "       ^\n\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
      "1 error detected in the compilation of \"k.cu\".\n");
  ASSERT_EQ(log.messages.size(), 2u);
  const Diagnostic& error = log.messages[0].diagnostic;
  EXPECT_EQ(error.severity, Severity::error);
  EXPECT_EQ(error.file, "k.cu");
  EXPECT_EQ(error.line, 7);
  EXPECT_EQ(error.column, 3);
  EXPECT_EQ(error.message, "identifier \"y\" is undefined");
  EXPECT_EQ(log.messages[0].echo, "  y[0]=1;");
  EXPECT_EQ(log.messages[1].diagnostic.severity, Severity::warning);
  EXPECT_EQ(log.messages[1].number, 177);
  EXPECT_EQ(log.messages[1].diagnostic.column, 6);
}

TEST(Log, DetailsBecomePartOfTheMessage) {
  const Log log = parse_log(
      "a (b)/k.cu(1): error: expression must have class type but it has type \"float\"\n"
      "  template<class T> __device__ T f(T x){ return x.foo(); }\n"
      "                                                ^\n"
      "          detected during:\n"
      "            instantiation of \"T f(T) [with T=float]\" at line 3\n\n");
  ASSERT_EQ(log.messages.size(), 1u);
  EXPECT_EQ(log.messages[0].diagnostic.file, "a (b)/k.cu");
  EXPECT_EQ(log.messages[0].diagnostic.column, 47);
  EXPECT_NE(log.messages[0].diagnostic.message.english().find("; detected during: instantiation of \"T f(T)"),
            std::string::npos)
      << log.messages[0].diagnostic.message;
}

TEST(Log, PtxasSpeaksWithoutAFile) {
  const Log log = parse_log(
      "ptxas application ptx input, line 28; error   : Instruction 'wgmma.fence' not supported on .target "
      "'sm_90'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n"
      "ptxas warning : For profile sm_90a adjusting per thread register count of 16 to lower bound of 24\n");
  ASSERT_EQ(log.messages.size(), 3u);
  EXPECT_EQ(log.messages[0].ptx_line, 28);
  EXPECT_EQ(log.messages[0].diagnostic.code, "ptxas");
  EXPECT_EQ(log.messages[0].diagnostic.line, 0);
  EXPECT_EQ(log.messages[0].diagnostic.message, "Instruction 'wgmma.fence' not supported on .target 'sm_90'");
  EXPECT_EQ(log.messages[1].diagnostic.severity, Severity::error);
  EXPECT_EQ(log.messages[2].diagnostic.severity, Severity::warning);
}

TEST(Log, ResourcesAsTheLinkerSaysThem) {
  const std::string linked =
      "info    : 0 bytes gmem\n"
      "info    : Function properties for '_Z5scalePKfPfif':\n"
      "info    : used 10 registers, used 1 barriers, 16 stack, 128 bytes smem, 552 bytes cmem[0], 0 bytes "
      "lmem\n";
  const Log log = parse_log(linked);
  ASSERT_EQ(log.resources.size(), 1u);
  const Resources& resources = log.resources.at("_Z5scalePKfPfif");
  EXPECT_EQ(resources.registers, 10);
  EXPECT_EQ(resources.barriers, 1);
  EXPECT_EQ(resources.stack_bytes, 16);
  EXPECT_EQ(resources.shared_bytes, 128);
  EXPECT_EQ(resources.constant_bytes, 552);
  // What ptxas said of it says more.
  const Log both = parse_log(
      "ptxas info    : Compiling entry function '_Z5scalePKfPfif' for 'sm_90a'\n"
      "ptxas info    : Used 12 registers, used 1 barriers, 128 bytes smem, 552 bytes cmem[0]\n" +
      linked);
  EXPECT_EQ(both.resources.at("_Z5scalePKfPfif").registers, 12);
}

TEST(Log, ResourcesOfEachEntry) {
  const Log log = parse_log(
      "ptxas info    : 132 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1kPi' for 'sm_90a'\n"
      "ptxas info    : Function properties for _Z1kPi\n"
      "ptxas         .     400 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 1 barriers, 400 bytes cumulative stack size, 256 bytes smem, "
      "360 bytes "
      "cmem[0]\n"
      "ptxas info    : Function properties for _Z1gPi\n"
      "ptxas         .     16 bytes stack frame, 99 bytes spill stores, 99 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'other' for 'sm_90a'\n"
      "ptxas info    : Function properties for other\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n");
  ASSERT_EQ(log.resources.size(), 2u);
  const Resources& k = log.resources.at("_Z1kPi");
  EXPECT_EQ(k.registers, 24);
  EXPECT_EQ(k.barriers, 1);
  EXPECT_EQ(k.shared_bytes, 256);
  EXPECT_EQ(k.constant_bytes, 360);
  EXPECT_EQ(k.stack_bytes, 400);
  EXPECT_EQ(k.spill_store_bytes, 8);
  EXPECT_EQ(k.spill_load_bytes, 12);
  EXPECT_EQ(log.resources.at("other").registers, 8);
  EXPECT_EQ(log.resources.at("other").shared_bytes, 0);
}

TEST(Log, GarbageHasNoMessages) {
  EXPECT_TRUE(parse_log("").messages.empty());
  EXPECT_TRUE(parse_log("(): error\n(7): error: x\nptxas\nptxas : \n):error:\n").messages.empty());
}

TEST(Fold, RepeatedMessagesAreCounted) {
  const Diagnostic half{Severity::error, "k.cu", 3, 1, "nvrtc", "identifier \"half\" is undefined", ""};
  Diagnostic later = half;
  later.line = 9;
  const Diagnostic other{Severity::error, "k.cu", 4, 1, "nvrtc", "expected a \";\"", ""};
  const Diagnostics folded = fold({half, other, later, later});
  ASSERT_EQ(folded.size(), 2u);
  EXPECT_EQ(folded[0].line, 3);
  EXPECT_EQ(folded[0].message, "identifier \"half\" is undefined (2 more of the same)");
  EXPECT_EQ(folded[1].message, "expected a \";\"");
}

TEST(Fold, TheCauseSpeaksForItsLine) {
  const Diagnostic before{Severity::error, "k.cu", 3, 1, "nvrtc", "attribute does not apply here", ""};
  const Diagnostic cause{Severity::error, "k.cu", 3, 9, "nvrtc", "identifier \"half\" is undefined", ""};
  const Diagnostic behind{Severity::error, "k.cu", 3, 20, "nvrtc", "incomplete type", ""};
  const Diagnostic warning{Severity::warning, "k.cu", 3, 20, "nvrtc", "unused", ""};
  const Diagnostics folded = fold({before, cause, behind, warning});
  ASSERT_EQ(folded.size(), 2u);
  EXPECT_EQ(folded[0].column, 9);
  EXPECT_EQ(folded[0].message, "identifier \"half\" is undefined (2 more on this line)");
  EXPECT_EQ(folded[1].severity, Severity::warning);
}

}  // namespace
}  // namespace ridge::compile
