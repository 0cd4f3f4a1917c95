// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a device printf.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::device::emulator {

/// Reads `bytes` at `offset` of the argument buffer; empty: outside.
using ReadArgument = std::function<std::optional<std::uint64_t>(std::uint64_t offset, int bytes)>;
/// The string at a generic address.
using ReadString = std::function<std::string(std::uint64_t address)>;

/// Conversions as the CUDA guide lists them: flags, width and precision (also *), hh h l ll, diouxX
/// cspaAeEfFgG %.
std::string format_printf(std::string_view format, const ReadArgument& argument, const ReadString& string);

}  // namespace ridge::device::emulator
