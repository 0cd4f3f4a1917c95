// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/plan.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace ridge;
using namespace ridge::device;

namespace {

/// row_scale: y[rows, cols] = x[rows, cols] * s[rows], with a scalar alpha.
class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    problem.problem = "row_scale";
    problem.axes = {{"rows", 4}, {"cols", 1000}};
    problem.inputs = {tensor("x", {4, 1000}), tensor("s", {4})};
    problem.outputs = {tensor("y", {4, 1000})};
    problem.scalars = {{"alpha", DType::float32, 2.5}};
    source.file = prepared.file = "row_scale.cu";
    source.directives.launches.resize(1);
    launch().grid = {"rows, ceil_div(cols, BLOCK)", 2};
    launch().block = {"BLOCK", 3};
    source.directives.tune = {{"BLOCK", {"256", "512"}, 4}};
    takes(
        {{"const float*", "x"}, {"const float*", "s"}, {"float*", "y"}, {"float", "alpha"}, {"int", "cols"}},
        {8, 8, 8, 4, 4});
  }

  static problem::BoundTensor tensor(const std::string& name, std::vector<std::int64_t> extents) {
    problem::BoundTensor t;
    t.name = name;
    t.extents = std::move(extents);
    for (const std::int64_t extent : t.extents) t.elements *= extent;
    t.bytes = 4 * t.elements;
    return t;
  }
  source::LaunchDirectives& launch() { return source.directives.launches.front(); }
  void takes(const std::vector<std::pair<std::string, std::string>>& parameters,
             const std::vector<std::uint32_t>& sizes) {
    source::Signature signature;
    signature.name = "row_scale";
    signature.line = 6;
    for (const auto& [type, name] : parameters)
      signature.parameters.push_back(
          {type, name, type.find('*') != std::string::npos, type.starts_with("const")});
    prepared.kernels = {signature};
    compile::Entry entry;
    entry.name = entry.symbol = "row_scale";
    entry.line = 6;
    std::uint32_t offset = 0;
    for (const std::uint32_t size : sizes) {
      entry.parameters.push_back({offset, size});
      offset += size;
    }
    kernel.entries = {entry};
    kernel.ok = true;
  }
  Planned planned(bool reference = false) {
    return plan(problem, source, prepared, kernel, limits, reference);
  }
  template <class T>
  static T value(const PlannedArgument& argument) {
    T value{};
    EXPECT_EQ(argument.bytes.size(), sizeof(T));
    if (argument.bytes.size() == sizeof(T)) std::memcpy(&value, argument.bytes.data(), sizeof(T));
    return value;
  }
  static std::string codes(const Planned& planned) {
    std::string text;
    for (const Diagnostic& diagnostic : planned.diagnostics) text += diagnostic.code + " ";
    return text;
  }

  problem::BoundProblem problem;
  source::KernelSource source;
  source::PreparedSource prepared;
  compile::CompiledKernel kernel;
  hardware::LaunchLimits limits;
};

TEST_F(PlanTest, ParametersAreMatchedByName) {
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  ASSERT_EQ(result.sequence.launches.size(), 1u);
  const PlannedLaunch& only = result.sequence.launches[0];
  EXPECT_EQ(only.shape.grid, (Extent{4, 4, 1}));
  EXPECT_EQ(only.shape.block, (Extent{256, 1, 1}));
  EXPECT_EQ(only.shape.line, 2);
  EXPECT_EQ(only.shape.block_line, 3);
  ASSERT_EQ(only.arguments.size(), 5u);
  EXPECT_EQ(result.sequence.buffers[static_cast<std::size_t>(only.arguments[2].buffer)].name, "y");
  EXPECT_EQ(value<float>(only.arguments[3]), 2.5f);
  EXPECT_EQ(value<std::int32_t>(only.arguments[4]), 1000);
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(PlanTest, ValuesAreConvertedToTheParametersType) {
  takes({{"float*", "y"}, {"double", "alpha"}, {"long long", "rows"}, {"size_t", "cols"}, {"__half", "cols"}},
        {8, 8, 8, 8, 2});
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  const auto& arguments = result.sequence.launches[0].arguments;
  EXPECT_EQ(value<double>(arguments[1]), 2.5);
  EXPECT_EQ(value<std::int64_t>(arguments[2]), 4);
  EXPECT_EQ(value<std::uint64_t>(arguments[3]), 1000u);
  EXPECT_EQ(half_to_float(value<std::uint16_t>(arguments[4])), 1000.0f);
}

TEST_F(PlanTest, UnknownTypesFollowTheSizeInTheModule) {
  takes({{"float*", "y"}, {"real_t", "alpha"}, {"index_t", "cols"}}, {8, 8, 8});
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  EXPECT_EQ(value<double>(result.sequence.launches[0].arguments[1]), 2.5);
  EXPECT_EQ(value<std::int64_t>(result.sequence.launches[0].arguments[2]), 1000);
}

TEST_F(PlanTest, TemplateArgumentsGiveTheTypes) {
  takes({{"T*", "y"}, {"T", "alpha"}}, {8, 2});
  prepared.kernels[0].template_parameters = {"typename T", "int TILE = 4"};
  kernel.entries[0].name = "row_scale<__half, 8>";
  launch().kernel = {"row_scale<__half, 8>", 1};
  problem.outputs[0].dtype = DType::float16;
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  EXPECT_EQ(half_to_float(value<std::uint16_t>(result.sequence.launches[0].arguments[1])), 2.5f);
}

TEST_F(PlanTest, AnAxisThatDoesNotFitIsAnError) {
  problem.axes["cols"] = std::int64_t{5} << 30;
  const Planned result = planned();
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].code, "argument_range");
  EXPECT_NE(result.diagnostics[0].message.english().find("cols"), std::string::npos);
}

TEST_F(PlanTest, ArgsNameValuesInOrder) {
  takes({{"const float*", "a"},
         {"const float*", "b"},
         {"float*", "c"},
         {"float", "d"},
         {"int", "e"},
         {"float*", "f"}},
        {8, 8, 8, 4, 4, 8});
  launch().args = {"x, s, y, 0.5, rows * cols, null", 5};
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  const auto& arguments = result.sequence.launches[0].arguments;
  EXPECT_EQ(value<float>(arguments[3]), 0.5f);
  EXPECT_EQ(value<std::int32_t>(arguments[4]), 4000);
  EXPECT_EQ(value<std::uint64_t>(arguments[5]), 0u);
}

TEST_F(PlanTest, ArgsOfAnotherNumberAreAnError) {
  launch().args = {"x, s, y", 5};
  const Planned result = planned();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "argument_count");
  EXPECT_EQ(result.diagnostics[0].line, 5);
}

TEST_F(PlanTest, AnOutputThatNoParameterTakesIsNamed) {
  takes({{"const float*", "x"}, {"const float*", "s"}, {"float*", "result"}, {"int", "cols"}}, {8, 8, 8, 4});
  const Planned result = planned();
  const auto found = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                  [](const Diagnostic& d) { return d.code == "output_without_argument"; });
  ASSERT_NE(found, result.diagnostics.end()) << codes(result);
  EXPECT_EQ(found->line, 6);
  EXPECT_EQ(found->file, "row_scale.cu");
  EXPECT_NE(found->message.english().find(" y"), std::string::npos);
}

TEST_F(PlanTest, AnOutputMayBeLeftOutOnlyIfEmpty) {
  takes({{"const float*", "x"}}, {8});
  EXPECT_EQ(codes(planned()), "output_without_argument ");
}

TEST_F(PlanTest, ATensorNeedsAPointer) {
  takes({{"float*", "y"}, {"float", "x"}}, {8, 4});
  EXPECT_NE(codes(planned()).find("not_a_pointer"), std::string::npos);
}

TEST_F(PlanTest, ElementsOfAnotherSizeAreWarnedAbout) {
  takes({{"double*", "y"}}, {8});
  const Planned result = planned();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(result.sequence.buffers.back().dtype, DType::float32);
}

TEST_F(PlanTest, ReferencesStoreOutputsAsTheirParametersSay) {
  takes({{"const float*", "x"}, {"const float*", "s"}, {"double*", "y"}, {"int", "cols"}}, {8, 8, 8, 4});
  const Planned result = planned(true);
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  EXPECT_EQ(result.sequence.buffers.back().dtype, DType::float64);
  EXPECT_EQ(result.sequence.buffers.back().bytes, 8 * 4000);
}

TEST_F(PlanTest, MissingGeometryIsAQuestion) {
  launch().grid = {};
  const Planned result = planned();
  ASSERT_EQ(result.questions.size(), 1u);
  EXPECT_EQ(result.questions[0].kind, "geometry");
  EXPECT_NE(result.questions[0].text.english().find("no grid"), std::string::npos);
  EXPECT_FALSE(has_errors(result.diagnostics));
}

TEST_F(PlanTest, SeveralKernelsAreAQuestion) {
  compile::Entry other = kernel.entries[0];
  other.name = other.symbol = "other";
  kernel.entries.push_back(other);
  const Planned result = planned();
  ASSERT_EQ(result.questions.size(), 1u);
  EXPECT_EQ(result.questions[0].kind, "kernel");
  EXPECT_EQ(result.questions[0].choices, (std::vector<std::string>{"row_scale", "other"}));
}

TEST_F(PlanTest, PtxHasNoNamesSoItAsks) {
  source.language = source::Language::ptx;
  prepared.kernels.clear();
  kernel.ptx = ".visible .entry row_scale(\n .param .u64 a\n)\n.reqntid 128, 1, 1\n{ ret; }";
  launch().block = {};
  Planned result = planned();
  ASSERT_EQ(result.questions.size(), 1u);
  EXPECT_EQ(result.questions[0].kind, "argument");
  launch().args = {"x, s, y, alpha, cols", 5};
  result = planned();
  ASSERT_TRUE(result.diagnostics.empty() && result.questions.empty()) << codes(result);
  EXPECT_EQ(result.sequence.launches[0].shape.block, (Extent{128, 1, 1}));
  EXPECT_EQ(value<float>(result.sequence.launches[0].arguments[3]), 2.5f);
}

TEST_F(PlanTest, MacrosOfTheSourceAreNamesToo) {
  source.text = "#define TILE 32\n#  define HALF (TILE / 2) // half\n#define F(x) x\n";
  launch().block = {"TILE, HALF", 3};
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  EXPECT_EQ(result.sequence.launches[0].shape.block, (Extent{32, 16, 1}));
}

TEST_F(PlanTest, FaultyExpressionsNameTheirLine) {
  launch().shared = {"rows / 0", 9};
  const Planned result = planned();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].line, 9);
}

TEST_F(PlanTest, LimitsAreFindingsWithTheLineOfTheDirective) {
  launch().block = {"2048", 3};
  const Planned result = planned();
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].status, hardware::Status::launch_failed);
  EXPECT_EQ(result.findings[0].line, 3);
  EXPECT_NE(result.findings[0].message.english().find("1024"), std::string::npos);
}

TEST_F(PlanTest, AnEmptyGridFailsUnlessOutputsAreEmpty) {
  launch().grid = {"rows / 256", 2};
  EXPECT_FALSE(planned().findings.empty());
  problem.outputs[0].elements = problem.outputs[0].bytes = 0;
  const Planned result = planned();
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.sequence.launches.empty());
}

TEST_F(PlanTest, ScratchIsABufferThatZeroMayName) {
  source.directives.scratch = {{"partial", "float32", {"rows", "2"}, 7}};
  source.directives.zero = {"partial"};
  takes({{"float*", "y"}, {"float*", "partial"}}, {8, 8});
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  const BufferPlan& scratch = result.sequence.buffers.back();
  EXPECT_EQ(scratch.role, BufferRole::scratch);
  EXPECT_EQ(scratch.bytes, 32);
  EXPECT_TRUE(scratch.zeroed);
}

TEST_F(PlanTest, BadScratchAndZeroAreNamed) {
  source.directives.scratch = {
      {"x", "float32", {"rows"}, 7}, {"p", "float31", {"rows"}, 8}, {"q", "int8", {"rowz"}, 9}};
  source.directives.zero = {"s"};
  const std::string found = codes(planned());
  EXPECT_NE(found.find("duplicate_name"), std::string::npos);
  EXPECT_NE(found.find("unknown_dtype"), std::string::npos);
  EXPECT_NE(found.find("unknown_tensor"), std::string::npos);
  EXPECT_GE(planned().diagnostics.size(), 4u);
}

TEST_F(PlanTest, SymbolsAreFilledFromTensorsThatFit) {
  source.directives.symbols = {{"table", "s", 8}};
  kernel.globals = {{"table", "_table", 16, true}};
  takes({{"const float*", "x"}, {"float*", "y"}}, {8, 8});
  Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  ASSERT_EQ(result.sequence.symbols.size(), 1u);
  EXPECT_EQ(result.sequence.symbols[0].symbol, "_table");
  kernel.globals[0].bytes = 8;
  EXPECT_EQ(codes(planned()), "symbol_size ");
  kernel.globals.clear();
  EXPECT_EQ(codes(planned()), "unknown_symbol ");
}

TEST_F(PlanTest, UnusedInputsGetNoMemory) {
  takes({{"const float*", "x"}, {"float*", "y"}}, {8, 8});
  const Planned result = planned();
  ASSERT_EQ(result.sequence.buffers.size(), 2u);
  EXPECT_EQ(result.sequence.buffers[1].name, "y");
  EXPECT_EQ(result.sequence.launches[0].arguments[1].buffer, 1);
}

TEST_F(PlanTest, BoundSequencesRestoreInPlaceOutputs) {
  problem.outputs[0].from = "x";
  takes({{"float*", "y"}}, {8});
  source.directives.zero = {};
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  ASSERT_EQ(result.sequence.buffers.size(), 2u);
  const Sequence sequence = bind_addresses(result.sequence, {0x1000, 0x9000});
  ASSERT_EQ(sequence.restore.size(), 1u);
  EXPECT_EQ(sequence.restore[0].to, 0x9000u);
  EXPECT_EQ(sequence.restore[0].from, 0x1000u);
  ASSERT_EQ(sequence.launches[0].arguments.size(), 1u);
  Address address = 0;
  std::memcpy(&address, sequence.launches[0].arguments[0].data(), sizeof address);
  EXPECT_EQ(address, 0x9000u);
}

TEST_F(PlanTest, TensorMapsAndTexturesAreTakenByName) {
  takes({{"const __grid_constant__ CUtensorMap", "x_map"}, {"float*", "y"}, {"cudaTextureObject_t", "tex"}},
        {128, 8, 8});
  source.directives.tensor_maps = {{"x_map", "x", {"BLOCK / 16", "32"}, {}, "128B", "none", "zero", 7}};
  source.directives.textures = {{"tex", "x", "linear", "clamp", "texels", "element", 8}};
  const Planned result = planned();
  ASSERT_TRUE(result.diagnostics.empty()) << codes(result);
  EXPECT_TRUE(result.findings.empty()) << result.findings[0].message;
  ASSERT_EQ(result.sequence.buffers.size(), 2u) << "x counts as used, s does not";
  ASSERT_EQ(result.sequence.tensor_maps.size(), 1u);
  const TensorMapPlan& map = result.sequence.tensor_maps[0];
  EXPECT_EQ(map.spec.extents, (std::vector<std::int64_t>{4, 1000}));
  EXPECT_EQ(map.spec.box, (std::vector<std::int64_t>{16, 32}));
  EXPECT_EQ(map.spec.swizzle_bytes, 128);
  EXPECT_EQ(result.sequence.buffers[static_cast<std::size_t>(map.buffer)].name, "x");
  const auto& arguments = result.sequence.launches[0].arguments;
  EXPECT_EQ(arguments[0].tensor_map, 0);
  EXPECT_EQ(arguments[0].bytes.size(), 128u);
  EXPECT_EQ(arguments[2].texture, 0);
}

TEST_F(PlanTest, AnOutputMayBeWrittenThroughATensorMap) {
  takes({{"const __grid_constant__ CUtensorMap", "y_map"}}, {128});
  source.directives.tensor_maps = {{"y_map", "y", {"4", "64"}, {}, "none", "none", "zero", 7}};
  const Planned result = planned();
  EXPECT_TRUE(result.diagnostics.empty()) << codes(result);
}

TEST_F(PlanTest, TensorMapsBeyondTheHardwaresLimitsAreFindingsOfTheirLine) {
  const auto found = [&](source::TensorMap map) {
    takes({{"CUtensorMap", "m"}, {"float*", "y"}}, {128, 8});
    map.name = "m";
    map.tensor = "x";
    map.line = 7;
    source.directives.tensor_maps = {std::move(map)};
    const Planned result = planned();
    EXPECT_TRUE(result.diagnostics.empty()) << codes(result);
    if (result.findings.empty()) return std::string();
    EXPECT_EQ(result.findings[0].line, 7);
    EXPECT_EQ(result.findings[0].status, hardware::Status::launch_failed);
    return result.findings[0].message.english();
  };
  const auto box = [](std::vector<std::string> extents, std::vector<std::string> view = {},
                      std::string swizzle = "none") {
    source::TensorMap map;
    map.box = std::move(extents);
    map.view = std::move(view);
    map.swizzle = std::move(swizzle);
    return map;
  };
  EXPECT_EQ(found(box({"4", "64"})), "");
  EXPECT_EQ(found(box({"1", "2", "4"}, {"2", "2", "1000"})), "");
  EXPECT_EQ(found(box({"1", "4"}, {"1", "4000"})), "") << "the stride of a single row does not matter";
  EXPECT_NE(found(box({"4", "257"})).find("not in 1 to 256"), std::string::npos);
  EXPECT_NE(found(box({"4", "3"})).find("multiple of 16"), std::string::npos);
  EXPECT_NE(found(box({"4", "64"}, {}, "128B")).find("exactly 128 bytes"), std::string::npos);
  EXPECT_NE(found(box({"4"})).find("2 dimensions and its box 1"), std::string::npos);
  EXPECT_NE(found(box({"4", "8"}, {"400", "10"})).find("stride of 40 bytes"), std::string::npos);
}

TEST_F(PlanTest, FaultyHandlesAreDiagnostics) {
  takes({{"CUtensorMap", "m"}, {"float*", "y"}}, {64, 8});
  source.directives.tensor_maps = {{"m", "x", {"4", "8"}, {}, "none", "none", "zero", 7}};
  EXPECT_EQ(codes(planned()), "argument_type ") << "the parameter has another size";
  source.directives.tensor_maps[0].tensor = "z";
  EXPECT_NE(codes(planned()).find("unknown_tensor"), std::string::npos);
  source.directives.tensor_maps[0] = {"m", "x", {"4", "8"}, {"4", "999"}, "none", "none", "zero", 7};
  EXPECT_NE(codes(planned()).find("view"), std::string::npos);
}

TEST_F(PlanTest, TexturesBeyondTheHardwaresLimitsAreFindings) {
  takes({{"cudaTextureObject_t", "tex"}, {"float*", "y"}}, {8, 8});
  source.directives.textures = {{"tex", "x", "point", "wrap", "texels", "element", 8}};
  const Planned wrapped = planned();
  ASSERT_EQ(wrapped.findings.size(), 1u);
  EXPECT_NE(wrapped.findings[0].message.english().find("coordinates normalized"), std::string::npos);
  problem.inputs[0] = tensor("x", {4, 1001});
  source.directives.textures[0].address = "clamp";
  const Planned narrow = planned();
  ASSERT_EQ(narrow.findings.size(), 1u);
  EXPECT_NE(narrow.findings[0].message.english().find("multiples of 32 bytes"), std::string::npos);
}

TEST_F(PlanTest, ClusterDimensionsOfTheKernelCount) {
  kernel.ptx =
      ".visible .entry row_scale(.param .u64 a)\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n}\n";
  limits.max_cluster = 8;
  EXPECT_EQ(planned().sequence.launches.at(0).shape.cluster, (Extent{2, 1, 1}));
  launch().cluster = {"4", 5};
  EXPECT_EQ(planned().sequence.launches.at(0).shape.cluster, (Extent{4, 1, 1}));
}

}  // namespace
