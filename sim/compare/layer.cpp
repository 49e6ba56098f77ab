#include "tellegen/sim/compare/layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

#include "tellegen/base/error.h"
#include "tellegen/base/random.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/test_set.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::compare {
namespace {

constexpr double kHeld = 0.999;  ///< share of |x| inside the full scale

const models::Node& find_node(const models::Network& network, const SampleSource& source) {
  std::vector<std::string> names;
  for (const models::Node& node : network.nodes) {
    if (node.name == source.node) return node;
    names.push_back(node.name);
  }
  const std::string near = nearest(source.node, names);
  throw InputError({source.network->string()}, fmt::format("has no node '{}'{}", source.node,
                                                           near.empty() ? "; name an activation or a softmax of it."
                                                                        : fmt::format("; did you mean '{}'?", near)));
}

std::filesystem::path found(const std::filesystem::path& path, const std::filesystem::path& beside) {
  const auto file = sim::find_input(path, beside);
  if (!file) throw InputError({path.string()}, "there is no such file; 'samples' of a layer names it.");
  return *file;
}

std::vector<float> network_values(const SampleSource& source, const std::filesystem::path& beside) {
  const models::Network network = models::import_onnx(found(*source.network, beside));
  const auto data = models::load_test_set(found(*source.data, beside), network);
  const models::ValueId wanted = find_node(network, source).inputs.front();
  std::vector<float> values;
  const models::Observer observer = [&](const models::Node& node, std::size_t, const models::Tensor& output) {
    if (node.output == wanted) values = output.data;
  };
  if (source.inputs > data->size()) {
    throw InputError(fmt::format("samples.inputs = '{}' is more than '{}' holds; allowed: 1 to {}.", source.inputs,
                                 source.data->string(), data->size()));
  }
  models::execute(network, data->batch(0, source.inputs), {}, observer);
  return values;
}

/// `count` rows of `length`, evenly taken.
std::vector<float> evenly(const std::vector<float>& values, std::size_t count, std::size_t length) {
  const std::size_t rows = values.size() / length, taken = std::min(count, rows);
  std::vector<float> out;
  for (std::size_t r = 0; r < taken; ++r) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(r * rows / taken * length);
    out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(length));
  }
  return out;
}

std::vector<float> normal_values(const SampleSource& source, std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  Stream(seed, Purpose::test, {0, 0, 0x5A3}).normals(0, values);
  for (float& value : values) value = static_cast<float>(source.mean + source.deviation * value);
  return values;
}

void softmax_rows(LayerSamples& samples) {
  const auto n = static_cast<std::size_t>(samples.length);
  for (std::size_t first = 0; first < samples.x.size(); first += n) {
    const float top = *std::max_element(&samples.x[first], &samples.x[first] + n);
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += std::exp(static_cast<double>(samples.x[first + k] - top));
    for (std::size_t k = 0; k < n; ++k)
      samples.y[first + k] = static_cast<float>(std::exp(static_cast<double>(samples.x[first + k] - top)) / sum);
  }
}

/// The second product of the array is taken to be distributed as the first and to have nothing to do with it.
void add_second(LayerSamples& samples) {
  const std::size_t count = samples.x.size();
  for (std::size_t e = 0; e < count; ++e) {
    const double other = static_cast<double>(samples.x[(e + count / 2) % count]);
    samples.second.push_back(static_cast<float>(std::clamp(other / samples.x_scale, -1.0, 1.0)));
  }
}

double held_magnitude(std::vector<float> x) {
  for (float& value : x) value = std::abs(value);
  const auto rank = static_cast<std::size_t>(std::ceil(kHeld * static_cast<double>(x.size()))) - 1;
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(rank), x.end());
  return x[rank];
}

}  // namespace

std::span<const std::pair<Function, const char*>> enum_names(Function) {
  static constexpr std::array names{std::pair{Function::relu, "relu"},      std::pair{Function::sigmoid, "sigmoid"},
                                    std::pair{Function::tanh, "tanh"},      std::pair{Function::silu, "silu"},
                                    std::pair{Function::gelu, "gelu"},      std::pair{Function::tanh_sech, "tanh_sech"},
                                    std::pair{Function::softmax, "softmax"}};
  return names;
}

std::span<const std::pair<Reader, const char*>> enum_names(Reader) {
  static constexpr std::array names{std::pair{Reader::array, "array"}, std::pair{Reader::digital, "digital"}};
  return names;
}

circuits::ScalarFunction scalar_function(Function function) {
  if (function == Function::relu) return circuits::ScalarFunction([](double x) { return std::max(x, 0.0); });
  return unit_function(function);
}

circuits::ActivationFunction unit_function(Function function) {
  using Scalar = circuits::ActivationFunction;
  switch (function) {
    case Function::sigmoid:
      return Scalar::sigmoid;
    case Function::tanh:
      return Scalar::tanh;
    case Function::silu:
      return Scalar::silu;
    case Function::gelu:
      return Scalar::gelu;
    case Function::tanh_sech:
      return Scalar::tanh_sech;
    case Function::relu:
    case Function::softmax:
      break;
  }
  throw std::logic_error("no unit computes this function by a table");
}

void SampleSource::settings(Settings& v) {
  v("network", network, "ONNX file whose own pre-activations are taken; left out: a normal distribution");
  v("data", data, "test set of the network");
  v("node", node, "activation or softmax of the network whose input is taken");
  v("inputs", inputs, "inputs of the test set that are run", at_least(1));
  v("mean", mean, "of the normal distribution", between(-1e3, 1e3));
  v("deviation", deviation, "standard deviation of the normal distribution", between(1e-6, 1e3));
  v.require(network.has_value() == data.has_value(), "network",
            "and 'data' belong together; give both, or neither for a normal distribution.");
  v.require(network.has_value() == !node.empty(), "node",
            "must name an activation of 'network'; give both, or neither for a normal distribution.");
}

void LayerConfig::settings(Settings& v) {
  v("name", name, "what rows of the table call it", required());
  v("function", function, "the activation", required());
  v("length", length, "of softmax: inputs of a row", between(1, 65536));
  v("lanes", lanes, "activations that are there as hardware, side by side", between(1, 1e6));
  v("activations", activations, "per inference; 0: as many as lanes", between(0, 1e9));
  v("reader", reader, "array: the results drive rows; digital: they are needed as numbers");
  v("gated", gated, "the result is multiplied with a second product of the array");
  v.section("samples", samples, "pre-activations that errors are measured on");
  v.require((function == Function::softmax) == (length > 1), "length",
            "must be above 1 for softmax, and 1 for functions of one number.");
  v.require(function != Function::softmax || lanes % length == 0, "lanes",
            "must be a multiple of 'length': rows of a softmax are whole.");
  v.require(function != Function::softmax || !gated, "gated", "must be false for softmax.");
}

LayerSamples gather(const LayerConfig& layer, int count, std::uint64_t seed, const std::filesystem::path& beside) {
  LayerSamples samples;
  samples.length = layer.length;
  const auto rows = static_cast<std::size_t>(count), length = static_cast<std::size_t>(layer.length);
  samples.x = layer.samples.network ? evenly(network_values(layer.samples, beside), rows, length)
                                    : normal_values(layer.samples, rows * length, seed);
  if (samples.x.empty())
    throw InputError(fmt::format("layer '{}' has no samples: node '{}' has no rows of {} values.", layer.name,
                                 layer.samples.node, layer.length));
  samples.y.resize(samples.x.size());
  const bool softmax = layer.function == Function::softmax;
  if (softmax) softmax_rows(samples);
  // Softmax to base 2 takes words of x log2(e), which then have a power of two as well.
  const double unit = softmax ? std::numbers::ln2 : 1;
  samples.x_scale = unit * std::exp2(std::ceil(std::log2(std::max(held_magnitude(samples.x), 1e-6) / unit)));
  if (softmax) return samples;
  const circuits::ScalarFunction function = scalar_function(layer.function);
  for (std::size_t i = 0; i < samples.x.size(); ++i)
    samples.y[i] = static_cast<float>(function(static_cast<double>(samples.x[i])));
  std::tie(samples.y_low, samples.y_high) = function.range(-samples.x_scale, samples.x_scale);
  samples.y_scale = std::max(std::abs(samples.y_low), std::abs(samples.y_high));
  if (layer.gated) add_second(samples);
  return samples;
}

}  // namespace tellegen::compare
