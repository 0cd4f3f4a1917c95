// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/files.h"
#include "hardware/device_model.h"

namespace ridge::hardware {
namespace {

class CatalogueTest : public testing::Test {
 protected:
  const Catalogue catalogue_ =
      load_catalogue(std::filesystem::path(RIDGE_SOURCE_DIR) / "resources/devices.toml");

  const DeviceModel& device(const std::string& name) {
    const DeviceModel* found = catalogue_.find(name);
    if (!found) throw std::runtime_error("no device " + name);
    return *found;
  }
};

TEST_F(CatalogueTest, TheShippedCatalogueIsWithoutFault) {
  for (const Diagnostic& diagnostic : catalogue_.diagnostics) ADD_FAILURE() << format(diagnostic);
  EXPECT_EQ(catalogue_.names(), (std::vector<std::string>{"A100-SXM-80GB", "A100-SXM-40GB", "A100-PCIe-80GB",
                                                          "A100-PCIe-40GB", "H100-SXM", "H100-PCIe", "H200",
                                                          "B200", "L4", "L40S", "RTX4090", "RTX5090"}));
}

TEST_F(CatalogueTest, EveryPeakIsWhatTheHardwareGivesAtItsClock) {
  for (const DeviceModel& model : catalogue_.devices) {
    for (const Peak& peak : model.peaks) {
      const double implied = model.sm_count * peak.flop_per_clock_sm * peak.clock_mhz * 1e6;
      EXPECT_NEAR(implied / peak.flops, 1, 0.01) << model.name << ' ' << name_of(peak.unit);
      EXPECT_FALSE(peak.source.empty());
      // GeForce parts run some tensor types at half of the rate of their compute capability.
      const double rate = flop_per_clock_sm(model.cc_major, model.cc_minor, peak.unit);
      EXPECT_TRUE(peak.flop_per_clock_sm == rate || 2 * peak.flop_per_clock_sm == rate)
          << model.name << ' ' << name_of(peak.unit) << ' ' << rate;
    }
  }
}

TEST_F(CatalogueTest, DensePeaksOfTheH200) {
  const DeviceModel& h200 = device("H200");
  EXPECT_EQ(h200.arch, "sm_90a");
  EXPECT_EQ(h200.sm_count, 132);
  EXPECT_DOUBLE_EQ(h200.memory_bandwidth, 4.8e12);
  EXPECT_DOUBLE_EQ(h200.peak(Unit::bf16)->flops, 989.4e12);  // often quoted as FP8
  EXPECT_DOUBLE_EQ(h200.peak(Unit::fp8)->flops, 1978.9e12);
  EXPECT_DOUBLE_EQ(h200.peak(Unit::fp32)->flops, 66.9e12);
  EXPECT_DOUBLE_EQ(h200.peak(Unit::fp32)->clock_mhz, 1980);
  EXPECT_DOUBLE_EQ(h200.peak(Unit::bf16)->clock_mhz, 1830);
  EXPECT_EQ(h200.peak(Unit::fp4), nullptr);
}

TEST_F(CatalogueTest, SparseFiguresAreHalved) {
  const Peak* fp8 = device("L4").peak(Unit::fp8);
  ASSERT_NE(fp8, nullptr);
  EXPECT_DOUBLE_EQ(fp8->flops, 242.5e12);
  EXPECT_TRUE(fp8->from_sparse);
  EXPECT_NE(fp8->source.find("sparsity"), std::string::npos);
  EXPECT_DOUBLE_EQ(device("B200").peak(Unit::fp4)->flops, 9e15);
}

TEST_F(CatalogueTest, LimitsFollowTheComputeCapability) {
  EXPECT_EQ(device("A100-PCIe-40GB").limits.shared_bytes_per_block_optin, 166912);
  EXPECT_EQ(device("A100-PCIe-40GB").limits.max_cluster, 0);
  EXPECT_EQ(device("L40S").limits.max_threads_per_sm, 1536);
  EXPECT_EQ(device("L40S").limits.max_blocks_per_sm, 24);
  EXPECT_EQ(device("H100-SXM").limits.shared_bytes_per_sm, 233472);
  EXPECT_EQ(device("RTX5090").limits.shared_bytes_per_block_optin, 101376);
  EXPECT_EQ(device("RTX5090").arch, "sm_120a");
}

TEST_F(CatalogueTest, NamesAreTakenAsPeopleWriteThem) {
  EXPECT_EQ(catalogue_.find("h200")->name, "H200");
  EXPECT_EQ(catalogue_.find("RTX 4090")->name, "RTX4090");
  EXPECT_EQ(catalogue_.find("H100")->name, "H100-SXM");
  EXPECT_EQ(catalogue_.find("L4")->name, "L4");
  EXPECT_EQ(catalogue_.find("H300"), nullptr);
  EXPECT_EQ(catalogue_.find(""), nullptr);
}

TEST_F(CatalogueTest, TheDriversNameFindsItsVariant) {
  constexpr std::int64_t kGiB = std::int64_t{1} << 30;
  EXPECT_EQ(catalogue_.match("NVIDIA H200", 132, 140 * kGiB)->name, "H200");
  EXPECT_EQ(catalogue_.match("NVIDIA A100-SXM4-40GB", 108, 39 * kGiB)->name, "A100-SXM-40GB");
  EXPECT_EQ(catalogue_.match("NVIDIA H200", 16, 18 * kGiB), nullptr) << "a slice is not the whole device";
  EXPECT_EQ(catalogue_.match("Tesla K80", 13, 12 * kGiB), nullptr);
}

TEST(Catalogue, ContradictionsAreLeftOutAndNamed) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "ridge_devices_faults.toml";
  std::ofstream(file) << R"(
[sources]
sheet = "a sheet"
[capability."9.0"]
arch = "sm_90a"
threads_per_sm = 2048
blocks_per_sm = 32
shared_bytes_per_sm = 233472
shared_bytes_per_block_optin = 232448
cluster = 8
[[device]]
name = "X"
title = "X"
reported = []
cc = "9.0"
sm_count = 132
memory_mib = 1024
memory_bandwidth = 1e12
memory_source = "sheet"
l2_kib = 1
boost_clock_mhz = 1980
tdp_watts = 1
nvlink_bandwidth = 0
pcie_bandwidth = 0
peaks = [
  { unit = "fp32", flops = 66.9e12, flop_per_clock_sm = 256, clock_mhz = 1980, source = "sheet" },
  { unit = "fp8", flops = 989.4e12, flop_per_clock_sm = 8192, clock_mhz = 1830, source = "sheet" },
  { unit = "bf16", flops = 1297.6e12, flop_per_clock_sm = 4096, clock_mhz = 2400, source = "sheet" },
]
)";
  const Catalogue catalogue = load_catalogue(file);
  std::filesystem::remove(file);
  EXPECT_EQ(catalogue.diagnostics.size(), 2u);
  ASSERT_EQ(catalogue.devices.size(), 1u);
  EXPECT_NE(catalogue.devices[0].peak(Unit::fp32), nullptr);
  EXPECT_EQ(catalogue.devices[0].peak(Unit::fp8), nullptr);
  EXPECT_EQ(catalogue.devices[0].peak(Unit::bf16), nullptr);
  EXPECT_EQ(catalogue.diagnostics[0].line, 27);
  EXPECT_NE(catalogue.diagnostics[0].message.english().find("1979 TFLOP/s, not 989.4"), std::string::npos)
      << catalogue.diagnostics[0].message;
  EXPECT_NE(catalogue.diagnostics[1].message.english().find("boost clock"), std::string::npos);
}

TEST(Catalogue, BrokenFilesAreDiagnostics) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "ridge_devices_broken.toml";
  std::ofstream(file) << "[[device]]\nname = \"X\nsm_count = 3\n";
  const Catalogue catalogue = load_catalogue(file);
  std::filesystem::remove(file);
  EXPECT_TRUE(catalogue.devices.empty());
  ASSERT_EQ(catalogue.diagnostics.size(), 1u);
  EXPECT_EQ(catalogue.diagnostics[0].line, 2);
}

TEST(LaunchLimits, SurviveJson) {
  LaunchLimits limits;
  limits.max_grid = {7, 8, 9};
  limits.max_cluster = 0;
  limits.shared_bytes_per_block_optin = 101376;
  EXPECT_EQ(to_json(limits_from_json(to_json(limits))), to_json(limits));
  EXPECT_EQ(to_json(limits_from_json(Json("nothing"))), to_json(LaunchLimits{}));
}

TEST(Rates, UnknownCapabilitiesHaveNone) {
  EXPECT_EQ(flop_per_clock_sm(9, 0, Unit::bf16), 4096);
  EXPECT_EQ(flop_per_clock_sm(9, 0, Unit::none), 0);
  EXPECT_EQ(flop_per_clock_sm(5, 2, Unit::fp32), 0);
}

}  // namespace
}  // namespace ridge::hardware
