#include "tellegen/sim/engine/written_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/circuits/converter/adc_range.h"
#include "tellegen/mapping/written_products.h"
#include "tellegen/sim/engine/digital_work.h"
#include "tellegen/sim/engine/line_matrix.h"
#include "tellegen/sim/engine/tile_cells.h"
#include "tellegen/sim/engine/written_operation.h"

namespace tellegen::sim {
namespace {

using mapping::LayerPlan;
using mapping::TileSlice;
using models::Tensor;

/// Samples that ranges are found from, evenly spaced over the calibration samples.
constexpr std::int64_t kRangeSamples = 16;

/// One sample of a factor as [1, heads, rows, columns].
Tensor sample_of(const Tensor& batch, std::int64_t sample, std::int64_t heads) {
  Tensor one{{1, heads, batch.shape[batch.shape.size() - 2], batch.shape.back()}, {}};
  const std::int64_t size = models::element_count(one.shape);
  const auto from = batch.data.begin() + sample * size;
  one.data.assign(from, from + size);
  return one;
}

/// Row `position` of each head, as [1, heads, 1, k].
Tensor position_of(const Tensor& sample, std::int64_t position) {
  const std::int64_t heads = sample.shape[1], m = sample.shape[2], k = sample.shape[3];
  Tensor row{{1, heads, 1, k}, std::vector<float>(static_cast<std::size_t>(heads * k))};
  for (std::int64_t h = 0; h < heads; ++h) {
    const float* from = sample.data.data() + (h * m + position) * k;
    std::copy(from, from + k, row.data.begin() + h * k);
  }
  return row;
}

/// Scale of each output of a head.
std::vector<double> head_scales(const WrittenLayer& layer, const LayerPlan& plan) {
  std::vector<double> scales;
  for (const double largest : layer.full_scale)
    scales.insert(scales.end(), static_cast<std::size_t>(plan.outputs_per_group), largest > 0 ? largest : 1.0);
  return scales;
}

/// Rows of a slice that stand in its head before row `row_begin` of the layer.
std::int64_t row_in_head(const LayerPlan& plan, const TileSlice& slice) {
  return slice.row_begin % plan.rows_per_group;
}

/// Rows of tokens that are not written yet are not driven: takes their drives off.
void take_off_silent_rows(const LayerPlan& plan, std::int64_t input_slices, LayerEvents& events) {
  for (const TileSlice& slice : plan.slices) {
    for (std::int64_t token = 0; token < plan.positions; ++token) {
      const std::int64_t there = std::clamp<std::int64_t>(token + 1 - row_in_head(plan, slice), 0, slice.rows());
      events.dac_drives -= (slice.rows() - there) * input_slices;
    }
  }
}

/// Columns of tokens that are not written yet are not converted: takes off what one read of all columns counts for them.
void take_off_silent_columns(const LayerPlan& plan, const mapping::EncodingConfig& encoding, std::int64_t row_blocks,
                             std::int64_t input_slices, std::int64_t token, LayerEvents& events) {
  const std::int64_t silent = (plan.outputs_per_group - token - 1) * plan.groups;
  const std::int64_t values = row_blocks * input_slices * mapping::lines_per_output(encoding);
  events.conversions -= silent * values;
  events.shift_adds -= silent * (values - 1);
  events.scalings -= silent;
}

ExperimentConfig as_attention_sees(ExperimentConfig config) {
  config.chip = mapping::attention_chip(config.chip);
  return config;
}

}  // namespace

std::vector<WrittenLayer> written_layers(const Workload& workload, const mapping::Plan& plan,
                                         const ExperimentConfig& config) {
  std::vector<WrittenLayer> layers;
  const bool own = config.chip.attention.scale == mapping::WrittenScale::own;
  for (const LayerPlan& product : plan.written) {
    const InputRange& range = workload.inputs[product.node];
    const WrittenInputs& written = workload.written[product.node];
    WrittenLayer layer;
    layer.dac.config = config.chip.dac;
    layer.dac.full_scale = range.max_abs > 0 ? range.max_abs : 1.0;
    layer.dac.is_signed = range.is_signed;
    layer.causal = written.causal;
    if (!own) layer.full_scale = written.largest;
    if (own && layer.causal && product.token_rows) {
      throw RefusedError(
          {fmt::format("chip.attention.scale = 'own' needs all values before the first is written, and in '{}' tokens "
                       "come one by one.",
                       product.name),
           "Set chip.attention.scale: calibrated."});
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

template <class T>
WrittenArrays<T>::WrittenArrays(const ExperimentConfig& config, int chip)
    : config_(as_attention_sees(config)), device_(config_.chip.device.make()), context_(path_context(config_, chip)) {}

template <class T>
typename WrittenArrays<T>::Sample WrittenArrays<T>::write(const WrittenLayer& layer, const LayerPlan& plan,
                                                          const Tensor& first, const Tensor& second,
                                                          std::int64_t sample, std::uint32_t write) const {
  Sample written;
  written.first = sample_of(first, sample, plan.groups);
  const Tensor matrices = sample_of(second, sample, plan.groups);
  const auto operation = std::make_shared<WrittenOperation>(plan.groups, plan.rows_per_group, plan.outputs_per_group,
                                                            matrices.data.data());
  LayerWeights weights;
  weights.dac = layer.dac;
  weights.own.assign(operation->weights().begin(), operation->weights().end());
  weights.scales = layer.full_scale.empty()
                       ? mapping::weight_scales(config_.chip.tile.encoding, weights.own, plan.outputs())
                       : head_scales(layer, plan);
  written.operation = operation;
  written.layer.node = plan.node;
  written.layer.dac = weights.dac;
  written.layer.scales = weights.scales;
  written.layer.gain.assign(static_cast<std::size_t>(plan.outputs()), T(1));
  for (std::size_t s = 0; s < plan.slices.size(); ++s) {
    TileCells cells =
        program_cells(weights, plan, plan.slices[s], *device_, config_, static_cast<int>(context_.chip), write);
    ProgrammedTile<T> tile;
    tile.slice = plan.slices[s];
    tile.layout = cells.layout;
    tile.array =
        line_matrix<T>(cells.layout, cells.rows, cells.read.mean_S, cells.read.variance_S2, context_.drive.v_read_V);
    tile.dacs = sample_dacs(layer.dac, plan, tile.slice, context_.seed, context_.chip);
    if (!layer.adc.empty()) tile.adc = layer.adc[s];
    written.layer.tiles.push_back(std::move(tile));
    written.cells_S.push_back(std::move(cells.read.mean_S));
  }
  return written;
}

template <class T>
void WrittenArrays<T>::calibrate(WrittenLayer& layer, const LayerPlan& plan, const Tensor& first,
                                 const Tensor& second) const {
  const std::int64_t samples = first.shape[0], used = std::min(samples, kRangeSamples);
  layer.adc.clear();
  std::vector<std::vector<T>> magnitudes(plan.slices.size());
  PathScratch<T> scratch;
  Sample written;
  for (std::int64_t u = 0; u < used; ++u) {
    const std::int64_t b = u * samples / used;
    written = write(layer, plan, first, second, b, calibration_place.write + static_cast<std::uint32_t>(b));
    const LayerInput<T> input(written.layer, plan, *written.operation, written.first);
    const auto first_read =
        (calibration_place.sample + static_cast<std::uint64_t>(b)) * static_cast<std::uint64_t>(plan.positions);
    for (int s = 0; s < input.slices(); ++s) {
      input.gather(s, 0, plan.positions, scratch);
      for (std::size_t t = 0; t < magnitudes.size(); ++t) {
        tile_currents(written.layer, written.layer.tiles[t], plan, context_, s, first_read, plan.positions, scratch);
        for (const T current : scratch.currents)
          magnitudes[t].push_back(std::isfinite(current) ? std::abs(current) : std::numeric_limits<T>::infinity());
      }
    }
  }
  for (std::size_t t = 0; t < magnitudes.size(); ++t) set_range(layer, plan, written.layer.tiles[t], magnitudes[t]);
}

template <class T>
void WrittenArrays<T>::set_range(WrittenLayer& layer, const LayerPlan& plan, const ProgrammedTile<T>& tile,
                                 std::vector<T>& magnitudes) const {
  const circuits::AdcConfig& adc = config_.chip.adc;
  const bool pairs = std::ranges::any_of(tile.layout.lines, [](const mapping::Line& line) { return line.minus >= 0; });
  const bool bipolar = pairs || layer.dac.is_signed;
  double full_scale = adc.bits.ideal() ? 1 : circuits::full_scale_of<T>(adc, bipolar, magnitudes);
  if (!std::isfinite(full_scale)) {
    throw RefusedError(
        {fmt::format("The currents of layer '{}' are not finite: the devices leave what can be computed with.",
                     plan.name),
         "Check chip.attention.device (noise, drift, age) and chip.dac.v_read."});
  }
  // A tile whose samples are all zero still needs a range: a current far below one cell's.
  full_scale = std::max(full_scale, 1e-6 * context_.drive.v_read_V * device_->g_max().si());
  const Stream converters(context_.seed, Purpose::mismatch,
                          {context_.chip, static_cast<std::uint32_t>(tile.slice.tile), circuits::kConverterPart});
  layer.adc.push_back(circuits::make_adc(adc, full_scale, bipolar, converters, static_cast<int>(tile.array.lines)));
}

template <class T>
Tensor WrittenArrays<T>::multiply(const WrittenLayer& layer, const LayerPlan& plan, const Tensor& first,
                                  const Tensor& second, WrittenPlace place, LayerEvents& events) const {
  const std::int64_t samples = first.shape[0], bits = buffer_bits(config_.chip);
  Tensor output{first.shape, {}};
  output.shape.back() = plan.outputs_per_group;
  output.data.reserve(static_cast<std::size_t>(models::element_count(output.shape)));
  for (std::int64_t b = 0; b < samples; ++b) {
    const Sample sample = write(layer, plan, first, second, b, place.write + static_cast<std::uint32_t>(b));
    const std::uint64_t first_read =
        (place.sample + static_cast<std::uint64_t>(b)) * static_cast<std::uint64_t>(plan.positions);
    for (const TileSlice& slice : plan.slices)
      events.cell_writes +=
          mapping::tokens_of(plan, slice) * mapping::cells_per_token(plan, slice, config_.chip.tile.encoding);
    const std::int64_t scalings_before = events.scalings;
    Tensor one;
    if (layer.causal && !plan.token_rows) {
      one = read_by_token(sample, plan, first_read, events);
    } else {
      one = layer_forward(sample.layer, plan, *sample.operation, sample.first, context_, first_read, events);
      if (layer.causal) take_off_silent_rows(plan, layer.dac.slices(), events);
    }
    events.buffer_read_bits += (sample.first.size() + plan.rows() * plan.outputs_per_group) * bits;
    events.buffer_write_bits += (events.scalings - scalings_before) * bits;  // one scaling per output that is converted
    output.data.insert(output.data.end(), one.data.begin(), one.data.end());
  }
  return output;
}

/// Token by token: its column is written, then its query is read. Columns to come hold no conductance.
template <class T>
Tensor WrittenArrays<T>::read_by_token(const Sample& sample, const LayerPlan& plan, std::uint64_t first_read,
                                       LayerEvents& events) const {
  ProgrammedLayer<T> live = sample.layer;
  for (ProgrammedTile<T>& tile : live.tiles) {
    std::ranges::fill(tile.array.current_A, T(0));
    std::ranges::fill(tile.array.variance_A2, T(0));
    std::ranges::fill(tile.array.row_power_W, 0.0);
  }
  const std::int64_t n = plan.outputs_per_group, tile_rows = config_.chip.tile.rows;
  const std::int64_t row_blocks = (plan.rows_per_group + tile_rows - 1) / tile_rows;
  Tensor output{{1, plan.groups, plan.positions, n}, {}};
  output.data.assign(static_cast<std::size_t>(models::element_count(output.shape)), 0.0F);
  add_token(sample, plan, -1, live);
  for (std::int64_t t = 0; t < plan.positions; ++t) {
    add_token(sample, plan, t, live);
    const Tensor row = layer_forward(live, plan, *sample.operation, position_of(sample.first, t), context_,
                                     first_read + static_cast<std::uint64_t>(t), events);
    take_off_silent_columns(plan, config_.chip.tile.encoding, row_blocks, live.dac.slices(), t, events);
    for (std::int64_t h = 0; h < plan.groups; ++h)
      std::copy_n(row.data.begin() + h * n, t + 1, output.data.begin() + (h * plan.positions + t) * n);
  }
  return output;
}

/// Puts the columns of one token into `live`; token -1: the reference columns.
template <class T>
void WrittenArrays<T>::add_token(const Sample& sample, const LayerPlan& plan, std::int64_t token,
                                 ProgrammedLayer<T>& live) const {
  const double v_V = context_.drive.v_read_V;
  for (std::size_t s = 0; s < live.tiles.size(); ++s) {
    const ProgrammedTile<T>& whole = sample.layer.tiles[s];
    ProgrammedTile<T>& tile = live.tiles[s];
    const std::int64_t output = token < 0 ? -1 : token - tile.slice.output_begin % plan.outputs_per_group;
    if (token >= 0 && (output < 0 || output >= tile.slice.outputs())) continue;
    const std::size_t lines = tile.layout.lines.size(),
                      columns = static_cast<std::size_t>(tile.layout.physical_columns);
    for (std::size_t j = 0; j < lines; ++j) {
      const mapping::Line& line = tile.layout.lines[j];
      if (line.output != output) continue;
      for (std::size_t i = 0; i < static_cast<std::size_t>(tile.array.rows); ++i) {
        tile.array.current_A[i * lines + j] = whole.array.current_A[i * lines + j];
        if (!whole.array.variance_A2.empty())
          tile.array.variance_A2[i * lines + j] = whole.array.variance_A2[i * lines + j];
        for (const int column : {line.plus, line.minus}) {
          if (column >= 0)
            tile.array.row_power_W[i] +=
                v_V * v_V * static_cast<double>(sample.cells_S[s][i * columns + static_cast<std::size_t>(column)]);
        }
      }
    }
  }
}

template class WrittenArrays<float>;
template class WrittenArrays<double>;

}  // namespace tellegen::sim
