#include "tellegen/models/gated/compact_weights.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <set>

#include "tellegen/base/error.h"
#include "tellegen/models/gated/gated_layer.h"

namespace tellegen::models {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kFloatBits = 32;

std::int64_t group_size(std::int64_t inputs, const CompactWeights& form) {
  return form.group == 0 ? inputs : std::min(form.group, inputs);
}

/// The nearest whole number of scales, group by group; ties go away from 0.
Matrix quantised(const Matrix& weights, const CompactWeights& form) {
  const double greatest = static_cast<double>((std::int64_t{1} << (form.bits - 1)) - 1);
  const Eigen::Index size = group_size(weights.cols(), form);
  Matrix result = Matrix::Zero(weights.rows(), weights.cols());
  for (Eigen::Index row = 0; row < weights.rows(); ++row)
    for (Eigen::Index first = 0; first < weights.cols(); first += size) {
      const Eigen::Index count = std::min(size, weights.cols() - first);
      const double scale = weights.row(row).segment(first, count).cwiseAbs().maxCoeff() / greatest;
      if (scale == 0) continue;
      for (Eigen::Index i = first; i < first + count; ++i) result(row, i) = std::round(weights(row, i) / scale) * scale;
    }
  return result;
}

double squares(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

double relative_error(std::span<const float> before, std::span<const float> after) {
  std::vector<float> change(before.begin(), before.end());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= after[i];
  const double whole = squares(before);
  return whole > 0 ? std::sqrt(squares(change) / whole) : 0;
}

}  // namespace

std::vector<float> compact(std::span<const float> weights, std::int64_t outputs, const CompactWeights& form) {
  const auto inputs = static_cast<Eigen::Index>(weights.size()) / outputs;
  TELLEGEN_ASSERT(form.bits >= 2 && form.group >= 0 && form.rank >= 0);
  Matrix exact(outputs, inputs);
  std::copy(weights.begin(), weights.end(), exact.data());
  Matrix result = quantised(exact, form);
  const Eigen::Index rank = std::min<Eigen::Index>(form.rank, std::min<Eigen::Index>(outputs, inputs));
  if (rank > 0) {
    const Eigen::BDCSVD<Eigen::MatrixXd> parts(exact - result, Eigen::ComputeThinU | Eigen::ComputeThinV);
    result += parts.matrixU().leftCols(rank) * parts.singularValues().head(rank).asDiagonal() *
              parts.matrixV().leftCols(rank).transpose();
  }
  std::vector<float> compacted(weights.size());
  std::transform(result.data(), result.data() + result.size(), compacted.begin(),
                 [](double weight) { return static_cast<float>(weight); });
  return compacted;
}

std::int64_t compact_bits(std::int64_t outputs, std::int64_t inputs, const CompactWeights& form) {
  const std::int64_t size = group_size(inputs, form), groups = (inputs + size - 1) / size;
  const std::int64_t rank = std::min(form.rank, std::min(outputs, inputs));
  return form.bits * outputs * inputs + kFloatBits * (groups * outputs + rank * (outputs + inputs));
}

CompactNetwork with_compact_weights(const Network& network, const CompactWeights& form) {
  CompactNetwork result{network, {}};
  std::set<std::size_t> nodes;
  for (const GatedLayer& layer : gated_layers(network)) nodes.insert(layer.matrices.begin(), layer.matrices.end());
  for (const std::size_t index : nodes) {
    Node& node = result.network.nodes[index];
    const auto& matrix = dynamic_cast<const MatrixOperation&>(*node.operation);
    const std::int64_t outputs = matrix.outputs_per_group(), inputs = matrix.rows_per_group();
    std::vector<float> weights = compact(matrix.weights(), outputs, form);
    result.matrices.push_back({node.name, outputs, inputs, relative_error(matrix.weights(), weights),
                               kFloatBits * outputs * inputs, compact_bits(outputs, inputs, form)});
    node.operation = matrix.with_weights(std::move(weights), {matrix.bias().begin(), matrix.bias().end()});
  }
  return result;
}

}  // namespace tellegen::models
