#pragma once
// Products of two computed matrices, made up by a test, on rewritten tiles.

#include <cstdint>
#include <string>

#include "../engine/engine_fixture.h"
#include "tellegen/mapping/written_products.h"
#include "tellegen/sim/engine/written_arrays.h"

namespace tellegen::sim::test {

/// [batch, heads, m, k] x [batch, heads, k, n].
struct ProductShape {
  std::int64_t heads = 1, m = 1, k = 1, n = 1;
  bool token_rows = false;
};

inline mapping::LayerPlan planned(const ProductShape& shape, const mapping::ChipConfig& chip) {
  mapping::LayerPlan plan;
  plan.name = "product";
  plan.groups = shape.heads;
  plan.positions = shape.m;
  plan.rows_per_group = shape.k;
  plan.outputs_per_group = shape.n;
  plan.token_rows = shape.token_rows;
  int next_tile = 7;
  mapping::cut_groups(plan, mapping::attention_chip(chip).tile, next_tile);
  return plan;
}

/// Made-up values in [-1, 1], every second of them negative where `is_signed`.
inline models::Tensor values(const models::Shape& shape, std::uint32_t seed, bool is_signed = true) {
  models::Tensor tensor{shape, std::vector<float>(static_cast<std::size_t>(models::element_count(shape)))};
  Stream(seed, Purpose::test, {}).uniforms(0, tensor.data);
  for (std::size_t i = 1; is_signed && i < tensor.data.size(); i += 2) tensor.data[i] = -tensor.data[i];
  return tensor;
}

inline WrittenLayer layer_of(const ProductShape& shape, const ExperimentConfig& config, bool is_signed, bool causal) {
  WrittenLayer layer;
  layer.dac = {config.chip.dac, 1.0, is_signed};
  layer.full_scale.assign(static_cast<std::size_t>(shape.heads), 1.0);
  layer.causal = causal;
  return layer;
}

/// Element [b, h, t, s] of first x second, in double.
inline double exact_element(const models::Tensor& first, const models::Tensor& second, std::int64_t b, std::int64_t h,
                            std::int64_t t, std::int64_t s) {
  const std::int64_t heads = first.shape[1], m = first.shape[2], k = first.shape[3], n = second.shape[3];
  double sum = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    sum += static_cast<double>(first.data[static_cast<std::size_t>(((b * heads + h) * m + t) * k + i)]) *
           static_cast<double>(second.data[static_cast<std::size_t>(((b * heads + h) * k + i) * n + s)]);
  }
  return sum;
}

/// visit(index in the output, exact element, t, s) for all elements.
template <class Visit>
void for_each_element(const models::Tensor& first, const models::Tensor& second, const Visit& visit) {
  std::size_t at = 0;
  for (std::int64_t b = 0; b < first.shape[0]; ++b) {
    for (std::int64_t h = 0; h < first.shape[1]; ++h) {
      for (std::int64_t t = 0; t < first.shape[2]; ++t) {
        for (std::int64_t s = 0; s < second.shape[3]; ++s, ++at)
          visit(at, exact_element(first, second, b, h, t, s), t, s);
      }
    }
  }
}

inline ExperimentConfig attention(const std::string& chip_lines) {
  return experiment("vit_mnist", "chip:\n  drift_compensation: none\n" + chip_lines);
}

inline const std::string kIdealArrays =
    "  dac: {bits: ideal}\n  adc: {bits: ideal}\n  attention: {products: crossbar, rows: 4, columns: 10, device: "
    "{model: ideal}}\n";

}  // namespace tellegen::sim::test
