#pragma once
// What a node does. Two kinds: elementwise and reshaping operations that the executor simply runs, and matrix
// operations, whose product with a constant matrix can be handed to somebody else (a crossbar).

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tellegen/models/tensor.h"

namespace tellegen::models {

class Operation {
 public:
  virtual ~Operation() = default;
  /// For people and reports: "conv 3x3", "linear", "relu", "max pool 2x2".
  virtual std::string label() const = 0;
  /// Shape of the output for one batch entry list; dimension 0 may be -1. Throws InputError (without place) on a
  /// mismatch.
  virtual Shape output_shape(std::span<const Shape> inputs) const = 0;
  /// Computes the output; shapes were checked at import. Thread-safe.
  virtual Tensor run(std::span<const Tensor* const> inputs) const = 0;
  /// The same, where nobody needs the first input any more: `first` is what inputs[0] points to, and may be worked on in
  /// place.
  virtual Tensor run_taking(Tensor& /*first*/, std::span<const Tensor* const> inputs) const { return run(inputs); }
  /// Name of the digital unit that computes this per output element ("relu", "sigmoid", "silu", "tanh", "add",
  /// "multiply", "max_pool", "average_pool", "softmax"), "" where nothing is computed (reshape, flatten).
  virtual std::string digital_unit() const = 0;
  /// Whether every output element is a copy of an input element (reshape, slice, concat), so that integers pass, too.
  virtual bool moves_only() const { return false; }
  /// Trained numbers inside.
  virtual std::int64_t parameters() const { return 0; }
  /// Whether those numbers are here. Where they are not (a network read from its shapes alone) the operation can be
  /// planned and counted, not run.
  virtual bool has_weights() const { return true; }
};

/// y = patches(x) W' + b, `groups` times. Rows of the patch matrix are (batch entry, output position) pairs.
class MatrixOperation : public Operation {
 public:
  virtual std::int64_t groups() const = 0;
  virtual std::int64_t rows_per_group() const = 0;     ///< inputs of one product (K)
  virtual std::int64_t outputs_per_group() const = 0;  ///< outputs of one product (N)
  /// Products per batch entry (1 for Linear, output pixels for Conv), from the input's shape.
  virtual std::int64_t positions(const Shape& input) const = 0;
  /// Weights, row-major [groups][outputs_per_group][rows_per_group]; empty where they are not here.
  virtual std::span<const float> weights() const = 0;
  /// Bias [groups * outputs_per_group], empty where there is none, or where it is not here.
  virtual std::span<const float> bias() const = 0;
  /// Whether there is a bias, here or not.
  virtual bool has_bias() const { return !bias().empty(); }
  /// Fills out[count][groups * rows_per_group] with patch rows first .. first + count - 1 of the input batch.
  virtual void patches(const Tensor& input, std::int64_t first, std::int64_t count, float* out) const = 0;
  /// Scatters product rows first .. first + count - 1, products[count][groups * outputs_per_group], into the output
  /// tensor.
  virtual void scatter(const float* products, std::int64_t first, std::int64_t count, Tensor& output) const = 0;
  /// The same operation with other weights and bias (sizes as weights() and groups * outputs_per_group, or no bias).
  virtual std::shared_ptr<const MatrixOperation> with_weights(std::vector<float> weights,
                                                              std::vector<float> bias) const = 0;
  /// Blocks of patches, float product, bias, scatter: what everybody may count on. Operations that know a faster way take it,
  /// and must give the same to rounding.
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::int64_t weight_count() const { return groups() * outputs_per_group() * rows_per_group(); }
  std::int64_t parameters() const override {
    return weight_count() + (has_bias() ? groups() * outputs_per_group() : 0);
  }
  std::string digital_unit() const override { return ""; }
};

/// Number of patch rows that are worked on at once: fixed, so that results do not depend on threads or batch;
/// a multiple of the 24 reads that crossbar products run in.
inline constexpr std::int64_t kPatchBlock = 528;

}  // namespace tellegen::models
