#include "tellegen/sim/engine/written_inputs.h"

#include <algorithm>
#include <cmath>

#include "tellegen/mapping/written_products.h"

namespace tellegen::sim {
namespace {

/// What a mask leaves of a weight is zero, or what exponentials that never reach zero make of it.
constexpr float kNothing = 1e-20F;

/// Whether square matrices [.., m, m] are zero right of the diagonal.
bool is_lower_triangular(const models::Tensor& matrices) {
  const std::int64_t m = matrices.shape[matrices.shape.size() - 2];
  if (m != matrices.shape.back()) return false;
  for (std::int64_t row = 0; row < matrices.size() / m; ++row) {
    const float* values = matrices.data.data() + row * m;
    if (std::any_of(values + row % m + 1, values + m, [](float v) { return std::abs(v) > kNothing; })) return false;
  }
  return true;
}

}  // namespace

void WrittenInputs::widen(const WrittenInputs& other) {
  if (largest.empty()) {
    *this = other;
    return;
  }
  for (std::size_t h = 0; h < largest.size(); ++h) largest[h] = std::max(largest[h], other.largest[h]);
  causal = causal && other.causal;
}

WrittenInputs written_inputs(const models::Tensor& first, const models::Tensor& second) {
  WrittenInputs found;
  const std::int64_t matrix = second.shape[second.shape.size() - 2] * second.shape.back();
  const std::int64_t heads = second.size() / second.shape[0] / matrix;
  found.largest.assign(static_cast<std::size_t>(heads), 0.0);
  for (std::int64_t block = 0; block < second.size() / matrix; ++block) {
    double& largest = found.largest[static_cast<std::size_t>(block % heads)];
    for (std::int64_t i = 0; i < matrix; ++i)
      largest =
          std::max(largest, std::abs(static_cast<double>(second.data[static_cast<std::size_t>(block * matrix + i)])));
  }
  found.causal = is_lower_triangular(first);
  return found;
}

void share_causality(const models::Network& network, std::vector<WrittenInputs>& written) {
  for (std::size_t n = 0; n < written.size(); ++n) {
    if (written[n].largest.empty()) continue;
    if (const auto scores = mapping::scores_behind(network, n)) written[*scores].causal = written[n].causal;
  }
}

}  // namespace tellegen::sim
