#include "tellegen/models/operators/elementary.h"

#include <cmath>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/map.h"
#include "tellegen/models/operators/vector_math.h"

namespace tellegen::models {

namespace {

using Kind = Elementary::Kind;

void emit(onnx::ImportContext& context, Kind kind) {
  context.emit(std::make_shared<const Elementary>(kind), {context.value(0)});
}

}  // namespace

std::string Elementary::label() const {
  switch (kind_) {
    case Kind::absolute:
      return "absolute value";
    case Kind::cosh:
      return "cosh";
    case Kind::cosine:
      return "cosine";
    case Kind::erf:
      return "erf";
    case Kind::exponential:
      return "exponential";
    case Kind::identity:
      return "identity";
    case Kind::nonzero:
      return "nonzero";
    case Kind::truncate:
      return "truncate";
    case Kind::logarithm:
      return "logarithm";
    case Kind::negative:
      return "negative";
    case Kind::reciprocal:
      return "reciprocal";
    case Kind::sine:
      return "sine";
    case Kind::square_root:
      return "square root";
  }
  return {};
}

/// Signs cost nothing; curves are priced as a table that interpolates, which a sigmoid unit is.
std::string Elementary::digital_unit() const {
  switch (kind_) {
    case Kind::absolute:
    case Kind::identity:
    case Kind::negative:
    case Kind::nonzero:
    case Kind::truncate:
      return "";
    default:
      return "sigmoid";
  }
}

Tensor Elementary::run(std::span<const Tensor* const> inputs) const {
  const Tensor& x = *inputs[0];
  switch (kind_) {
    case Kind::absolute:
      return map(x, [](float v) { return std::abs(v); });
    case Kind::cosh:
      return map(x, [](float v) { return std::cosh(v); });
    case Kind::cosine:
      return map(x, [](float v) { return std::cos(v); });
    case Kind::erf:
      return map(x, [](float v) { return vector_erf(v); });
    case Kind::exponential:
      return map(x, [](float v) { return std::exp(v); });
    case Kind::identity:
      return x;
    case Kind::nonzero:
      return map(x, [](float v) { return v != 0 ? 1.0F : 0.0F; });
    case Kind::truncate:
      return map(x, [](float v) { return std::trunc(v); });
    case Kind::logarithm:
      return map(x, [](float v) { return std::log(v); });
    case Kind::negative:
      return map(x, [](float v) { return -v; });
    case Kind::reciprocal:
      return map(x, [](float v) { return 1.0F / v; });
    case Kind::sine:
      return map(x, [](float v) { return std::sin(v); });
    case Kind::square_root:
      return map(x, [](float v) { return std::sqrt(v); });
  }
  return {};
}

void import_abs(onnx::ImportContext& context) { emit(context, Kind::absolute); }
void import_cos(onnx::ImportContext& context) { emit(context, Kind::cosine); }
void import_cosh(onnx::ImportContext& context) { emit(context, Kind::cosh); }
void import_erf(onnx::ImportContext& context) { emit(context, Kind::erf); }
void import_exp(onnx::ImportContext& context) { emit(context, Kind::exponential); }
void import_log(onnx::ImportContext& context) { emit(context, Kind::logarithm); }
void import_neg(onnx::ImportContext& context) { emit(context, Kind::negative); }
void import_reciprocal(onnx::ImportContext& context) { emit(context, Kind::reciprocal); }
void import_sin(onnx::ImportContext& context) { emit(context, Kind::sine); }
void import_sqrt(onnx::ImportContext& context) { emit(context, Kind::square_root); }

}  // namespace tellegen::models
