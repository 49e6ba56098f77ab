#include "tellegen/models/operators/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/broadcast.h"

namespace tellegen::models {

namespace {

using Kind = Arithmetic::Kind;

/// Sizes that a file computes from shapes. Samples may be counted in multiples, but nothing may be added to their number.
std::int64_t combine_sizes(Kind kind, std::int64_t a, std::int64_t b) {
  const auto samples = [](std::int64_t x) { return x <= onnx::kSamples / 2 && x >= onnx::kSamples << 20; };
  const bool sums = kind == Kind::add || kind == Kind::subtract;
  bool fits = kind == Kind::add || kind == Kind::subtract || kind == Kind::multiply || (kind == Kind::divide && b != 0);
  std::int64_t result = 0;
  if (samples(a) || samples(b))
    fits = fits && !(samples(a) && samples(b)) && (sums ? std::min(std::abs(a), std::abs(b)) == 0 : a > 0 || b > 0) &&
           (kind != Kind::divide || (samples(a) && a % b == 0 && (a / b) % onnx::kSamples == 0));
  if (fits && kind == Kind::add) fits = !__builtin_add_overflow(a, b, &result);
  if (fits && kind == Kind::subtract) fits = !__builtin_sub_overflow(a, b, &result);
  if (fits && kind == Kind::multiply) fits = !__builtin_mul_overflow(a, b, &result);
  if (fits && kind == Kind::divide) result = a / b;
  if (!fits) throw InputError("computes with integers in a way that is not supported. Export with fixed sizes.");
  return result;
}

/// False where the node does not combine constant integers.
bool fold_integers(onnx::ImportContext& context, Kind kind) {
  if (!context.folds_integers() || context.input_count() != 2) return false;
  const IntTensor &a = context.integer_tensor(0), &b = context.integer_tensor(1);
  onnx::check_size(broadcast(a.shape, b.shape));
  context.bind_integers(combine(a, b, [kind](std::int64_t x, std::int64_t y) { return combine_sizes(kind, x, y); }));
  return true;
}

/// Only what is added may be infinite: scores of what must not be seen.
const Tensor& read_constant(onnx::ImportContext& context, Kind kind, std::size_t index) {
  return kind == Kind::add ? context.mask(index) : context.constant(index);
}

void import_arithmetic(onnx::ImportContext& context, Kind kind) {
  if (fold_integers(context, kind)) return;
  if (context.input_count() != 2)
    throw InputError("has " + std::to_string(context.input_count()) + " inputs; two are needed.");
  if (context.is_constant(0))
    context.emit(std::make_shared<const Arithmetic>(kind, read_constant(context, kind, 0), true), {context.value(1)});
  else if (context.is_constant(1))
    context.emit(std::make_shared<const Arithmetic>(kind, read_constant(context, kind, 1), false), {context.value(0)});
  else
    context.emit(std::make_shared<const Arithmetic>(kind), {context.value(0), context.value(1)});
}

/// Min and Max take any number of inputs.
void import_extreme(onnx::ImportContext& context, Kind kind) {
  if (context.input_count() == 1) {
    context.forward();
    return;
  }
  ValueId result = context.operand(0);
  for (std::size_t index = 1; index < context.input_count(); ++index) {
    const bool last = index + 1 == context.input_count();
    result = context.compute(std::make_shared<const Arithmetic>(kind), {result, context.operand(index)},
                             last ? "" : std::to_string(index));
  }
  context.bind(0, result);
}

/// x * x, not pow: exact, fast and the same on every machine.
float power(float x, float exponent) {
  if (exponent == 2.0F) return x * x;
  if (exponent == 3.0F) return x * x * x;
  return exponent == 0.5F ? std::sqrt(x) : std::pow(x, exponent);
}

}  // namespace

std::string Arithmetic::label() const {
  switch (kind_) {
    case Kind::add:
      return "add";
    case Kind::subtract:
      return "subtract";
    case Kind::multiply:
      return "multiply";
    case Kind::divide:
      return "divide";
    case Kind::power:
      return "power";
    case Kind::minimum:
      return "minimum";
    case Kind::maximum:
      return "maximum";
  }
  return {};
}

/// Division by a constant is a multiplication in hardware; comparators do what a relu unit does.
std::string Arithmetic::digital_unit() const {
  if (kind_ == Kind::add || kind_ == Kind::subtract) return "add";
  return kind_ == Kind::minimum || kind_ == Kind::maximum ? "relu" : "multiply";
}

std::int64_t Arithmetic::parameters() const {
  constexpr float kHidden = -1e3F;  // masks hide scores with numbers below
  if (!constant_ || constant_->size() == 1) return 0;
  const auto& data = constant_->data;
  return std::any_of(data.begin(), data.end(), [](float x) { return x < kHidden; }) ? 0 : constant_->size();
}

Shape Arithmetic::output_shape(std::span<const Shape> inputs) const {
  if (!constant_) return broadcast(inputs[0], inputs[1]);
  return constant_first_ ? broadcast(constant_->shape, inputs[0]) : broadcast(inputs[0], constant_->shape);
}

Tensor Arithmetic::run(std::span<const Tensor* const> inputs) const {
  const Tensor& a = constant_ && constant_first_ ? *constant_ : *inputs[0];
  const Tensor& b = !constant_ ? *inputs[1] : constant_first_ ? *inputs[0] : *constant_;
  switch (kind_) {
    case Kind::add:
      return combine(a, b, [](float x, float y) { return x + y; });
    case Kind::subtract:
      return combine(a, b, [](float x, float y) { return x - y; });
    case Kind::multiply:
      return combine(a, b, [](float x, float y) { return x * y; });
    case Kind::divide:
      return combine(a, b, [](float x, float y) { return x / y; });
    case Kind::power:
      return combine(a, b, power);
    case Kind::minimum:
      return combine(a, b, [](float x, float y) { return std::min(x, y); });
    case Kind::maximum:
      return combine(a, b, [](float x, float y) { return std::max(x, y); });
  }
  return {};
}

/// Sums and products of equal shapes, the residual connections and gates of most networks, need no new memory.
Tensor Arithmetic::run_taking(Tensor& first, std::span<const Tensor* const> inputs) const {
  const bool in_place =
      !constant_ && (kind_ == Kind::add || kind_ == Kind::multiply) && inputs[1]->shape == first.shape;
  if (!in_place) return run(inputs);
  float* x = first.data.data();
  const float* y = inputs[1]->data.data();
  if (kind_ == Kind::add)
    for (std::int64_t i = 0; i < first.size(); ++i) x[i] += y[i];
  else
    for (std::int64_t i = 0; i < first.size(); ++i) x[i] *= y[i];
  return std::move(first);
}

void import_add(onnx::ImportContext& context) { import_arithmetic(context, Kind::add); }
void import_sub(onnx::ImportContext& context) { import_arithmetic(context, Kind::subtract); }
void import_mul(onnx::ImportContext& context) { import_arithmetic(context, Kind::multiply); }
void import_min(onnx::ImportContext& context) { import_extreme(context, Kind::minimum); }
void import_max(onnx::ImportContext& context) { import_extreme(context, Kind::maximum); }

void import_div(onnx::ImportContext& context) {
  if (!context.folds_integers() && context.is_known(1)) {
    const Tensor& divisor = context.constant(1);
    if (std::count(divisor.data.begin(), divisor.data.end(), 0.0F) > 0) throw InputError("divides by zero.");
  }
  import_arithmetic(context, Kind::divide);
}

void import_pow(onnx::ImportContext& context) {
  if (!context.is_constant(1)) {
    import_arithmetic(context, Kind::power);
    return;
  }
  // The exponent may be an integer beside a float.
  context.emit(std::make_shared<const Arithmetic>(Kind::power, context.numbers(1), false), {context.value(0)});
}

}  // namespace tellegen::models
