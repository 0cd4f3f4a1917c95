// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T>: a value, or an Error that names the thing, the place and the way out.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

#include "base/sentence.h"

namespace ridge {

/// Whose fault a failure is; the command line turns it into its exit status.
enum class ErrorKind {
  usage,       ///< wrong use of the program: exit 2
  definition,  ///< a problem, directive or input file is at fault: exit 2
  question,    ///< only the user can answer: exit 2
  component,   ///< a device, worker, library or file system failed or is missing: exit 3
  compile,     ///< the source does not compile: exit 4
  cancelled,   ///< the user said stop
  protocol,    ///< the other side of a pipe sent what it must not: exit 3
  internal     ///< a fault of this program: exit 3
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string code;    ///< stable, for machines: "nvrtc_missing", "unknown_key"
  Sentence message;    ///< one or two sentences for people
  Sentence hint{};     ///< the way out, if there is one
  std::string file{};  ///< the place, if there is one
  int line = 0;        ///< 1-based, 0: none
};

/// A value or an Error. Test it, then use `*result` or `result->`; asking for the absent half is a
/// programming error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}
  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    assert(failed_);
    return error_;
  }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace ridge
