// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/handles.h"

#include <algorithm>
#include <cstring>

#include "device/cuda/errors.h"
#include "device/handles.h"

namespace ridge::device::cuda {
namespace {

CUtensorMapDataType tensor_type(DType dtype) {
  switch (dtype) {
    case DType::float64:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case DType::float32:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case DType::float16:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case DType::bfloat16:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case DType::int64:
      return CU_TENSOR_MAP_DATA_TYPE_INT64;
    case DType::uint64:
      return CU_TENSOR_MAP_DATA_TYPE_UINT64;
    case DType::int32:
      return CU_TENSOR_MAP_DATA_TYPE_INT32;
    case DType::uint32:
      return CU_TENSOR_MAP_DATA_TYPE_UINT32;
    case DType::int16:
    case DType::uint16:
      return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    default:
      return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
}

CUarray_format texel_format(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return CU_AD_FORMAT_FLOAT;
    case DType::float16:
      return CU_AD_FORMAT_HALF;
    case DType::int32:
      return CU_AD_FORMAT_SIGNED_INT32;
    case DType::uint32:
      return CU_AD_FORMAT_UNSIGNED_INT32;
    case DType::int16:
      return CU_AD_FORMAT_SIGNED_INT16;
    case DType::uint16:
      return CU_AD_FORMAT_UNSIGNED_INT16;
    case DType::int8:
      return CU_AD_FORMAT_SIGNED_INT8;
    default:
      return CU_AD_FORMAT_UNSIGNED_INT8;
  }
}

CUaddress_mode address_mode(TextureAddress address) {
  switch (address) {
    case TextureAddress::border:
      return CU_TR_ADDRESS_MODE_BORDER;
    case TextureAddress::wrap:
      return CU_TR_ADDRESS_MODE_WRAP;
    case TextureAddress::mirror:
      return CU_TR_ADDRESS_MODE_MIRROR;
    case TextureAddress::clamp:
      break;
  }
  return CU_TR_ADDRESS_MODE_CLAMP;
}

/// The specification's own fault, or the driver's.
Error refused(Sentence why, int line) {
  return {ErrorKind::definition, "launch_failed", std::move(why), {}, {}, line};
}

Error lacking(const char* function) {
  return {ErrorKind::component,
          "driver_too_old",
          say("The driver has no {}.", function),
          say("Update to driver 525 (CUDA 12.0) or newer."),
          {},
          0};
}

}  // namespace

Result<std::vector<std::byte>> encode_tensor_map(Context& context, const TensorMapSpec& spec,
                                                 Address address) {
  if (auto entered = context.enter(); !entered) return entered.error();
  if (context.driver().encode_tensor_map == nullptr) return lacking("cuTensorMapEncodeTiled");
  if (const auto faults = faults_of(spec); !faults.empty())
    return Error{ErrorKind::definition, "launch_failed", faults.front(), "", {}, spec.line};
  const std::vector<std::int64_t> strides = strides_of(spec);
  std::vector<cuuint64_t> extents, row_strides;
  std::vector<cuuint32_t> box, steps(spec.extents.size(), 1);
  for (std::size_t k = spec.extents.size(); k-- > 0;) {  // innermost first
    extents.push_back(static_cast<cuuint64_t>(spec.extents[k]));
    box.push_back(static_cast<cuuint32_t>(spec.box[k]));
    if (k + 1 < spec.extents.size()) row_strides.push_back(static_cast<cuuint64_t>(strides[k]));
  }
  row_strides.push_back(0);  // of one dimension there is none, yet the driver wants a pointer
  alignas(64) CUtensorMap map{};
  const CUresult result = context.driver().encode_tensor_map(
      &map, tensor_type(spec.dtype), static_cast<cuuint32_t>(extents.size()),
      reinterpret_cast<void*>(address), extents.data(), row_strides.data(), box.data(), steps.data(),
      CU_TENSOR_MAP_INTERLEAVE_NONE,
      spec.swizzle_bytes == 32    ? CU_TENSOR_MAP_SWIZZLE_32B
      : spec.swizzle_bytes == 64  ? CU_TENSOR_MAP_SWIZZLE_64B
      : spec.swizzle_bytes == 128 ? CU_TENSOR_MAP_SWIZZLE_128B
                                  : CU_TENSOR_MAP_SWIZZLE_NONE,
      spec.l2_bytes == 64    ? CU_TENSOR_MAP_L2_PROMOTION_L2_64B
      : spec.l2_bytes == 128 ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
      : spec.l2_bytes == 256 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B
                             : CU_TENSOR_MAP_L2_PROMOTION_NONE,
      spec.nan_fill ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_ERROR_INVALID_VALUE)
    return refused(
        say("Tensor map {}: the driver refuses it. Check box, swizzle and the alignment of its tensor.",
            spec.name),
        spec.line);
  if (auto done = context.check(result, say("Encoding tensor map {}", spec.name)); !done) return done.error();
  std::vector<std::byte> bytes(sizeof map);
  std::memcpy(bytes.data(), &map, sizeof map);
  return bytes;
}

Textures::~Textures() {
  if (objects_.empty() || !context_->enter()) return;
  for (const auto& [address, object] : objects_) context_->driver().texture_destroy(object);
}

Result<std::uint64_t> Textures::create(const TextureSpec& spec, Address address) {
  if (auto entered = context_->enter(); !entered) return entered.error();
  if (context_->driver().texture_create == nullptr || context_->driver().texture_destroy == nullptr)
    return lacking("cuTexObjectCreate");
  if (const auto faults = faults_of(spec); !faults.empty())
    return Error{ErrorKind::definition, "launch_failed", faults.front(), "", {}, spec.line};
  const auto width = static_cast<std::size_t>(spec.extents.back());
  CUDA_RESOURCE_DESC resource{};
  if (spec.extents.size() == 1) {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = address;
    resource.res.linear.format = texel_format(spec.dtype);
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = width * size_of(spec.dtype);
  } else {
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = address;
    resource.res.pitch2D.format = texel_format(spec.dtype);
    resource.res.pitch2D.numChannels = 1;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = static_cast<std::size_t>(spec.extents[0]);
    constexpr std::size_t kPitch = 32;
    resource.res.pitch2D.pitchInBytes = (width * size_of(spec.dtype) + kPitch - 1) / kPitch * kPitch;
  }
  CUDA_TEXTURE_DESC texture{};
  for (CUaddress_mode& mode : texture.addressMode) mode = address_mode(spec.address);
  texture.filterMode = spec.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (spec.normalized_coordinates) texture.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (!is_floating(spec.dtype) && !spec.normalized_read) texture.flags |= CU_TRSF_READ_AS_INTEGER;
  CUtexObject object = 0;
  const CUresult result = context_->driver().texture_create(&object, &resource, &texture, nullptr);
  if (result == CUDA_ERROR_INVALID_VALUE)
    return refused(
        say("Texture {}: the driver refuses it. Check its extents, filter and address modes.", spec.name),
        spec.line);
  if (auto done = context_->check(result, say("Making texture {}", spec.name)); !done) return done.error();
  objects_.emplace(address, object);
  return object;
}

void Textures::release(Address address) {
  const auto [first, last] = objects_.equal_range(address);
  if (first == last || !context_->enter()) return;
  for (auto object = first; object != last; ++object) context_->driver().texture_destroy(object->second);
  objects_.erase(first, last);
}

}  // namespace ridge::device::cuda
