#include "tellegen/models/batch_slices.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tellegen::models {

namespace {

/// What shares the second-level cache of today's processors (1 to 2 MiB) with the weights of a layer.
constexpr std::int64_t kFloatsAtOnce = (std::int64_t{2} << 20) / static_cast<std::int64_t>(sizeof(float));

/// Elements for one sample.
std::int64_t sample_size(const Shape& shape) { return std::abs(element_count(shape)); }

bool starts_with_batch(const Network& network, ValueId value) {
  const Shape& shape = network.values[value].shape;
  return !shape.empty() && is_batch(shape[0]);
}

}  // namespace

std::int64_t slice_size(const Network& network) {
  if (network.streaming || !starts_with_batch(network, network.input) || !starts_with_batch(network, network.output))
    return 0;
  std::int64_t largest = 1;
  for (const Node& node : network.nodes) {
    std::int64_t floats = sample_size(network.values[node.output].shape);
    for (const ValueId input : node.inputs) floats += sample_size(network.values[input].shape);
    largest = std::max(largest, floats);
  }
  return std::max<std::int64_t>(1, kFloatsAtOnce / largest);
}

Tensor samples_of(const Tensor& batch, std::int64_t first, std::int64_t count) {
  const std::int64_t size = batch.size() / batch.shape[0];
  const auto begin = batch.data.begin() + first * size;
  Tensor part{batch.shape, {begin, begin + count * size}};
  part.shape[0] = count;
  return part;
}

void append_samples(Tensor&& part, Tensor& whole) {
  if (whole.shape.empty()) {
    whole = std::move(part);
    return;
  }
  whole.shape[0] += part.shape[0];
  whole.data.insert(whole.data.end(), part.data.begin(), part.data.end());
}

}  // namespace tellegen::models
