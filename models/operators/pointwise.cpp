#include "tellegen/models/operators/pointwise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/activation_kernels.h"

namespace tellegen::models {

namespace {

using Kernel = void (*)(VectorUnit, float*, std::int64_t);

void curve(std::span<float> x, Kernel kernel) { kernel(best_vector_unit(), x.data(), std::ssize(x)); }

/// x times a curve of factor * x, in pieces that stay in the cache.
void times_curve(std::span<float> x, Kernel kernel, float factor = 1) {
  constexpr std::size_t kPiece = 1024;
  float piece[kPiece];
  for (std::size_t begin = 0; begin < x.size(); begin += kPiece) {
    const std::size_t size = std::min(kPiece, x.size() - begin);
    for (std::size_t i = 0; i < size; ++i) piece[i] = factor * x[begin + i];
    kernel(best_vector_unit(), piece, static_cast<std::int64_t>(size));
    for (std::size_t i = 0; i < size; ++i) x[begin + i] *= piece[i];
  }
}

template <class Function>
void each(std::span<float> x, Function function) {
  for (float& value : x) value = function(value);
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
  Tensor y = *inputs[0];
  apply(y.data);
  return y;
}

Tensor Pointwise::run_taking(Tensor& first, std::span<const Tensor* const>) const {
  apply(first.data);
  return std::move(first);
}

void Pointwise::apply(std::span<float> x) const {
  const float a = a_, b = b_;
  switch (kind_) {
    case Kind::relu:
      return each(x, [](float v) { return std::max(v, 0.0F); });
    case Kind::leaky_relu:
      return each(x, [a](float v) { return v < 0 ? a * v : v; });
    case Kind::clip:
      return each(x, [a, b](float v) { return std::min(std::max(v, a), b); });
    case Kind::elu:
      return each(x, [a](float v) { return v < 0 ? a * std::expm1(v) : v; });
    case Kind::sigmoid:
      return curve(x, kernels::sigmoid);
    case Kind::hard_sigmoid:
      return each(x, [a, b](float v) { return std::min(std::max(a * v + b, 0.0F), 1.0F); });
    case Kind::tanh:
      return curve(x, kernels::tanh);
    case Kind::silu:
      return times_curve(x, kernels::sigmoid);
    case Kind::swish:
      return times_curve(x, kernels::sigmoid, a);
    case Kind::hard_swish:
      return each(x, [](float v) { return v * std::min(std::max(v / 6.0F + 0.5F, 0.0F), 1.0F); });
    case Kind::gelu_erf:
      return times_curve(x, kernels::normal_cdf);
    case Kind::gelu_tanh:
      return times_curve(x, kernels::gelu_tanh_factor);
    case Kind::softplus:
      return each(x, softplus);
    case Kind::mish:
      return each(x, [](float v) { return v * std::tanh(softplus(v)); });
    case Kind::tanh_sech:
      curve(x, kernels::tanh_sech);
      return each(x, [a](float v) { return a * v; });
  }
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
