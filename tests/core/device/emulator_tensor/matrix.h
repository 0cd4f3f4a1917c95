// SPDX-License-Identifier: GPL-3.0-or-later
// The scalar oracle of matrix products: elements in the formats of the PTX ISA, a product element by element
// in ascending k, and the positions of fragment elements as the ISA's formulas give them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ridge::device::tensor {

/// An element type by its PTX name, with its width.
struct Format {
  std::string name;
  int bits = 32;
};
Format format(const std::string& name);

/// The value of an element, exact.
double value_of(const Format& format, std::uint64_t bits);

/// A matrix of element bits.
struct Matrix {
  Format type;
  int rows = 0, columns = 0;
  std::vector<std::uint64_t> bits;

  Matrix(const Format& format, int row_count, int column_count)
      : type(format),
        rows(row_count),
        columns(column_count),
        bits(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {}
  std::uint64_t& at(int row, int column) {
    return bits[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                static_cast<std::size_t>(column)];
  }
  std::uint64_t at(int row, int column) const {
    return bits[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                static_cast<std::size_t>(column)];
  }
};

/// What a matrix is filled with.
enum class Fill {
  ordinary,  ///< random numbers of moderate size
  tiny,      ///< zeros of both signs, subnormals, least normals
  special,   ///< ordinary ones with an infinity or NaN here and there
  extreme    ///< greatest and least numbers
};
inline constexpr Fill kFills[] = {Fill::ordinary, Fill::tiny, Fill::special, Fill::extreme};
void fill(Matrix& matrix, Fill how, std::mt19937_64& random);

struct Rules {
  bool saturating = false, exclusive = false;  ///< .satfinite; xor instead of and
  bool negated_a = false, negated_b = false;
};
/// D = A B + C, or A B without C; D has the type `d`.
Matrix product(const Matrix& a, const Matrix& b, const Matrix* c, const Format& d, const Rules& rules = {});

/// True when `got` is what the ISA promises: NaN is canonical in f16 and f32, any in f64.
bool agrees(const Format& format, std::uint64_t got, std::uint64_t expected);

struct Position {
  int row = 0, column = 0;
};
// Element i of a lane's fragment of mma.m{m}n8k{k} (not of m8n8k4 in f16).
Position position_a(int m, int bits, int lane, int i);
Position position_b(int bits, int lane, int i);
Position position_c(int lane, int i);

/// Registers of all lanes, register by register: the layout in which tests hand fragments to kernels.
std::vector<std::uint32_t> registers(int count);
void put(std::vector<std::uint32_t>& registers, int bits, int lane, int element, std::uint64_t value);
std::uint64_t get(const std::vector<std::uint32_t>& registers, int bits, int lane, int element);

/// A test name GoogleTest takes.
std::string test_name(const std::string& text);

}  // namespace ridge::device::tensor
