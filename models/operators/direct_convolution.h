#pragma once
// Convolutions without a matrix of patches, through oneDNN: its kernels, compiled for the processor and the shape, are
// several times as fast where channels are few.

#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "tellegen/models/operators/window.h"

namespace tellegen::models {

/// What one convolution needs for each shape of input it has met: compiled code and weights in that code's order.
class DirectConvolution {
 public:
  struct Form {
    Window window;
    std::int64_t groups = 1, channels_per_group = 1, outputs_per_group = 1;
    std::span<const float> weights;  ///< [groups][outputs_per_group][channels_per_group][kernel_h][kernel_w]
    std::span<const float> bias;     ///< [groups * outputs_per_group] or empty
  };

  DirectConvolution();
  ~DirectConvolution();
  /// Fills `output`, whose shape is set, from input [batch, channels, height, width]. `form` must be the same with every
  /// call. Thread-safe; the same numbers in every thread.
  void run(const Form& form, const Tensor& input, Tensor& output) const;

 private:
  class Plan;
  std::shared_ptr<const Plan> plan(const Form& form, const Shape& input, const Shape& output) const;

  mutable std::mutex planning_;
  mutable std::map<Shape, std::shared_ptr<const Plan>> plans_;
};

}  // namespace tellegen::models
