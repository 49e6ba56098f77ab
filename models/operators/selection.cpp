#include "tellegen/models/operators/selection.h"

#include <algorithm>

#include "tellegen/base/error.h"

namespace tellegen::models {

Selection::Selection(std::vector<Pointwise> palette, std::vector<std::size_t> choice)
    : palette_(std::move(palette)), choice_(std::move(choice)) {
  TELLEGEN_ASSERT(std::all_of(choice_.begin(), choice_.end(), [&](std::size_t c) { return c < palette_.size(); }));
}

Shape Selection::output_shape(std::span<const Shape> inputs) const {
  if (inputs[0].empty() || inputs[0].back() != static_cast<std::int64_t>(choice_.size()))
    throw InputError("chooses activations for " + std::to_string(choice_.size()) + " elements of an input of shape '" +
                     to_string(inputs[0]) + "'.");
  return inputs[0];
}

Tensor Selection::run(std::span<const Tensor* const> inputs) const {
  const Tensor& x = *inputs[0];
  Tensor y;
  y.shape = x.shape;
  y.data.resize(x.data.size());
  const std::size_t width = choice_.size(), rows = x.data.size() / width;
  for (std::size_t kind = 0; kind < palette_.size(); ++kind) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < width; ++i)
      if (choice_[i] == kind) members.push_back(i);
    if (members.empty()) continue;
    Tensor part{{static_cast<std::int64_t>(rows * members.size())}, {}};
    part.data.reserve(rows * members.size());
    for (std::size_t row = 0; row < rows; ++row)
      for (const std::size_t i : members) part.data.push_back(x.data[row * width + i]);
    const Tensor* only[] = {&part};
    const Tensor result = palette_[kind].run(only);
    auto next = result.data.begin();
    for (std::size_t row = 0; row < rows; ++row)
      for (const std::size_t i : members) y.data[row * width + i] = *next++;
  }
  return y;
}

std::string Selection::digital_unit() const {
  std::string dearest;
  for (const char* unit : {"relu", "tanh", "sigmoid", "silu", "gelu"})
    for (const std::size_t choice : choice_)
      if (palette_[choice].digital_unit() == unit) dearest = unit;
  return dearest;
}

}  // namespace tellegen::models
