// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <chrono>
#include <thread>

#include "core/device/cuda/fake.h"

namespace ridge::device {
namespace {

using hardware::Status;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class Execute : public FakeMachine {
 protected:
  Execute() { prepare(); }

  void prepare() {
    device = open();
    module = load(*device);
    x = *device->allocate(4 * 1000, "x", 0);
    y = *device->allocate(4 * 1000, "y", 0);
    write_floats(*device, x, std::vector<float>(1000, 2));
    write_floats(*device, y, std::vector<float>(1000, 1));
    options.source_file = "saxpy.cu";
    options.time_limit_seconds = 50;  // also on a busy machine
  }
  /// A machine with injected errors in place of the first one.
  void prepare(const std::string& rules) {
    module.reset();
    device.reset();
    restart(rules);
    prepare();
  }
  LaunchOutcome execute(const Sequence& sequence) {
    auto outcome = device->execute(*module, sequence, options);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : LaunchOutcome{};
  }
  Launch launch() const { return saxpy(3, x, y, 1000); }

  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  Address x = 0, y = 0;
  LaunchOptions options;
};

TEST_F(Execute, ComputesAndReportsNothing) {
  const LaunchOutcome outcome = execute({{}, {}, {launch()}});
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_FALSE(outcome.device_lost);
  EXPECT_THAT(read_floats(*device, y, 1000), Each(7));
}

TEST_F(Execute, RestoresThenFillsThenLaunchesInOrder) {
  Sequence sequence;
  sequence.restore = {{y, x, 4000}};
  sequence.zero = {{y, 2000, 0}};
  sequence.launches = {launch(), launch()};
  execute(sequence);
  const auto result = read_floats(*device, y, 1000);
  EXPECT_EQ(result[0], 12) << "0 + 2 x 3 x 2";
  EXPECT_EQ(result[999], 14) << "2 + 2 x 3 x 2";
}

TEST_F(Execute, FilledSymbolsAreSeen) {
  const auto table = module->global("table");
  ASSERT_TRUE(table);
  write_floats(*device, table->address, std::vector<float>(16, 0.5F));
  Launch add;
  add.symbol = "add_table";
  add.block = {16, 1, 1};
  add.arguments = {argument(y)};
  execute({{}, {}, {add}});
  EXPECT_THAT(read_floats(*device, y, 16), Each(1.5F));
}

TEST_F(Execute, ABlockOf2048IsRefusedAndTheDeviceStays) {
  Launch large = launch();
  large.block = {2048, 1, 1};
  const LaunchOutcome outcome = execute({{}, {}, {large}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].status, Status::launch_failed);
  EXPECT_EQ(outcome.findings[0].file, "saxpy.cu");
  EXPECT_EQ(outcome.findings[0].line, 3);
  EXPECT_THAT(outcome.findings[0].message.english(),
              AllOf(HasSubstr("block.x"), HasSubstr("2048"), HasSubstr("1024")));
  EXPECT_FALSE(outcome.device_lost);
  execute({{}, {}, {launch()}});
  EXPECT_THAT(read_floats(*device, y, 1000), Each(7)) << "the next run works";
}

TEST_F(Execute, NothingIsLaunchedWhenALaterLaunchIsAtFault) {
  Launch large = launch();
  large.grid = {1, 1, 70000};
  const LaunchOutcome outcome = execute({{}, {}, {launch(), large}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_THAT(read_floats(*device, y, 1000), Each(1));
}

TEST_F(Execute, ArgumentsOfWrongSizeOrNumberAreRefused) {
  Launch wrong = launch();
  wrong.arguments[0] = argument(3.0);
  const LaunchOutcome size = execute({{}, {}, {wrong}});
  ASSERT_EQ(size.findings.size(), 1u);
  EXPECT_EQ(size.findings[0].status, Status::launch_failed);
  EXPECT_THAT(size.findings[0].message.english(),
              AllOf(HasSubstr("Parameter 1"), HasSubstr("takes 4 bytes"), HasSubstr("8 were given")));
  wrong.arguments.pop_back();
  const LaunchOutcome number = execute({{}, {}, {wrong}});
  ASSERT_EQ(number.findings.size(), 1u);
  EXPECT_THAT(number.findings[0].message.english(),
              AllOf(HasSubstr("4 parameters"), HasSubstr("3 arguments")));
}

TEST_F(Execute, SharedMemoryAbove48KOptsIn) {
  Launch shared;
  shared.symbol = "fill_shared";
  shared.shared_bytes = 65536;
  shared.arguments = {argument(y)};
  EXPECT_TRUE(execute({{}, {}, {shared}}).findings.empty());
  std::vector<std::byte> bytes(4);
  ASSERT_TRUE(device->read(y, bytes));
  EXPECT_EQ(std::to_integer<int>(bytes[0]), 77);
  shared.shared_bytes = 300000;
  const LaunchOutcome outcome = execute({{}, {}, {shared}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_THAT(outcome.findings[0].message.english(), HasSubstr("232448"));
}

TEST_F(Execute, ACooperativeGridMustFitAtOnce) {
  Launch cooperative = launch();
  cooperative.cooperative = true;
  EXPECT_TRUE(execute({{}, {}, {cooperative}}).findings.empty());
  cooperative.grid = {132 * 16 + 1, 1, 1};
  const LaunchOutcome outcome = execute({{}, {}, {cooperative}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].status, Status::launch_failed);
  EXPECT_THAT(outcome.findings[0].message.english(), AllOf(HasSubstr("2112 blocks"), HasSubstr("132 SMs")));
}

TEST_F(Execute, AWriteIntoTheGuardIsSeenAfterwards) {
  Launch overrun;
  overrun.symbol = "overrun";
  overrun.arguments = {argument(y), argument(std::uint64_t{4000})};
  EXPECT_TRUE(execute({{}, {}, {overrun}}).findings.empty()) << "a GPU does not notice";
  EXPECT_THAT(*device->damaged_guards(),
              ElementsAre("y: 4 bytes written after its end, the first 0 bytes past it"));
}

TEST_F(Execute, AWildWriteIsOutOfBoundsAndLosesTheDevice) {
  Launch overrun;
  overrun.symbol = "overrun";
  overrun.arguments = {argument(y), argument(std::uint64_t{1} << 40)};
  overrun.line = 9;
  const LaunchOutcome outcome = execute({{}, {}, {overrun}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].status, Status::out_of_bounds);
  EXPECT_EQ(outcome.findings[0].line, 0) << "a driver does not say where in the kernel";
  EXPECT_THAT(outcome.findings[0].message.english(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
  EXPECT_TRUE(outcome.device_lost);
}

TEST_F(Execute, AfterAStickyErrorEveryCallSaysThatTheDeviceIsLost) {
  prepare("kernel:700:sticky");
  EXPECT_TRUE(execute({{}, {}, {launch()}}).device_lost);
  std::vector<std::byte> bytes(4);
  for (const Error& error :
       {device->read(y, bytes).error(), device->write(y, bytes).error(), device->fill(y, 4, 0).error(),
        device->allocate(4, "z", 0).error(), device->free_bytes().error(), device->damaged_guards().error(),
        device->execute(*module, {{}, {}, {launch()}}, options).error(), module->global("table").error(),
        device->stopwatch()->sample(*module, {{}, {}, {launch()}}, {}).error()}) {
    EXPECT_EQ(error.code, "device_lost");
    EXPECT_THAT(error.message.english(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  }
}

struct Fault {
  int number;
  Status status;
  bool lost;
};
class Faults : public Execute, public testing::WithParamInterface<Fault> {};

TEST_P(Faults, OfAKernelHaveTheirStatus) {
  prepare("kernel:" + std::to_string(GetParam().number));
  const LaunchOutcome outcome = execute({{}, {}, {launch()}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].status, GetParam().status);
  EXPECT_EQ(outcome.device_lost, GetParam().lost);
  EXPECT_THAT(outcome.findings[0].message.english(),
              HasSubstr("(" + std::to_string(GetParam().number) + ")"));
}

INSTANTIATE_TEST_SUITE_P(
    Sticky, Faults,
    testing::Values(Fault{700, Status::out_of_bounds, true}, Fault{716, Status::misaligned, true},
                    Fault{710, Status::trapped, true}, Fault{715, Status::trapped, true},
                    Fault{702, Status::timeout, true}, Fault{719, Status::launch_failed, true},
                    Fault{214, Status::device_lost, true}, Fault{999, Status::device_lost, true}),
    [](const auto& test) { return "Error" + std::to_string(test.param.number); });

TEST_F(Execute, ARefusedLaunchIsTheCandidatesFaultAndTheNextRunWorks) {
  prepare("cuLaunchKernelEx:701@1");
  const LaunchOutcome outcome = execute({{}, {}, {launch()}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].status, Status::launch_failed);
  EXPECT_FALSE(outcome.device_lost);
  EXPECT_TRUE(execute({{}, {}, {launch()}}).findings.empty());
}

TEST_F(Execute, AKernelWithoutEndIsATimeout) {
  prepare("kernel:hang");
  options.time_limit_seconds = 0.2;
  const LaunchOutcome outcome = execute({{}, {}, {launch()}});
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].status, Status::timeout);
  EXPECT_THAT(outcome.findings[0].message.english(), AllOf(HasSubstr("saxpy"), HasSubstr("0.2 s")));
  EXPECT_TRUE(outcome.device_lost);
  module.reset();
  device.reset();  // must not wait for the kernel
}

TEST_F(Execute, AStopEndsTheWaitForAHungKernel) {
  prepare("kernel:hang");
  std::atomic<bool> stop{false};
  options.stop = &stop;
  options.time_limit_seconds = 3600;
  std::thread user([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const LaunchOutcome outcome = execute({{}, {}, {launch()}});
  user.join();
  EXPECT_TRUE(outcome.stopped);
  EXPECT_TRUE(outcome.device_lost);
  EXPECT_TRUE(outcome.findings.empty());
}

TEST_F(Execute, AStopBetweenLaunchesKeepsTheDevice) {
  const std::atomic<bool> stop{true};
  options.stop = &stop;
  const LaunchOutcome outcome = execute({{}, {}, {launch()}});
  EXPECT_TRUE(outcome.stopped);
  EXPECT_FALSE(outcome.device_lost);
  EXPECT_THAT(read_floats(*device, y, 1000), Each(1)) << "nothing was launched";
}

}  // namespace
}  // namespace ridge::device
