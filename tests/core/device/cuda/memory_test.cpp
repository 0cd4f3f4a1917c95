// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <span>

#include "core/device/cuda/fake.h"

namespace ridge::device {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CudaMemory : public FakeMachine {
 protected:
  CudaMemory() : device(open()) {}
  Address allocate(std::int64_t bytes, const std::string& name, std::int64_t offset = 0) {
    auto address = device->allocate(bytes, name, offset);
    EXPECT_TRUE(address) << address.error().message;
    return address ? *address : 0;
  }
  std::vector<std::string> damages() {
    auto damaged = device->damaged_guards();
    EXPECT_TRUE(damaged);
    std::vector<std::string> texts;
    if (damaged)
      for (const Sentence& damage : *damaged) texts.push_back(damage.english());
    return texts;
  }
  std::unique_ptr<Device> device;
};

TEST_F(CudaMemory, ReturnsWhatWasWritten) {
  const Address x = allocate(12, "x");
  write_floats(*device, x, {1, 2, 3});
  EXPECT_THAT(read_floats(*device, x, 3), ElementsAre(1, 2, 3));
  const Address y = allocate(12, "y");
  ASSERT_TRUE(device->copy(y, x, 12));
  EXPECT_THAT(read_floats(*device, y, 3), ElementsAre(1, 2, 3));
  ASSERT_TRUE(device->fill(y, 8, 0));
  EXPECT_THAT(read_floats(*device, y, 3), ElementsAre(0, 0, 3));
  EXPECT_THAT(damages(), ElementsAre());
}

TEST_F(CudaMemory, IsAlignedPlusOffset) {
  EXPECT_EQ(allocate(100, "x") % 256, 0u);
  EXPECT_EQ(allocate(100, "x", 8) % 256, 8u);
}

TEST_F(CudaMemory, PoisonKeepsThePhaseOfItsPattern) {
  const Address x = allocate(16, "x", 2);
  ASSERT_TRUE(device->poison(x, 11, 0x44332211));
  std::vector<std::byte> bytes(11);
  ASSERT_TRUE(device->read(x, bytes));
  for (std::size_t index = 0; index < bytes.size(); ++index)
    EXPECT_EQ(std::to_integer<unsigned>(bytes[index]), 0x11 * ((x + index) % 4 + 1)) << index;
  EXPECT_THAT(damages(), ElementsAre());
}

TEST_F(CudaMemory, NamesWritesPastTheEnd) {
  const Address x = allocate(100, "x");
  allocate(100, "other");
  write_floats(*device, x + 104, {0});
  EXPECT_THAT(damages(), ElementsAre("x: 4 bytes written after its end, the first 4 bytes past it"));
  EXPECT_THAT(damages(), ElementsAre()) << "the guard was restored";
}

TEST_F(CudaMemory, NamesWritesBeforeTheStart) {
  const Address x = allocate(100, "x");
  write_floats(*device, x - 8, {0});
  EXPECT_THAT(damages(), ElementsAre("x: 4 bytes written before its start, the nearest 5 bytes ahead of it"));
}

TEST_F(CudaMemory, AnEmptyBufferHasGuardsToo) {
  const Address x = allocate(0, "x");
  EXPECT_TRUE(device->write(x, {}));
  write_floats(*device, x, {0});
  EXPECT_THAT(damages(), ElementsAre(HasSubstr("x: 4 bytes written after its end")));
}

TEST_F(CudaMemory, TooMuchSaysNeededAndFree) {
  const auto address = device->allocate(10'000'000'000'000, "weights", 0);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, "out_of_memory");
  EXPECT_THAT(address.error().message.english(),
              AllOf(HasSubstr("weights"), HasSubstr("needed 10"), HasSubstr("TB"), HasSubstr("free")));
  EXPECT_FALSE(device->allocate(std::numeric_limits<std::int64_t>::max(), "x", 0)) << "no overflow";
  EXPECT_FALSE(device->allocate(-1, "x", 0));
  allocate(16, "after");
}

TEST_F(CudaMemory, ADriverThatRunsOutIsTheSameError) {
  device.reset();
  restart("cuMemAlloc_v2:2@1");
  device = open();
  const auto address = device->allocate(16, "x", 0);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, "out_of_memory");
  allocate(16, "x");
}

TEST_F(CudaMemory, ReleaseGivesBack) {
  const std::int64_t before = *device->free_bytes();
  const Address x = allocate(1 << 20, "x");
  EXPECT_LT(*device->free_bytes(), before);
  device->release(x);
  device->release(x);
  EXPECT_EQ(*device->free_bytes(), before);
}

}  // namespace
}  // namespace ridge::device
