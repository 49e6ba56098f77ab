#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tellegen/base/blas.h"
#include "tellegen/circuits/converter/adc_range.h"
#include "tellegen/mapping/products.h"
#include "tellegen/mapping/written_products.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/infer.h"
#include "tellegen/sim/engine/layer_path.h"
#include "tellegen/sim/engine/written_arrays.h"

namespace tellegen::sim {
namespace {

/// Calibration reads must not repeat the noise of inference reads: they are numbered from here.
constexpr std::uint64_t kCalibrationReads = std::uint64_t{1} << 40;
/// Part of a tile that the mismatch of its amplifiers belongs to.
constexpr std::uint32_t kAmplifierPart = 1001;
/// Blocks of patch rows per layer that ranges and gains are found from, evenly spaced over the calibration samples.
constexpr std::int64_t kBlocks = 16;

/// Full scale from the cells alone: mean and spread of a line current for drives that are independent and uniform.
template <class T>
double analytic_full_scale(const ProgrammedTile<T>& tile, const ProgrammedLayer<T>& layer, double sigmas) {
  const circuits::Dac& dac = layer.dac;
  const bool one_bit = dac.slices() > 1 && dac.config.bits_per_slice == 1;
  const double mean_u = layer.signed_drives() ? 0.0 : 0.5;
  const double second_moment = one_bit ? 0.5 : 1.0 / 3.0;
  const double variance_u = second_moment - mean_u * mean_u;
  double full_scale = 0;
  for (std::int64_t j = 0; j < tile.array.lines; ++j) {
    double mean = 0, variance = 0;
    for (std::int64_t i = 0; i < tile.array.rows; ++i) {
      const double current =
          static_cast<double>(tile.array.current_A[static_cast<std::size_t>(i * tile.array.lines + j)]);
      mean += mean_u * current;
      variance += variance_u * current * current;
    }
    full_scale = std::max(full_scale, std::abs(mean) + sigmas * std::sqrt(variance));
  }
  return full_scale;
}

/// visit(first, count) for some blocks of the products of a batch.
template <class Visit>
void sampled_blocks(std::int64_t products, const Visit& visit) {
  const std::int64_t blocks = (products + models::kPatchBlock - 1) / models::kPatchBlock;
  const std::int64_t used = std::min(blocks, kBlocks);
  for (std::int64_t b = 0; b < used; ++b) {
    const std::int64_t first = b * blocks / used * models::kPatchBlock;
    visit(first, std::min(models::kPatchBlock, products - first));
  }
}

/// |line current| of every tile over the sampled blocks and all input slices.
template <class T>
std::vector<std::vector<T>> sampled_currents(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan,
                                             const PathContext& context, const LayerInput<T>& input,
                                             PathScratch<T>& scratch) {
  std::vector<std::vector<T>> magnitudes(layer.tiles.size());
  sampled_blocks(input.products(), [&](std::int64_t first, std::int64_t count) {
    for (int s = 0; s < input.slices(); ++s) {
      input.gather(s, first, count, scratch);
      for (std::size_t t = 0; t < layer.tiles.size(); ++t) {
        tile_currents(layer, layer.tiles[t], plan, context, s, kCalibrationReads + static_cast<std::uint64_t>(first),
                      count, scratch);
        for (const T current : scratch.currents) {
          magnitudes[t].push_back(std::isfinite(current) ? std::abs(current) : std::numeric_limits<T>::infinity());
        }
      }
    }
  });
  return magnitudes;
}

template <class T>
void set_ranges(ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const PathContext& context,
                const ExperimentConfig& config, const LayerInput<T>& input, PathScratch<T>& scratch) {
  const circuits::AdcConfig& adc = config.chip.adc;
  const bool analog = plan.amplifier != nullptr;
  const bool sampled = analog || (!adc.bits.ideal() && adc.range.method != circuits::RangeMethod::analytic);
  std::vector<std::vector<T>> magnitudes;
  if (sampled) magnitudes = sampled_currents(layer, plan, context, input, scratch);
  for (std::size_t t = 0; t < layer.tiles.size(); ++t) {
    ProgrammedTile<T>& tile = layer.tiles[t];
    double full_scale = 1;
    const bool pairs = std::any_of(tile.layout.lines.begin(), tile.layout.lines.end(),
                                   [](const mapping::Line& l) { return l.minus >= 0; });
    const bool bipolar = pairs || layer.signed_drives();
    if (sampled) {
      full_scale = circuits::full_scale_of<T>(adc, bipolar, magnitudes[t]);
    } else if (!adc.bits.ideal()) {
      full_scale = analytic_full_scale(tile, layer, adc.range.sigmas);
    }
    if (!std::isfinite(full_scale)) {
      throw RefusedError(
          {fmt::format("The currents of layer '{}' are not finite: the devices leave what can be computed with.",
                       plan.name),
           "Check chip.device (noise, drift, age) and chip.dac.v_read."});
    }
    // A tile whose samples are all zero still needs a range: a current far below one cell's.
    const double floor_A = 1e-6 * config.chip.dac.v_read.si() * config.chip.device.make()->g_max().si();
    full_scale = std::max(full_scale, floor_A);
    const std::uint32_t number = static_cast<std::uint32_t>(tile.slice.tile);
    const std::int64_t lines = tile.array.lines;
    const Stream converters(context.seed, Purpose::mismatch, {context.chip, number, circuits::kConverterPart});
    tile.adc = circuits::make_adc(adc, full_scale, bipolar, converters, static_cast<int>(lines));
    if (analog) {
      const Stream amplifiers(context.seed, Purpose::mismatch, {context.chip, number, kAmplifierPart});
      tile.amplifiers = make_line_amplifiers(*plan.amplifier, full_scale, lines, amplifiers);
    }
  }
}

/// Drift compensation: the factor by which summed |outputs| have shrunk since programming (Joshi et al. 2020), per
/// layer or column.
template <class T>
void set_gains(ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const PathContext& context,
               const ExperimentConfig& config, const LayerInput<T>& input, PathScratch<T>& scratch) {
  std::fill(layer.gain.begin(), layer.gain.end(), T(1));
  if (layer.weights_as_programmed.empty()) return;
  const std::size_t outputs = static_cast<std::size_t>(plan.outputs());
  std::vector<double> before(outputs), now(outputs);
  std::vector<float> inputs, reference;
  LayerEvents ignored;
  sampled_blocks(input.products(), [&](std::int64_t first, std::int64_t count) {
    inputs.assign(static_cast<std::size_t>(count * plan.rows()), 0.0F);
    for (int s = 0; s < input.slices(); ++s) {
      input.gather(s, first, count, scratch);
      const double slice_weight = layer.dac.slice_weight(s);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        inputs[i] += static_cast<float>(slice_weight * static_cast<double>(scratch.drive[i]));
    }
    if (layer.gate) gate_exactly(layer.gate, plan, inputs);
    reference.resize(static_cast<std::size_t>(count) * outputs);
    multiply_transposed(count, plan.outputs(), plan.rows(), inputs.data(), plan.rows(),
                        layer.weights_as_programmed.data(), plan.rows(), 0.0F, reference.data(), plan.outputs());
    layer_outputs(layer, plan, context, input, first, count, kCalibrationReads + static_cast<std::uint64_t>(first),
                  scratch, ignored);
    for (std::size_t at = 0; at < reference.size(); ++at) {
      before[at % outputs] += std::abs(static_cast<double>(reference[at]));
      now[at % outputs] += std::abs(static_cast<double>(scratch.outputs[at]));
    }
  });
  const bool per_column = config.chip.drift_compensation == mapping::Compensation::per_column;
  double sum_before = 0, sum_now = 0;
  for (std::size_t n = 0; n < outputs; ++n) {
    sum_before += before[n];
    sum_now += now[n];
  }
  for (std::size_t n = 0; n < outputs; ++n) {
    const double was = per_column ? before[n] : sum_before;
    const double is = per_column ? now[n] : sum_now;
    layer.gain[n] = is > 0 ? static_cast<T>(was / is) : T(1);
  }
}

/// Converters that compute an activation, in place of the linear ones that ranges and gains were found with: one digital
/// factor becomes one of theirs.
template <class T>
void set_functions(ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const PathContext& context,
                   const ExperimentConfig& config) {
  if (!plan.adc_function) return;
  for (ProgrammedTile<T>& tile : layer.tiles) {
    const mapping::Line& line = tile.layout.lines.front();
    const double gain = static_cast<double>(layer.gain[static_cast<std::size_t>(tile.slice.output_begin)]);
    const double x_per_A = gain * value_per_ampere(tile, layer, line, layer.drive_value(0), context.drive.v_read_V);
    const Stream converters(context.seed, Purpose::mismatch,
                            {context.chip, static_cast<std::uint32_t>(tile.slice.tile), circuits::kConverterPart});
    tile.adc = circuits::make_nonlinear_adc(config.chip.adc, config.chip.nonlinear_adc, *plan.adc_function, tile.adc,
                                            x_per_A, converters, static_cast<int>(tile.array.lines));
  }
}

}  // namespace

template <class T>
void calibrate(ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
               const ExperimentConfig& config) {
  const PathContext context = path_context(config, chip.chip);
  const std::int64_t count = std::min<std::int64_t>(config.evaluate.calibration_samples, workload.data.size());
  PathScratch<T> scratch;
  const auto set = [&](std::size_t l, const models::MatrixOperation& operation, const models::Tensor& input) {
    const LayerInput<T> converted(chip.layers[l], plan.layers[l], operation, input);
    set_ranges(chip.layers[l], plan.layers[l], context, config, converted, scratch);
    set_gains(chip.layers[l], plan.layers[l], context, config, converted, scratch);
    set_functions(chip.layers[l], plan.layers[l], context, config);
  };
  // A state comes out of its own layer, so what the float network has there stands in for it.
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const mapping::LayerPlan& layer = plan.layers[l];
    if (layer.matrix)
      set(l, mapping::product_operation(workload.network, layer.node, layer.matrix),
          workload.states[layer.node][*layer.matrix].samples);
  }
  std::vector<std::uint64_t> next_read(plan.layers.size(), kCalibrationReads);
  const auto forward = [&](std::size_t l, const models::MatrixOperation& operation, const models::Tensor& input) {
    LayerEvents events;
    models::Tensor output =
        layer_forward(chip.layers[l], plan.layers[l], operation, input, context, next_read[l], events);
    next_read[l] += static_cast<std::uint64_t>(events.products);
    return output;
  };
  models::Hooks hooks;
  hooks.product = [&](const models::Node&, std::size_t index, const models::Tensor& input) {
    const std::size_t l = mapping::layer_of(plan, index).value();
    const models::MatrixOperation& operation = mapping::product_operation(workload.network, index, std::nullopt);
    set(l, operation, input);
    return forward(l, operation, input);
  };
  hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix, const models::Tensor& states) {
    return forward(mapping::layer_of(plan, index, matrix).value(),
                   mapping::product_operation(workload.network, index, matrix), states);
  };
  hooks.substitute = [&](const models::Node& node, std::size_t index,
                         const models::Tensor& input) -> std::optional<models::Tensor> {
    const mapping::AnalogUnit* unit = mapping::analog_unit_of(plan, index);
    if (unit == nullptr) return std::nullopt;
    ProgrammedUnit& programmed = chip.units[static_cast<std::size_t>(unit - plan.analog_units.data())];
    const UnitPlace place{*unit, node, config, context.chip};
    calibrate_unit(programmed, place, input);
    UnitEvents ignored;
    return run_unit(programmed, place, input, kCalibrationSamples, count, ignored);
  };
  chip.written = written_layers(workload, plan, config);
  const WrittenArrays<T> arrays(config, chip.chip);
  if (!plan.written.empty())
    hooks.computed_product = [&](const models::Node&, std::size_t index, const models::Tensor& left,
                                 const models::Tensor& right) {
      const std::size_t w = mapping::written_of(plan, index).value();
      arrays.calibrate(chip.written[w], plan.written[w], left, right);
      LayerEvents ignored;
      return arrays.multiply(chip.written[w], plan.written[w], left, right, calibration_place, ignored);
    };
  models::execute(workload.network, workload.data.batch(workload.data.size() - count, count), hooks);
}

template void calibrate<float>(ProgrammedChip<float>&, const Workload&, const mapping::Plan&, const ExperimentConfig&);
template void calibrate<double>(ProgrammedChip<double>&, const Workload&, const mapping::Plan&,
                                const ExperimentConfig&);

}  // namespace tellegen::sim
