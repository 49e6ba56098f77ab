#pragma once
// What is compared: the activations of a layer, how many there are, what they see, and who reads them.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/circuits/digital/scalar_function.h"

namespace tellegen::compare {

enum class Function { relu, sigmoid, tanh, silu, gelu, tanh_sech, softmax };
std::span<const std::pair<Function, const char*>> enum_names(Function);
/// The same as a function of one number; not of softmax.
circuits::ScalarFunction scalar_function(Function function);
/// The same for units that compute it by tables or lines; not of softmax, nor of relu, which has a unit of its own.
circuits::ActivationFunction unit_function(Function function);

/// Who takes the result: the rows of the next array, or digital logic.
enum class Reader { array, digital };
std::span<const std::pair<Reader, const char*>> enum_names(Reader);

/// Where pre-activations come from: a node of a network over its own data, or a normal distribution.
struct SampleSource {
  std::optional<std::filesystem::path> network, data;
  std::string node;  ///< of the network: an activation or a softmax; its input is looked at
  int inputs = 4;    ///< samples of the data that are run
  double mean = 0, deviation = 2;
  void settings(Settings& v);
};

struct LayerConfig {
  std::string name;
  Function function = Function::sigmoid;
  int length = 1;                ///< of softmax: inputs of a row
  int lanes = 128;               ///< activations that are there as hardware, side by side
  std::int64_t activations = 0;  ///< per inference; 0: as many as lanes
  Reader reader = Reader::array;
  bool gated = false;  ///< the result is multiplied with a second product of the array (GLU)
  SampleSource samples;
  std::int64_t per_inference() const { return activations > 0 ? activations : lanes; }
  void settings(Settings& v);
};

/// Samples of a layer with what they should become.
struct LayerSamples {
  int length = 1;                ///< elements of a row
  std::vector<float> x, y;       ///< rows one after another; y exact
  double x_scale = 1;            ///< full scale of x: least power of two (softmax: times ln 2) that holds 99.9 % of |x|
  double y_low = 0, y_high = 1;  ///< of y over [-x_scale, x_scale]
  double y_scale = 1;            ///< largest |y|: what errors are stated over
  std::vector<float> second;     ///< of gated layers, over its full scale: what y is multiplied with
};

/// `count` samples (of softmax: rows), drawn or evenly taken from the network's, whose files are looked for from `beside`
/// too. Throws InputError.
LayerSamples gather(const LayerConfig& layer, int count, std::uint64_t seed, const std::filesystem::path& beside = {});

}  // namespace tellegen::compare
