// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters: ranks, each other's shared memory, and the barrier.
#include "async_fixture.h"

namespace ridge::device {
namespace {

using hardware::Status;

constexpr const char* kClusterShared = ".shared .align 16 .b8 s[512];\n.shared .align 8 .b64 bar;";
const std::string kSync = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
/// %r2 the rank, %r3 the own word, %r4 the address of the same word in the next block.
const std::string kNeighbour =
    "mov.u32 %r2, %cluster_ctarank;\nmov.u32 %r5, s;\nshl.b32 %r3, %r1, 2;\nadd.s32 %r3, %r3, %r5;\n"
    "mov.u32 %r6, %cluster_nctarank;\nadd.s32 %r7, %r2, 1;\nrem.u32 %r7, %r7, %r6;\n"
    "mapa.shared::cluster.u32 %r4, %r3, %r7;\nmov.u32 %r8, %ctaid.x;\nshl.b32 %r9, %r8, 5;\nadd.s32 %r9, "
    "%r9, %r1;\n"
    "mul.wide.u32 %rd6, %r9, 4;\nadd.s64 %rd7, %rd2, %rd6;\n";

Shape shape_of(std::int64_t blocks, std::int64_t cluster) {
  Shape shape;
  shape.grid = {blocks, 1, 1};
  shape.cluster = {cluster, 1, 1};
  return shape;
}

TEST(Cluster, BlocksReadEachOthersSharedMemory) {
  for (const std::int64_t size : {2, 4, 8, 16}) {
    const std::string body = kNeighbour + "st.shared.u32 [%r3], %r9;\n" + kSync +
                             "ld.shared::cluster.u32 %r10, [%r4];\nst.global.u32 [%rd7], %r10;\n" + kSync;
    for (const bool permuted : {false, true}) {
      Shape shape = shape_of(16, size);
      shape.order = {permuted, 3};
      const Ran ran = run_async(body, shape, kClusterShared);
      EXPECT_EQ(ran.message(), "") << size;
      for (std::uint32_t block = 0; block < 16; ++block) {
        const auto width = static_cast<std::uint32_t>(size);
        const std::uint32_t next = block / width * width + (block + 1) % width;
        EXPECT_EQ(ran.y[block * 32 + 5], next * 32 + 5) << size << " " << block;
      }
    }
  }
}

TEST(Cluster, GenericAddressesStoresAndAtomics) {
  // Stores through a generic address and adds to the neighbour's word.
  const std::string body = kNeighbour + "st.shared.u32 [%r3], 0;\n" + kSync +
                           "cvt.u64.u32 %rd8, %r3;\ncvta.shared.u64 %rd9, %rd8;\nmapa.u64 %rd10, %rd9, %r7;\n"
                           "st.u32 [%rd10], %r9;\n" +
                           kSync +
                           "red.shared::cluster.add.u32 [%r4], 1000;\natom.add.u32 %r11, [%rd10], 1;\n" +
                           kSync + "ld.shared.u32 %r10, [%r3];\nst.global.u32 [%rd7], %r10;\n";
  const Ran ran = run_async(body, shape_of(4, 2), kClusterShared);
  EXPECT_EQ(ran.message(), "");
  for (std::uint32_t block = 0; block < 4; ++block)
    EXPECT_EQ(ran.y[block * 32 + 3], (block ^ 1) * 32 + 3 + 1001);
}

TEST(Cluster, AddressesTellTheirSpaceAndRank) {
  const std::string body =
      kNeighbour +
      "getctarank.shared::cluster.u32 %r10, %r4;\ngetctarank.shared::cluster.u32 %r11, %r3;\n"
      "cvt.u64.u32 %rd8, %r3;\ncvta.shared.u64 %rd9, %rd8;\nmapa.u64 %rd10, %rd9, %r7;\n"
      "getctarank.u64 %r12, %rd10;\nisspacep.shared %p1, %rd10;\nisspacep.shared::cluster %p2, %rd10;\n"
      "isspacep.shared::cta %p3, %rd9;\nselp.u32 %r13, 1, 0, %p1;\nselp.u32 %r14, 2, 0, %p2;\n"
      "selp.u32 %r15, 4, 0, %p3;\nadd.u32 %r13, %r13, %r14;\nadd.u32 %r13, %r13, %r15;\n"
      "shl.b32 %r12, %r12, 8;\nshl.b32 %r11, %r11, 4;\nshl.b32 %r13, %r13, 12;\nor.b32 %r10, %r10, "
      "%r11;\nor.b32 %r10, %r10, %r12;\nor.b32 %r10, %r10, %r13;\nst.global.u32 [%rd7], %r10;\n";
  const Ran ran = run_async(body, shape_of(4, 4), kClusterShared);
  EXPECT_EQ(ran.message(), "");
  for (std::uint32_t block = 0; block < 4; ++block) {
    const std::uint32_t next = (block + 1) % 4;
    EXPECT_EQ(ran.y[block * 32], next | block << 4 | next << 8 | 6u << 12);
  }
}

TEST(Cluster, AMissingBarrierIsARace) {
  const std::string body = kNeighbour +
                           "st.shared.u32 [%r3], %r9;\n%SYNC%ld.shared::cluster.u32 %r10, [%r4];\n"
                           "st.global.u32 [%rd7], %r10;\n" +
                           kSync;
  const auto with = [&](const std::string& sync) {
    std::string text = body;
    return text.replace(text.find("%SYNC%"), 6, sync);
  };
  EXPECT_EQ(run_async(with(kSync), shape_of(2, 2), kClusterShared).message(), "");
  const Ran missing = run_async(with(""), shape_of(2, 2), kClusterShared);
  EXPECT_TRUE(missing.first() == Status::race || missing.first() == Status::uninitialised)
      << missing.message();
  const Ran relaxed =
      run_async(with("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n"),
                shape_of(2, 2), kClusterShared);
  EXPECT_EQ(relaxed.first(), Status::race);
}

/// A block fills a word of its neighbour and arrives at that block's mbarrier.
TEST(Cluster, RemoteArrivalsOrderRemoteStores) {
  const std::string body =
      kNeighbour +
      "mov.u32 %r20, bar;\nsetp.eq.s32 %p1, %r1, 0;\n"
      "@%p1 mbarrier.init.shared::cta.b64 [%r20], 32;\nfence.mbarrier_init.release.cluster;\n" +
      kSync +
      "st.shared::cluster.u32 [%r4], %r9;\nmapa.shared::cluster.u32 %r21, %r20, %r7;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r21];\n"
      "W:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p5, [%r20], 0;\n"
      "@!%p5 bra W;\nld.shared.u32 %r10, [%r3];\nst.global.u32 [%rd7], %r10;\n" +
      kSync;
  const Ran ran = run_async(body, shape_of(4, 2), kClusterShared);
  EXPECT_EQ(ran.message(), "");
  for (std::uint32_t block = 0; block < 4; ++block) EXPECT_EQ(ran.y[block * 32 + 5], (block ^ 1) * 32 + 5);
}

TEST(Cluster, FaultsOfTheBarrierAndOfAddresses) {
  Shape shape = shape_of(2, 2);
  EXPECT_EQ(run_async("barrier.cluster.wait;\n", shape, kClusterShared).first(), Status::barrier_divergence);
  EXPECT_EQ(run_async("barrier.cluster.arrive;\nbarrier.cluster.arrive;\n", shape, kClusterShared).first(),
            Status::barrier_divergence);
  // Threads that have exited count as arrived.
  EXPECT_EQ(run_async("setp.lt.u32 %p1, %r1, 16;\n@%p1 ret;\n" + kSync, shape, kClusterShared).message(), "");
  EXPECT_EQ(
      run_async(kNeighbour + "mapa.shared::cluster.u32 %r4, %r3, 2;\nld.shared::cluster.u32 %r10, [%r4];\n",
                shape, kClusterShared)
          .first(),
      Status::out_of_bounds);
  EXPECT_EQ(run_async(kNeighbour + kSync + "ld.shared::cluster.u32 %r10, [%r4+512];\n", shape, kClusterShared)
                .first(),
            Status::out_of_bounds);
}

/// A warp of block 1 is stopped for its faults; what the others wait for then never comes.
TEST(Cluster, AStoppedWarpEndsItsCluster) {
  const std::string faults =
      "mov.u32 %r2, %cluster_ctarank;\nsetp.ne.u32 %p1, %r2, 1;\nmov.u32 %r12, 0;\n@%p1 bra GO;\nLOOP:\n"
      "st.global.u32 [%rd4+1048576], %r1;\nadd.s32 %r12, %r12, 1;\nsetp.lt.u32 %p2, %r12, 3;\n@%p2 bra "
      "LOOP;\n"
      "GO:\n";
  const std::string round =
      "mov.u32 %r12, 0;\nROUND:\n@%p1 bra SKIP;\nst.global.u32 [%rd4+1048576], %r1;\nSKIP:\n" + kSync +
      "add.s32 %r12, %r12, 1;\nsetp.lt.u32 %p2, %r12, 4;\n@%p2 bra ROUND;\n";
  const std::string mine =
      "mov.u32 %r5, s;\nst.shared.u32 [%r5], 0;\nmov.u32 %r6, bar;\n"
      "setp.eq.u32 %p3, %r1, 0;\n@%p3 mbarrier.init.shared::cta.b64 [%r6], 1;\n" +
      kSync;
  const std::string tell =
      "mov.u32 %r7, 0;\nmapa.shared::cluster.u32 %r4, %r5, %r7;\n"
      "@!%p1 st.release.cluster.shared::cluster.u32 [%r4], 1;\n@!%p1 bra END;\n";
  const std::string flag =
      "L:\nld.acquire.cluster.shared::cta.u32 %r8, [%r5];\nsetp.eq.u32 %p4, %r8, 0;\n@%p4 bra L;\n"
      "END:\n";
  const std::string phase = "L:\nmbarrier.try_wait.parity.shared::cta.b64 %p4, [%r6], 0;\n@!%p4 bra L;\n";
  for (const std::string& body :
       {faults + kSync,
        std::string("mov.u32 %r2, %cluster_ctarank;\n") + "setp.ne.u32 %p1, %r2, 1;\n" + round,
        mine + faults + tell + flag, mine + faults + phase})
    for (const std::int64_t threads : {32, 96}) {
      Shape shape = shape_of(8, 4);
      shape.block = {threads, 1, 1};
      const Ran ran = run_async(body, shape, kClusterShared);
      EXPECT_EQ(ran.first(), Status::out_of_bounds) << body;
    }
}

/// Block 1 hangs at a barrier of its own while the others wait for it.
TEST(Cluster, ABlockThatHangsEndsItsCluster) {
  const std::string hang =
      "mov.u32 %r2, %cluster_ctarank;\nsetp.ne.u32 %p1, %r2, 1;\n@%p1 bra GO;\nsetp.lt.u32 %p2, %r1, 32;\n"
      "@%p2 bra GO;\nbarrier.sync 1, 96;\nGO:\n";
  Shape shape = shape_of(8, 4);
  shape.block = {64, 1, 1};
  const Ran ran = run_async(hang + kSync, shape, kClusterShared);
  EXPECT_EQ(ran.first(), Status::barrier_divergence);
}

/// All blocks wait for flags in each other's shared memory that nobody sets.
TEST(Cluster, BlocksThatWaitForEachOtherEndByTheBudget) {
  const Ran ran =
      run_async("mov.u32 %r5, s;\nst.shared.u32 [%r5], 0;\n" + kSync +
                    "L:\nld.acquire.cluster.shared::cta.u32 %r8, [%r5];\nsetp.eq.u32 %p4, %r8, 0;\n"
                    "@%p4 bra L;\n",
                shape_of(16, 16), kClusterShared);
  EXPECT_EQ(ran.first(), Status::timeout);
  EXPECT_TRUE(ran.message().starts_with("All blocks wait for others")) << ran.message();
}

/// The blocks of a cluster compute for long between its barriers: together for more than a budget.
TEST(Cluster, LongBlocksMeetAtTheBarrier) {
  const std::string body = kNeighbour +
                           "mov.u32 %r12, 0;\nROUND:\nmov.u32 %r13, 0;\nL:\nadd.s32 %r13, %r13, 1;\n"
                           "setp.lt.u32 %p1, %r13, 50000;\n@%p1 bra L;\n" +
                           kSync + "add.s32 %r12, %r12, 1;\nsetp.lt.u32 %p2, %r12, 8;\n@%p2 bra ROUND;\n" +
                           "st.global.u32 [%rd7], %r12;\n";
  Shape shape = shape_of(24, 8);
  shape.threads = 1;
  const Ran alone = run_async(body, shape, kClusterShared);
  EXPECT_EQ(alone.message(), "");
  EXPECT_EQ(alone.y[23 * 32], 8u);
  shape.threads = 3;
  const Ran together = run_async(body, shape, kClusterShared);
  EXPECT_EQ(together.message(), "");
  EXPECT_EQ(together.y, alone.y);
  EXPECT_EQ(together.counters, alone.counters);
}

TEST(Cluster, AGridThatIsNoMultipleIsRefused) {
  EXPECT_EQ(run_async("", shape_of(3, 2), kClusterShared).first(), Status::launch_failed);
  EXPECT_EQ(run_async("", shape_of(32, 32), kClusterShared).first(), Status::launch_failed);
}

/// Every thread sends something to the next block, which waits until `bytes` have come.
std::string sending(const std::string& send, int bytes, const std::string& wait) {
  return kNeighbour +
         "mov.u32 %r20, bar;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared::cta.b64 [%r20], 1;\n"
         "fence.mbarrier_init.release.cluster;\nst.shared.u32 [%r3], 5;\n"
         "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd12, [%r20], " +
         std::to_string(bytes) + ";\n" + kSync + "mapa.shared::cluster.u32 %r21, %r20, %r7;\n" + send + wait +
         "ld.shared.u32 %r10, [%r3];\nst.global.u32 [%rd7], %r10;\n" + kSync;
}
const std::string kAwaitBytes =
    "W:\nmbarrier.try_wait.parity.shared::cta.b64 %p5, [%r20], 0;\n@!%p5 bra W;\n";

TEST(Cluster, AsynchronousStoresTellTheMbarrierOfTheOtherBlock) {
  const std::string store =
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r4], %r9, [%r21];\n";
  const Ran ran = run_async(sending(store, 128, kAwaitBytes), shape_of(4, 2), kClusterShared);
  EXPECT_EQ(ran.message(), "");
  for (std::uint32_t block = 0; block < 4; ++block)
    for (std::uint32_t thread = 0; thread < 32; ++thread)
      EXPECT_EQ(ran.y[block * 32 + thread], (block ^ 1) * 32 + thread);
  // Without the wait nothing has come, and that is a race.
  EXPECT_EQ(run_async(sending(store, 128, ""), shape_of(2, 2), kClusterShared).first(), Status::race);
  // Sixteen bytes of every eighth thread: four of its words, by generic addresses.
  const std::string vectors =
      "cvt.u64.u32 %rd8, %r4;\ncvta.shared.u64 %rd8, %rd8;\ncvt.u64.u32 %rd9, %r21;\n"
      "cvta.shared.u64 %rd9, %rd9;\nadd.u32 %r22, %r9, 1;\nadd.u32 %r23, %r9, 2;\nadd.u32 %r24, %r9, 3;\n"
      "and.b32 %r25, %r1, 3;\nsetp.eq.s32 %p6, %r25, 0;\n"
      "@%p6 st.async.mbarrier::complete_tx::bytes.v4.b32 [%rd8], {%r9, %r22, %r23, %r24}, [%rd9];\n";
  const Ran wide = run_async(sending(vectors, 128, kAwaitBytes), shape_of(2, 2), kClusterShared);
  EXPECT_EQ(wide.message(), "");
  EXPECT_EQ(wide.y[32 + 7], 7u);
  EXPECT_EQ(wide.y[9], 32u + 9);
}

TEST(Cluster, AsynchronousReductions) {
  const auto reduce = [&](const std::string& operation) {
    const std::string send = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." +
                             operation + " [%r4], %r9, [%r21];\n";
    const Ran ran = run_async(sending(send, 128, kAwaitBytes), shape_of(2, 2), kClusterShared);
    EXPECT_EQ(ran.message(), "") << operation;
    return ran.y[6];  // of block 0: 5, and 38 from block 1
  };
  EXPECT_EQ(reduce("add.u32"), 43u);
  EXPECT_EQ(reduce("add.s32"), 43u);
  EXPECT_EQ(reduce("min.s32"), 5u);
  EXPECT_EQ(reduce("max.u32"), 38u);
  EXPECT_EQ(reduce("inc.u32"), 6u);
  EXPECT_EQ(reduce("dec.u32"), 4u);
  EXPECT_EQ(reduce("and.b32"), 4u);
  EXPECT_EQ(reduce("or.b32"), 39u);
  EXPECT_EQ(reduce("xor.b32"), 35u);
}

/// All threads of both blocks reduce into one word; a plain access before the wait is still a race.
TEST(Cluster, AsynchronousReductionsMeetInOneWord) {
  const auto meeting = [&](const std::string& between) {
    return run_async(
        sending("mapa.shared::cluster.u32 %r22, %r5, 0;\nmapa.shared::cluster.u32 %r23, %r20, 0;\n"
                "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
                "[%r22], 1, [%r23];\nsetp.ne.u32 %p6, %r2, 0;\n@%p6 bra DONE;\n",
                256, between + kAwaitBytes + "DONE:\n"),
        shape_of(2, 2), kClusterShared);
  };
  const Ran fine = meeting("");
  EXPECT_EQ(fine.message(), "");
  EXPECT_EQ(fine.y[0], 5u + 64);
  EXPECT_EQ(meeting("ld.shared.u32 %r24, [%r5];\nst.shared.u32 [%r3+256], %r24;\n").first(), Status::race);
}

TEST(Cluster, FaultsOfAsynchronousStores) {
  const auto message = [&](const std::string& target, const std::string& mbarrier) {
    const std::string send = "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [" + target +
                             "], %r9, [" + mbarrier + "];\n";
    return run_async(sending(send, 128, ""), shape_of(2, 2), kClusterShared).message();
  };
  EXPECT_NE(message("%r4+512", "%r21").find("asynchronous store"), std::string::npos);
  EXPECT_NE(message("%r4+2", "%r21").find("asynchronous store"), std::string::npos);
  EXPECT_NE(message("%r4", "%r21+8").find("mbarrier"), std::string::npos);
  EXPECT_NE(message("%r4", "%r20").find("another block"), std::string::npos);
}

TEST(Cluster, RemoteArrivalsAndMulticast) {
  // Block 0 loads 64 bytes into both blocks; each waits at its own mbarrier, and tells block 0 when it is
  // done.
  const std::string body =
      kNeighbour +
      "mov.u32 %r20, bar;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared::cta.b64 [%r20], 1;\n"
      "@%p1 mbarrier.init.shared::cta.b64 [%r20+8], 2;\nfence.mbarrier_init.release.cluster;\n" +
      kSync +
      "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd12, [%r20], 64;\nsetp.eq.and.u32 %p2, %r2, 0, %p1;\n"
      "mov.u16 %h1, 3;\n"
      "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], "
      "[%rd1+16], "
      "64, [%r20], %h1;\n"
      "W:\nmbarrier.try_wait.parity.shared::cta.b64 %p5, [%r20], 0;\n@!%p5 bra W;\n"
      "setp.ge.u32 %p6, %r1, 16;\n@%p6 bra S;\nld.shared.u32 %r10, [%r3];\nst.global.u32 [%rd7], %r10;\nS:\n"
      "bar.warp.sync -1;\nmapa.shared::cluster.u32 %r21, %r20, 0;\n"
      "@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r21+8];\n"
      "setp.ne.u32 %p7, %r2, 0;\n@%p7 bra E;\n"
      "V:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p5, [%r20+8], 0;\n@!%p5 bra V;\nE:\n" +
      kSync;
  const Ran ran =
      run_async(body, shape_of(2, 2), ".shared .align 16 .b8 s[512];\n.shared .align 8 .b8 bar[16];");
  EXPECT_EQ(ran.message(), "");
  EXPECT_EQ(ran.y[3], 7u);
  EXPECT_EQ(ran.y[32 + 15], 19u);
}

}  // namespace
}  // namespace ridge::device
