#include "tellegen/models/operators/pointwise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/activation_kernels.h"
#include "tellegen/models/operators/map.h"

namespace tellegen::models {

namespace {

/// A kernel that works in place, on a copy.
Tensor curve(const Tensor& x, void (*kernel)(VectorUnit, float*, std::int64_t), float factor = 1) {
  Tensor y = factor == 1 ? x : map(x, [factor](float v) { return factor * v; });
  kernel(best_vector_unit(), y.data.data(), y.size());
  return y;
}

Tensor times(Tensor y, const Tensor& x) {
  for (std::size_t i = 0; i < y.data.size(); ++i) y.data[i] *= x.data[i];
  return y;
}

/// log(1 + exp(x)) without overflow.
float softplus(float x) { return std::max(x, 0.0F) + std::log1p(std::exp(-std::abs(x))); }

/// Where only whole numbers decide, comparators do what a relu unit does; smooth curves are priced as the unit they
/// imitate.
struct Description {
  const char* label;
  const char* digital_unit;
};
Description describe(Pointwise::Kind kind) {
  switch (kind) {
    case Pointwise::Kind::relu:
      return {"relu", "relu"};
    case Pointwise::Kind::leaky_relu:
      return {"leaky relu", "relu"};
    case Pointwise::Kind::clip:
      return {"clip", "relu"};
    case Pointwise::Kind::sigmoid:
      return {"sigmoid", "sigmoid"};
    case Pointwise::Kind::hard_sigmoid:
      return {"hard sigmoid", "sigmoid"};
    case Pointwise::Kind::tanh:
      return {"tanh", "tanh"};
    case Pointwise::Kind::silu:
      return {"silu", "silu"};
    case Pointwise::Kind::swish:
      return {"swish", "silu"};
    case Pointwise::Kind::hard_swish:
      return {"hard swish", "silu"};
    case Pointwise::Kind::elu:
      return {"elu", "sigmoid"};
    case Pointwise::Kind::gelu_erf:
      return {"gelu (erf)", "gelu"};
    case Pointwise::Kind::gelu_tanh:
      return {"gelu (tanh)", "gelu"};
    case Pointwise::Kind::softplus:
      return {"softplus", "sigmoid"};
    case Pointwise::Kind::mish:
      return {"mish", "gelu"};
    case Pointwise::Kind::tanh_sech:
      return {"tanh sech", "tanh"};
  }
  return {};
}

/// A bound of Clip: an input from opset 11 on, an attribute before.
float clip_bound(onnx::ImportContext& context, std::size_t input, const char* attribute, float otherwise) {
  if (context.opset() < 11) return context.number(attribute, otherwise);
  if (!context.has_input(input)) return otherwise;
  const Tensor& bound = context.constant_or_infinite(input);
  if (bound.size() != 1)
    throw InputError("has a bound of shape '" + to_string(bound.shape) + "'; one number is allowed.");
  return bound.data[0];
}

void emit(onnx::ImportContext& context, Pointwise::Kind kind, float a = 0, float b = 0) {
  context.emit(std::make_shared<const Pointwise>(kind, a, b), {context.value(0)});
}

}  // namespace

std::string Pointwise::label() const { return describe(kind_).label; }
std::string Pointwise::digital_unit() const { return describe(kind_).digital_unit; }

Tensor Pointwise::run(std::span<const Tensor* const> inputs) const {
  const Tensor& x = *inputs[0];
  switch (kind_) {
    case Kind::relu:
      return map(x, [](float v) { return std::max(v, 0.0F); });
    case Kind::leaky_relu:
      return map(x, [a = a_](float v) { return v < 0 ? a * v : v; });
    case Kind::clip:
      return map(x, [a = a_, b = b_](float v) { return std::min(std::max(v, a), b); });
    case Kind::sigmoid:
      return curve(x, kernels::sigmoid);
    case Kind::hard_sigmoid:
      return map(x, [a = a_, b = b_](float v) { return std::min(std::max(a * v + b, 0.0F), 1.0F); });
    case Kind::tanh:
      return curve(x, kernels::tanh);
    case Kind::silu:
      return times(curve(x, kernels::sigmoid), x);
    case Kind::swish:
      return times(curve(x, kernels::sigmoid, a_), x);
    case Kind::elu:
      return map(x, [a = a_](float v) { return v < 0 ? a * std::expm1(v) : v; });
    case Kind::gelu_erf:
      return times(curve(x, kernels::normal_cdf), x);
    case Kind::gelu_tanh:
      return times(curve(x, kernels::gelu_tanh_factor), x);
    case Kind::softplus:
      return map(x, softplus);
    case Kind::mish:
      return map(x, [](float v) { return v * std::tanh(softplus(v)); });
    case Kind::tanh_sech:
      return map(curve(x, kernels::tanh_sech), [a = a_](float v) { return a * v; });
    case Kind::hard_swish:
      return map(x, [](float v) { return v * std::min(std::max(v / 6.0F + 0.5F, 0.0F), 1.0F); });
  }
  return {};
}

void import_relu(onnx::ImportContext& context) { emit(context, Pointwise::Kind::relu); }
void import_leaky_relu(onnx::ImportContext& context) {
  emit(context, Pointwise::Kind::leaky_relu, context.number("alpha", 0.01F));
}
void import_sigmoid(onnx::ImportContext& context) { emit(context, Pointwise::Kind::sigmoid); }
void import_tanh(onnx::ImportContext& context) { emit(context, Pointwise::Kind::tanh); }
void import_hard_swish(onnx::ImportContext& context) { emit(context, Pointwise::Kind::hard_swish); }

void import_softplus(onnx::ImportContext& context) { emit(context, Pointwise::Kind::softplus); }
void import_mish(onnx::ImportContext& context) { emit(context, Pointwise::Kind::mish); }
void import_elu(onnx::ImportContext& context) { emit(context, Pointwise::Kind::elu, context.number("alpha", 1)); }

void import_hard_sigmoid(onnx::ImportContext& context) {
  const float slope = context.number("alpha", 0.2F);
  emit(context, Pointwise::Kind::hard_sigmoid, slope, context.number("beta", 0.5F));
}

void import_clip(onnx::ImportContext& context) {
  const float low = clip_bound(context, 1, "min", std::numeric_limits<float>::lowest());
  emit(context, Pointwise::Kind::clip, low, clip_bound(context, 2, "max", std::numeric_limits<float>::max()));
}

}  // namespace tellegen::models
