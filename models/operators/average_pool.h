#pragma once
// The mean of each window, or of each channel.

#include "tellegen/models/operation.h"
#include "tellegen/models/operators/window.h"

namespace tellegen::models {

class AveragePool final : public Operation {
 public:
  /// `count_padding`: zeros around the image count as elements.
  AveragePool(const Window& window, bool count_padding) : window_(window), count_padding_(count_padding) {}
  std::string label() const override { return "average pool " + window_.text(); }
  Shape output_shape(std::span<const Shape> inputs) const override {
    return windowed_shape(window_, inputs[0], inputs[0][1]);
  }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "average_pool"; }

 private:
  Window window_;
  bool count_padding_;
};

class GlobalAveragePool final : public Operation {
 public:
  std::string label() const override { return "global average pool"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "average_pool"; }
};

void import_average_pool(onnx::ImportContext& context);
void import_global_average_pool(onnx::ImportContext& context);

}  // namespace tellegen::models
