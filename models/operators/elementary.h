#pragma once
// Functions of one number that are arithmetic, not activations: roots, reciprocals, exponentials.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Elementary final : public Operation {
 public:
  enum class Kind {
    absolute,
    cosh,
    cosine,
    erf,
    exponential,
    identity,
    logarithm,
    negative,
    nonzero,  ///< 1 where the element is not 0
    reciprocal,
    sine,
    square_root,
    truncate  ///< towards 0
  };
  explicit Elementary(Kind kind) : kind_(kind) {}
  Kind kind() const { return kind_; }
  std::string label() const override;
  Shape output_shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override;

 private:
  Kind kind_;
};

void import_abs(onnx::ImportContext& context);
void import_cos(onnx::ImportContext& context);
void import_cosh(onnx::ImportContext& context);
void import_erf(onnx::ImportContext& context);
void import_exp(onnx::ImportContext& context);
void import_log(onnx::ImportContext& context);
void import_neg(onnx::ImportContext& context);
void import_reciprocal(onnx::ImportContext& context);
void import_sin(onnx::ImportContext& context);
void import_sqrt(onnx::ImportContext& context);

}  // namespace tellegen::models
