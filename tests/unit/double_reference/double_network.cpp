#include "double_network.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/average_pool.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/models/operators/broadcast.h"
#include "tellegen/models/operators/constant.h"
#include "tellegen/models/operators/elementary.h"
#include "tellegen/models/operators/gather.h"
#include "tellegen/models/operators/matrix_product.h"
#include "tellegen/models/operators/max_pool.h"
#include "tellegen/models/operators/normalization.h"
#include "tellegen/models/operators/pad.h"
#include "tellegen/models/operators/reduce.h"
#include "tellegen/models/operators/rotary.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/models/operators/softmax.h"

namespace tellegen::models::reference {

namespace {

using Inputs = std::vector<const Doubles*>;

template <class T>
const T* as(const Operation& operation) {
  return dynamic_cast<const T*>(&operation);
}

Doubles mapped(const Doubles& input, const Curve& curve) {
  Doubles result{input.shape, {}};
  for (const double x : input.data) result.data.push_back(curve(x));
  return result;
}

Doubles selected(const Selection& selection, const Doubles& input, const Functions& functions) {
  std::vector<Curve> palette;
  for (const Pointwise& activation : selection.palette()) palette.push_back(functions.curve(activation));
  Doubles result{input.shape, {}};
  for (std::size_t i = 0; i < input.data.size(); ++i)
    result.data.push_back(palette[selection.choice()[i % selection.choice().size()]](input.data[i]));
  return result;
}

double combined(Arithmetic::Kind kind, double a, double b) {
  switch (kind) {
    case Arithmetic::Kind::add:
      return a + b;
    case Arithmetic::Kind::multiply:
      return a * b;
    case Arithmetic::Kind::divide:
      return a / b;
    default:
      throw std::logic_error("arithmetic that no shipped network has");
  }
}

Doubles arithmetic(const Arithmetic& operation, const Inputs& inputs) {
  Doubles constant;
  const Doubles *a = inputs[0], *b = inputs.back();
  if (operation.constant()) {
    constant = to_double(*operation.constant());
    (operation.constant_first() ? a : b) = &constant;
  }
  Doubles result{broadcast(a->shape, b->shape), {}};
  const auto from_a = broadcast_places(a->shape, result.shape), from_b = broadcast_places(b->shape, result.shape);
  for (std::size_t i = 0; i < from_a.size(); ++i)
    result.data.push_back(combined(operation.kind(), a->data[from_a[i]], b->data[from_b[i]]));
  return result;
}

Doubles normalized(const Normalization& operation, const Doubles& input) {
  Doubles result = input;
  const std::int64_t size = split_at(input.shape, operation.axis(), input.shape.size() - 1).size;
  const double count = static_cast<double>(size);
  for (std::int64_t at = 0; at < input.size(); at += size) {
    const std::span<double> line(result.data.data() + at, static_cast<std::size_t>(size));
    double mean = 0, square = 0;
    if (operation.kind() == Normalization::Kind::layer)
      for (const double x : line) mean += x / count;
    for (const double x : line) square += (x - mean) * (x - mean) / count;
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = (line[i] - mean) / std::sqrt(square + static_cast<double>(operation.epsilon()));
      if (!operation.scale().empty()) line[i] *= static_cast<double>(operation.scale()[i]);
      if (!operation.shift().empty()) line[i] += static_cast<double>(operation.shift()[i]);
    }
  }
  return result;
}

Doubles softmaxed(const Softmax& operation, const Doubles& input, const Functions& functions) {
  Doubles result = input;
  const AxisSplit split = split_at(input.shape, operation.first_axis(), operation.last_axis());
  std::vector<double> row(static_cast<std::size_t>(split.size));
  for (std::int64_t line = 0; line < split.outer * split.inner; ++line) {
    const std::int64_t start = line / split.inner * split.size * split.inner + line % split.inner;
    const auto at = [&](std::size_t k) -> double& {
      return result.data[static_cast<std::size_t>(start) + k * static_cast<std::size_t>(split.inner)];
    };
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = at(k);
    functions.softmax(row);
    for (std::size_t k = 0; k < row.size(); ++k) at(k) = row[k];
  }
  return result;
}

Doubles turned(const Rotary& operation, const Doubles& input) {
  Doubles result{input.shape, {}};
  const std::int64_t width = input.shape.back(), half = width / 2, period = operation.cosine().size();
  for (std::int64_t i = 0; i < input.size(); ++i) {
    const std::int64_t place = i % width;
    const double partner =
        place < half ? -input.data[static_cast<std::size_t>(i + half)] : input.data[static_cast<std::size_t>(i - half)];
    const auto angle = static_cast<std::size_t>(i % period);
    result.data.push_back(input.data[static_cast<std::size_t>(i)] *
                              static_cast<double>(operation.cosine().data[angle]) +
                          partner * static_cast<double>(operation.sine().data[angle]));
  }
  return result;
}

/// The mean over `axes`, which stay as ones where `keep`.
Doubles averaged(const Doubles& input, const std::vector<std::size_t>& axes, bool keep) {
  Shape ones = input.shape;
  for (const std::size_t axis : axes) ones[axis] = 1;
  Doubles result{ones, std::vector<double>(static_cast<std::size_t>(element_count(ones)), 0.0)};
  const std::vector<std::size_t> into = broadcast_places(ones, input.shape);
  for (std::size_t i = 0; i < into.size(); ++i) result.data[into[i]] += input.data[i];
  for (double& x : result.data) x *= static_cast<double>(result.size()) / static_cast<double>(input.size());
  if (keep) return result;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
    result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(*axis));
  return result;
}

Doubles averaged(const Reduce& operation, const Doubles& input) {
  TELLEGEN_ASSERT(operation.kind() == Reduce::Kind::mean);
  return averaged(input, operation.axes(), operation.keeps());
}

Doubles pooled(const MaxPool& operation, const Doubles& input) {
  const Window& window = operation.window();
  Doubles result{operation.output_shape(std::span<const Shape>(&input.shape, 1)), {}};
  const std::int64_t height = input.shape[2], width = input.shape[3];
  const auto largest = [&](std::int64_t plane, std::int64_t y, std::int64_t x) {
    double found = -std::numeric_limits<double>::infinity();
    for (std::int64_t ky = 0; ky < window.kernel[0]; ++ky)
      for (std::int64_t kx = 0; kx < window.kernel[1]; ++kx) {
        const std::int64_t row = y * window.stride[0] + ky * window.dilation[0] - window.pad_begin[0];
        const std::int64_t column = x * window.stride[1] + kx * window.dilation[1] - window.pad_begin[1];
        if (row < 0 || row >= height || column < 0 || column >= width) continue;
        found = std::max(found, input.data[static_cast<std::size_t>((plane * height + row) * width + column)]);
      }
    return found;
  };
  for (std::int64_t plane = 0; plane < input.shape[0] * input.shape[1]; ++plane)
    for (std::int64_t y = 0; y < result.shape[2]; ++y)
      for (std::int64_t x = 0; x < result.shape[3]; ++x) result.data.push_back(largest(plane, y, x));
  return result;
}

/// What only moves numbers is run on their places, counted from 1; 0 is a zero of a pad. Floats hold whole numbers up to 2^24.
Doubles moved(const Operation& operation, const Inputs& inputs) {
  std::vector<Tensor> places;
  std::vector<double> numbers{0.0};
  for (const Doubles* input : inputs) {
    Tensor& tensor = places.emplace_back(Tensor{input->shape, {}});
    for (const double x : input->data) {
      tensor.data.push_back(static_cast<float>(numbers.size()));
      numbers.push_back(x);
    }
  }
  TELLEGEN_ASSERT(numbers.size() < (std::size_t{1} << 24));
  std::vector<const Tensor*> pointers;
  for (const Tensor& tensor : places) pointers.push_back(&tensor);
  const Tensor result = operation.run(pointers);
  Doubles output{result.shape, {}};
  for (const float place : result.data) output.data.push_back(numbers[static_cast<std::size_t>(place)]);
  return output;
}

Doubles embedded(const Embedding& operation, const Doubles& tokens) {
  Shape shape = tokens.shape;
  const std::int64_t width = operation.table().size() / operation.table().shape[0];
  shape.insert(shape.end(), operation.table().shape.begin() + 1, operation.table().shape.end());
  Doubles result{shape, {}};
  for (const double token : tokens.data)
    for (std::int64_t i = 0; i < width; ++i)
      result.data.push_back(static_cast<double>(
          operation.table().data[static_cast<std::size_t>(static_cast<std::int64_t>(token) * width + i)]));
  return result;
}

}  // namespace

Doubles run(const Operation& operation, const std::vector<const Doubles*>& inputs, const Functions& functions) {
  if (const auto* o = as<Pointwise>(operation)) return mapped(*inputs[0], functions.curve(*o));
  if (const auto* o = as<Selection>(operation)) return selected(*o, *inputs[0], functions);
  if (const auto* o = as<MatrixOperation>(operation)) return multiply(*o, *inputs[0]);
  if (const auto* o = as<Recurrent>(operation)) return run_recurrent(*o, *inputs[0], functions);
  if (const auto* o = as<Arithmetic>(operation)) return arithmetic(*o, inputs);
  if (const auto* o = as<Normalization>(operation)) return normalized(*o, *inputs[0]);
  if (const auto* o = as<Softmax>(operation)) return softmaxed(*o, *inputs[0], functions);
  if (const auto* o = as<Rotary>(operation)) return turned(*o, *inputs[0]);
  if (const auto* o = as<Reduce>(operation)) return averaged(*o, *inputs[0]);
  if (const auto* o = as<MaxPool>(operation)) return pooled(*o, *inputs[0]);
  if (const auto* o = as<Embedding>(operation)) return embedded(*o, *inputs[0]);
  if (const auto* o = as<ConstantTensor>(operation)) return to_double(o->tensor());
  if (as<MatrixProduct>(operation) != nullptr) return multiply(*inputs[0], *inputs[1]);
  if (as<GlobalAveragePool>(operation) != nullptr) return averaged(*inputs[0], {2, 3}, true);
  if (const auto* o = as<Elementary>(operation); o != nullptr && o->kind() == Elementary::Kind::square_root)
    return mapped(*inputs[0], [](double x) { return std::sqrt(x); });
  if (operation.moves_only() || as<Pad>(operation) != nullptr) return moved(operation, inputs);
  throw std::logic_error("no loops in double for " + operation.label());
}

Doubles to_double(const Tensor& tensor) { return {tensor.shape, {tensor.data.begin(), tensor.data.end()}}; }

std::vector<std::size_t> broadcast_places(const Shape& from, const Shape& shape) {
  std::vector<std::size_t> places(static_cast<std::size_t>(element_count(shape)), 0);
  std::size_t inner = 1, step = 1;  // elements of `shape` and of `from` behind the dimension
  for (std::size_t back = 1; back <= from.size(); ++back) {
    const auto size = static_cast<std::size_t>(shape[shape.size() - back]),
               own = static_cast<std::size_t>(from[from.size() - back]);
    for (std::size_t i = 0; own != 1 && i < places.size(); ++i) places[i] += i / inner % size * step;
    inner *= size;
    step *= own;
  }
  return places;
}

Doubles execute(const Network& network, const Tensor& input, const Functions& functions) {
  std::map<ValueId, Doubles> values{{network.input, to_double(input)}};
  std::map<ValueId, std::size_t> last;
  for (std::size_t index = 0; index < network.nodes.size(); ++index)
    for (const ValueId id : network.nodes[index].inputs) last[id] = index;
  for (std::size_t index = 0; index < network.nodes.size(); ++index) {
    const Node& node = network.nodes[index];
    Inputs inputs;
    for (const ValueId id : node.inputs) inputs.push_back(&values.at(id));
    Doubles gated;
    if (node.gate) {
      gated = run(*node.gate->activation, inputs, functions);
      inputs = {&gated};
    }
    values[node.output] = run(*node.operation, inputs, functions);
    for (const ValueId id : node.inputs)
      if (last.at(id) == index && id != network.output) values.erase(id);
  }
  return values.at(network.output);
}

}  // namespace tellegen::models::reference
