#include "tellegen/models/operators/arithmetic.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"

namespace tellegen::models {

namespace {

/// Numpy's rule: aligned at the right, equal or one. Dimension 0 of a computed tensor is the batch and must stay in
/// front.
Shape broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  bool fits = offset == 0 || shorter.empty() || shorter[0] != -1;
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    std::int64_t& dimension = result[offset + axis];
    fits = fits && (dimension == shorter[axis] || dimension == 1 || shorter[axis] == 1);
    if (dimension == 1) dimension = shorter[axis];
  }
  fits = fits && std::count(result.begin(), result.end(), -1) <= 1;
  if (!fits)
    throw InputError("cannot combine shapes '" + to_string(a) + "' and '" + to_string(b) +
                     "'. Dimensions must be equal or 1, and the batch must stay first.");
  return result;
}

/// Neighbouring dimensions that both operands treat alike, as one: few long loops instead of many short ones.
struct Loop {
  std::int64_t size = 1;
  std::int64_t step_a = 0, step_b = 0;  ///< 0 where the operand is broadcast
};
std::vector<Loop> plan_loops(const Shape& a, const Shape& b, const Shape& out) {
  std::vector<Loop> loops;  // innermost first
  std::int64_t stride_a = 1, stride_b = 1;
  bool last_a = false, last_b = false;
  for (std::size_t back = 1; back <= out.size(); ++back) {
    const std::int64_t size = out[out.size() - back];
    const std::int64_t size_a = back <= a.size() ? a[a.size() - back] : 1,
                       size_b = back <= b.size() ? b[b.size() - back] : 1;
    if (size != 1) {
      const bool moves_a = size_a != 1, moves_b = size_b != 1;
      if (!loops.empty() && moves_a == last_a && moves_b == last_b)
        loops.back().size *= size;
      else
        loops.push_back({size, moves_a ? stride_a : 0, moves_b ? stride_b : 0});
      last_a = moves_a;
      last_b = moves_b;
    }
    stride_a *= size_a;
    stride_b *= size_b;
  }
  if (loops.empty()) loops.push_back({});
  return loops;
}

template <class Function>
void combine_row(const float* a, const float* b, const Loop& loop, float* out, Function function) {
  if (loop.step_a != 0 && loop.step_b != 0)
    for (std::int64_t i = 0; i < loop.size; ++i) out[i] = function(a[i], b[i]);
  else if (loop.step_a != 0)
    for (std::int64_t i = 0; i < loop.size; ++i) out[i] = function(a[i], *b);
  else
    for (std::int64_t i = 0; i < loop.size; ++i) out[i] = function(*a, b[i]);
}

template <class Function>
void combine(const Tensor& a, const Tensor& b, Tensor& out, Function function) {
  const std::vector<Loop> loops = plan_loops(a.shape, b.shape, out.shape);
  std::vector<std::int64_t> counters(loops.size(), 0);
  std::int64_t at_a = 0, at_b = 0;
  for (std::int64_t at = 0; at < out.size(); at += loops[0].size) {
    combine_row(a.data.data() + at_a, b.data.data() + at_b, loops[0], out.data.data() + at, function);
    for (std::size_t level = 1; level < loops.size(); ++level) {
      at_a += loops[level].step_a;
      at_b += loops[level].step_b;
      if (++counters[level] < loops[level].size) break;
      at_a -= counters[level] * loops[level].step_a;
      at_b -= counters[level] * loops[level].step_b;
      counters[level] = 0;
    }
  }
}

void import_arithmetic(onnx::ImportContext& context, Arithmetic::Kind kind) {
  if (context.is_constant(0))
    context.emit(std::make_shared<const Arithmetic>(kind, context.constant(0), true), {context.value(1)});
  else if (context.is_constant(1))
    context.emit(std::make_shared<const Arithmetic>(kind, context.constant(1), false), {context.value(0)});
  else
    context.emit(std::make_shared<const Arithmetic>(kind), {context.value(0), context.value(1)});
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
  }
  return {};
}

/// Division by a constant is a multiplication in hardware.
std::string Arithmetic::digital_unit() const {
  return kind_ == Kind::add || kind_ == Kind::subtract ? "add" : "multiply";
}

Shape Arithmetic::output_shape(std::span<const Shape> inputs) const {
  if (!constant_) return broadcast(inputs[0], inputs[1]);
  return constant_first_ ? broadcast(constant_->shape, inputs[0]) : broadcast(inputs[0], constant_->shape);
}

Tensor Arithmetic::run(std::span<const Tensor* const> inputs) const {
  const Tensor& a = constant_ && constant_first_ ? *constant_ : *inputs[0];
  const Tensor& b = !constant_ ? *inputs[1] : constant_first_ ? *inputs[0] : *constant_;
  Tensor out;
  out.shape = broadcast(a.shape, b.shape);
  out.data.resize(static_cast<std::size_t>(element_count(out.shape)));
  switch (kind_) {
    case Kind::add:
      combine(a, b, out, [](float x, float y) { return x + y; });
      break;
    case Kind::subtract:
      combine(a, b, out, [](float x, float y) { return x - y; });
      break;
    case Kind::multiply:
      combine(a, b, out, [](float x, float y) { return x * y; });
      break;
    case Kind::divide:
      combine(a, b, out, [](float x, float y) { return x / y; });
      break;
  }
  return out;
}

void import_add(onnx::ImportContext& context) { import_arithmetic(context, Arithmetic::Kind::add); }
void import_sub(onnx::ImportContext& context) { import_arithmetic(context, Arithmetic::Kind::subtract); }
void import_mul(onnx::ImportContext& context) { import_arithmetic(context, Arithmetic::Kind::multiply); }

void import_div(onnx::ImportContext& context) {
  const Tensor& divisor = context.constant(1);
  if (std::count(divisor.data.begin(), divisor.data.end(), 0.0F) > 0) throw InputError("divides by zero.");
  import_arithmetic(context, Arithmetic::Kind::divide);
}

}  // namespace tellegen::models
