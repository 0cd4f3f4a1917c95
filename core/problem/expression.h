// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of problem files and directives. Whole-number ones are evaluated here in checked 64-bit
// integers; real ones by muParser.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::problem {

using Names = std::map<std::string, std::int64_t>;

inline constexpr std::size_t kExpressionLength = 4096;  ///< characters
inline constexpr int kExpressionDepth = 64;             ///< nesting

/// C's meaning on int64: + - * / % comparisons && || ! ?: ( ) and ceil_div floor_div min max pow2_ceil
/// align_up log2. Overflow, division by zero and a negative result are errors; an unknown name names the
/// nearest known one.
Result<std::int64_t> evaluate_whole(std::string_view expression, const Names& names);
/// One to three of them, parted by commas (grid, block, cluster); the missing ones are 1.
Result<std::vector<std::int64_t>> evaluate_extents(std::string_view expressions, const Names& names);
/// The names an expression uses, each once; an error if it does not parse.
Result<std::vector<std::string>> names_in_whole(std::string_view expression);

/// Double arithmetic: + - * / ^ ( ), sqrt log log2 log10 exp pow abs min max floor ceil and comparisons. The
/// result is finite.
Result<double> evaluate_real(std::string_view expression, const Names& names);
Result<std::vector<std::string>> names_in_real(std::string_view expression);

}  // namespace ridge::problem
