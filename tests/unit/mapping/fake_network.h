#pragma once
// Networks of matrix operations that have a shape and nothing else, for tests of planning.

#include <memory>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::mapping::testing_support {

struct FakeShape {
  std::int64_t groups = 1, rows_per_group = 1, outputs_per_group = 1;
  bool has_bias = true;
  std::int64_t positions = 1;
};

class FakeOperation final : public models::MatrixOperation {
 public:
  explicit FakeOperation(const FakeShape& shape)
      : shape_(shape),
        weights_(static_cast<std::size_t>(shape.groups * shape.outputs_per_group * shape.rows_per_group)),
        bias_(shape.has_bias ? static_cast<std::size_t>(shape.groups * shape.outputs_per_group) : 0) {}
  std::string label() const override { return "fake"; }
  models::Shape output_shape(std::span<const models::Shape>) const override { return {-1, shape_.outputs_per_group}; }
  std::int64_t groups() const override { return shape_.groups; }
  std::int64_t rows_per_group() const override { return shape_.rows_per_group; }
  std::int64_t outputs_per_group() const override { return shape_.outputs_per_group; }
  std::int64_t positions(const models::Shape&) const override { return shape_.positions; }
  std::span<const float> weights() const override { return weights_; }
  std::span<const float> bias() const override { return bias_; }
  void patches(const models::Tensor&, std::int64_t, std::int64_t, float*) const override {}
  void scatter(const float*, std::int64_t, std::int64_t, models::Tensor&) const override {}
  std::shared_ptr<const models::MatrixOperation> with_weights(std::vector<float>, std::vector<float>) const override {
    return std::make_shared<FakeOperation>(shape_);
  }

 private:
  FakeShape shape_;
  std::vector<float> weights_, bias_;
};

/// An operation that no tile can help with.
class FakeActivation final : public models::Operation {
 public:
  std::string label() const override { return "relu"; }
  models::Shape output_shape(std::span<const models::Shape> inputs) const override { return inputs[0]; }
  models::Tensor run(std::span<const models::Tensor* const> inputs) const override { return *inputs[0]; }
  std::string digital_unit() const override { return "relu"; }
};

/// layer0, relu, layer1, relu, ...
inline models::Network fake_network(const std::vector<FakeShape>& shapes) {
  models::Network network;
  network.input = 0;
  network.values.push_back({"in", {-1, 1}});
  const auto add = [&](const std::string& name, const std::string& op_type,
                       std::shared_ptr<const models::Operation> operation) {
    const auto input = static_cast<models::ValueId>(network.values.size()) - 1;
    network.values.push_back({name, {-1, 1}});
    network.nodes.push_back({name, std::move(operation), {input}, input + 1, {name, op_type}, {}});
  };
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    add("layer" + std::to_string(i), "Conv", std::make_shared<FakeOperation>(shapes[i]));
    add("relu" + std::to_string(i), "Relu", std::make_shared<FakeActivation>());
  }
  network.output = static_cast<models::ValueId>(network.values.size()) - 1;
  return network;
}

}  // namespace tellegen::mapping::testing_support
