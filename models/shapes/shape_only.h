#pragma once
// Operations of networks whose trained numbers nobody has here: what they make of shapes is known, and how much work
// that is.

#include <string>
#include <utility>
#include <vector>

#include "tellegen/models/operation.h"

namespace tellegen::models {

class ShapeOnlyOperation final : public Operation {
 public:
  struct Form {
    std::string label;
    std::string digital_unit;  ///< as Operation::digital_unit
    Shape output;
    std::int64_t parameters = 0;
    /// Functions of one number that it asks for, and how often per sample.
    std::vector<std::pair<std::string, std::int64_t>> evaluations;
  };
  explicit ShapeOnlyOperation(Form form) : form_(std::move(form)) {}
  std::string label() const override { return form_.label; }
  /// The one shape that it was made for.
  Shape output_shape(std::span<const Shape>) const override { return form_.output; }
  /// Throws InputError: there is nothing to run it with.
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return form_.digital_unit; }
  std::int64_t parameters() const override { return form_.parameters; }
  bool has_weights() const override { return false; }
  const std::vector<std::pair<std::string, std::int64_t>>& evaluations() const { return form_.evaluations; }

 private:
  Form form_;
};

}  // namespace tellegen::models
