#pragma once
// Reading capacitances by charge: one column of capacitors C_i, driven by V_i, on one summing node.

#include <span>
#include <vector>

namespace tellegen::devices {

/// Passive sharing: (sum C_i V_i + C_p V_0) / (sum C_i + C_p). The denominator depends on what is stored, so a column
/// that is to compute a plain product needs equal sums of capacitance (complementary cells) or a division afterwards.
double shared_voltage_V(std::span<const double> c_F, std::span<const double> v_V, double c_parasitic_F,
                        double start_V = 0);

/// Charge amplifier of feedback c_feedback_F and open-loop gain: -sum C_i V_i / [C_f (1 + (1 + (sum C_i +
/// C_p)/C_f)/A_0)]. gain = infinity is the ideal one.
double amplifier_voltage_V(std::span<const double> c_F, std::span<const double> v_V, double c_parasitic_F,
                           double c_feedback_F, double gain);

/// Thermal noise of a sampled node, root mean square: sqrt(kT / C).
double ktc_noise_V(double c_F, double temperature_K);
/// The same in electrons: sqrt(kTC) / q.
double ktc_noise_electrons(double c_F, double temperature_K);

/// What half of the channel charge of an opening switch does to the held node: -W L C_ox (V_G - V_T - V_in) / (2
/// C_hold).
double charge_injection_V(double width_m, double length_m, double c_oxide_F_per_m2, double overdrive_V,
                          double c_hold_F);

/// Drawn from the drivers by one read: sum C_i V_i^2.
double read_energy_J(std::span<const double> c_F, std::span<const double> v_V);

/// Transfer matrix of a crossbar of capacitors with floating columns, columns x rows, row-major: V_columns = T V_rows
/// with T_ji = C_ij / (sum_i C_ij + C_p,j). c_F is rows x columns, row-major. Exact; there is no static sneak current.
std::vector<double> floating_column_transfer(std::span<const double> c_F, std::span<const double> c_parasitic_F);

}  // namespace tellegen::devices
