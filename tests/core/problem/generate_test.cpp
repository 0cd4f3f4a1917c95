// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/hashing.h"

namespace ridge::problem {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

BoundTensor tensor(DType dtype, std::int64_t elements, InitKind kind) {
  BoundTensor result;
  result.name = "x";
  result.dtype = dtype;
  result.extents = {elements};
  result.elements = elements;
  result.bytes = elements * static_cast<std::int64_t>(size_of(dtype));
  result.init.kind = kind;
  return result;
}

std::vector<std::byte> bytes_of(const BoundTensor& input, std::uint64_t seed = 1, std::uint32_t index = 0,
                                unsigned threads = 1) {
  std::vector<std::byte> data(static_cast<std::size_t>(input.bytes));
  const auto done = generate(input, seed, index, data, threads);
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return data;
}

std::vector<double> values_of(const BoundTensor& input, std::uint64_t seed = 1, std::uint32_t index = 0) {
  const std::vector<std::byte> data = bytes_of(input, seed, index);
  std::vector<double> values;
  for (std::int64_t i = 0; i < input.elements; ++i)
    values.push_back(load_as_double(input.dtype, data, static_cast<std::size_t>(i)));
  return values;
}

// The known answers that come with Random123, the authors' own library.
TEST(Philox, GivesTheKnownAnswers) {
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Generate, NormalValuesHaveMeanAndDeviation) {
  BoundTensor input = tensor(DType::float32, 100000, InitKind::normal);
  input.init.mean = 3;
  input.init.std = 2;
  double sum = 0, squares = 0;
  for (const double value : values_of(input)) sum += value, squares += value * value;
  const double mean = sum / 100000;
  EXPECT_NEAR(mean, 3, 0.03);
  EXPECT_NEAR(std::sqrt(squares / 100000 - mean * mean), 2, 0.03);
}

TEST(Generate, SameSeedSameBits) {
  const BoundTensor input = tensor(DType::float32, 4096, InitKind::normal);
  const std::vector<std::byte> data = bytes_of(input, 42);
  EXPECT_EQ(data, bytes_of(input, 42));
  EXPECT_NE(data, bytes_of(input, 43));
  EXPECT_NE(data, bytes_of(input, 42, 1));
  // The bits themselves, so that a change of compiler, machine or algorithm is noticed.
  const std::string_view raw(reinterpret_cast<const char*>(data.data()), data.size());
  EXPECT_EQ(content_hash(raw), "b30233facf80158f435c290a3ccb8849");
}

TEST(Generate, ThreadsDoNotChangeTheBits) {
  const BoundTensor input = tensor(DType::bfloat16, 300001, InitKind::normal);
  EXPECT_EQ(bytes_of(input, 5, 2, 1), bytes_of(input, 5, 2, 7));
}

TEST(Generate, UniformValuesStayBelowHigh) {
  for (const DType dtype :
       {DType::float32, DType::float16, DType::bfloat16, DType::float8_e4m3fn, DType::int8}) {
    BoundTensor input = tensor(dtype, 20000, InitKind::uniform);
    input.init.low = -2;
    input.init.high = 3;
    for (const double value : values_of(input)) {
      ASSERT_GE(value, -2) << name_of(dtype);
      ASSERT_LT(value, 3) << name_of(dtype);
    }
  }
}

TEST(Generate, RandintHitsBothEnds) {
  for (const DType dtype : {DType::int32, DType::float32, DType::uint8}) {
    BoundTensor input = tensor(dtype, 1000, InitKind::randint);
    input.init.low = 3;
    input.init.high = 6;
    const std::vector<double> values = values_of(input);
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), 3) << name_of(dtype);
    EXPECT_EQ(*std::max_element(values.begin(), values.end()), 5) << name_of(dtype);
  }
}

// Whatever is worked out at a time, each element has its own draws.
TEST(Generate, ValuesComeFromTheDrawsOfTheirElements) {
  constexpr std::uint64_t kSeed = 7;
  constexpr std::uint32_t kIndex = 3;
  BoundTensor reals = tensor(DType::float64, 300001, InitKind::uniform);
  reals.init.low = 0;
  reals.init.high = 1;
  BoundTensor numbers = tensor(DType::int32, 300001, InitKind::randint);
  numbers.init.high = 1000;
  const std::vector<double> uniform = values_of(reals, kSeed, kIndex);
  const std::vector<double> whole = values_of(numbers, kSeed, kIndex);
  for (std::uint32_t element = 0; element < 300001; element += element < 40 ? 1 : 997) {
    const auto draw = philox({element, 0, 0, 0}, {kSeed, kIndex * 0x9E3779B9u});
    const std::uint64_t bits = std::uint64_t{draw[1]} << 32 | draw[0];
    ASSERT_EQ(uniform[element], static_cast<double>(bits >> 11) * 0x1p-53) << element;
    __extension__ using Wide = unsigned __int128;
    ASSERT_EQ(whole[element], static_cast<double>(static_cast<std::uint64_t>(Wide{bits} * 1000 >> 64)))
        << element;
  }
}

TEST(Generate, ArangeConstantAndSprinkle) {
  BoundTensor input = tensor(DType::int64, 5, InitKind::arange);
  input.init.start = 10;
  input.init.step = -3;
  EXPECT_THAT(values_of(input), testing::ElementsAre(10, 7, 4, 1, -2));
  input = tensor(DType::float16, 6, InitKind::constant);
  input.init.value = 1.5;
  input.init.sprinkle = Init::Sprinkle{std::numeric_limits<double>::infinity(), 3, 1};
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(values_of(input), testing::ElementsAre(1.5, inf, 1.5, 1.5, inf, 1.5));
}

TEST(Generate, AnEmptyTensorIsDone) {
  EXPECT_TRUE(bytes_of(tensor(DType::float32, 0, InitKind::normal), 1, 0, 8).empty());
}

TEST(Generate, RefusesABufferOfAnotherSize) {
  std::vector<std::byte> data(7);
  EXPECT_FALSE(generate(tensor(DType::float32, 2, InitKind::normal), 1, 0, data));
}

class Npy : public testing::Test {
 protected:
  fs::path path_ = fs::path(testing::TempDir()) / ("ridge_" + std::to_string(::getpid()) + ".npy");
  ~Npy() override { fs::remove(path_); }

  void write(const std::string& dictionary, const std::string& raw, char version = 1) {
    std::string header = dictionary + "\n";
    std::string head = std::string("\x93NUMPY") + version + '\0';
    head += static_cast<char>(header.size() & 0xFF);
    head += static_cast<char>(header.size() >> 8);
    if (version > 1) head += std::string(2, '\0');
    std::ofstream(path_, std::ios::binary) << head << header << raw;
  }
  std::string read(DType dtype, const std::vector<std::int64_t>& extents, std::size_t bytes) {
    data_.assign(bytes, std::byte{0xEE});
    const auto done = read_npy(path_.string(), dtype, extents, data_);
    return done ? "" : done.error().message.english();
  }
  std::vector<std::byte> data_;
};

TEST_F(Npy, ReadsAllVersions) {
  const std::string raw("\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00", 12);
  for (const char version : {'\1', '\2', '\3'}) {
    write("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", raw, version);
    EXPECT_EQ(read(DType::int16, {2, 3}, 12), "");
    EXPECT_EQ(load_integer(DType::int16, data_, 5), 6);
  }
  write("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "\x07");
  EXPECT_EQ(read(DType::uint8, {}, 1), "");
  write("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }", raw.substr(0, 4));
  EXPECT_EQ(read(DType::bfloat16, {2}, 4), "");
}

TEST_F(Npy, SaysWhatDoesNotFit) {
  const std::string raw(12, 'x');
  write("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", raw);
  EXPECT_THAT(read(DType::float16, {2, 3}, 12), HasSubstr("float16"));
  EXPECT_THAT(read(DType::int16, {3, 2}, 12), HasSubstr("(2,3,)"));
  write("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }", raw);
  EXPECT_THAT(read(DType::int16, {2, 3}, 12), HasSubstr("Fortran"));
  write("{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", raw);
  EXPECT_THAT(read(DType::int16, {2, 3}, 12), HasSubstr(">i2"));
  write("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", raw.substr(0, 5));
  EXPECT_THAT(read(DType::int16, {2, 3}, 12), HasSubstr("5 of 12"));
  write("", raw, '\x09');
  EXPECT_THAT(read(DType::int16, {2, 3}, 12), HasSubstr("version 9"));
  std::ofstream(path_, std::ios::trunc) << "text";
  EXPECT_THAT(read(DType::int16, {2, 3}, 12), HasSubstr("no .npy"));
  fs::remove(path_);
  EXPECT_THAT(read(DType::int16, {2, 3}, 12), HasSubstr("cannot be opened"));
}

TEST_F(Npy, FeedsAnInput) {
  write("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", std::string("\x05\0\0\0\x09\0\0\0", 8));
  BoundTensor input = tensor(DType::int32, 2, InitKind::file);
  input.init.file = path_.string();
  input.init.sprinkle = Init::Sprinkle{3, 2, 1};
  EXPECT_THAT(values_of(input), testing::ElementsAre(5, 3));
}

}  // namespace
}  // namespace ridge::problem
