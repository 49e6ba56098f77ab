#include "tellegen/sim/engine/predictions.h"

#include <algorithm>

namespace tellegen::sim {

std::vector<int> predictions_of(const models::Tensor& logits) {
  const std::int64_t classes = logits.shape.back();
  std::vector<int> predictions;
  for (auto row = logits.data.begin(); row != logits.data.end(); row += classes) {
    predictions.push_back(static_cast<int>(std::max_element(row, row + classes) - row));
  }
  return predictions;
}

double share_right(std::span<const int> predictions, std::span<const int> labels) {
  if (predictions.empty()) return 0;
  std::int64_t right = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) right += predictions[i] == labels[i];
  return static_cast<double>(right) / static_cast<double>(predictions.size());
}

}  // namespace tellegen::sim
