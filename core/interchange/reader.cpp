// SPDX-License-Identifier: GPL-3.0-or-later
#include "interchange/reader.h"

namespace ridge::interchange {

const Json& Reader::at(const std::string& pointer) const {
  static const Json kNull;
  const Json::json_pointer place(pointer);
  return json_.value.contains(place) ? json_.value.at(place) : kNull;
}

std::optional<std::string> Reader::text(const std::string& pointer, const Sentence& what) {
  const Json& value = at(pointer);
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) return value.get<std::string>();
  fault(pointer, value.is_null() ? say("{} is missing", what) : say("{} is a string", what),
        say("write a string"));
  return {};
}

const Json* Reader::object(const std::string& pointer, const Sentence& what) {
  const Json& value = at(pointer);
  if (value.is_object()) return &value;
  fault(pointer, value.is_null() ? say("{} is missing", what) : say("{} is an object", what),
        say("write an object: {}", "{ … }"));
  return nullptr;
}

}  // namespace ridge::interchange
