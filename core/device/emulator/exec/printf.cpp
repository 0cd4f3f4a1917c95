// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/emulator/exec/printf.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace ridge::device::emulator {

namespace {

constexpr int kLargestWidth = 4096;

/// Lays arguments out as NVRTC does: each at a multiple of its own size.
class Arguments {
 public:
  explicit Arguments(const ReadArgument& read) : read_(read) {}
  std::optional<std::uint64_t> next(int bytes) {
    const auto size = static_cast<std::uint64_t>(bytes);
    offset_ = (offset_ + size - 1) / size * size;
    const auto value = read_(offset_, bytes);
    offset_ += size;
    return value;
  }

 private:
  const ReadArgument& read_;
  std::uint64_t offset_ = 0;
};

template <class T>
std::string formatted(const std::string& specification, int width, int precision, T value) {
  char buffer[8192];
  const int length = std::snprintf(buffer, sizeof buffer, specification.c_str(), width, precision, value);
  return length < 0 ? std::string()
                    : std::string(buffer,
                                  std::min<std::size_t>(static_cast<std::size_t>(length), sizeof buffer - 1));
}

}  // namespace

std::string format_printf(std::string_view format, const ReadArgument& argument, const ReadString& string) {
  Arguments arguments(argument);
  std::string result;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      result += format[at++];
      continue;
    }
    const std::size_t begin = at++;
    if (at < format.size() && format[at] == '%') {
      result += '%';
      ++at;
      continue;
    }
    std::string specification = "%";
    while (at < format.size() && std::string_view("-+ #0").find(format[at]) != std::string_view::npos)
      if (specification.size() < 8)
        specification += format[at++];
      else
        ++at;
    const auto number = [&](int fallback) {
      if (at < format.size() && format[at] == '*') {
        ++at;
        return static_cast<int>(static_cast<std::int32_t>(arguments.next(4).value_or(0)));
      }
      int value = fallback;
      while (at < format.size() && format[at] >= '0' && format[at] <= '9')
        value = std::min((value < 0 ? 0 : value) * 10 + (format[at++] - '0'), kLargestWidth);
      return value;
    };
    const int width = std::clamp(number(0), -kLargestWidth, kLargestWidth);
    int precision = -1;
    if (at < format.size() && format[at] == '.') {
      ++at;
      precision = std::min(number(0), kLargestWidth);
    }
    int bytes = 4, narrow = 4;
    for (; at < format.size() && std::string_view("hljzt").find(format[at]) != std::string_view::npos; ++at) {
      if (format[at] == 'h')
        narrow = narrow == 2 ? 1 : 2;
      else
        bytes = 8;
    }
    if (at >= format.size()) {
      result += format.substr(begin);
      break;
    }
    const char conversion = format[at++];
    const auto with = [&](std::string_view length) {
      return specification + "*.*" + std::string(length) + conversion;
    };
    switch (conversion) {
      case 'd':
      case 'i': {
        auto value = static_cast<std::int64_t>(arguments.next(bytes).value_or(0));
        if (bytes == 4)
          value = narrow == 1   ? static_cast<std::int8_t>(value)
                  : narrow == 2 ? static_cast<std::int16_t>(value)
                                : static_cast<std::int32_t>(value);
        result += formatted(with("ll"), width, precision, static_cast<long long>(value));
        break;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        auto value = arguments.next(bytes).value_or(0);
        if (bytes == 4 && narrow < 4) value &= (std::uint64_t{1} << (8 * narrow)) - 1;
        result += formatted(with("ll"), width, precision, static_cast<unsigned long long>(value));
        break;
      }
      case 'c': {
        const std::string one(1, static_cast<char>(arguments.next(4).value_or(0)));
        result += formatted(specification + "*.*s", width, 1, one.c_str());
        break;
      }
      case 's': {
        const auto address = arguments.next(8);
        const std::string text = address ? string(*address) : std::string("(null)");
        result += formatted(with(""), width, precision, text.c_str());
        break;
      }
      case 'p': {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "0x%llx",
                      static_cast<unsigned long long>(arguments.next(8).value_or(0)));
        result += formatted(specification + "*.*s", width, -1, static_cast<const char*>(buffer));
        break;
      }
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        result += formatted(with(""), width, precision, std::bit_cast<double>(arguments.next(8).value_or(0)));
        break;
      default:
        result += format.substr(begin, at - begin);
        break;
    }
  }
  return result;
}

}  // namespace ridge::device::emulator
