#include "tellegen/models/operators/rotary.h"

namespace tellegen::models {

Tensor Rotary::run(std::span<const Tensor* const> inputs) const {
  const Tensor& x = *inputs[0];
  Tensor y;
  y.shape = x.shape;
  y.data.resize(x.data.size());
  const std::int64_t width = x.shape.back(), half = width / 2, period = cosine_.size();
  for (std::int64_t at = 0; at < x.size(); at += width) {
    const float *in = x.data.data() + at, *cosine = cosine_.data.data() + at % period,
                *sine = sine_.data.data() + at % period;
    float* out = y.data.data() + at;
    for (std::int64_t i = 0; i < half; ++i) out[i] = in[i] * cosine[i] - in[i + half] * sine[i];
    for (std::int64_t i = half; i < width; ++i) out[i] = in[i] * cosine[i] + in[i - half] * sine[i];
  }
  return y;
}

}  // namespace tellegen::models
