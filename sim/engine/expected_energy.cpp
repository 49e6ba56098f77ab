#include "tellegen/sim/engine/expected_energy.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "tellegen/mapping/plan_table.h"
#include "tellegen/mapping/products.h"
#include "tellegen/sim/engine/digital_work.h"
#include "tellegen/sim/engine/law_tile.h"
#include "tellegen/sim/engine/layer_path.h"

namespace tellegen::sim {
namespace {

/// Something that a row takes when it is driven by u.
using DriveFunction = std::function<double(double u)>;

/// One layer in one input slice: expectations over its values, per product.
class SliceExpectation {
 public:
  SliceExpectation(const LayerValues& values, const mapping::LayerPlan& plan, const ProgrammedLayer<float>& designed,
                   int slice, EnergyMethod method, bool by_width)
      : values_(values), plan_(plan), by_width_(by_width), slice_(static_cast<std::size_t>(slice)) {
    if (method == EnergyMethod::row_moments) return;
    drives_ = bin_drives(values.histogram, designed, slice);
    std::vector<float> padding{0.0F}, bias{static_cast<float>(designed.dac.full_scale)};
    if (designed.gate) gate_as_designed(designed.gate, designed.gate.x_scale * designed.dac.slice_weight(0), padding);
    circuits::to_codes<float>(designed.dac, bias);
    std::vector<float> bias_drive(1);
    circuits::slice_drive<float>(designed.dac, bias, slice, bias_drive);
    padding_drive_ = static_cast<double>(padding[0]);
    bias_drive_ = static_cast<double>(bias_drive[0]);
  }

  /// Mean of f over the histogram, every value with its weight, for each row with the row's own padding.
  std::vector<double> by_row(const DriveFunction& f, const std::vector<double>& weights) const {
    double sum = 0, total = 0;
    for (std::size_t b = 0; b < drives_.size(); ++b) {
      if (!(weights[b] > 0)) continue;
      sum += weights[b] * f(drives_[b]);
      total += weights[b];
    }
    const double mean = total > 0 ? sum / total : 0, of_padding = f(padding_drive_), of_bias = f(bias_drive_);
    std::vector<double> rows;
    for (std::int64_t row = 0; row < plan_.rows(); ++row) {
      const std::int64_t within = row % plan_.block_rows();
      if (within == plan_.rows_per_group) {
        rows.push_back(of_bias);
        continue;
      }
      const std::int64_t input = row / plan_.block_rows() * plan_.rows_per_group + within;
      const double padded = values_.padding[static_cast<std::size_t>(input)];
      rows.push_back((1 - padded) * mean + padded * of_padding);
    }
    return rows;
  }
  std::vector<double> of_cells(const DriveFunction& f) const { return by_row(f, values_.histogram.conductances_S); }

  /// What cells and lines are made of (sum_drives), per product.
  DriveSums<double> sums() const {
    if (drives_.empty()) {
      DriveSums<double> means = values_.sums[slice_];
      for (std::vector<double>* of : {&means.cell, &means.line})
        for (double& value : *of) value /= static_cast<double>(values_.products);
      return means;
    }
    const std::vector<double>& alike = values_.histogram.counts;
    const auto square = [](double u) { return u * u; };
    if (!by_width_) return {of_cells(square), by_row(square, alike)};
    return {of_cells([](double u) { return std::abs(u); }), by_row([](double u) { return u == 0 ? 0.0 : 1.0; }, alike)};
  }

 private:
  const LayerValues& values_;
  const mapping::LayerPlan& plan_;
  bool by_width_;
  std::size_t slice_;
  std::vector<double> drives_;  ///< of the bins; empty for row_moments
  double padding_drive_ = 0, bias_drive_ = 0;
};

/// Power of the cells of one tile per product, Ohm's law [W].
template <class T>
double ohmic_W(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const DriveForm& form,
               const DriveSums<double>& means, const LayerValues& values, std::size_t slice) {
  double power_W = 0;
  for (std::int64_t i = 0; i < tile.array.rows; ++i)
    power_W += means.cell[static_cast<std::size_t>(tile.slice.row_begin + i)] *
               tile.array.row_power_W[static_cast<std::size_t>(i)];
  if (tile.admittance_S.empty()) return power_W;
  const std::vector<double>& reads = values.reads[slice];
  const std::int64_t count = static_cast<std::int64_t>(reads.size()) / plan.rows();
  return power_W * wire_factor(tile, plan, form, count, 1, reads.data());
}

/// The same by another law, no wires.
template <class T>
double law_W(const LawTile<T>& law, const mapping::TileSlice& slice, const DriveForm& form,
             const SliceExpectation& expectation) {
  double power_W = 0;
  for (std::size_t t = 0; t < law.terms.size(); ++t) {
    const std::vector<double> shares =
        expectation.of_cells([&](double u) { return power_shares(law.law, form, u)[t]; });
    for (std::int64_t i = 0; i < law.terms[t].rows; ++i)
      power_W +=
          shares[static_cast<std::size_t>(slice.row_begin + i)] * law.terms[t].row_power_W[static_cast<std::size_t>(i)];
  }
  return power_W;
}

/// What is not counted from shapes alone.
void check_counts(const mapping::Plan& plan) {
  if (!plan.analog_units.empty())
    throw RefusedError(
        {"Circuits between converters compute some activations: what they and digital units then do is not "
         "counted from the plan.",
         "Use 'tellegen run', or leave chip.analog_units out."});
  for (const mapping::LayerPlan& layer : plan.layers) {
    if (layer.adc_function)
      throw RefusedError(
          {fmt::format("The ADCs behind layer '{}' compute an activation: how many steps they take follows "
                       "from their calibration, not from the plan.",
                       layer.name),
           "Use 'tellegen run', or a chip.boundary other than nonlinear_adc."});
  }
}

}  // namespace

template <class T>
void check_energy_method(const ExperimentConfig& config, const ProgrammedChip<T>& chip) {
  for (const ProgrammedLayer<T>& layer : chip.layers) {
    for (const ProgrammedTile<T>& tile : layer.tiles) {
      if (!tile.law) continue;
      const char* const remedy = "Use 'tellegen run' with evaluate.energy: trace, or set chip.device.iv.law: ohmic.";
      if (tile.law->solver == LawSolver::newton)
        throw RefusedError(
            {"With wires, the power of cells that do not follow Ohm's law depends on all rows at once: no "
             "statistics of single values give it.",
             remedy});
      if (tile.law->solver == LawSolver::cells)
        throw RefusedError(
            {"The read noise of these cells has no closed form: their power is not in statistics of values.", remedy});
      if (config.evaluate.energy == EnergyMethod::row_moments)
        throw RefusedError({"The power of cells that do not follow Ohm's law is not in second moments of their drives.",
                            "Set evaluate.energy: histogram."});
    }
  }
}

template <class T>
void expect_energy(const ProgrammedChip<T>& chip, const ValueStatistics& statistics, const mapping::Plan& plan,
                   const ExperimentConfig& config, std::vector<LayerEvents>& events) {
  check_energy_method(config, chip);
  const PathContext context = path_context(config, chip.chip);
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const LayerValues& values = statistics.layers[l];
    const ProgrammedLayer<float>& designed = statistics.designed[l].path;
    double power_W = 0, line_V2 = 0;
    for (int s = 0; s < designed.dac.slices(); ++s) {
      const SliceExpectation expectation(values, plan.layers[l], designed, s, config.evaluate.energy,
                                         context.drive.by_width);
      const DriveSums<double> means = expectation.sums();
      for (const ProgrammedTile<T>& tile : chip.layers[l].tiles) {
        power_W += tile.law ? law_W(*tile.law, tile.slice, context.drive, expectation)
                            : ohmic_W(tile, plan.layers[l], context.drive, means, values, static_cast<std::size_t>(s));
        line_V2 += line_drive_V2(tile, context.drive.v_read_V, means);
      }
    }
    const double products = static_cast<double>(events[l].products);
    events[l].cell_energy_J = products * power_W * context.full_drive_s;
    events[l].drive_V2 = products * line_V2;
  }
}

std::vector<LayerEvents> planned_events(const ValueStatistics& statistics, const Workload& workload,
                                        const mapping::Plan& plan, const ExperimentConfig& config) {
  check_counts(plan);
  const std::int64_t bits = buffer_bits(config.chip);
  std::vector<LayerEvents> all(plan.layers.size());
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const mapping::LayerPlan& layer = plan.layers[l];
    const std::int64_t slices = statistics.designed[l].path.dac.slices();
    LayerEvents& events = all[l];
    events.images = statistics.samples;
    events.products = statistics.layers[l].products;
    std::int64_t rows = 0, gated = 0, lines = 0;
    for (const mapping::TileSlice& slice : layer.slices) {
      rows += slice.rows_used;
      gated += gated_rows(layer, slice);
      lines += mapping::used_converters(slice, config.chip).lines;
    }
    const bool analog_inputs = layer.boundary == mapping::Boundary::analog;
    const std::int64_t values = events.products * slices * lines, outputs = events.products * layer.outputs();
    if (!analog_inputs) events.dac_drives = events.products * slices * rows;
    if (!analog_inputs) events.buffer_read_bits = events.products * layer.inputs() * bits;
    if (layer.front_end) events.gates = events.products * slices * gated;
    if (layer.amplifier != nullptr) {
      events.amplified = values;
    } else {
      events.conversions = values;
      events.shift_adds = values - outputs;
      events.scalings = outputs;
      events.buffer_write_bits = outputs * bits;
    }
    const bool bias = !mapping::product_operation(workload.network, layer.node, layer.matrix).bias().empty();
    if (bias && layer.bias_rows == 0) events.shift_adds += outputs;
    events.digital = statistics.layers[l].digital;
  }
  return all;
}

std::string energy_log(const ExperimentConfig& config, const Workload& workload) {
  if (config.evaluate.energy == EnergyMethod::trace) return "";
  const bool rows = config.evaluate.energy == EnergyMethod::row_moments;
  const bool own = config.evaluate.energy_values == ValueSource::chip;
  const std::int64_t calibrating = std::min<std::int64_t>(config.evaluate.calibration_samples, workload.data.size());
  return fmt::format("Energies of cells and row lines come from {} of {} values over {} samples.",
                     rows ? "moments row by row" : "one histogram per layer",
                     own ? "each chip's own" : "the float network's", own ? calibrating : workload.samples);
}

#define TELLEGEN_INSTANTIATE(T)                                                                          \
  template void check_energy_method<T>(const ExperimentConfig&, const ProgrammedChip<T>&);               \
  template void expect_energy<T>(const ProgrammedChip<T>&, const ValueStatistics&, const mapping::Plan&, \
                                 const ExperimentConfig&, std::vector<LayerEvents>&);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
