#include "tellegen/sim/engine/softmax_units.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/sim/engine/unit_parts.h"

namespace tellegen::sim {
namespace {

using mapping::UnitFidelity;
using models::Tensor;

/// The rows of one sample and head.
struct Rows {
  std::vector<float> depth;           ///< [rows][n]: how far below the largest of its row; 0 where masked
  std::vector<unsigned char> masked;  ///< likewise
  std::int64_t inputs = 0;            ///< that are not masked
};

/// Where they stand in the node's tensor.
class RowView {
 public:
  RowView(const mapping::AnalogUnit& unit, const models::Shape& shape, std::int64_t samples)
      : split_(models::split_at(shape, unit.first_axis, unit.last_axis)),
        heads_(unit.heads),
        blocks_(split_.outer / (samples * heads_)) {}
  std::int64_t rows() const { return blocks_ * split_.inner; }
  /// visit(offset) for every value of a sample and head, row after row.
  template <class Visit>
  void visit(std::int64_t sample, std::int64_t head, const Visit& at) const {
    for (std::int64_t block = 0; block < blocks_; ++block) {
      const std::int64_t outer = (sample * heads_ + head) * blocks_ + block;
      for (std::int64_t i = 0; i < split_.inner; ++i) {
        for (std::int64_t k = 0; k < split_.size; ++k)
          at(static_cast<std::size_t>((outer * split_.size + k) * split_.inner + i));
      }
    }
  }

 private:
  models::AxisSplit split_;
  std::int64_t heads_, blocks_;
};

Rows rows_of(const RowView& view, const Tensor& input, std::int64_t sample, std::int64_t head, std::size_t n) {
  Rows rows;
  view.visit(sample, head, [&](std::size_t at) { rows.depth.push_back(input.data[at]); });
  rows.masked.resize(rows.depth.size());
  for (std::size_t row = 0; row < rows.depth.size(); row += n) {
    const auto begin = rows.depth.begin() + static_cast<std::ptrdiff_t>(row);
    const float top = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(n));
    for (std::size_t k = row; k < row + n; ++k) {
      const bool masked = !(rows.depth[k] > top - kMaskDepth);
      rows.masked[k] = masked ? 1 : 0;
      rows.depth[k] = masked ? 0 : top - rows.depth[k];
      rows.inputs += masked ? 0 : 1;
    }
  }
  return rows;
}

/// e^-depth over its sum.
void softmax_exactly(const Rows& rows, std::size_t n, std::span<float> p) {
  for (std::size_t row = 0; row < p.size(); row += n) {
    double sum = 0;
    for (std::size_t k = row; k < row + n; ++k) {
      p[k] = rows.masked[k] != 0 ? 0 : std::exp(-rows.depth[k]);
      sum += static_cast<double>(p[k]);
    }
    for (std::size_t k = row; k < row + n; ++k)
      p[k] = sum > 0 ? static_cast<float>(static_cast<double>(p[k]) / sum) : 0;
  }
}

/// What the circuit of `head` makes of rows behind the DACs.
std::vector<float> shares(const ProgrammedUnit& programmed, const UnitPlace& place, std::int64_t head, const Rows& rows,
                          std::uint64_t first_row) {
  const auto n = static_cast<std::size_t>(place.unit.row);
  std::vector<float> p(rows.depth.size());
  const UnitFidelity fidelity = place.config.chip.analog_units.fidelity;
  if (fidelity == UnitFidelity::ideal) {
    softmax_exactly(rows, n, p);
    return p;
  }
  std::vector<float> z(rows.depth.size());
  std::transform(rows.depth.begin(), rows.depth.end(), z.begin(), [](float depth) { return -depth; });
  if (fidelity == UnitFidelity::nominal) {
    place.unit.softmax->evaluate(z, n, rows.masked, {}, nullptr, 0, p);
    return p;
  }
  const Stream noise = unit_stream(place, Purpose::front_end_noise, kUnitCircuits + static_cast<std::uint32_t>(head));
  place.unit.softmax->evaluate(z, n, rows.masked, programmed.softmax[static_cast<std::size_t>(head)], &noise, first_row,
                               p);
  return p;
}

}  // namespace

/// A share of 1 is the tail current: the full scale of the converters.
void calibrate_softmax_unit(ProgrammedUnit& programmed, const UnitPlace& place, const Tensor& input) {
  const mapping::AnalogUnit& unit = place.unit;
  const RowView view(unit, input.shape, input.shape[0]);
  double deepest = 0;
  for (std::int64_t sample = 0; sample < input.shape[0]; ++sample) {
    for (std::int64_t head = 0; head < unit.heads; ++head) {
      const Rows rows = rows_of(view, input, sample, head, static_cast<std::size_t>(unit.row));
      deepest = std::max(deepest, static_cast<double>(*std::max_element(rows.depth.begin(), rows.depth.end())));
    }
  }
  const bool exact = place.config.chip.analog_units.fidelity == UnitFidelity::ideal;
  programmed.dac = unit_dac(place.config, exact ? deepest : std::min(deepest, unit.softmax->input_range()), false);
  programmed.adcs.clear();
  for (std::int64_t head = 0; head < unit.heads; ++head)
    programmed.adcs.push_back(unit_adc(place, 1, false, static_cast<std::uint32_t>(head), unit.row));
}

Tensor run_softmax_unit(const ProgrammedUnit& programmed, const UnitPlace& place, const Tensor& input,
                        std::uint64_t first, std::int64_t count, UnitEvents& events) {
  const mapping::AnalogUnit& unit = place.unit;
  TELLEGEN_ASSERT(programmed.adcs.size() == static_cast<std::size_t>(unit.heads));
  const RowView view(unit, input.shape, count);
  const auto n = static_cast<std::size_t>(unit.row);
  Tensor output{input.shape, std::vector<float>(input.data.size())};
  for (std::int64_t sample = 0; sample < count; ++sample) {
    const std::uint64_t first_row =
        (first + static_cast<std::uint64_t>(sample)) * static_cast<std::uint64_t>(view.rows());
    for (std::int64_t head = 0; head < unit.heads; ++head) {
      Rows rows = rows_of(view, input, sample, head, n);
      through_dacs(programmed.dac, rows.depth);
      std::vector<float> p = shares(programmed, place, head, rows, first_row);
      UnitEvents converted;
      through_adcs(programmed.adcs[static_cast<std::size_t>(head)], place, static_cast<std::uint32_t>(head),
                   first_row * n, p, converted);
      std::size_t next = 0;
      view.visit(sample, head, [&](std::size_t at) {
        output.data[at] = rows.masked[next] != 0 ? 0 : p[next];
        ++next;
      });
      // Nobody drives or reads what is masked.
      events.drives += rows.inputs;
      events.conversions += rows.inputs;
      events.clipped += converted.clipped;
      events.evaluations += view.rows();
    }
  }
  return output;
}

}  // namespace tellegen::sim
