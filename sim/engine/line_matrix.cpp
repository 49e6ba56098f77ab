#include "tellegen/sim/engine/line_matrix.h"

namespace tellegen::sim {

template <class T>
circuits::Array<T> line_matrix(const mapping::Layout& layout, std::int64_t rows, std::span<const float> mean_S,
                               std::span<const float> variance_S2, double v_read_V) {
  circuits::Array<T> array;
  array.rows = rows;
  array.lines = static_cast<std::int64_t>(layout.lines.size());
  array.current_A.resize(static_cast<std::size_t>(rows * array.lines));
  if (!variance_S2.empty()) array.variance_A2.resize(array.current_A.size());
  array.row_power_W.resize(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::size_t row = static_cast<std::size_t>(i * layout.physical_columns);
    double sum_S = 0;
    for (int c = 0; c < layout.physical_columns; ++c)
      sum_S += static_cast<double>(mean_S[row + static_cast<std::size_t>(c)]);
    array.row_power_W[static_cast<std::size_t>(i)] = v_read_V * v_read_V * sum_S;
    for (std::size_t j = 0; j < layout.lines.size(); ++j) {
      const mapping::Line& line = layout.lines[j];
      const std::size_t at = static_cast<std::size_t>(i * array.lines) + j;
      const std::size_t plus = row + static_cast<std::size_t>(line.plus);
      double g_S = static_cast<double>(mean_S[plus]);
      if (line.minus >= 0) g_S -= static_cast<double>(mean_S[row + static_cast<std::size_t>(line.minus)]);
      array.current_A[at] = static_cast<T>(v_read_V * g_S);
      if (variance_S2.empty()) continue;
      double variance = static_cast<double>(variance_S2[plus]);
      if (line.minus >= 0) variance += static_cast<double>(variance_S2[row + static_cast<std::size_t>(line.minus)]);
      array.variance_A2[at] = static_cast<T>(v_read_V * v_read_V * variance);
    }
  }
  return array;
}

template circuits::Array<float> line_matrix<float>(const mapping::Layout&, std::int64_t, std::span<const float>,
                                                   std::span<const float>, double);
template circuits::Array<double> line_matrix<double>(const mapping::Layout&, std::int64_t, std::span<const float>,
                                                     std::span<const float>, double);

}  // namespace tellegen::sim
