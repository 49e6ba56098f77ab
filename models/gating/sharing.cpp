#include "tellegen/models/gating/sharing.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

LayerSize dense_layer(std::int64_t inputs, std::int64_t outputs) { return {inputs * outputs, inputs, outputs}; }

LayerSize convolution_layer(std::int64_t channels_in, std::int64_t channels_out, std::int64_t kernel_height,
                            std::int64_t kernel_width, std::int64_t groups) {
  if (groups < 1 || channels_in % groups != 0 || channels_out % groups != 0)
    throw InputError(fmt::format("A convolution from {} to {} channels has '{}' groups; groups must divide both.",
                                 channels_in, channels_out, groups));
  return {channels_in / groups * channels_out * kernel_height * kernel_width, channels_in, channels_out};
}

std::int64_t plain_parameter_count(const LayerSize& layer) { return layer.weights + layer.outputs; }

std::int64_t parameter_count(SharingLevel level, const LayerSize& layer, std::int64_t branches, Scope scope,
                             GateContent content) {
  if (layer.weights < 1 || layer.inputs < 1 || layer.outputs < 1)
    throw InputError(fmt::format("A layer has '{}' weights, '{}' inputs and '{}' outputs; each must be at least 1.",
                                 layer.weights, layer.inputs, layer.outputs));
  if (branches < 1) throw InputError(fmt::format("A threshold gate has '{}' branches; it needs at least 1.", branches));
  const std::int64_t gates = scope == Scope::per_channel ? layer.inputs : 1;
  switch (level) {
    case SharingLevel::general:
      return 3 * branches * layer.weights + layer.outputs;
    case SharingLevel::tg_s:
      return 2 * branches * layer.weights + layer.outputs;
    case SharingLevel::tg_w:
      return branches * layer.weights + branches * gates + layer.outputs;
    case SharingLevel::tg_a:
      return layer.weights + (content == GateContent::everything ? 3 : 1) * branches * gates + layer.outputs;
  }
  return 0;
}

std::string_view name(SharingLevel level) {
  switch (level) {
    case SharingLevel::general:
      return "General";
    case SharingLevel::tg_s:
      return "TG_S";
    case SharingLevel::tg_w:
      return "TG_W";
    case SharingLevel::tg_a:
      return "TG_A";
  }
  return "";
}

}  // namespace tellegen::models::gating
