#pragma once
// A small result with round figures, so that every number of its report can be checked by hand.

#include <string>

#include "tellegen/sim/engine/run.h"

namespace tellegen::report {

inline circuits::Price hand_made_price(double energy_J, double area_m2) {
  circuits::Price price;
  price.energy_J = {energy_J / 2, energy_J, 4 * energy_J};
  price.area_m2 = {area_m2 / 2, area_m2, 2 * area_m2};
  price.from.source = "by_hand";
  price.from.evidence = "derived";
  price.formula = "a * b";
  price.inputs = {{"a_V", 2.0}, {"b_C", energy_J / 2}};
  return price;
}

inline sim::LayerEvents hand_made_events(std::int64_t conversions) {
  sim::LayerEvents events;
  events.images = 20;
  events.products = 20;
  events.dac_drives = 400;
  events.conversions = conversions;
  events.clipped = conversions / 100;
  events.digital["relu"] = 100;
  return events;
}

inline sim::EnergyRow energy_row(const std::string& layer, const std::string& component, double count,
                                 double energy_J) {
  const circuits::Price price = hand_made_price(energy_J, 0);
  return {layer, component, count, "actions", price, count * price.energy_J};
}
inline sim::AreaRow area_row(const std::string& layer, const std::string& component, double instances, double area_m2) {
  const circuits::Price price = hand_made_price(0, area_m2);
  return {layer, component, instances, price, instances * price.area_m2, instances * price.static_W};
}

/// Two layers, two chips, ten images.
inline sim::RunResult hand_made_result() {
  sim::RunResult result;
  result.config.name = "by_hand";
  result.config.network.onnx = "net.onnx";
  result.config.network.data = "set.h5";
  result.resolved_yaml = "name: by_hand\n";
  result.hash = "0123456789abcdef";
  result.version = "0.0.0";
  result.samples = 10;
  result.float_accuracy = 1.0;
  result.macs_per_image = 1000;
  for (const char* name : {"/conv1/Conv", "/3/Gemm"}) {
    mapping::LayerPlan layer;
    layer.name = name;
    layer.label = result.plan.layers.empty() ? "conv 3x3" : "linear";
    layer.rows_per_group = 64;
    layer.outputs_per_group = 32;
    layer.slices = {{result.plan.tiles, 0, 64, 0, 32, 64, 64}};
    result.plan.layers.push_back(layer);
    ++result.plan.tiles;
  }
  for (int c = 0; c < 2; ++c) {
    sim::ChipResult chip;
    chip.chip = c;
    chip.accuracy = c == 0 ? 0.8 : 0.9;
    chip.predictions.assign(10, c);
    chip.events = {hand_made_events(1000), hand_made_events(200)};
    chip.signals = {{100, 1}, {100, 0.5}};
    chip.faults = {0.01, 0.03};
    result.chips.push_back(chip);
  }
  const double accuracies[] = {0.8, 0.9};
  result.accuracy = mean_interval(accuracies);
  result.events = {hand_made_events(2000), hand_made_events(400)};
  result.ledger.energy = {energy_row("/conv1/Conv", "adc", 100, 1e-12), energy_row("/conv1/Conv", "dac", 20, 2e-12),
                          energy_row("/3/Gemm", "adc", 20, 1e-12), energy_row("/3/Gemm", "activation_relu", 5, 4e-12)};
  result.ledger.area = {area_row("/conv1/Conv", "adc", 4, 1e-9), area_row("/3/Gemm", "adc", 2, 1e-9)};
  result.ledger.latency = {{"/conv1/Conv", 1, 1, 8, 1e-8, 1e-9, 1e-8}, {"/3/Gemm", 1, 1, 8, 1e-8, 1e-9, 3e-8}};
  return result;
}

}  // namespace tellegen::report
