#pragma once
// Parts of a tensor by number: chosen entries of a dimension, and rows of a table (the embedding of tokens).

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

/// Entries of one dimension of a sample, which becomes the dimensions `index_shape`.
class Select final : public Operation {
 public:
  Select(std::size_t axis, Shape index_shape, std::vector<std::int64_t> indices)
      : axis_(axis), index_shape_(std::move(index_shape)), indices_(std::move(indices)) {}
  std::size_t axis() const { return axis_; }
  const std::vector<std::int64_t>& indices() const { return indices_; }
  std::string label() const override { return "select"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
  bool moves_only() const override { return true; }

 private:
  std::size_t axis_;
  Shape index_shape_;
  std::vector<std::int64_t> indices_;
};

/// Rows of a constant table by computed numbers: a memory that is read, no product. Numbers outside of the table throw
/// InputError; negative ones count from its end.
class Embedding final : public Operation {
 public:
  explicit Embedding(Tensor table) : table_(std::move(table)) {}
  const Tensor& table() const { return table_; }
  std::string label() const override { return "embedding"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
  std::int64_t parameters() const override { return table_.size(); }

 private:
  Tensor table_;
};

void import_gather(onnx::ImportContext& context);

}  // namespace tellegen::models
