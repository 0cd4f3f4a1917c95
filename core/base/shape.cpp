// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ridge {
namespace {

constexpr std::int64_t kExact = std::int64_t{1} << 53;

/// The number that a string holds in the very form in which json_integer and json_unsigned write it.
template <class Integer>
std::optional<Integer> large_integer(const Json& json) {
  if (!json.is_string()) return std::nullopt;
  const std::string& text = json.get_ref<const std::string&>();
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || std::to_string(value) != text)
    return std::nullopt;
  const bool small = value <= static_cast<Integer>(kExact) &&
                     (!std::is_signed_v<Integer> || static_cast<std::int64_t>(value) >= -kExact);
  return small ? std::nullopt : std::optional(value);
}

std::optional<std::int64_t> integer_of(const Json& json) {
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  return large_integer<std::int64_t>(json);
}

bool is_unsigned(const Json& json) {
  if (json.is_number_integer()) return json.is_number_unsigned() || json.get<std::int64_t>() >= 0;
  return large_integer<std::uint64_t>(json).has_value();
}

std::optional<double> number_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::string shown(const Json& json) {
  constexpr std::size_t kLongest = 60;
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

}  // namespace

Shape Shape::anything() {
  return Shape(Kind::anything);
}
Shape Shape::text() {
  return Shape(Kind::text);
}
Shape Shape::word(std::vector<std::string> known) {
  Shape shape(Kind::word);
  shape.words_ = std::move(known);
  return shape;
}
Shape Shape::flag() {
  return Shape(Kind::flag);
}
Shape Shape::integer(std::int64_t low, std::int64_t high) {
  Shape shape(Kind::integer);
  shape.low_ = low;
  shape.high_ = high;
  return shape;
}
Shape Shape::unsigned_integer() {
  return Shape(Kind::unsigned_integer);
}
Shape Shape::number() {
  return Shape(Kind::number);
}
Shape Shape::magnitude() {
  return Shape(Kind::magnitude);
}
Shape Shape::quantity() {
  return Shape(Kind::quantity);
}
Shape Shape::positive() {
  return Shape(Kind::positive);
}
Shape Shape::list(Shape element, std::optional<std::size_t> size) {
  Shape shape(Kind::list);
  shape.elements_.push_back(std::move(element));
  shape.size_ = size;
  return shape;
}
Shape Shape::map(Shape value) {
  Shape shape(Kind::map);
  shape.elements_.push_back(std::move(value));
  return shape;
}
Shape Shape::record(Members members) {
  Shape shape(Kind::record);
  shape.members_ = std::move(members);
  return shape;
}

Shape Shape::or_null() && {
  nullable_ = true;
  return std::move(*this);
}
Shape Shape::required() && {
  required_ = true;
  return std::move(*this);
}
Shape Shape::optional() && {
  required_ = false;
  return std::move(*this);
}
Shape Shape::plus(const Members& more) && {
  members_.insert(members_.end(), more.begin(), more.end());
  return std::move(*this);
}

bool Shape::may_be_missing() const {
  if (required_) return !*required_;
  switch (kind_) {
    case Kind::word:
    case Kind::integer:
    case Kind::unsigned_integer:
    case Kind::number:
    case Kind::magnitude:
    case Kind::quantity:
    case Kind::positive:
      return nullable_;
    default:
      return true;
  }
}

bool Shape::fits(const Json& json) const {
  if (json.is_null() && nullable_) return true;
  const std::optional<double> number = number_of(json);
  switch (kind_) {
    case Kind::anything:
      return true;
    case Kind::text:
      return json.is_string();
    case Kind::word:
      return json.is_string() &&
             std::find(words_.begin(), words_.end(), json.get_ref<const std::string&>()) != words_.end();
    case Kind::flag:
      return json.is_boolean();
    case Kind::integer: {
      const std::optional<std::int64_t> value = integer_of(json);
      return value && *value >= low_ && *value <= high_;
    }
    case Kind::unsigned_integer:
      return is_unsigned(json);
    case Kind::number:
      return number.has_value();
    case Kind::magnitude:
      return number && !(*number < 0);
    case Kind::quantity:
      return number && std::isfinite(*number) && *number >= 0;
    case Kind::positive:
      return number && std::isfinite(*number) && *number > 0;
    case Kind::list:
      return json.is_array() && (!size_ || json.size() == *size_);
    case Kind::map:
    case Kind::record:
      return json.is_object();
  }
  return false;
}

Sentence Shape::expected() const {
  const auto described = [&]() -> Sentence {
    switch (kind_) {
      case Kind::anything:
        return say("anything");
      case Kind::text:
        return say("text");
      case Kind::word: {
        std::string list;
        for (const std::string& word : words_) list += (list.empty() ? "'" : ", '") + word + "'";
        return say("one of {}", list);
      }
      case Kind::flag:
        return say("true or false");
      case Kind::integer:
        if (high_ != std::numeric_limits<std::int64_t>::max())
          return say("a whole number from {} to {}", low_, high_);
        return say("a whole number of at least {}", low_);
      case Kind::unsigned_integer:
        return say("a whole number of at least {}", 0);
      case Kind::number:
        return say("a number");
      case Kind::magnitude:
        return say("a number of at least 0");
      case Kind::quantity:
        return say("a finite number of at least 0");
      case Kind::positive:
        return say("a finite number above 0");
      case Kind::list:
        return size_ ? say("a list of {}", *size_) : say("a list");
      case Kind::map:
      case Kind::record:
        return say("an object");
    }
    return {};
  }();
  return nullable_ ? say("{}, or null", described) : described;
}

std::optional<Shape::Misfit> Shape::misfit_at(const Json& json, const std::string& path) const {
  if (!fits(json)) return Misfit{path, shown(json), expected(), kind_ == Kind::word && json.is_string()};
  if (json.is_null()) return std::nullopt;
  if (kind_ == Kind::list) {
    std::size_t index = 0;
    for (const Json& element : json)
      if (auto found = elements_.front().misfit_at(element, path + "[" + std::to_string(index++) + "]"))
        return found;
  } else if (kind_ == Kind::map) {
    for (const auto& [name, value] : json.items())
      if (auto found = elements_.front().misfit_at(value, path + (path.empty() ? "" : ".") + name))
        return found;
  } else if (kind_ == Kind::record) {
    for (const auto& [name, shape] : members_) {
      const std::string place = path + (path.empty() ? "" : ".") + name;
      const auto value = json.find(name);
      if (value == json.end() && !shape.may_be_missing())
        return Misfit{place, "missing", shape.expected(), false};
      if (value == json.end()) continue;
      if (auto found = shape.misfit_at(*value, place)) return found;
    }
  }
  return std::nullopt;
}

std::optional<Shape::Misfit> Shape::misfit(const Json& json) const {
  return misfit_at(json, {});
}

Error to_error(const Shape::Misfit& misfit) {
  const Sentence place = misfit.path.empty() ? say("the document") : Sentence(misfit.path);
  return {misfit.unknown_word ? ErrorKind::protocol : ErrorKind::definition,
          misfit.unknown_word ? "unknown_word" : "wrong_value",
          say("{} is {}, and should be {}", place, misfit.value, misfit.expected),
          misfit.unknown_word ? say("use the release that wrote it") : Sentence(),
          {},
          0};
}

}  // namespace ridge
