#pragma once
// Logits to classes, and how many of them are right.

#include <span>
#include <vector>

#include "tellegen/models/tensor.h"

namespace tellegen::sim {

/// The class with the largest logit of each row, [rows]; the first of equals. logits [rows, classes].
std::vector<int> predictions_of(const models::Tensor& logits);

/// Share of predictions that equal their label; 0 without predictions. Labels beyond the predictions are left out.
double share_right(std::span<const int> predictions, std::span<const int> labels);

}  // namespace tellegen::sim
