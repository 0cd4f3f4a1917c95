// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/handles.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace ridge::device {
namespace {

constexpr std::int64_t kQuantum = 16;  ///< of strides and of the box's rows, in bytes
constexpr std::int64_t kMostBox = 256;
constexpr std::int64_t kMostExtent = std::int64_t{1} << 32;
constexpr std::int64_t kMostStride = std::int64_t{1} << 40;
constexpr std::int64_t kMostTexels = 131072;  ///< of a row of a texture over linear memory
constexpr std::int64_t kMostRows = 65000;
constexpr std::int64_t kMostTexels1d = 1 << 28;

int bytes_of(const std::string& text) {
  return text == "none" ? 0 : std::stoi(text);
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}

Result<std::vector<std::int64_t>> evaluated(const std::vector<std::string>& expressions,
                                            const problem::Names& names) {
  std::vector<std::int64_t> values;
  for (const std::string& expression : expressions) {
    const auto value = problem::evaluate_whole(expression, names);
    if (!value) return value.error();
    values.push_back(*value);
  }
  return values;
}

}  // namespace

Result<TensorMapSpec> tensor_map_spec(const source::TensorMap& directive, DType dtype,
                                      const std::vector<std::int64_t>& extents, const problem::Names& names) {
  TensorMapSpec spec;
  spec.name = directive.name;
  spec.dtype = dtype;
  spec.extents = extents;
  spec.swizzle_bytes = bytes_of(directive.swizzle);
  spec.l2_bytes = bytes_of(directive.l2);
  spec.nan_fill = directive.fill == "nan";
  spec.line = directive.line;
  auto box = evaluated(directive.box, names);
  if (!box) return box.error();
  spec.box = *std::move(box);
  if (directive.view.empty()) return spec;
  auto view = evaluated(directive.view, names);
  if (!view) return view.error();
  const auto count = [](const std::vector<std::int64_t>& shape) {
    double elements = 1;
    for (const std::int64_t extent : shape) elements *= static_cast<double>(extent);
    return elements;
  };
  if (count(*view) != count(extents)) {
    std::string shape;
    for (const std::int64_t extent : *view) shape += (shape.empty() ? "" : " x ") + number(extent);
    return Error{
        ErrorKind::definition,
        "view",
        say("the view {} of {} has another number of elements than the tensor", shape, directive.tensor),
        say("its extents must multiply to the same"),
        {},
        directive.line};
  }
  spec.extents = *std::move(view);
  return spec;
}

std::vector<std::int64_t> strides_of(const TensorMapSpec& spec) {
  std::vector<std::int64_t> strides(spec.extents.size());
  std::int64_t stride = static_cast<std::int64_t>(size_of(spec.dtype));
  for (std::size_t k = spec.extents.size(); k-- > 0;) {
    const bool single = spec.extents[k] == 1 && k + 1 < spec.extents.size();
    strides[k] = single ? (stride + kQuantum - 1) / kQuantum * kQuantum : stride;
    stride *= spec.extents[k];
  }
  return strides;
}

std::vector<Sentence> faults_of(const TensorMapSpec& spec) {
  std::vector<Sentence> faults;
  const auto fault = [&](const Sentence& text) {
    faults.push_back(say("Tensor map {}: {}", spec.name, text));
  };
  const std::size_t rank = spec.extents.size();
  const auto element = static_cast<std::int64_t>(size_of(spec.dtype));
  if (rank < 1 || rank > 5 || spec.box.size() != rank) {
    fault(
        say("its tensor has {} dimensions and its box {}. Give the box one extent for each dimension, at "
            "most 5, or state another shape by `view`.",
            rank, spec.box.size()));
    return faults;
  }
  const std::vector<std::int64_t> strides = strides_of(spec);
  std::int64_t box_bytes = element;
  for (std::size_t k = 0; k < rank; ++k) {
    if (spec.box[k] < 1 || spec.box[k] > kMostBox) {
      fault(say("extent {} of its box is not in 1 to 256. Use a smaller box and several copies.",
                number(spec.box[k])));
      return faults;
    }
    box_bytes *= spec.box[k];
    if (spec.extents[k] < 1 || spec.extents[k] > kMostExtent)
      fault(say("extent {} of its tensor is not in 1 to 2^32.", number(spec.extents[k])));
    if (k + 1 < rank && (strides[k] % kQuantum != 0 || strides[k] >= kMostStride))
      fault(
          say("dimension {} has a stride of {} bytes, but strides must be multiples of 16 below 2^40. Choose "
              "extents for which rows are multiples of 16 bytes, or another `view`.",
              k, number(strides[k])));
  }
  const std::int64_t row = spec.box[rank - 1] * element;
  if (row % kQuantum != 0)
    fault(say("the innermost extent of its box has {} bytes, but it must be a multiple of 16. Widen the box.",
              number(row)));
  if (spec.swizzle_bytes != 0 && row != spec.swizzle_bytes)
    fault(
        say("swizzle {}B takes a box whose innermost extent has exactly {} bytes; this one has {}. Change "
            "the box or the swizzle.",
            spec.swizzle_bytes, spec.swizzle_bytes, number(row)));
  if (spec.nan_fill && !is_floating(spec.dtype)) fault(say("fill nan is for floating-point tensors only."));
  return faults;
}

Result<TextureSpec> texture_spec(const source::Texture& directive, DType dtype,
                                 const std::vector<std::int64_t>& extents) {
  TextureSpec spec;
  spec.name = directive.name;
  spec.dtype = dtype;
  spec.extents = extents;
  spec.linear = directive.filter == "linear";
  spec.address = directive.address == "border"   ? TextureAddress::border
                 : directive.address == "wrap"   ? TextureAddress::wrap
                 : directive.address == "mirror" ? TextureAddress::mirror
                                                 : TextureAddress::clamp;
  spec.normalized_coordinates = directive.coordinates == "normalized";
  spec.normalized_read = directive.read == "normalized";
  spec.line = directive.line;
  return spec;
}

std::vector<Sentence> faults_of(const TextureSpec& spec) {
  std::vector<Sentence> faults;
  const auto fault = [&](const Sentence& text) { faults.push_back(say("Texture {}: {}", spec.name, text)); };
  const std::size_t rank = spec.extents.size();
  const bool narrow = !is_floating(spec.dtype) && size_of(spec.dtype) <= 2;
  if (rank < 1 || rank > 2) {
    fault(say("its tensor has {} dimensions; textures are made of one or two.", rank));
    return faults;
  }
  if (size_of(spec.dtype) > 4 || spec.dtype == DType::bfloat16 ||
      (is_floating(spec.dtype) && size_of(spec.dtype) == 1))
    fault(say("there are no textures of {}. Use 8, 16 or 32-bit integers, float16 or float32.",
              name_of(spec.dtype)));
  if (spec.normalized_read && !narrow) fault(say("read normalized is for 8 and 16-bit integers only."));
  if (spec.linear && !is_floating(spec.dtype) && !spec.normalized_read)
    fault(say("filter linear needs floating-point values: use filter point, or read normalized."));
  const bool repeats = spec.address == TextureAddress::wrap || spec.address == TextureAddress::mirror;
  if (repeats && !spec.normalized_coordinates)
    fault(say("address wrap and mirror need `coordinates normalized`; otherwise the hardware clamps."));
  const std::int64_t width = spec.extents.back(), height = rank == 2 ? spec.extents[0] : 1;
  if (rank == 1 && (spec.linear || repeats || spec.normalized_coordinates))
    fault(say("a tensor of one dimension is read by tex1Dfetch, without filter, address or coordinates."));
  if (width > (rank == 2 ? kMostTexels : kMostTexels1d) || height > kMostRows)
    fault(say("{} x {} texels are more than the hardware's limits.", number(height), number(width)));
  constexpr std::int64_t kPitch = 32;
  const std::int64_t row = width * static_cast<std::int64_t>(size_of(spec.dtype));
  if (rank == 2 && height > 1 && row % kPitch != 0)
    fault(say("its rows have {} bytes, but rows of a texture are multiples of 32 bytes.", number(row)));
  return faults;
}

namespace {

Error lacking(Phrase<> what) {
  return {ErrorKind::component,
          "unsupported",
          say("This device makes no {}.", what),
          say("Use another device."),
          {},
          0};
}

}  // namespace

Result<std::vector<std::byte>> Device::tensor_map(const TensorMapSpec&, Address) {
  return lacking(phrase("tensor maps"));
}
Result<std::uint64_t> Device::texture(const TextureSpec&, Address) {
  return lacking(phrase("texture objects"));
}

}  // namespace ridge::device
