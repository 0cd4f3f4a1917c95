// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/ptx.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge::compile {
namespace {

constexpr const char* kModule = R"(
// .entry in_a_comment()
.version 9.0
.target sm_90a, debug
.address_size 64

.global .align 4 .b8 table[132];
.visible .const .align 8 .f64 factors[2][3] = {1.0, 2.0};
.global .align 1 .b8 $str[12] = {37, 100, 123, 125};
.extern .shared .align 16 .b8 dynamic[];
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.weak .entry _Z1kILi64EEvPKfPficd(
	.param .u64 .ptr .global .align 16 k_0,
	.param .u64 k_1,
	.param .u32 k_2,
	.param .u8 k_3,
	.param .f64 k_4
)
.maxntid 128, 2, 1
.minnctapersm 2
{
	.reg .f32 	%f<5>;
	.loc	1 12 0
	// demoted variable
	.shared .align 4 .b8 _ZZ1kILi64EEvPKfPficdE1q[256];
	{ .reg .b32 t; mov.b32 t, 0; }
	.loc	2 99 3
	st.shared.u32 	[%rd5], %r1;
	ret;
}
.visible .entry _ZN2ns1mE6float4Pfi(
	.param .align 16 .b8 m_0[16],
	.param .align 4 .b8 m_1[4],
	.param .u64 m_2
)
{
	.loc	1 30 0
	ret;
}
.entry bare
{
	ret;
}
	.file	1 "/src/k.cu"
	.file	2 "/usr/include/x y.h"
)";

TEST(Ptx, EntriesWithTheirParameters) {
  const PtxModule module = parse_ptx(kModule);
  EXPECT_EQ(module.version, "9.0");
  EXPECT_EQ(module.version_line, 3);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_FALSE(module.truncated);
  ASSERT_EQ(module.entries.size(), 3u);
  const Entry& k = module.entries[0];
  EXPECT_EQ(k.name, "k<64>");
  EXPECT_EQ(k.symbol, "_Z1kILi64EEvPKfPficd");
  EXPECT_EQ(k.line, 12);
  EXPECT_EQ(k.resources->max_threads, 256);
  EXPECT_EQ(k.resources->shared_bytes, 256);
  ASSERT_EQ(k.parameters.size(), 5u);
  EXPECT_EQ(k.parameters[2].offset, 16u);
  EXPECT_EQ(k.parameters[2].bytes, 4u);
  EXPECT_EQ(k.parameters[3].offset, 20u);
  EXPECT_EQ(k.parameters[3].bytes, 1u);
  EXPECT_EQ(k.parameters[4].offset, 24u);
  const Entry& m = module.entries[1];
  EXPECT_EQ(m.name, "ns::m");
  EXPECT_EQ(m.parameters[0].bytes, 16u);
  EXPECT_EQ(m.parameters[1].offset, 16u);
  EXPECT_EQ(m.parameters[2].offset, 24u);
  EXPECT_EQ(module.entries[2].symbol, "bare");
  EXPECT_TRUE(module.entries[2].parameters.empty());
}

TEST(Ptx, VariablesOfTheSource) {
  const PtxModule module = parse_ptx(kModule);
  ASSERT_EQ(module.globals.size(), 2u);
  EXPECT_EQ(module.globals[0].name, "table");
  EXPECT_EQ(module.globals[0].bytes, 132);
  EXPECT_FALSE(module.globals[0].constant);
  EXPECT_EQ(module.globals[1].name, "factors");
  EXPECT_EQ(module.globals[1].bytes, 48);
  EXPECT_TRUE(module.globals[1].constant);
}

TEST(Ptx, LinesLeadBackToTheSource) {
  const auto line_of = [](const std::string& text) {
    const std::string module = kModule;
    return static_cast<int>(
               std::count(module.begin(), module.begin() + static_cast<long>(module.find(text)), '\n')) +
           1;
  };
  const auto store = place_of(kModule, line_of("st.shared.u32"));
  ASSERT_TRUE(store);
  EXPECT_EQ(store->file, "/usr/include/x y.h");
  EXPECT_EQ(store->line, 99);
  EXPECT_FALSE(place_of(kModule, line_of(".minnctapersm")));
  EXPECT_FALSE(place_of("", 5));
}

TEST(Ptx, TruncationNamesTheFunction) {
  const std::string text = kModule;
  const PtxModule module = parse_ptx(text.substr(0, text.find("st.shared.u32")));
  EXPECT_TRUE(module.truncated);
  EXPECT_EQ(module.open_function, "_Z1kILi64EEvPKfPficd");
  EXPECT_TRUE(module.entries.empty());
  EXPECT_TRUE(parse_ptx(".version 9.0\n.global .b8 x[").truncated);
}

TEST(Ptx, GarbageDoesNotHang) {
  for (const char* text : {"", "{", "}", ";;;;", ".entry", ".entry (", ".entry x(.param) {}",
                           ".global .b8 x[-3];", "\"", "/*", ".file", ".version", ".loc {"})
    EXPECT_GE(parse_ptx(text).lines, 0) << text;
  EXPECT_TRUE(parse_ptx(".global .b8 x[-3];").globals.empty());
}

TEST(Names, AreDemangledForPeople) {
  EXPECT_EQ(name_for_people("_Z7softmaxILi256EEvPKfPfi"), "softmax<256>");
  EXPECT_EQ(name_for_people("_Z1mPi", true), "m(int*)");
  EXPECT_EQ(name_for_people("plain"), "plain");
  EXPECT_EQ(name_for_people("_ZN12_GLOBAL__N_16invertEPfi"), "(anonymous namespace)::invert");
}

TEST(Names, AreMatchedAsPeopleWriteThem) {
  EXPECT_TRUE(same_kernel("k<64>", "k<64>"));
  EXPECT_TRUE(same_kernel("mm< float,16 >", "mm<float, 16>"));
  EXPECT_TRUE(same_kernel("k", "ns::k<64>"));
  EXPECT_FALSE(same_kernel("k<32>", "k<64>"));
  EXPECT_FALSE(same_kernel("a::k", "b::k"));
  EXPECT_EQ(base_name("a::b::k<x::y>"), "k");
}

TEST(CompiledKernel, FindsAnEntryByAnyOfItsNames) {
  CompiledKernel kernel;
  kernel.entries.push_back({"ns::k<64>", "_Zk64", {}, {}, 0});
  kernel.entries.push_back({"j<1>", "_Zj1", {}, {}, 0});
  kernel.entries.push_back({"j<2>", "_Zj2", {}, {}, 0});
  kernel.lowered.emplace_back("j<ONE>", "_Zj1");
  EXPECT_EQ(kernel.entry("_Zk64"), &kernel.entries[0]);
  EXPECT_EQ(kernel.entry("ns::k< 64 >"), &kernel.entries[0]);
  EXPECT_EQ(kernel.entry("k"), &kernel.entries[0]);
  EXPECT_EQ(kernel.entry("j<ONE>"), &kernel.entries[1]);
  EXPECT_EQ(kernel.entry("j"), nullptr) << "two instances: the name alone does not say which";
  EXPECT_EQ(kernel.entry("missing"), nullptr);
}

}  // namespace
}  // namespace ridge::compile
