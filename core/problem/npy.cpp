// SPDX-License-Identifier: GPL-3.0-or-later
// The .npy format: "\x93NUMPY", version, length of a header, the header (a Python dictionary as text), raw
// data.
#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string>

#include "base/text.h"
#include "problem/generate.h"

namespace ridge::problem {
namespace {

Error npy_error(const std::string& path, const Sentence& what, const Sentence& hint = {}) {
  return {ErrorKind::definition, "npy", say("{}: {}", path, what), hint, path, 0};
}

/// Descriptions that hold the bits of a dtype. NumPy has no bfloat16 and float8; their bits are kept as raw
/// or unsigned elements of the same size.
std::vector<std::string> descriptions(DType dtype) {
  switch (dtype) {
    case DType::float64:
      return {"<f8"};
    case DType::float32:
      return {"<f4"};
    case DType::float16:
      return {"<f2"};
    case DType::bfloat16:
      return {"<u2", "<V2", "|V2"};
    case DType::float8_e4m3fn:
    case DType::float8_e5m2:
      return {"|u1", "|V1"};
    case DType::int64:
      return {"<i8"};
    case DType::int32:
      return {"<i4"};
    case DType::int16:
      return {"<i2"};
    case DType::int8:
      return {"|i1"};
    case DType::uint64:
      return {"<u8"};
    case DType::uint32:
      return {"<u4"};
    case DType::uint16:
      return {"<u2"};
    case DType::uint8:
      return {"|u1"};
    case DType::boolean:
      return {"|b1"};
  }
  return {};
}

/// The text after 'key': up to the comma that ends it, outside of brackets.
std::string entry(const std::string& header, const std::string& key) {
  const std::size_t at = header.find("'" + key + "'");
  const std::size_t colon = at == std::string::npos ? at : header.find(':', at);
  if (colon == std::string::npos) return {};
  int depth = 0;
  std::size_t end = colon + 1;
  for (; end < header.size(); ++end) {
    const char c = header[end];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && (c == ',' || c == '}')) break;
  }
  return std::string(trim(std::string_view(header).substr(colon + 1, end - colon - 1)));
}

std::string shape_text(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (const std::int64_t extent : extents) text += std::to_string(extent) + ",";
  return "(" + text + ")";
}

/// "(3, 4)" and "(3,)" in the form of shape_text.
std::string normalised(const std::string& shape) {
  std::string text;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(text),
               [](char c) { return c != ' ' && c != 'L'; });
  if (text.size() > 2 && text[text.size() - 2] != ',') text.insert(text.size() - 1, ",");
  return text;
}

}  // namespace

Result<void> read_npy(const std::string& path, DType dtype, const std::vector<std::int64_t>& extents,
                      std::span<std::byte> data) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return npy_error(path, say("cannot be opened"), say("write the array with numpy.save"));
  std::array<char, 12> head{};
  file.read(head.data(), 10);
  if (!file || std::memcmp(head.data(), "\x93NUMPY", 6) != 0) return npy_error(path, say("is no .npy file"));
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(head[i]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) return npy_error(path, say("has the unknown format version {}", version));
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) {
    file.read(head.data() + 10, 2);
    length |= byte(10) << 16 | byte(11) << 24;
  }
  constexpr std::size_t kLongestHeader = 1 << 20;
  if (!file || length > kLongestHeader) return npy_error(path, say("has a damaged header"));
  std::string header(length, '\0');
  file.read(header.data(), static_cast<std::streamsize>(length));
  if (!file) return npy_error(path, say("ends inside its header"));

  std::string description = entry(header, "descr");
  std::erase_if(description, [](char c) { return c == '\'' || c == '"'; });
  const std::vector<std::string> wanted = descriptions(dtype);
  if (std::find(wanted.begin(), wanted.end(), description) == wanted.end()) {
    return npy_error(path,
                     say("holds {}, but {} ({}) is wanted", description, name_of(dtype), wanted.front()),
                     description.starts_with('>') ? say("save it little-endian")
                                                  : say("convert it with astype before numpy.save"));
  }
  const bool one_axis = extents.size() < 2;  // C and Fortran order are the same then
  if (entry(header, "fortran_order") != "False" && !one_axis)
    return npy_error(path, say("is in Fortran order"), say("save numpy.ascontiguousarray(x)"));
  const std::string shape = normalised(entry(header, "shape"));
  if (shape != shape_text(extents))
    return npy_error(path, say("has the shape {}, but {} is wanted", shape, shape_text(extents)));
  file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()));
  if (static_cast<std::size_t>(file.gcount()) != data.size())
    return npy_error(path, say("ends after {} of {} bytes", file.gcount(), data.size()));
  return {};
}

}  // namespace ridge::problem
