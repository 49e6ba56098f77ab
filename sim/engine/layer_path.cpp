#include "tellegen/sim/engine/layer_path.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tellegen/models/operation.h"

namespace tellegen::sim {
namespace {

using circuits::slice_drive;

/// What one unit of each line adds to its output: an ampere, or a value of the activation that its converter computed.
template <class T>
std::vector<T> line_factors(const ProgrammedTile<T>& tile, const ProgrammedLayer<T>& layer, double slice_weight,
                            double v_read_V) {
  if (tile.adc.nonlinear) return std::vector<T>(tile.layout.lines.size(), T(1));
  std::vector<T> factors;
  factors.reserve(tile.layout.lines.size());
  for (const mapping::Line& line : tile.layout.lines)
    factors.push_back(static_cast<T>(value_per_ampere(tile, layer, line, slice_weight, v_read_V)));
  return factors;
}

bool one_line_per_output(const mapping::Layout& layout) {
  if (layout.lines.size() != static_cast<std::size_t>(layout.outputs)) return false;
  for (int j = 0; j < layout.outputs; ++j) {
    if (layout.lines[static_cast<std::size_t>(j)].output != j) return false;
  }
  return true;
}

/// Adds the converted currents of one tile to the outputs: the digital side of the array.
template <class T>
void accumulate(const ProgrammedTile<T>& tile, const ProgrammedLayer<T>& layer, std::span<const T> factors,
                std::int64_t outputs_stride, std::int64_t count, const T* currents, T* outputs) {
  const std::size_t lines = tile.layout.lines.size();
  const std::size_t n = static_cast<std::size_t>(tile.layout.outputs);
  const bool plain = one_line_per_output(tile.layout);
  const double* scales = layer.scales.data() + tile.slice.output_begin;
  for (std::int64_t r = 0; r < count; ++r) {
    const T* current = currents + r * static_cast<std::int64_t>(lines);
    T* y = outputs + r * outputs_stride + tile.slice.output_begin;
    if (plain) {
      for (std::size_t j = 0; j < n; ++j) y[j] += factors[j] * current[j];
      continue;
    }
    T reference = 0;
    for (std::size_t j = 0; j < lines; ++j) {
      const int output = tile.layout.lines[j].output;
      if (output < 0) {
        reference += factors[j] * current[j];
      } else {
        y[output] += factors[j] * current[j];
      }
    }
    if (reference != T(0)) {
      for (std::size_t j = 0; j < n; ++j) y[j] += static_cast<T>(scales[j]) * reference;
    }
  }
}

/// Offset encoding: takes off the constant part of every weight, digitally, with the sum of the quantised inputs.
template <class T>
void subtract_offset(const ProgrammedTile<T>& tile, const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan,
                     std::int64_t count, double slice_weight, const T* drive, T* outputs) {
  if (tile.layout.input_sum_factor == 0) return;
  const double* scales = layer.scales.data() + tile.slice.output_begin;
  for (std::int64_t r = 0; r < count; ++r) {
    const T* u = drive + r * plan.rows();
    double sum = 0;
    for (std::int64_t i = tile.slice.row_begin; i < tile.slice.row_end; ++i) sum += static_cast<double>(u[i]);
    const double offset = sum * slice_weight * tile.layout.input_sum_factor;
    T* y = outputs + r * plan.outputs() + tile.slice.output_begin;
    for (int j = 0; j < tile.layout.outputs; ++j) y[j] += static_cast<T>(scales[j] * offset);
  }
}

template <class T>
void count_tile(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const PathContext& context,
                std::int64_t count, const T* drive, const PathScratch<T>& scratch, LayerEvents& events) {
  if (plan.boundary != mapping::Boundary::analog) events.dac_drives += count * tile.slice.rows_used;
  events.drive_V2 += line_drive_V2(tile, context.drive.v_read_V, scratch.sums);
  const double power_W =
      tile.law ? scratch.law_power_W : ohmic_power_W(tile, plan, context.drive, count, drive, scratch.sums);
  events.cell_energy_J += power_W * context.full_drive_s;
}

/// Every cell drawn, passed on to the lines to first order.
template <class T>
void add_cell_noise(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const Stream& noise,
                    std::uint64_t first_read, std::int64_t count, const T* drive, PathScratch<T>& scratch) {
  const std::size_t rows = static_cast<std::size_t>(tile.array.rows),
                    lines = static_cast<std::size_t>(tile.array.lines);
  const std::size_t cells = tile.cell_noise.drops.size() / rows;
  std::vector<float> normals(cells);
  for (std::int64_t r = 0; r < count; ++r) {
    const T* u = drive + r * plan.rows() + tile.slice.row_begin;
    T* current = scratch.currents.data() + r * tile.array.lines;
    noise.normals((first_read + static_cast<std::uint64_t>(r)) * cells, normals);
    for (std::size_t k = 0; k < cells; ++k) {
      double drop = 0;
      for (std::size_t i = 0; i < rows; ++i) drop += tile.cell_noise.drops[k * rows + i] * static_cast<double>(u[i]);
      const double moved = drop * static_cast<double>(normals[k]);
      for (std::size_t j = 0; j < lines; ++j)
        current[j] += static_cast<T>(tile.cell_noise.line_A[j * cells + k] * moved);
    }
  }
}

/// What leaves the lines: codes of the converters (their values, or those of an activation that they compute), or what
/// amplifiers pass on. Returns how many values are digital.
template <class T>
std::int64_t read_lines(const ProgrammedTile<T>& tile, const PathContext& context, int input_slice,
                        std::uint64_t first_read, PathScratch<T>& scratch, LayerEvents& events) {
  const StreamPlace place{context.chip, static_cast<std::uint32_t>(tile.slice.tile),
                          static_cast<std::uint32_t>(input_slice)};
  const Stream noise(context.seed, Purpose::converter_noise, place);
  const std::uint64_t first_element = first_read * static_cast<std::uint64_t>(tile.array.lines);
  const std::int64_t size = static_cast<std::int64_t>(scratch.currents.size());
  if (tile.amplifiers) {
    events.clipped += amplify<T>(*tile.amplifiers, scratch.currents, noise, first_element, scratch.gate_values);
    events.amplified += size;
    return 0;
  }
  const auto converted = circuits::convert<T>(tile.adc, scratch.currents, noise, first_element, scratch.array);
  events.conversions += converted.conversions;
  if (tile.adc.nonlinear) events.ramp_steps += converted.conversions * tile.adc.nonlinear->ramp_steps();
  events.clipped += converted.clipped;
  return size;
}

}  // namespace

PathContext path_context(const ExperimentConfig& config, int chip) {
  const circuits::DacConfig& dac = config.chip.dac;
  return {
      config.evaluate.seed, static_cast<std::uint32_t>(chip), {dac.v_read.si(), dac.by_width()}, dac.full_drive().si()};
}

template <class T>
LayerInput<T>::LayerInput(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan,
                          const models::MatrixOperation& operation, const models::Tensor& input)
    : plan_(plan), operation_(operation), products_(input.shape[0] * operation.positions(input.shape)) {
  circuits::Dac dac = layer.dac;
  if (dac.config.mismatch.any()) dac.config.nonlinearity = {};  // each row's own curve comes behind: drive_rows
  std::vector<float> codes = input.data;
  circuits::to_codes<float>(dac, codes);
  std::vector<float> bias_code{static_cast<float>(dac.full_scale)};
  circuits::to_codes<float>(dac, bias_code);
  for (int s = 0; s < dac.slices(); ++s) {
    drives_.push_back({input.shape, std::vector<float>(codes.size())});
    slice_drive<float>(dac, codes, s, drives_.back().data);
    std::vector<float> bias(1);
    slice_drive<float>(dac, bias_code, s, bias);
    bias_drive_.push_back(static_cast<T>(bias[0]));
  }
}

template <class T>
void LayerInput<T>::gather(int slice, std::int64_t first, std::int64_t count, PathScratch<T>& scratch) const {
  const std::int64_t rows = plan_.rows();
  const std::int64_t width = plan_.inputs();
  const models::Tensor& drives = drives_[static_cast<std::size_t>(slice)];
  scratch.drive.resize(static_cast<std::size_t>(count * rows));
  if constexpr (std::is_same_v<T, float>) {
    if (plan_.bias_rows == 0) {
      operation_.patches(drives, first, count, scratch.drive.data());
      return;
    }
  }
  scratch.patches.resize(static_cast<std::size_t>(count * width));
  operation_.patches(drives, first, count, scratch.patches.data());
  for (std::int64_t r = 0; r < count; ++r) {
    for (std::int64_t group = 0; group < plan_.groups; ++group) {
      const float* patch = scratch.patches.data() + r * width + group * plan_.rows_per_group;
      T* row = scratch.drive.data() + r * rows + group * plan_.block_rows();
      std::copy(patch, patch + plan_.rows_per_group, row);
      if (plan_.bias_rows > 0) row[plan_.rows_per_group] = bias_drive_[static_cast<std::size_t>(slice)];
    }
  }
}

template <class T>
double value_per_ampere(const ProgrammedTile<T>& tile, const ProgrammedLayer<T>& layer, const mapping::Line& line,
                        double drive_value, double v_read_V) {
  const double scale =
      line.output < 0 ? 1.0 : layer.scales[static_cast<std::size_t>(tile.slice.output_begin + line.output)];
  return scale * line.factor * drive_value / (v_read_V * tile.read_gain);
}

template <class T>
const T* tile_currents(const ProgrammedLayer<T>& layer, const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan,
                       const PathContext& context, int input_slice, std::uint64_t first_read, std::int64_t count,
                       PathScratch<T>& scratch) {
  const T* drive = scratch.drive.data();
  if (tile.dacs) {
    drive_rows(*tile.dacs, plan, tile.slice, count, drive, scratch.driven);
    drive = scratch.driven.data();
  }
  if (layer.gate) {
    gate_rows(layer.gate, tile.gate_errors, plan, tile.slice,
              {context.seed, context.chip, static_cast<std::uint32_t>(tile.slice.tile)},
              layer.gate.x_scale * layer.dac.slice_weight(0), first_read, count, drive, scratch.gate_values,
              scratch.gated);
    drive = scratch.gated.data();
  }
  const StreamPlace place{context.chip, static_cast<std::uint32_t>(tile.slice.tile),
                          static_cast<std::uint32_t>(input_slice)};
  scratch.currents.resize(static_cast<std::size_t>(count * tile.array.lines));
  const Stream noise(context.seed, Purpose::read_noise, place);
  if (tile.law) {
    scratch.law_power_W = law_currents(*tile.law, tile.layout, context.drive, drive + tile.slice.row_begin, plan.rows(),
                                       tile.array.rows, count, noise, first_read, scratch.currents.data(), scratch.law);
    return drive;
  }
  circuits::read_currents(tile.array, drive + tile.slice.row_begin, plan.rows(), count, noise, first_read,
                          scratch.currents.data(), scratch.array);
  if (!tile.cell_noise.empty()) add_cell_noise(tile, plan, noise, first_read, count, drive, scratch);
  return drive;
}

template <class T>
void layer_outputs(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const PathContext& context,
                   const LayerInput<T>& input, std::int64_t first, std::int64_t count, std::uint64_t first_read,
                   PathScratch<T>& scratch, LayerEvents& events) {
  scratch.outputs.assign(static_cast<std::size_t>(count * plan.outputs()), T(0));
  std::int64_t values = 0;  // line values that are merged into outputs
  const auto differs = [](const ProgrammedTile<T>& tile) { return tile.dacs.has_value(); };
  const bool alike = !layer.gate && std::ranges::none_of(layer.tiles, differs);  // all tiles see the same drives
  for (int s = 0; s < input.slices(); ++s) {
    input.gather(s, first, count, scratch);
    if (alike) sum_drives(scratch.drive.data(), plan.rows(), count, context.drive.by_width, scratch.sums);
    const double slice_weight = layer.drive_value(s);
    for (const ProgrammedTile<T>& tile : layer.tiles) {
      const T* drive = tile_currents(layer, tile, plan, context, s, first_read, count, scratch);
      if (!alike) sum_drives(drive, plan.rows(), count, context.drive.by_width, scratch.sums);
      values += read_lines(tile, context, s, first_read, scratch, events);
      const std::vector<T> factors = line_factors(tile, layer, slice_weight, context.drive.v_read_V);
      accumulate<T>(tile, layer, factors, plan.outputs(), count, scratch.currents.data(), scratch.outputs.data());
      subtract_offset(tile, layer, plan, count, slice_weight, scratch.drive.data(), scratch.outputs.data());
      count_tile(tile, plan, context, count, drive, scratch, events);
      if (layer.gate) events.gates += count * gated_rows(plan, tile.slice);
    }
  }
  events.products += count;
  if (layer.tiles.front().adc.nonlinear) return;  // the codes are the outputs: scale and gain are in the converters
  if (plan.amplifier == nullptr) {
    events.shift_adds += values - count * plan.outputs();
    events.scalings += count * plan.outputs();
  }
  for (std::int64_t r = 0; r < count; ++r) {
    T* y = scratch.outputs.data() + r * plan.outputs();
    for (std::int64_t n = 0; n < plan.outputs(); ++n) y[n] *= layer.gain[static_cast<std::size_t>(n)];
  }
}

template <class T>
models::Tensor layer_forward(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan,
                             const models::MatrixOperation& operation, const models::Tensor& input,
                             const PathContext& context, std::uint64_t first_read, LayerEvents& events) {
  const models::Shape shapes[] = {input.shape};
  models::Tensor output{operation.output_shape(shapes), {}};
  output.data.resize(static_cast<std::size_t>(models::element_count(output.shape)));
  const std::span<const float> bias = operation.bias();
  const bool digital_bias = !bias.empty() && plan.bias_rows == 0;
  const LayerInput<T> converted(layer, plan, operation, input);
  const std::int64_t total = converted.products();

  thread_local PathScratch<T> scratch;
  std::vector<float> products(static_cast<std::size_t>(std::min(total, models::kPatchBlock) * plan.outputs()));
  for (std::int64_t first = 0; first < total; first += models::kPatchBlock) {
    const std::int64_t count = std::min(models::kPatchBlock, total - first);
    layer_outputs(layer, plan, context, converted, first, count, first_read + static_cast<std::uint64_t>(first),
                  scratch, events);
    for (std::int64_t r = 0; r < count; ++r) {
      for (std::int64_t n = 0; n < plan.outputs(); ++n) {
        const std::size_t at = static_cast<std::size_t>(r * plan.outputs() + n);
        const T y = scratch.outputs[at] + (digital_bias ? static_cast<T>(bias[static_cast<std::size_t>(n)]) : T(0));
        products[at] = static_cast<float>(y);
        events.not_finite += std::isfinite(products[at]) ? 0 : 1;
      }
    }
    operation.scatter(products.data(), first, count, output);
  }
  if (digital_bias) events.shift_adds += total * plan.outputs();
  return output;
}

#define TELLEGEN_INSTANTIATE(T)                                                                                       \
  template class LayerInput<T>;                                                                                       \
  template const T* tile_currents<T>(const ProgrammedLayer<T>&, const ProgrammedTile<T>&, const mapping::LayerPlan&,  \
                                     const PathContext&, int, std::uint64_t, std::int64_t, PathScratch<T>&);          \
  template double value_per_ampere<T>(const ProgrammedTile<T>&, const ProgrammedLayer<T>&, const mapping::Line&,      \
                                      double, double);                                                                \
  template void layer_outputs<T>(const ProgrammedLayer<T>&, const mapping::LayerPlan&, const PathContext&,            \
                                 const LayerInput<T>&, std::int64_t, std::int64_t, std::uint64_t, PathScratch<T>&,    \
                                 LayerEvents&);                                                                       \
  template models::Tensor layer_forward<T>(const ProgrammedLayer<T>&, const mapping::LayerPlan&,                      \
                                           const models::MatrixOperation&, const models::Tensor&, const PathContext&, \
                                           std::uint64_t, LayerEvents&);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
