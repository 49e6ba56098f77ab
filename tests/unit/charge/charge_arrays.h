#pragma once
// Arrays of capacitors to read.

#include "../crossbar/arrays.h"
#include "../fecap/vectors.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/charge_array.h"

namespace tellegen::testing_support {

struct TestCharges {
  circuits::ChargeArray array;
  std::vector<circuits::RowState> row_state;
  std::vector<double> row_V;
};

/// 0.2 to 2 fF per cell, 5 to 20 fF per column; with random idle rows and coupled neighbours where `any`.
inline TestCharges random_charges(std::uint64_t seed, bool any) {
  Uniform uniform(seed);
  TestCharges out;
  circuits::ChargeArray& array = out.array;
  array.rows = uniform.integer(1, 20);
  array.columns = uniform.integer(1, 20);
  array.cell_F = uniform.numbers(array.rows * array.columns, 0.2e-15, 2e-15);
  array.column_F = uniform.numbers(array.columns, 5e-15, 20e-15);
  out.row_V = uniform.numbers(array.rows, -0.3, 0.3);
  if (!any) return out;
  if (uniform.chance(0.5)) array.row_F = uniform.numbers(array.rows, 0, 10e-15);
  if (uniform.chance(0.5)) array.neighbour_F = uniform(0.1e-15, 5e-15);
  for (double& cell_F : array.cell_F) {
    if (uniform.chance(0.1)) cell_F = 0;
  }
  for (std::int64_t i = 0; i < array.rows; ++i) {
    out.row_state.push_back(uniform.chance(0.6) ? circuits::RowState::driven
                                                : static_cast<circuits::RowState>(uniform.integer(1, 2)));
  }
  // A floating row without any capacitance has no voltage.
  for (std::int64_t i = 0; i < array.rows; ++i) array.cell_F[static_cast<std::size_t>(i * array.columns)] += 1e-16;
  return out;
}

/// The message of the InputError that `call` ends with; empty where it does not.
template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tellegen::testing_support
