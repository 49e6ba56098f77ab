#include "tellegen/models/operators/choose.h"

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/broadcast.h"

namespace tellegen::models {

namespace {

using Kind = Compare::Kind;

template <class T>
T compare(Kind kind, T a, T b) {
  switch (kind) {
    case Kind::equal:
      return static_cast<T>(a == b);
    case Kind::greater:
      return static_cast<T>(a > b);
    case Kind::greater_or_equal:
      return static_cast<T>(a >= b);
    case Kind::less:
      return static_cast<T>(a < b);
    case Kind::less_or_equal:
      return static_cast<T>(a <= b);
  }
  return {};
}

void import_comparison(onnx::ImportContext& context, Kind kind) {
  if (context.folds_integers()) {
    const IntTensor &a = context.integer_tensor(0), &b = context.integer_tensor(1);
    onnx::check_size(broadcast(a.shape, b.shape));
    context.bind_integers(combine(a, b, [kind](std::int64_t x, std::int64_t y) { return compare(kind, x, y); }));
    return;
  }
  const auto read = [&](std::size_t i) { return context.is_constant(i) ? context.operand(i) : context.any_value(i); };
  const ValueId a = read(0), b = read(1);
  const ValueId result = context.compute(std::make_shared<const Compare>(kind), {a, b});
  context.set_integer(result, true);
  context.bind(0, result);
}

/// condition * a + (1 - condition) * b element by element, without arithmetic on what is not chosen.
template <class T, class C>
BasicTensor<T> choose(const BasicTensor<C>& condition, const BasicTensor<T>& a, const BasicTensor<T>& b) {
  BasicTensor<T> wide;  // the condition in the type and shape of the result
  wide.shape = broadcast(condition.shape, broadcast(a.shape, b.shape));
  const BasicTensor<T> zeros{wide.shape, std::vector<T>(static_cast<std::size_t>(element_count(wide.shape)))};
  BasicTensor<T> flags{condition.shape, {}};
  for (const C c : condition.data) flags.data.push_back(static_cast<T>(c != 0));
  const auto spread = [&](const BasicTensor<T>& x) { return combine(zeros, x, [](T, T y) { return y; }); };
  const BasicTensor<T> where = spread(flags), yes = spread(a);
  BasicTensor<T> out = spread(b);
  for (std::size_t i = 0; i < out.data.size(); ++i)
    if (where.data[i] != 0) out.data[i] = yes.data[i];
  return out;
}

}  // namespace

Shape Compare::output_shape(std::span<const Shape> inputs) const { return broadcast(inputs[0], inputs[1]); }

Tensor Compare::run(std::span<const Tensor* const> inputs) const {
  return combine(*inputs[0], *inputs[1], [kind = kind_](float a, float b) { return compare(kind, a, b); });
}

Shape Choose::output_shape(std::span<const Shape> inputs) const {
  return broadcast(inputs[0], broadcast(inputs[1], inputs[2]));
}

Tensor Choose::run(std::span<const Tensor* const> inputs) const { return choose(*inputs[0], *inputs[1], *inputs[2]); }

void import_equal(onnx::ImportContext& context) { import_comparison(context, Kind::equal); }
void import_greater(onnx::ImportContext& context) { import_comparison(context, Kind::greater); }
void import_greater_or_equal(onnx::ImportContext& context) { import_comparison(context, Kind::greater_or_equal); }
void import_less(onnx::ImportContext& context) { import_comparison(context, Kind::less); }
void import_less_or_equal(onnx::ImportContext& context) { import_comparison(context, Kind::less_or_equal); }

void import_where(onnx::ImportContext& context) {
  if (context.folds_integers()) {
    const IntTensor& condition = context.integer_tensor(0);
    const Shape result = broadcast(condition.shape, broadcast(context.shape(1), context.shape(2)));
    onnx::check_size(result);
    if (context.holds_integers(1)) {
      context.bind_integers(choose(condition, context.integer_tensor(1), context.integer_tensor(2)));
      return;
    }
    auto constant = std::make_shared<onnx::Constant>();
    constant->floats = choose(condition, context.mask(1), context.mask(2));
    context.bind_constant(std::move(constant));
    return;
  }
  const ValueId condition = context.is_known(0) ? context.operand(0) : context.any_value(0);
  context.emit(std::make_shared<const Choose>(), {condition, context.operand(1), context.operand(2)});
}

}  // namespace tellegen::models
