#pragma once
// How many parameters a layer with threshold gates has, by what its synapses share. N weights join n_in gated inputs to n_out
// outputs.

#include <cstdint>
#include <string_view>

namespace tellegen::models::gating {

enum class SharingLevel {
  general,  ///< every synapse has K slopes, K constants, K - 1 thresholds and a sharpness of its own
  tg_s,     ///< general without constants; the constant family is then out of reach but for what the bias takes
  tg_w,     ///< K matrices of weights; thresholds and sharpness are shared
  tg_a      ///< one matrix, the trained weights; the whole gate is shared
};

/// What shares thresholds and sharpness in tg_w and tg_a.
enum class Scope { per_channel, per_layer };
/// What a shared gate of tg_a stores: thresholds and sharpness (K numbers) or its slopes and constants as well (3K).
enum class GateContent { thresholds, everything };

struct LayerSize {
  std::int64_t weights = 0, inputs = 0, outputs = 0;
};
LayerSize dense_layer(std::int64_t inputs, std::int64_t outputs);
/// A convolution; gates are shared by all places of a channel. `groups` divides both numbers of channels.
LayerSize convolution_layer(std::int64_t channels_in, std::int64_t channels_out, std::int64_t kernel_height,
                            std::int64_t kernel_width, std::int64_t groups = 1);

/// All numbers of the layer with gates of `branches` branches, the n_out biases included. `scope` counts for tg_w and tg_a,
/// `content` for tg_a only. An InputError where sizes or branches are below 1.
std::int64_t parameter_count(SharingLevel level, const LayerSize& layer, std::int64_t branches,
                             Scope scope = Scope::per_channel, GateContent content = GateContent::everything);
/// The same without gates.
std::int64_t plain_parameter_count(const LayerSize& layer);

std::string_view name(SharingLevel level);

}  // namespace tellegen::models::gating
