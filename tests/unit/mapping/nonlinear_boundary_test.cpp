// Activations computed by the ADCs of the product before: where, and why not elsewhere.

#include "tellegen/mapping/nonlinear_boundary.h"
#include "shipped.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tellegen/base/config.h"
#include "tellegen/mapping/adc_function.h"
#include "tellegen/models/convert/fused_activations.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::mapping {
namespace {

using test::chip;
using test::trained;

/// Arrays that hold each layer of the multilayer perceptron whole, with one scale and the biases on rows.
const std::string kWhole = "boundary: nonlinear_adc, tile: {rows: 1024, columns: 1024, bias: rows, scale: per_layer}";

/// The reason why the first activation of the multilayer perceptron stays digital.
std::string reason(const std::string& settings) {
  const GatedNetwork gated = gate_network(trained("mlp_mnist"), chip(settings));
  EXPECT_EQ(gated.edges[0].taken, Boundary::digital);
  return gated.edges[0].why;
}

TEST(NonlinearBoundary, JoinsActivationsToTheProductsBeforeThem) {
  const models::Network before = trained("mlp_mnist");
  const GatedNetwork gated = gate_network(before, chip(kWhole));
  ASSERT_EQ(gated.edges.size(), 2U);
  EXPECT_EQ(gated.network.nodes.size(), before.nodes.size() - 2);
  std::vector<std::string> fused;
  for (const models::Node& node : gated.network.nodes) {
    if (node.fused) fused.push_back(node.name);
  }
  ASSERT_EQ(fused.size(), 2U);
  for (std::size_t e = 0; e < 2; ++e) {
    EXPECT_EQ(gated.edges[e].taken, Boundary::nonlinear_adc);
    EXPECT_EQ(gated.edges[e].why, "The ADCs of '" + fused[e] + "' compute it.");
  }
  models::Tensor input{{4, 1, 28, 28}, std::vector<float>(4 * 784)};
  input.shape.assign(before.values[0].shape.begin(), before.values[0].shape.end());
  input.shape[0] = 4;
  for (std::size_t i = 0; i < input.data.size(); ++i)
    input.data[i] = static_cast<float>(std::sin(0.1 * static_cast<double>(i)));
  EXPECT_EQ(models::execute(before, input).data, models::execute(gated.network, input).data);
}

TEST(NonlinearBoundary, IsPlacedOnBothLayers) {
  const ChipConfig config = chip(kWhole);
  GatedNetwork gated = gate_network(trained("mlp_mnist"), config);
  Plan plan = std::get<Plan>(plan_greedy(gated.network, config));
  place_boundaries(plan, gated.network, gated.edges, config, Temperature::si(300));
  EXPECT_TRUE(plan.layers[0].adc_function && plan.layers[1].adc_function);
  EXPECT_FALSE(plan.layers[2].adc_function);
  EXPECT_EQ((*plan.layers[0].adc_function)(-2), 0);
  EXPECT_EQ((*plan.layers[0].adc_function)(3), 3);
  EXPECT_EQ(plan.layers[0].boundary, Boundary::digital);
  EXPECT_EQ(plan.layers[1].boundary, Boundary::nonlinear_adc);
  EXPECT_EQ(plan.layers[2].boundary, Boundary::nonlinear_adc);
}

TEST(NonlinearBoundary, SaysWhyNot) {
  const std::string tile = "boundary: nonlinear_adc, tile: {rows: 1024, columns: 1024, ";
  EXPECT_THAT(reason("boundary: nonlinear_adc"),
              testing::MatchesRegex("Not by the ADC: the sums of '.*' are added up from "
                                    "several tiles. Taken: digital."));
  EXPECT_THAT(reason(tile + "scale: per_layer}"),
              testing::MatchesRegex("Not by the ADC: the bias of '.*' is added digitally; put it on a row with "
                                    "chip.tile.bias: rows. Taken: digital."));
  EXPECT_EQ(reason(tile + "bias: rows}"),
            "Not by the ADC: each column has a scale of its own, and converters have one; set chip.tile.scale: "
            "per_layer. Taken: digital.");
  EXPECT_EQ(reason(kWhole + ", drift_compensation: per_column"),
            "Not by the ADC: each column has a factor against drift, and converters have one; set "
            "chip.drift_compensation: per_layer. Taken: digital.");
  EXPECT_EQ(
      reason(kWhole + ", dac: {streaming: bit_serial}"),
      "Not by the ADC: slices of the inputs are added up digitally; set chip.dac.streaming: full. Taken: digital.");
  EXPECT_EQ(reason(tile + "bias: rows, scale: per_layer, encoding: unit_column}"),
            "Not by the ADC: the constant part of the weights is taken off digitally. Taken: digital.");
  EXPECT_EQ(reason(tile + "bias: rows, scale: per_layer, cell_levels: 16, slices: 2}"),
            "Not by the ADC: slices of a weight are added up digitally. Taken: digital.");
  EXPECT_EQ(reason(kWhole + ", tiles: 1"), "Not by the ADC: the network has no place on the chip. Taken: digital.");
}

/// Readers of the sums themselves: a threshold gate needs them, so that they must be numbers.
TEST(NonlinearBoundary, DoesNotTakeSumsFromThresholdGates) {
  const models::Network network = trained("mbnet_fashion");
  const std::string whole = "tile: {rows: 256, columns: 256, bias: rows, scale: per_layer}";
  const GatedNetwork all = gate_network(network, chip("boundary: nonlinear_adc, " + whole));
  std::size_t taken = 0;
  for (const Edge& edge : all.edges) taken += edge.taken == Boundary::nonlinear_adc ? 1 : 0;
  EXPECT_EQ(taken, all.edges.size());  // pools and products of numbers read words as well
  const std::string reader = all.edges[0].reader;
  const GatedNetwork mixed = gate_network(
      network, chip("boundary: nonlinear_adc, edges: [{layer: " + reader + ", boundary: tg_after_dac}], " + whole));
  EXPECT_EQ(mixed.edges[0].taken, Boundary::tg_after_dac);
  EXPECT_EQ(mixed.edges[1].taken, Boundary::nonlinear_adc);
}

TEST(NonlinearBoundary, AnEdgeMayAskAlone) {
  const std::string whole = "tile: {rows: 1024, columns: 1024, bias: rows, scale: per_layer}";
  const GatedNetwork plain = gate_network(trained("mlp_mnist"), chip(whole));
  const std::string second = plain.edges[1].reader;
  const GatedNetwork gated =
      gate_network(trained("mlp_mnist"), chip("edges: [{layer: " + second + ", boundary: nonlinear_adc}], " + whole));
  EXPECT_EQ(gated.edges[0].taken, Boundary::digital);
  EXPECT_EQ(gated.edges[0].why, "Asked for.");
  EXPECT_EQ(gated.edges[1].taken, Boundary::nonlinear_adc);
}

/// first, relu, then two layers that read it, added up.
models::Network two_readers() {
  models::Network network;
  network.name = "two readers";
  network.input = 0;
  network.values.push_back({"x", {-1, 2}, false});
  const auto add = [&](const std::string& name, std::shared_ptr<const models::Operation> operation,
                       std::vector<models::ValueId> inputs) {
    const auto output = static_cast<models::ValueId>(network.values.size());
    network.values.push_back({name, {-1, 2}, false});
    network.nodes.push_back({name, std::move(operation), std::move(inputs), output, {name, name}, {}});
    return network.output = output;
  };
  const auto linear = [] {
    return std::make_shared<models::Linear>(2, std::vector<float>{1, -1, 0.5F, 0.25F}, std::vector<float>{});
  };
  const models::ValueId relu =
      add("relu", std::make_shared<models::Pointwise>(models::Pointwise::Kind::relu), {add("first", linear(), {0})});
  const models::ValueId left = add("left", linear(), {relu}), right = add("right", linear(), {relu});
  add("sum", std::make_shared<models::Arithmetic>(models::Arithmetic::Kind::add), {left, right});
  return network;
}

TEST(NonlinearBoundary, WhatOneReaderAsksForAllGet) {
  const models::Network network = two_readers();
  const std::string scale = "tile: {scale: per_layer}, ";
  const GatedNetwork gated = gate_network(network, chip(scale + "edges: [{layer: right, boundary: nonlinear_adc}]"));
  ASSERT_EQ(gated.edges.size(), 2U);
  EXPECT_EQ(gated.edges[0].asked, Boundary::digital);
  EXPECT_EQ(gated.edges[0].taken, Boundary::nonlinear_adc);
  EXPECT_EQ(gated.edges[0].why, "The ADCs of 'first' compute it for 'right', and so for all that read it.");
  EXPECT_EQ(gated.edges[1].why, "The ADCs of 'first' compute it.");
  const models::Tensor input{{2, 2}, {1, 2, -0.5F, -3}};
  EXPECT_EQ(models::execute(network, input).data, models::execute(gated.network, input).data);
  // A threshold gate reads the sums, so that they must become numbers.
  const GatedNetwork mixed =
      gate_network(network, chip(scale + "boundary: nonlinear_adc, edges: [{layer: right, boundary: tg_after_dac}]"));
  EXPECT_EQ(mixed.edges[1].taken, Boundary::tg_after_dac);
  EXPECT_EQ(mixed.edges[0].taken, Boundary::digital);
  EXPECT_EQ(mixed.edges[0].why, "Not by the ADC: the sums of 'first' are read elsewhere as well. Taken: digital.");
}

/// Every function of one number that networks have, its values and its turning points.
TEST(AdcFunction, IsTheActivation) {
  using Kind = models::Pointwise::Kind;
  const std::vector<models::Pointwise> activations{models::Pointwise(Kind::relu),
                                                   models::Pointwise(Kind::leaky_relu, 0.1F),
                                                   models::Pointwise(Kind::leaky_relu, -0.3F),
                                                   models::Pointwise(Kind::clip, -1, 6),
                                                   models::Pointwise(Kind::elu, 1),
                                                   models::Pointwise(Kind::elu, -0.5F),
                                                   models::Pointwise(Kind::sigmoid),
                                                   models::Pointwise(Kind::hard_sigmoid, 0.25F, 0.5F),
                                                   models::Pointwise(Kind::tanh),
                                                   models::Pointwise(Kind::silu),
                                                   models::Pointwise(Kind::swish, 1.7F),
                                                   models::Pointwise(Kind::swish, -0.6F),
                                                   models::Pointwise(Kind::swish, 0),
                                                   models::Pointwise(Kind::hard_swish),
                                                   models::Pointwise(Kind::gelu_erf),
                                                   models::Pointwise(Kind::gelu_tanh),
                                                   models::Pointwise(Kind::softplus),
                                                   models::Pointwise(Kind::mish),
                                                   models::Pointwise(Kind::tanh_sech, 1.5F)};
  for (const models::Pointwise& activation : activations) {
    const circuits::ScalarFunction function = adc_function_of(activation).value();
    models::Tensor x{{1601}, {}};
    for (int i = -800; i <= 800; ++i) x.data.push_back(static_cast<float>(i) / 100);
    const models::Tensor* inputs[] = {&x};
    const models::Tensor y = activation.run(inputs);
    int turns = 0;
    double rising = 0;
    for (std::size_t i = 0; i < y.data.size(); ++i) {
      const double at = static_cast<double>(x.data[i]);
      ASSERT_NEAR(function(at), static_cast<double>(y.data[i]), 3e-6) << activation.label() << " " << at;
      if (i == 0) continue;
      const double step = function(at) - function(static_cast<double>(x.data[i - 1]));
      if (std::abs(step) < 1e-12) continue;
      turns += rising * step < 0 ? 1 : 0;
      rising = step;
    }
    EXPECT_EQ(turns, static_cast<int>(function.turning_points().size())) << activation.label();
    for (const double turn : function.turning_points()) {  // the extreme value of its neighbourhood
      const double here = function(turn), left = function(turn - 1e-3), right = function(turn + 1e-3);
      EXPECT_GE((left - here) * (right - here), 0) << activation.label();
    }
  }
}

}  // namespace
}  // namespace tellegen::mapping
