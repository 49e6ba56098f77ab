#include "tellegen/devices/fecap/charge_read.h"

#include <cmath>
#include <numeric>

#include "tellegen/base/error.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {
namespace {

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double charge_C(std::span<const double> c_F, std::span<const double> v_V) {
  TELLEGEN_ASSERT(c_F.size() == v_V.size());
  return std::inner_product(c_F.begin(), c_F.end(), v_V.begin(), 0.0);
}

}  // namespace

double shared_voltage_V(std::span<const double> c_F, std::span<const double> v_V, double c_parasitic_F,
                        double start_V) {
  return (charge_C(c_F, v_V) + c_parasitic_F * start_V) / (sum_of(c_F) + c_parasitic_F);
}

double amplifier_voltage_V(std::span<const double> c_F, std::span<const double> v_V, double c_parasitic_F,
                           double c_feedback_F, double gain) {
  const double noise_gain = 1 + (sum_of(c_F) + c_parasitic_F) / c_feedback_F;
  return -charge_C(c_F, v_V) / (c_feedback_F * (1 + noise_gain / gain));
}

double ktc_noise_V(double c_F, double temperature_K) { return std::sqrt(boltzmann_J_per_K * temperature_K / c_F); }

double ktc_noise_electrons(double c_F, double temperature_K) {
  return std::sqrt(boltzmann_J_per_K * temperature_K * c_F) / elementary_charge_C;
}

double charge_injection_V(double width_m, double length_m, double c_oxide_F_per_m2, double overdrive_V,
                          double c_hold_F) {
  return -0.5 * width_m * length_m * c_oxide_F_per_m2 * overdrive_V / c_hold_F;
}

double read_energy_J(std::span<const double> c_F, std::span<const double> v_V) {
  TELLEGEN_ASSERT(c_F.size() == v_V.size());
  double energy_J = 0;
  for (std::size_t i = 0; i < c_F.size(); ++i) energy_J += c_F[i] * v_V[i] * v_V[i];
  return energy_J;
}

std::vector<double> floating_column_transfer(std::span<const double> c_F, std::span<const double> c_parasitic_F) {
  const std::size_t columns = c_parasitic_F.size();
  TELLEGEN_ASSERT(columns > 0 && c_F.size() % columns == 0);
  const std::size_t rows = c_F.size() / columns;
  std::vector<double> transfer(c_F.size());
  for (std::size_t j = 0; j < columns; ++j) {
    double total_F = c_parasitic_F[j];
    for (std::size_t i = 0; i < rows; ++i) total_F += c_F[i * columns + j];
    for (std::size_t i = 0; i < rows; ++i) transfer[j * rows + i] = c_F[i * columns + j] / total_F;
  }
  return transfer;
}

}  // namespace tellegen::devices
