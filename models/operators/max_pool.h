#pragma once
// The largest value of each window.

#include "tellegen/models/operation.h"
#include "tellegen/models/operators/window.h"

namespace tellegen::models {

class MaxPool final : public Operation {
 public:
  explicit MaxPool(const Window& window) : window_(window) {}
  const Window& window() const { return window_; }
  std::string label() const override { return "max pool " + window_.text(); }
  Shape output_shape(std::span<const Shape> inputs) const override {
    return windowed_shape(window_, inputs[0], inputs[0][1]);
  }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "max_pool"; }

 private:
  Window window_;
};

void import_max_pool(onnx::ImportContext& context);

}  // namespace tellegen::models
