// SPDX-License-Identifier: GPL-3.0-or-later
#include "source/prelude.h"

#include <string_view>

#include "source/mask.h"
#include "source/outline.h"

namespace ridge::source {
namespace {

struct Name {
  std::string_view name, meaning;
};

/// As cuda/std/cstdint has them under NVRTC (64 bits are long long there), so that both can be included.
constexpr Name kTypes[] = {{"int8_t", "signed char"},         {"int16_t", "signed short"},
                           {"int32_t", "signed int"},         {"int64_t", "signed long long"},
                           {"uint8_t", "unsigned char"},      {"uint16_t", "unsigned short"},
                           {"uint32_t", "unsigned int"},      {"uint64_t", "unsigned long long"},
                           {"intptr_t", "signed long long"},  {"uintptr_t", "unsigned long long"},
                           {"intmax_t", "signed long long"},  {"uintmax_t", "unsigned long long"},
                           {"size_t", "decltype(sizeof(0))"}, {"ptrdiff_t", "decltype((char*)0 - (char*)0)"}};

/// Of sys/types.h; not in namespace std.
constexpr Name kShortNames[] = {{"uchar", "unsigned char"},
                                {"ushort", "unsigned short"},
                                {"uint", "unsigned int"},
                                {"ulong", "unsigned long"}};

/// Token for token as cuda/std/climits and cuda/std/cstdint have them: a macro may be defined again in the
/// same words.
constexpr Name kMacros[] = {{"CHAR_BIT", "8"},
                            {"SCHAR_MIN", "(-128)"},
                            {"SCHAR_MAX", "127"},
                            {"UCHAR_MAX", "255"},
                            {"SHRT_MIN", "(-SHRT_MAX - 1)"},
                            {"SHRT_MAX", "0x7fff"},
                            {"USHRT_MAX", "0xffff"},
                            {"INT_MIN", "(-INT_MAX - 1)"},
                            {"INT_MAX", "0x7fffffff"},
                            {"UINT_MAX", "0xffffffff"},
                            {"LONG_MIN", "(-LONG_MAX - 1)"},
                            {"LONG_MAX", "LLONG_MAX"},
                            {"ULONG_MAX", "ULLONG_MAX"},
                            {"LLONG_MIN", "(-LLONG_MAX - 1)"},
                            {"LLONG_MAX", "0x7fffffffffffffffLL"},
                            {"ULLONG_MAX", "0xffffffffffffffffUL"},
                            {"INT8_MIN", "SCHAR_MIN"},
                            {"INT16_MIN", "SHRT_MIN"},
                            {"INT32_MIN", "INT_MIN"},
                            {"INT64_MIN", "LLONG_MIN"},
                            {"INT8_MAX", "SCHAR_MAX"},
                            {"INT16_MAX", "SHRT_MAX"},
                            {"INT32_MAX", "INT_MAX"},
                            {"INT64_MAX", "LLONG_MAX"},
                            {"UINT8_MAX", "UCHAR_MAX"},
                            {"UINT16_MAX", "USHRT_MAX"},
                            {"UINT32_MAX", "UINT_MAX"},
                            {"UINT64_MAX", "ULLONG_MAX"},
                            {"SIZE_MAX", "UINT64_MAX"},
                            {"FLT_MAX", "3.402823466e+38F"},
                            {"FLT_MIN", "1.175494351e-38F"},
                            {"FLT_EPSILON", "1.192092896e-07F"},
                            {"DBL_MAX", "1.7976931348623158e+308"},
                            {"DBL_MIN", "2.2250738585072014e-308"},
                            {"DBL_EPSILON", "2.2204460492503131e-016"},
                            {"INFINITY", "(__builtin_bit_cast(float, 0x7f800000))"},
                            {"NAN", "(__builtin_bit_cast(float, 0x7fffffff))"},
                            {"HUGE_VALF", "(__builtin_bit_cast(float, 0x7f800000))"},
                            {"HUGE_VAL", "(__builtin_bit_cast(double, 0x7ff0000000000000ll))"},
                            {"M_E", "2.7182818284590452354"},
                            {"M_LOG2E", "1.4426950408889634074"},
                            {"M_LOG10E", "0.43429448190325182765"},
                            {"M_LN2", "0.69314718055994530942"},
                            {"M_LN10", "2.30258509299404568402"},
                            {"M_PI", "3.14159265358979323846"},
                            {"M_PI_2", "1.57079632679489661923"},
                            {"M_PI_4", "0.78539816339744830962"},
                            {"M_1_PI", "0.31830988618379067154"},
                            {"M_2_PI", "0.63661977236758134308"},
                            {"M_2_SQRTPI", "1.12837916709551257390"},
                            {"M_SQRT2", "1.41421356237309504880"},
                            {"M_SQRT1_2", "0.70710678118654752440"}};

/// Whether code defines `name` itself: #define name, typedef … name;, using name =, or a variable name = ….
bool defines(const std::string& code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
    std::size_t after = at + name.size();
    if ((at > 0 && is_word(code[at - 1])) || (after < code.size() && is_word(code[after]))) continue;
    std::size_t before = at;
    while (before > 0 && (code[before - 1] == ' ' || code[before - 1] == '\t')) --before;
    if (std::string_view(code).substr(0, before).ends_with("define")) return true;
    while (after < code.size() && is_space(code[after])) ++after;
    if (after >= code.size()) continue;
    if (code[after] == '=' && (after + 1 >= code.size() || code[after + 1] != '=')) return true;
    if (code[after] != ';') continue;
    const std::size_t start = code.find_last_of(";{}\n", at);
    const std::string_view statement = std::string_view(code).substr(
        start == std::string::npos ? 0 : start + 1, at - (start == std::string::npos ? 0 : start + 1));
    if (statement.find("typedef") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string prelude_for(const std::string& code) {
  const std::set<std::string> words = words_in(code);
  const auto own = [&](const Name& name) {
    return words.contains(std::string(name.name)) && defines(code, name.name);
  };
  std::string text = "#pragma once\n", in_std;
  // cuda/std/cmath defines INFINITY and NAN without asking; that is no news to anybody.
  for (const std::string_view library : {"<cuda/", "<cub/", "<cute/", "<cutlass/"})
    if (code.find(library) != std::string::npos) {
      text += "#pragma nv_diag_suppress 47\n";
      break;
    }
  const auto add_type = [&](const Name& type) {
    if (own(type)) return false;
    text += "typedef " + std::string(type.meaning) + " " + std::string(type.name) + ";\n";
    return true;
  };
  for (const Name& type : kTypes)
    if (add_type(type)) in_std += " using ::" + std::string(type.name) + ";";
  for (const Name& type : kShortNames) add_type(type);
  text += "namespace std {" + in_std + " }\n";
  for (const Name& macro : kMacros)
    if (!own(macro)) text += "#define " + std::string(macro.name) + " " + std::string(macro.meaning) + "\n";
  // cuda.h is a host header; of what it declares kernels use this type.
  if (words.contains("CUtensorMap") && !defines(code, "CUtensorMap"))
    text +=
        "struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; };\n"
        "typedef struct CUtensorMap_st CUtensorMap;\n";
  return text;
}

}  // namespace ridge::source
