// SPDX-License-Identifier: GPL-3.0-or-later
// What a JSON document that this program wrote looks like, and where another one differs. The readers of
// base/json.h are tolerant: they take what does not fit for missing. Whoever reads a file asks here first, so
// that nothing in it is taken for something else.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"

namespace ridge {

class Shape {
 public:
  using Members = std::vector<std::pair<std::string, Shape>>;

  static Shape anything();
  static Shape text();
  static Shape word(std::vector<std::string> known);  ///< another word is of another release
  static Shape flag();
  /// As json_integer writes it: beyond 2^53 a string.
  static Shape integer(std::int64_t low, std::int64_t high = std::numeric_limits<std::int64_t>::max());
  static Shape unsigned_integer();  ///< 64 bits
  static Shape number();            ///< also "nan", "inf", "-inf"
  static Shape magnitude();         ///< a number of at least 0, also "nan" and "inf"
  static Shape quantity();          ///< a finite number of at least 0
  static Shape positive();          ///< a finite number above 0
  static Shape list(Shape element, std::optional<std::size_t> size = {});
  static Shape map(Shape value);  ///< any names
  /// Unknown members fit: a newer release has others. A missing number or word does not, because it would be
  /// read as 0 or as another word; other missing members are known to be missing (null, empty).
  static Shape record(Members members);

  Shape or_null() &&;
  Shape required() &&;                 ///< as a member: may not be missing, whatever it is
  Shape optional() &&;                 ///< as a member: is only written where it is known
  Shape plus(const Members& more) &&;  ///< a record with further members

  struct Misfit {
    std::string path;   ///< "model.ceilings[1].value"
    std::string value;  ///< as JSON, cut when long
    Sentence expected;  ///< "a finite number of at least 0, or null"
    bool unknown_word = false;
  };
  /// The first place of `json` that does not fit.
  std::optional<Misfit> misfit(const Json& json) const;
  /// The members of a record; empty for others.
  const Members& members() const { return members_; }
  /// The element of a list or map; null for others.
  const Shape* element() const { return elements_.empty() ? nullptr : &elements_.front(); }

 private:
  enum class Kind {
    anything,
    text,
    word,
    flag,
    integer,
    unsigned_integer,
    number,
    magnitude,
    quantity,
    positive,
    list,
    map,
    record
  };
  explicit Shape(Kind kind) : kind_(kind) {}

  bool fits(const Json& json) const;
  bool may_be_missing() const;
  Sentence expected() const;
  std::optional<Misfit> misfit_at(const Json& json, const std::string& path) const;

  Kind kind_;
  bool nullable_ = false;
  std::optional<bool> required_;
  std::int64_t low_ = 0, high_ = 0;
  std::optional<std::size_t> size_;
  std::vector<std::string> words_;
  std::vector<Shape> elements_;  // of a list or map: one
  Members members_;
};

/// "model.flops is "abc", and should be a finite number of at least 0"; an unknown word is of another
/// release.
Error to_error(const Shape::Misfit& misfit);

}  // namespace ridge
