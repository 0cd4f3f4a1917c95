// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/ptx/parser.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ridge::device::emulator::ptx {
namespace {

constexpr const char* kHeader = ".version 9.0\n.target sm_90a\n.address_size 64\n";

Module parsed(const std::string& text) {
  Result<Module> module = parse(kHeader + text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
  return module.ok() ? std::move(*module) : Module{};
}
std::string error_of(const std::string& text) {
  const Result<Module> module = parse(kHeader + text);
  return module.ok() ? "" : module.error().message.english();
}

TEST(Parser, ReadsInitialisersOfEveryForm) {
  const Module module = parsed(
      ".global .align 4 .u32 counter = 7;\n"
      ".const .f32 table[2] = {0f3F800000, 2.5};\n"
      ".global .s16 small = -2;\n"
      ".global .align 8 .u64 pointer = generic(counter) + 4;\n"
      ".global .b8 bytes[8] = {0xFF(counter), 0xFF00(counter), 3};\n"
      ".extern .shared .align 16 .b8 dynamic[];\n");
  ASSERT_EQ(module.variables.size(), 6u);
  EXPECT_EQ(module.variables[0].initial, (std::vector<std::uint8_t>{7, 0, 0, 0}));
  EXPECT_EQ(module.variables[1].initial, (std::vector<std::uint8_t>{0, 0, 0x80, 0x3f, 0, 0, 0x20, 0x40}));
  EXPECT_EQ(module.variables[2].initial, (std::vector<std::uint8_t>{0xfe, 0xff}));
  ASSERT_EQ(module.variables[3].relocations.size(), 1u);
  EXPECT_TRUE(module.variables[3].relocations[0].generic);
  EXPECT_EQ(module.variables[3].relocations[0].addend, 4);
  ASSERT_EQ(module.variables[4].relocations.size(), 2u);
  EXPECT_EQ(module.variables[4].relocations[1].shift, 8);
  EXPECT_EQ(module.variables[4].initial[2], 3);
  EXPECT_TRUE(module.variables[5].external);
  EXPECT_EQ(module.variables[5].bytes, 0u);
  EXPECT_EQ(module.variables[5].alignment, 16u);
}

TEST(Parser, ScopesGiveRegistersOfTheirOwn) {
  const Module module = parsed(
      ".visible .entry k()\n{\n.reg .b32 %r<2>;\nmov.u32 %r0, 1;\n{ .reg .b32 %r0; mov.u32 %r0, 2; "
      "}\nmov.u32 %r1, %r0;\nret;\n}\n");
  const Function& k = module.functions.at(0);
  ASSERT_EQ(k.registers.size(), 3u);
  EXPECT_EQ(k.body[0].operands[0].index, 0);
  EXPECT_EQ(k.body[1].operands[0].index, 2);
  EXPECT_EQ(k.body[2].operands[1].index, 0);
}

TEST(Parser, DirectivesMayBeJoined) {
  const Module module = parsed(
      ".visible.global.align 8 .u32 counter;\n.extern.shared.align 16 .b8 dynamic[];\n"
      ".visible.entry k(.param.align 8 .b64 p)\n{\n.reg.b32%r<2>,one;.reg.pred%p;.local.align 8 .b8 "
      "stack[16];"
      ".shared.b8 tile[32];\n{.reg.b32 f;mov.b32 f,1;}\nmov .u32%r1, .5;\n@%p ld .global .v2.u32 "
      "{%r0,one},[p];"
      "\nret;\n}\n");
  ASSERT_EQ(module.variables.size(), 2u);
  EXPECT_EQ(module.variables[0].alignment, 8u);
  EXPECT_EQ(module.variables[1].alignment, 16u);
  EXPECT_TRUE(module.variables[1].external);
  const Function& k = module.functions.at(0);
  EXPECT_EQ(k.parameters.at(0).alignment, 8u);
  ASSERT_EQ(k.registers.size(), 5u);
  EXPECT_EQ(k.registers[1].name, "%r1");
  EXPECT_EQ(k.registers[3].type, Type::pred);
  ASSERT_EQ(k.variables.size(), 2u);
  EXPECT_EQ(k.variables[0].space, StateSpace::local);
  EXPECT_EQ(k.variables[0].alignment, 8u);
  EXPECT_EQ(k.variables[1].bytes, 32u);
  EXPECT_EQ(k.body[1].opcode, "mov.u32");
  EXPECT_EQ(k.body[1].operands[0].index, 1);
  EXPECT_EQ(k.body[1].operands[1].kind, Operand::Kind::f64);  // a number may begin with a point
  EXPECT_EQ(k.body[2].opcode, "ld.global.v2.u32");
  EXPECT_EQ(k.body[2].operands[0].elements.size(), 2u);
}

TEST(Parser, LabelsBelongToTheirScope) {
  const auto where = [](const std::string& body) {
    const Module module = parsed(".visible .entry k()\n{\n.reg .b32 %r<2>;\n" + body + "\nret;\n}\n");
    std::vector<int> targets;
    if (module.functions.empty()) return targets;
    for (const Instruction& instruction : module.functions[0].body)
      if (instruction.opcode.starts_with("bra"))
        targets.push_back(module.functions[0].labels.at(instruction.operands.at(0).text));
    return targets;
  };
  // The same name in two blocks, behind and before its use.
  EXPECT_EQ(where("{ bra L; mov.u32 %r0, 1; L: mov.u32 %r0, 2; }\n{ L: mov.u32 %r0, 3; bra L; }"),
            (std::vector<int>{2, 3}));
  // Nested blocks see those around them, also those that come later.
  EXPECT_EQ(where("{ bra L; { bra L; } mov.u32 %r0, 1; } mov.u32 %r0, 2; L: mov.u32 %r0, 3;"),
            (std::vector<int>{4, 4}));
  // The innermost one counts, though it comes behind the branch.
  EXPECT_EQ(where("L: mov.u32 %r0, 1; { bra L; mov.u32 %r0, 2; L: mov.u32 %r0, 3; } bra L;"),
            (std::vector<int>{3, 0}));
  // At the end of a block it stands before what follows.
  EXPECT_EQ(where("{ bra L; L: }\n{ bra L; L: }"), (std::vector<int>{1, 2}));
  EXPECT_NE(error_of(".visible .entry k()\n{\n{ L: L: }\nret;\n}\n").find("label L is defined twice"),
            std::string::npos);
}

TEST(Parser, BranchTablesBelongToTheirScope) {
  const std::string block = "{ T: .branchtargets A, B;\nbrx.idx %r0, T; A: mov.u32 %r0, 1; B: }\n";
  const Module module = parsed(".visible .entry k()\n{\n.reg .b32 %r0;\n" + block + block + "ret;\n}\n");
  const Function& k = module.functions.at(0);
  ASSERT_EQ(k.body.size(), 5u);
  const auto targets = [&](std::size_t i) {
    std::vector<int> result;
    for (const std::string& label : k.tables.at(k.body[i].operands.at(1).text))
      result.push_back(k.labels.at(label));
    return result;
  };
  EXPECT_EQ(targets(0), (std::vector<int>{1, 2}));
  EXPECT_EQ(targets(2), (std::vector<int>{3, 4}));
}

TEST(Parser, VectorRegistersAreTheirParts) {
  const Module module = parsed(
      ".visible .entry k()\n{\n.reg .v4 .b32 v;\n.reg.v2.f64 w<2>;\n.reg .b128 x;\nmov.b32 v.y, v.b;\n"
      "mov.v4.b32 v, v;\nmov.f64 w1.g, w0.x;\nmov.b128 x, x;\nret;\n}\n");
  const Function& k = module.functions.at(0);
  ASSERT_EQ(k.registers.size(), 10u);
  EXPECT_EQ(k.registers[1].name, "v.y");
  EXPECT_EQ(k.registers[7].name, "w1.y");
  EXPECT_EQ(k.registers[9].type, Type::b64);
  EXPECT_EQ(k.body[0].operands[0].index, 1);
  EXPECT_EQ(k.body[0].operands[1].index, 2);
  EXPECT_EQ(k.body[1].operands[0].kind, Operand::Kind::vector);
  EXPECT_EQ(k.body[1].operands[0].elements.size(), 4u);
  EXPECT_EQ(k.body[2].operands[0].index, 7);
  EXPECT_EQ(k.body[2].operands[1].index, 4);
  EXPECT_EQ(k.body[3].operands[0].elements.at(1).index, 9);
  EXPECT_NE(error_of(".visible .entry k()\n{\n.reg .v2 .b128 x;\nret;\n}\n").find("128 bits at most"),
            std::string::npos);
}

TEST(Parser, ReadsAddressesVectorsPairsAndGuards) {
  const Module module = parsed(
      ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<5>; .reg .b64 %rd<2>; .reg .pred %p<3>;\n"
      "@!%p1 ld.global.v2.u32 {%r1, %r2}, [%rd1+-8];\nsetp.lt.s32 %p1|%p2, %r1, -5;\nmov.b32 %r3, "
      "0f3F800000;\nret;\n}\n");
  const auto& body = module.functions.at(0).body;
  EXPECT_EQ(module.functions.at(0).registers.at(static_cast<std::size_t>(body[0].guard)).name, "%p1");
  EXPECT_TRUE(body[0].guard_negated);
  EXPECT_EQ(body[0].operands[0].kind, Operand::Kind::vector);
  EXPECT_EQ(static_cast<std::int64_t>(body[0].operands[1].bits), -8);
  EXPECT_EQ(body[1].operands[0].kind, Operand::Kind::pair);
  EXPECT_EQ(static_cast<std::int64_t>(body[1].operands[2].bits), -5);
  EXPECT_EQ(body[2].operands[1].bits, 0x3f800000u);
}

TEST(Parser, FollowsInlineChains) {
  const Module module = parsed(
      ".visible .entry k()\n{\n.loc 1 20 3\nret;\n.loc 2 7 5, function_name $name, inlined_at 1 20 "
      "3\nret;\n}\n"
      ".file 1 \"kernel.cu\"\n.file 2 \"header.h\"\n.section .debug_str\n{\n$name:\n.b8 102,111,111,0\n}\n");
  ASSERT_EQ(module.locations.size(), 2u);
  EXPECT_EQ(module.locations[1].function, "foo");
  EXPECT_EQ(module.locations[1].caller, 0);
  EXPECT_EQ(module.files.at(2), "header.h");
}

TEST(Parser, ReadsCallsAndPrototypes) {
  const Module module = parsed(
      ".func (.param .b32 r) f(.param .b32 a)\n{\nret;\n}\n.visible .entry k()\n{\n.reg .b64 %rd1;\n"
      "{\n.param .b32 param0;\n.param .b32 retval0;\nproto : .callprototype (.param .b32 _) _ (.param .b32 "
      "_);\n"
      "call (retval0), %rd1, (param0), proto;\n}\nret;\n}\n");
  const auto& call = module.functions.at(1).body.at(0);
  ASSERT_EQ(call.operands.size(), 4u);
  EXPECT_EQ(call.operands[0].kind, Operand::Kind::list);
  EXPECT_EQ(call.operands[1].kind, Operand::Kind::reg);
  EXPECT_EQ(call.operands[2].elements.size(), 1u);
}

TEST(Parser, ReadsConstantExpressions) {
  const std::vector<std::pair<std::string, std::uint64_t>> cases = {
      {"((128 >> 4) << 16)", 8u << 16},
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"7 % 4", 3},
      {"-7 / 2", ~std::uint64_t{2}},
      {"~0", ~std::uint64_t{0}},
      {"!5", 0},
      {"10 - 2 - 3", 5},
      {"1 << 2 + 1", 8},
      {"6 & 3 | 8", 10},
      {"5 ^ 1", 4},
      {"3 > 2 ? 11 : 22", 11},
      {"1 == 2", 0},
      {"1 != 2 && 4 >= 4", 1},
      {"0 || 3 < 2", 0},
      {"-1 >> 60", ~std::uint64_t{0}},
      {"(.u64)-1 >> 60", 15},
      {"0xFFFFFFFFFFFFFFFF / 2", 0x7FFFFFFFFFFFFFFF},
      {"((((5))))", 5},
      {"1 << 64", 0}};
  for (const auto& [text, expected] : cases) {
    const Module module =
        parsed(".visible .entry k()\n{\n.reg .b64 %rd<2>;\nmov.b64 %rd1, " + text + ";\nret;\n}\n");
    ASSERT_EQ(module.functions.size(), 1u) << text;
    const Operand& operand = module.functions[0].body[0].operands[1];
    EXPECT_EQ(operand.kind, Operand::Kind::integer) << text;
    EXPECT_EQ(operand.bits, expected) << text;
  }
  for (const char* wrong : {"1 / 0", "(1", "1 +", "(1 << )", "1 ? 2", "(%rd1)", "1.5 + 1"})
    EXPECT_NE(error_of(".visible .entry k()\n{\n.reg .b64 %rd<2>;\nmov.b64 %rd1, " + std::string(wrong) +
                       ";\nret;\n}\n"),
              "")
        << wrong;
}

TEST(Parser, InitialisersMayBeConstantExpressions) {
  const Module module = parsed(
      ".global .u32 a[5] = {1+1, ~0, -(1)+3, (2 > 1) ? 7 : 8, -3};\n"
      ".global .f32 real[4] = {1.0+2.0, -(1.5), 0f7FA00001, 3.0 * 0f40000000 - 1.0};\n"
      ".global .u64 pointers[3] = {a+4*2, generic(a)+(8), generic(a + 1 << 4)};\n");
  const auto words = [](const Variable& variable) {
    std::vector<std::uint32_t> values(variable.initial.size() / 4);
    std::memcpy(values.data(), variable.initial.data(), variable.initial.size());
    return values;
  };
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(words(module.variables[0]), (std::vector<std::uint32_t>{2, ~0u, 2, 7, ~2u}));
  // A literal alone keeps its bits, a signalling NaN too.
  EXPECT_EQ(words(module.variables[1]),
            (std::vector<std::uint32_t>{0x40400000, 0xbfc00000, 0x7fa00001, 0x40a00000}));
  ASSERT_EQ(module.variables[2].relocations.size(), 3u);
  EXPECT_EQ(module.variables[2].relocations[0].addend, 8);
  EXPECT_EQ(module.variables[2].relocations[1].addend, 8);
  EXPECT_EQ(module.variables[2].relocations[2].addend, 16);
  EXPECT_NE(error_of(".global .f32 x[1] = {1};\n").find("no floating-point number"), std::string::npos);
  EXPECT_NE(error_of(".global .u32 x[1] = {1 / 0};\n").find("divides by zero"), std::string::npos);
  EXPECT_NE(error_of(".global .u32 x[1] = {1 +};\n"), "");
}

TEST(Parser, AddressesMayHaveConstantExpressions) {
  const std::vector<std::pair<std::string, std::uint64_t>> cases = {{"%rd1 + (4*2-8)", 0},
                                                                    {"table+4*2", 8},
                                                                    {"table+4<<1", 8},
                                                                    {"%rd1 + 4*2-8+4", 4},
                                                                    {"%rd1 - 4 + 12", 8},
                                                                    {"%rd1+-4", ~std::uint64_t{3}},
                                                                    {"table - 2*2", ~std::uint64_t{3}}};
  for (const auto& [text, expected] : cases) {
    const Module module = parsed(
        ".global .u32 table[4];\n.visible .entry k()\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
        "ld.global.u32 %r1, [" +
        text + "];\nret;\n}\n");
    ASSERT_EQ(module.functions.size(), 1u) << text;
    EXPECT_EQ(module.functions[0].body[0].operands[1].bits, expected) << text;
  }
}

TEST(Parser, ArraysHaveNoNegativeExtent) {
  EXPECT_NE(error_of(".visible .entry k()\n{\n.local .b8 qq[-1];\nret;\n}\n")
                .find("variable qq has a negative number of elements"),
            std::string::npos);
  EXPECT_NE(error_of(".global .u32 x[2][-3];\n").find("negative"), std::string::npos);
}

TEST(Parser, FaultsNameTheLine) {
  EXPECT_EQ(parse(kHeader + std::string(".visible .entry k()\n{\nmov.u32 %r1 %r2;\n}\n")).error().line, 6);
  EXPECT_NE(error_of(".global .u32 x[2] = {1, 2, 3};\n").find("more initial values"), std::string::npos);
  EXPECT_NE(error_of(".visible .entry k()\n{\n").find("has no end"), std::string::npos);
  EXPECT_NE(error_of("/* open").find("no end"), std::string::npos);
  EXPECT_NE(error_of(".nonsense\n").find("module level"), std::string::npos);
  EXPECT_NE(error_of(".visible .entry k()\n{\nL:\nL:\nret;\n}\n").find("twice"), std::string::npos);
}

TEST(Parser, FaultsOfCompiledTextNameTheLineOfTheSource) {
  const auto fault = [](const std::string& text) { return parse(kHeader + text, Origin::compiled).error(); };
  const std::string files =
      ".file 1 \"kernel.cu\"\n.file 2 \"header.h\"\n.section .debug_str\n{\n$name:\n.b8 102,111,111,0\n}\n";
  const Error own = fault(".visible .entry k()\n{\n.loc 1 20 3\nmov.u32 a b;\nret;\n}\n" + files);
  EXPECT_EQ(own.file, "kernel.cu");
  EXPECT_EQ(own.line, 20);
  EXPECT_EQ(own.message.english(), "expected ';' before 'b' (line 7 of the PTX).");
  const Error inlined = fault(
      ".visible .entry k()\n{\n.loc 1 20 3\nret;\n.loc 2 7 5, function_name $name, inlined_at 1 20 3\n"
      "mov.u32 a b;\nret;\n}\n" +
      files);
  EXPECT_EQ(inlined.file, "kernel.cu");
  EXPECT_EQ(inlined.line, 20);
  EXPECT_EQ(inlined.message.english(),
            "In foo, called at line 20: expected ';' before 'b' (line 9 of the PTX).");
  // Where no line of the source is known, none is named.
  for (const std::string& text :
       {".visible .entry k()\n{\n.loc 1 20 3\nret;\n}\n.visible .entry l()\n{\nmov.u32 a b;\nret;\n}\n" +
            files,
        ".nonsense\n" + files}) {
    const Error unknown = fault(text);
    EXPECT_EQ(unknown.file, "");
    EXPECT_EQ(unknown.line, 0);
    EXPECT_NE(unknown.message.english().find(" of the PTX)."), std::string::npos) << unknown.message;
  }
  EXPECT_EQ(parse(std::string("/* open"), Origin::compiled).error().message.english(),
            "a comment has no end (line 1 of the PTX).");
}

TEST(Parser, PlacesWithoutALineAreThoseNearby) {
  const auto lines = [](const std::string& body) {
    std::vector<int> result;
    for (const Location& location : parsed(".visible .entry k()\n{\n" + body + "ret;\n}\n").locations)
      result.push_back(location.line);
    return result;
  };
  EXPECT_EQ(lines(".loc 1 20 3\n.loc 1 0 3\n.loc 1 22 3\n"), (std::vector<int>{20, 20, 22}));
  EXPECT_EQ(lines(".loc 1 0 3\n.loc 1 22 3\n"), (std::vector<int>{22, 22}));
  // What was inlined is a context of its own, and so is every call.
  EXPECT_EQ(lines(".loc 1 20 3\n.loc 1 21 3\n.loc 1 7 5, function_name f, inlined_at 1 20 3\n"
                  ".loc 1 9 5, function_name f, inlined_at 1 21 3\n"
                  ".loc 1 0 5, function_name f, inlined_at 1 20 3\n.loc 1 0 3\n"),
            (std::vector<int>{20, 21, 7, 9, 7, 21}));
  EXPECT_EQ(lines(".loc 1 0 3\n"), (std::vector<int>{0}));
  // A function does not know the lines of another one.
  EXPECT_EQ(lines(".loc 1 20 3\nret;\n}\n.visible .entry l()\n{\n.loc 1 0 3\n"), (std::vector<int>{20, 0}));
}

}  // namespace
}  // namespace ridge::device::emulator::ptx
