#pragma once
// The deviation of every memristor model from the ideal gate, in one table.

#include <optional>
#include <string>
#include <vector>

#include "tellegen/devices/memristor/branches.h"

namespace tellegen::devices {

/// One line: a case, what was found, and what a closed form says about it where there is one.
struct BranchRow {
  std::string group;      ///< "ideal", "HP, voltage drive", "kinetics", ...
  std::string condition;  ///< "V = 1 V, f = 5 Hz, x = 0.5"
  ShapeDeviation shape;
  std::optional<double> drift;        ///< state per cycle as a share of its range; absent for theory
  std::optional<double> closed_form;  ///< max |A / N - formula| where a formula for A / N is exact
};

/// Integrates or evaluates every case (a tenth of a second).
std::vector<BranchRow> branch_table();
/// Aligned text for a terminal.
std::string branch_table_text(const std::vector<BranchRow>& rows);

/// HP without window under a sinusoidal voltage: A / N = xi s (1 + 5/8 (u s)^2 + ...), s = sqrt(1 - xi^2), in closed
/// form
/// ((1 - u s)^(-1/2) - (1 + u s)^(-1/2)) xi / u, u = 2 (R_off - R_on) k (V / omega) / M_c^2, N = V u / (2 M_c).
double hp_voltage_shape(double xi, double u);

}  // namespace tellegen::devices
