// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/tolerance.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ridge::verify {
namespace {

/// Half a unit in the last place of 1, the largest relative error of one rounding.
double rounding_of(int significand_bits) {
  return std::ldexp(1.0, -significand_bits);
}

/// Significand bits of the type that a unit multiplies.
int factor_bits(hardware::Unit unit) {
  switch (unit) {
    case hardware::Unit::fp64:
    case hardware::Unit::fp64_tensor:
      return 53;
    case hardware::Unit::tf32:
    case hardware::Unit::fp16:
      return 11;
    case hardware::Unit::bf16:
      return 8;
    case hardware::Unit::fp8:
      return 4;
    case hardware::Unit::fp4:
      return 2;
    default:
      return 24;
  }
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

/// Roundings that elementary functions and reordered sums cost, in units of the accumulator's rounding.
constexpr double kFunctionRoundings = 32;
/// Random-walk growth of a sum's error over n terms: about 0.4 sqrt(n) roundings of the typical sum as a
/// standard deviation, so that 4 sqrt(n) holds for the worst of some million elements with a factor of two to
/// spare.
constexpr double kSumRoundings = 4;

struct Derived {
  double rtol = 0, atol = 0;
  Sentence why;
};

Derived derive(const ToleranceInput& input) {
  if (!is_floating(input.output)) return {0, 0, say("integers are exact")};
  const bool fp64 = input.unit == hardware::Unit::fp64 || input.unit == hardware::Unit::fp64_tensor;
  const double output = rounding_of(significand_bits(input.output));
  const double accumulator = rounding_of(fp64 ? 53 : 24);
  const double factor = rounding_of(factor_bits(input.unit));
  const double terms = static_cast<double>(std::max<std::int64_t>(input.reduction, 1));
  const bool multiplies = input.reduction > 1 && factor > accumulator;

  double relative = accumulator * (kFunctionRoundings + kSumRoundings * std::sqrt(terms));
  if (multiplies) relative += 4 * factor;
  Derived derived;
  derived.rtol = 2 * output + relative;
  derived.atol = input.reference.rms * (output + relative);
  derived.why = say("{} output rounds by {}, sums of {} terms in {} by {}, around values of about {}",
                    name_of(input.output), number(output), input.reduction, fp64 ? "float64" : "float32",
                    number(relative), number(input.reference.rms));
  return derived;
}

}  // namespace

bool accepts_zeros(const Tolerance& tolerance, const Magnitude& reference) {
  const bool element_wise = reference.max_abs <= tolerance.atol + tolerance.rtol * reference.max_abs;
  const bool squared = !tolerance.mse || reference.rms * reference.rms <= *tolerance.mse;
  return element_wise && squared;
}

Tolerance tolerance_for(const ToleranceInput& input) {
  Tolerance tolerance;
  tolerance.tensor = input.tensor;
  tolerance.mse = input.mse;
  tolerance.derived = !input.rtol || !input.atol;
  const Derived derived = derive(input);
  tolerance.rtol = input.rtol.value_or(derived.rtol);
  tolerance.atol = input.atol.value_or(derived.atol);
  if (!tolerance.derived)
    tolerance.explanation = say("as the problem states");
  else if (input.rtol || input.atol)
    tolerance.explanation = say("{} as stated, {} derived: {}", input.rtol ? "rtol" : "atol",
                                input.rtol ? "atol" : "rtol", derived.why);
  else
    tolerance.explanation = say("derived: {}", derived.why);

  if (input.reference.max_abs > 0 && accepts_zeros(tolerance, input.reference)) {
    tolerance.rtol = std::min(tolerance.rtol, 0.5);
    tolerance.atol = std::min(tolerance.atol, 0.1 * input.reference.rms);
    tolerance.explanation =
        say("{}; lowered, since an all-zero answer would have passed", tolerance.explanation);
  }
  return tolerance;
}

}  // namespace ridge::verify
