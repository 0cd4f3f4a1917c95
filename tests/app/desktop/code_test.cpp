// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QTest>

#include "code/code_pane.h"
#include "code/line_map.h"

namespace ridge::desktop {
namespace {

const char* kPtx =
    ".version 9.0\n"                                        // 0
    ".target sm_90a\n"                                      // 1
    ".visible .entry k(\n"                                  // 2
    ")\n"                                                   // 3
    "{\n"                                                   // 4
    "\t.reg .b32 %r<3>;\n"                                  // 5
    "\t.loc\t1 4 3\n"                                       // 6
    "\tmov.u32 \t%r1, %tid.x;\n"                            // 7
    "\t.loc\t2 90 5, function_name $L, inlined_at 1 5 7\n"  // 8
    "\tadd.s32 \t%r2, %r1, 1;\n"                            // 9
    "\t.loc\t2 95 5\n"                                      // 10
    "\tsub.s32 \t%r2, %r1, 1;\n"                            // 11
    "\t.loc\t1 4 9\n"                                       // 12
    "\tret;\n"                                              // 13
    "}\n"                                                   // 14
    "\t.file\t1 \"/home/me/softmax.cu\"\n"                  // 15
    "\t.file\t2 \"/usr/include/cuda_fp16.h\"\n";            // 16

TEST(LineMap, FollowsLoc) {
  const LineMap map = lineMapOfPtx(kPtx, "softmax.cu");
  EXPECT_EQ(map.sourceOf[7], 4);
  EXPECT_EQ(map.sourceOf[13], 4);
  EXPECT_EQ(map.generatedFor(4), (std::vector<int>{7, 13}));
}

TEST(LineMap, GivesInlinedCodeToTheLineThatCalls) {
  const LineMap map = lineMapOfPtx(kPtx, "softmax.cu");
  EXPECT_EQ(map.sourceOf[9], 5);
  EXPECT_EQ(map.sourceOf[11], 0) << "a header's line without a chain is nobody's";
}

TEST(LineMap, HasNothingForTextWithoutLines) {
  EXPECT_TRUE(lineMapOfPtx("", "a.cu").generatedFor(1).empty());
  EXPECT_TRUE(lineMapOfPtx("ret;\n", "a.cu").generatedFor(1).empty());
  EXPECT_TRUE(lineMapOfPtx(".loc\n.loc x y z\nret;\n", "a.cu").generatedFor(0).empty());
}

TEST(LineMap, ReadsSass) {
  const char* sass =
      "\t.section\t.text.k\n"
      "k:\n"
      "\t//## File \"/home/me/softmax.cu\", line 6\n"
      "        /*0000*/                   S2R R1, SR_TID.X ;\n"
      "\t//## File \"/usr/include/x.h\", line 9 inlined at \"/home/me/softmax.cu\", line 7\n"
      "\t//## File \"/home/me/softmax.cu\", line 7\n"
      "        /*0010*/                   EXIT ;\n";
  const LineMap map = lineMapOfSass(sass, "softmax.cu");
  EXPECT_EQ(map.generatedFor(6), std::vector<int>{3});
  EXPECT_EQ(map.generatedFor(7), std::vector<int>{6});
}

TEST(CodePane, LinksBothWays) {
  Theme theme;
  CodePane pane(theme, nullptr);
  compile::CompiledKernel kernel;
  kernel.ok = true;
  kernel.ptx = kPtx;
  kernel.entries.push_back({"k", "k", {}, compile::Resources{32, 1024, 0, 0, 0, 0, 0, 0}, 3});
  pane.setCompiled(kernel, "softmax.cu");
  EXPECT_EQ(pane.view()->bytes().toStdString(), kPtx);
  EXPECT_EQ(pane.sourceLines(), (std::vector<int>{4, 5}));
  int picked = 0;
  QObject::connect(&pane, &CodePane::sourceLinePicked, [&](int line) { picked = line; });
  pane.resize(500, 300);
  pane.show();
  pane.view()->setCursorPosition(9, 0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return picked != 0; }, 5000));
  EXPECT_EQ(picked, 5);
  EXPECT_TRUE(pane.view()->isReadOnly());
}

TEST(CodePane, SaysWhyThereIsNoSass) {
  Theme theme;
  CodePane pane(theme, nullptr);
  pane.setDisassembler(false, "nvdisasm is not installed.");
  pane.findChild<QComboBox*>()->setCurrentIndex(1);
  bool said = false;
  for (const QLabel* label : pane.findChildren<QLabel*>())
    said = said || label->text().contains(QStringLiteral("nvdisasm is not installed."));
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace ridge::desktop
