#include "tellegen/sim/crossbar/charge_solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/crossbar/charge_phase.h"

namespace tellegen::array {
namespace {

double largest_size(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out = std::max(out, std::fabs(value));
  return out;
}

/// A read as one phase. Columns with an amplifier are held where it holds them; its output follows from the charge
/// that it has to deliver through its feedback.
struct PhaseRead {
  circuits::ChargeStep step;
  std::vector<double> output_V;
};

PhaseRead phase_read(const ChargeFile& file, const std::vector<double>& input_V, const std::vector<double>& fast_V,
                     const std::vector<double>& injected_C) {
  const auto columns = static_cast<std::size_t>(file.array.columns);
  circuits::ChargePhase phase;
  phase.row_state = file.row_state;
  phase.row_V = input_V;
  if (file.amplifier) {
    phase.held.assign(columns, 1);
    for (const double output_V : fast_V) phase.column_V.push_back(-output_V / file.amplifier->gain);
  } else {
    phase.injected_C = injected_C;
  }
  PhaseRead out;
  out.step = circuits::settle(file.array, circuits::at_rest(file.array), phase);
  out.output_V = out.step.state.column_V;
  if (!file.amplifier) return out;
  for (std::size_t j = 0; j < columns; ++j) {
    out.output_V[j] += (out.step.column_C[j] - injected_C[j]) / file.amplifier->feedback_F;
  }
  return out;
}

void describe(const ChargeFile& file, ChargeSolution& out) {
  const auto floating = std::count(file.row_state.begin(), file.row_state.end(), circuits::RowState::floating);
  out.log.push_back(fmt::format("Read by charge: {}, {} of {} rows floating.",
                                file.amplifier ? "an amplifier on every column" : "columns float and share charge",
                                floating, out.rows));
  const auto [least_F, most_F] = std::minmax_element(out.total_F.begin(), out.total_F.end());
  out.log.push_back(fmt::format("Capacitance of a column, what its charge is divided by: {} to {}.",
                                format(Capacitance::si(*least_F)), format(Capacitance::si(*most_F))));
  const auto [quietest_V, loudest_V] = std::minmax_element(out.noise_V.begin(), out.noise_V.end());
  out.log.push_back(fmt::format("Noise of the reset (kT/C) at {:g} K: {} to {} at the outputs.", file.temperature_K,
                                format(Voltage::si(*quietest_V)), format(Voltage::si(*loudest_V))));
  if (!file.reset) return;
  const auto [lowest_V, highest_V] = std::minmax_element(out.offset_V.begin(), out.offset_V.end());
  out.log.push_back(fmt::format("Charge injected by the reset switches moves the outputs by {} to {}.",
                                format(Voltage::si(*lowest_V)), format(Voltage::si(*highest_V))));
}

}  // namespace

ChargeSolution solve_charge(const ChargeFile& file, bool transfer) {
  if (file.input_V.empty()) throw InputError("There are no input voltages. Give them as 'V_vectors' in the file.");
  const circuits::ChargeTransfer matrix(file.array, file.row_state, file.amplifier);
  ChargeSolution out;
  out.rows = file.array.rows;
  out.columns = file.array.columns;
  out.total_F = circuits::column_totals_F(file.array);
  const auto rows = static_cast<std::size_t>(out.rows);
  const auto columns = static_cast<std::size_t>(out.columns);
  // Switches open at rest, when all columns are at 0 V.
  const std::vector<double> injected_C(columns, file.reset ? circuits::injected_charge_C(*file.reset, 0) : 0);
  out.offset_V = matrix.offsets_V(injected_C);
  out.noise_V = matrix.reset_noise_V(file.temperature_K);
  for (const std::vector<double>& input_V : file.input_V) {
    ChargeResult result;
    result.output_V = out.offset_V;
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) result.output_V[j] += matrix.transfer()[j * rows + i] * input_V[i];
    }
    PhaseRead read = phase_read(file, input_V, result.output_V, injected_C);
    const double largest_V = largest_size(result.output_V);
    for (std::size_t j = 0; j < columns && largest_V > 0; ++j) {
      const double difference = std::fabs(read.output_V[j] - result.output_V[j]) / largest_V;
      out.largest_difference = std::max(out.largest_difference, difference);
    }
    result.row_C = std::move(read.step.row_C);
    result.source_J = read.step.source_J;
    result.dissipated_J = read.step.dissipated_J();
    out.vectors.push_back(std::move(result));
  }
  if (transfer) out.transfer = matrix.transfer();
  describe(file, out);
  return out;
}

}  // namespace tellegen::array
