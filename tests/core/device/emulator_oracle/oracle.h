// SPDX-License-Identifier: GPL-3.0-or-later
// One PTX instruction against an independent scalar oracle: the emulator executes it on edge values and
// random ones, with all lanes active and with half of them masked off; the oracle, written from the PTX ISA's
// text, says what must come out.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace ridge::oracle {

using Bits = std::uint64_t;
using Operands = std::span<const Bits>;

/// A register class of the instruction's operands; `pred` results are written as 0 or 1.
enum class Width { pred, b16, b32, b64 };

/// How a result may differ from the oracle's.
struct Allowed {
  enum class As { bits, f16, bf16, f16x2, bf16x2, f32, f64 } as = As::bits;
  double ulps = 0;  ///< of the result's format
  double absolute = 0;
};

struct Case {
  std::string name;         ///< "add.s32": also the test's name
  std::string instruction;  ///< "add.s32 $d, $a, $b;" ($a $b $c $e operands, $d result, $m address of 32
                            ///< bytes of device memory; {braces} allowed)
  std::vector<Width> inputs;
  Width output = Width::b32;
  std::vector<std::vector<Bits>> values;  ///< edge values of each operand
  std::function<Bits(Operands)> expected;
  Allowed allowed;
  bool h200_departs = false;  ///< an H200 was seen to do something else than the ISA's text
};

void PrintTo(const Case& test, std::ostream* out);  ///< GoogleTest's name of a parameter

/// Runs the case; failures are reported to GoogleTest with operands in hexadecimal. Each program that links
/// the cases has its own: the emulator against the oracle, or a GPU against the emulator.
void check(const Case& test);

/// Whether a result is as close to the expected one as is allowed.
bool agrees(Bits got, Bits expected, const Allowed& allowed);
/// Distance of two floating results in units of the last place of the expected one; of a pair, the larger.
/// Not finite when only one of them is.
double ulps_between(Bits got, Bits expected, Allowed::As as);
/// The bits of a value that the output's register holds.
Bits as_result(const Case& test, Bits value);

/// Edge values, by the format they are read in.
std::vector<Bits> edges_integer(int width);
std::vector<Bits> edges_f16();
std::vector<Bits> edges_bf16();
std::vector<Bits> edges_f32();
std::vector<Bits> edges_f64();
/// Pairs of half-width values.
std::vector<Bits> packed(const std::vector<Bits>& halves);

// Views that let the oracles read like the ISA.
float as_f32(Bits bits);
double as_f64(Bits bits);
Bits of_f32(float value);  ///< a NaN becomes the canonical 0x7fffffff that PTX promises
Bits of_f64(double value);
std::int64_t as_signed(Bits bits, int width);
Bits truncated(Bits bits, int width);
float flushed(float value);  ///< .ftz: subnormals become zero of their sign

/// Rounding modes of PTX.
enum class Round { rn, rz, rm, rp };
/// Makes the host round as PTX says for as long as it lives. Operands must come through volatile.
class RoundingScope {
 public:
  explicit RoundingScope(Round mode);
  ~RoundingScope();
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int before_;
};

/// A test name GoogleTest takes: letters, digits and underscores.
std::string test_name(const std::string& name);

}  // namespace ridge::oracle
