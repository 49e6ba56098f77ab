#include "tellegen/models/operators/sizes.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/constant.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/models/operators/choose.h"
#include "tellegen/models/operators/constant.h"
#include "tellegen/models/operators/elementary.h"
#include "tellegen/models/operators/expand.h"

namespace tellegen::models {

namespace {

/// A constant that is the same for all samples has 1 where it would have their number.
Shape without_samples(Shape shape) {
  for (std::int64_t& dimension : shape) {
    if (dimension == onnx::kSamples) dimension = 1;
    if (dimension < 0)
      throw InputError("makes a tensor whose dimensions are '" + to_string(shape) +
                       "'; sizes of at least 1, and the batch itself, are supported.");
  }
  onnx::check_size(shape);
  return shape;
}

std::shared_ptr<onnx::Constant> constant_of(Tensor floats) {
  auto constant = std::make_shared<onnx::Constant>();
  constant->floats = std::move(floats);
  return constant;
}

template <class T>
std::vector<T> count_up(T start, T limit, T delta) {
  if (delta == T{0}) throw InputError("counts in steps of '0'.");
  const double count =
      std::ceil((static_cast<double>(limit) - static_cast<double>(start)) / static_cast<double>(delta));
  if (count > static_cast<double>(onnx::kMostElements))
    throw InputError("would make more than " + std::to_string(onnx::kMostElements) + " numbers.");
  std::vector<T> numbers;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i)
    numbers.push_back(static_cast<T>(start + static_cast<T>(i) * delta));
  return numbers;
}

bool is_float_type(std::int64_t type) { return type == 1 || type == 10 || type == 11; }

void cast_constant(onnx::ImportContext& context, std::int64_t type) {
  if (context.holds_integers(0) == !is_float_type(type) && type != onnx::kBoolType) {
    context.forward();
    return;
  }
  if (is_float_type(type)) {
    const IntTensor& integers = context.integer_tensor(0);
    context.bind_constant(constant_of({integers.shape, {integers.data.begin(), integers.data.end()}}));
    return;
  }
  IntTensor result{context.shape(0), {}};
  const auto convert = [&](auto number) {
    return type == onnx::kBoolType ? static_cast<std::int64_t>(number != decltype(number){0})
                                   : static_cast<std::int64_t>(number);
  };
  if (context.holds_integers(0))
    for (const std::int64_t number : context.integer_tensor(0).data) result.data.push_back(convert(number));
  else
    for (const float number : context.constant(0).data) {
      if (std::abs(number) > 0x1p62F) throw InputError("makes an integer of a number that is too large.");
      result.data.push_back(convert(number));
    }
  context.bind_integers(std::move(result));
}

}  // namespace

void import_shape(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto place = [rank](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const std::int64_t start = place(context.integer("start", 0)), end = place(context.integer("end", rank));
  IntTensor sizes{{std::max<std::int64_t>(end - start, 0)}, {}};
  for (std::int64_t axis = start; axis < end; ++axis) {
    const std::int64_t dimension = shape[static_cast<std::size_t>(axis)];
    sizes.data.push_back(is_batch(dimension) ? onnx::kSamples * -dimension : dimension);
  }
  context.bind_integers(std::move(sizes));
}

void import_constant_of_shape(onnx::ImportContext& context) {
  const Shape shape = without_samples(context.integers(0));
  const auto count = static_cast<std::size_t>(element_count(shape));
  const onnx::Attribute* value = context.find("value");
  if (value == nullptr || !value->tensor) {
    context.bind_constant(constant_of({shape, std::vector<float>(count, 0.0F)}));
    return;
  }
  const onnx::Constant& one = *value->tensor;
  if (!one.refusal.empty() || one.floats.size() + one.integers.size() != 1)
    throw InputError("has a value that is not one number.");
  if (one.is_float)
    context.bind_constant(constant_of({shape, std::vector<float>(count, one.floats.data[0])}));
  else
    context.bind_integers({shape, std::vector<std::int64_t>(count, one.integers.data[0])});
}

void import_expand(onnx::ImportContext& context) {
  Shape target = context.integers(1);
  const Shape input = context.shape(0);
  for (std::size_t back = 1; back <= std::min(target.size(), input.size()); ++back)
    if (is_batch(input[input.size() - back])) target[target.size() - back] = 1;
  context.emit(std::make_shared<const Expand>(without_samples(std::move(target))), {context.any_value(0)});
}

void import_range(onnx::ImportContext& context) {
  for (std::size_t index = 0; index < 3; ++index)
    if (element_count(context.shape(index)) != 1) throw InputError("counts between tensors; numbers are needed.");
  if (context.holds_integers(0)) {
    std::vector<std::int64_t> bounds;
    for (std::size_t index = 0; index < 3; ++index) bounds.push_back(context.integer_tensor(index).data[0]);
    for (const std::int64_t bound : bounds)
      if (std::abs(bound) > onnx::kMostElements) throw InputError("counts over the batch or too far.");
    const auto numbers = count_up(bounds[0], bounds[1], bounds[2]);
    context.bind_integers({{static_cast<std::int64_t>(numbers.size())}, numbers});
    return;
  }
  const auto numbers = count_up(context.constant(0).data[0], context.constant(1).data[0], context.constant(2).data[0]);
  context.bind_constant(constant_of({{static_cast<std::int64_t>(numbers.size())}, numbers}));
}

void import_cast(onnx::ImportContext& context) {
  const std::int64_t type = context.integer("to", 0);
  if (!is_float_type(type) && !onnx::is_integer_type(static_cast<int>(type)))
    throw InputError("makes numbers of type '" + onnx::type_name(static_cast<int>(type)) +
                     "'; float, double, float16, int64, int32, int8, uint8 and bool are supported.");
  if (context.is_known(0)) {
    cast_constant(context, type);
    return;
  }
  const ValueId input = context.any_value(0);
  const auto kind = is_float_type(type)       ? Elementary::Kind::identity
                    : type == onnx::kBoolType ? Elementary::Kind::nonzero
                                              : Elementary::Kind::truncate;
  const ValueId result = context.compute(std::make_shared<const Elementary>(kind), {input});
  context.set_integer(result, !is_float_type(type));
  context.bind(0, result);
}

/// Masks are made with it; a computed value is chosen where a constant mask says so.
void import_trilu(onnx::ImportContext& context) {
  const bool upper = context.integer("upper", 1) != 0;
  const std::int64_t diagonal = context.has_input(1) ? context.integer_tensor(1).data.at(0) : 0;
  const Shape shape = context.shape(0);
  if (shape.size() < 2) throw InputError("cuts shape '" + to_string(shape) + "'; a matrix is needed.");
  sample_axis(-1, shape);
  sample_axis(-2, shape);
  const auto cut = [&](auto tensor) {
    const std::int64_t columns = shape.back(), rows = shape[shape.size() - 2];
    for (std::int64_t at = 0; at < tensor.size(); ++at) {
      const std::int64_t row = at / columns % rows, column = at % columns;
      if (upper ? column - row < diagonal : column - row > diagonal) tensor.data[static_cast<std::size_t>(at)] = 0;
    }
    return tensor;
  };
  if (!context.is_known(0)) {
    const Shape matrix{shape[shape.size() - 2], shape.back()};
    const Tensor ones{matrix, std::vector<float>(static_cast<std::size_t>(element_count(matrix)), 1.0F)};
    const ValueId input = context.any_value(0);
    const ValueId mask = context.compute(std::make_shared<const ConstantTensor>(cut(ones)), {}, "mask");
    const ValueId zero = context.compute(std::make_shared<const ConstantTensor>(Tensor{{}, {0.0F}}), {}, "zero");
    const ValueId result = context.compute(std::make_shared<const Choose>(), {mask, input, zero});
    context.set_integer(result, context.is_integer(input));
    context.bind(0, result);
  } else if (context.holds_integers(0))
    context.bind_integers(cut(context.integer_tensor(0)));
  else
    context.bind_constant(constant_of(cut(context.mask(0))));
}

}  // namespace tellegen::models
