// SPDX-License-Identifier: GPL-3.0-or-later
// What the type of a kernel parameter, as written in the source, says about the bytes that it takes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/dtype.h"

namespace ridge::device {

/// The element type that `type` names ("const float* __restrict__", "unsigned long long", "__half"), without
/// qualifiers and pointers. Template parameters are replaced through `substitutions`. Empty: not one of ours
/// (a struct, a vector type, a typedef).
std::optional<DType> element_type(std::string_view type,
                                  const std::map<std::string, std::string>& substitutions = {});

/// The name of a kernel without its template arguments: "ns::softmax<256>" -> "ns::softmax".
std::string without_template_arguments(std::string_view name_expression);
/// The text between the outer angle brackets, or empty.
std::string template_arguments(std::string_view name_expression);

}  // namespace ridge::device
