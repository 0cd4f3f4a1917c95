// SPDX-License-Identifier: GPL-3.0-or-later
// From a plan to launches: addresses, tensor maps and textures take their places.
#include <cstring>

#include "device/plan.h"

namespace ridge::device {

Result<Sequence> bind(Device& device, const LaunchSequence& plan, const std::vector<Address>& addresses) {
  Sequence sequence = bind_addresses(plan, addresses);
  const auto address_of = [&](int buffer) { return addresses[static_cast<std::size_t>(buffer)]; };
  for (std::size_t l = 0; l < plan.launches.size(); ++l) {
    for (std::size_t a = 0; a < plan.launches[l].arguments.size(); ++a) {
      const PlannedArgument& argument = plan.launches[l].arguments[a];
      std::vector<std::byte>& bytes = sequence.launches[l].arguments[a];
      if (argument.tensor_map >= 0) {
        const TensorMapPlan& map = plan.tensor_maps[static_cast<std::size_t>(argument.tensor_map)];
        auto made = device.tensor_map(map.spec, address_of(map.buffer));
        if (!made) return made.error();
        bytes = *std::move(made);
      } else if (argument.texture >= 0) {
        const TexturePlan& texture = plan.textures[static_cast<std::size_t>(argument.texture)];
        const auto made = device.texture(texture.spec, address_of(texture.buffer));
        if (!made) return made.error();
        std::memcpy(bytes.data(), &*made, sizeof *made);
      }
    }
  }
  return sequence;
}

Sequence bind_addresses(const LaunchSequence& plan, const std::vector<Address>& addresses) {
  Sequence sequence;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const BufferPlan& buffer = plan.buffers[i];
    if (buffer.copy_of >= 0) {
      sequence.restore.push_back(
          {addresses[i], addresses[static_cast<std::size_t>(buffer.copy_of)], buffer.bytes});
    }
    if (buffer.zeroed) sequence.zero.push_back({addresses[i], buffer.bytes, 0});
  }
  for (const PlannedLaunch& planned : plan.launches) {
    Launch launch = planned.shape;
    for (const PlannedArgument& argument : planned.arguments) {
      if (argument.buffer < 0) {
        launch.arguments.push_back(argument.bytes);
        continue;
      }
      std::vector<std::byte> pointer(sizeof(Address));
      std::memcpy(pointer.data(), &addresses[static_cast<std::size_t>(argument.buffer)], sizeof(Address));
      launch.arguments.push_back(std::move(pointer));
    }
    sequence.launches.push_back(std::move(launch));
  }
  return sequence;
}

}  // namespace ridge::device
