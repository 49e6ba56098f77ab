#include "tellegen/sim/engine/gate_units.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/sim/engine/unit_parts.h"

namespace tellegen::sim {
namespace {

using mapping::UnitFidelity;
using mapping::UnitGroup;
using models::Tensor;

/// Where the values of a group of neurons stand: position after position, neuron after neuron.
class GroupView {
 public:
  GroupView(const models::Shape& shape, std::size_t axis, const UnitGroup& group)
      : split_(models::split_at(shape, axis, axis)), neurons_(group.neurons) {}
  std::int64_t positions() const { return split_.outer * split_.inner; }
  std::vector<float> gather(const std::vector<float>& from) const {
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(positions()) * neurons_.size());
    visit([&](std::size_t at) { values.push_back(from[at]); });
    return values;
  }
  void scatter(const std::vector<float>& values, std::vector<float>& to) const {
    auto next = values.begin();
    visit([&](std::size_t at) { to[at] = *next++; });
  }

 private:
  template <class Visit>
  void visit(const Visit& at) const {
    for (std::int64_t o = 0; o < split_.outer; ++o) {
      for (std::int64_t i = 0; i < split_.inner; ++i) {
        for (const std::int64_t neuron : neurons_)
          at(static_cast<std::size_t>((o * split_.size + neuron) * split_.inner + i));
      }
    }
  }
  models::AxisSplit split_;
  const std::vector<std::int64_t>& neurons_;
};

Tensor exactly(const models::Node& node, const Tensor& input) {
  const Tensor* inputs[] = {&input};
  return node.operation->run(inputs);
}

/// What the circuits make of `x`, which is behind the DACs, for one group. `y` is the exact output of the node.
std::vector<float> group_outputs(const ProgrammedUnit& programmed, const UnitPlace& place, std::size_t g,
                                 const Tensor& x, const Tensor& y, std::uint64_t first, std::int64_t count) {
  const UnitGroup& group = place.unit.groups[g];
  const GroupView view(x.shape, place.unit.axis, group);
  const UnitFidelity fidelity = place.config.chip.analog_units.fidelity;
  if (fidelity == UnitFidelity::ideal) return view.gather(y.data);
  std::vector<float> values = view.gather(x.data);
  for (float& value : values) value *= static_cast<float>(group.x_scale);
  if (fidelity == UnitFidelity::nominal) {
    group.circuit->evaluate(values, {}, nullptr, 0, values);
    return values;
  }
  const Stream noise = unit_stream(place, Purpose::front_end_noise, kUnitCircuits + static_cast<std::uint32_t>(g));
  const auto per_sample = static_cast<std::uint64_t>(view.positions() / count) * group.neurons.size();
  group.circuit->evaluate(values, programmed.gates[g], &noise, first * per_sample, values);
  return values;
}

/// Values beyond what every circuit clips need no codes.
double largest_input(const mapping::AnalogUnit& unit) {
  double largest = 0;
  for (const UnitGroup& group : unit.groups)
    largest = std::max(largest, group.circuit->limits().x_high / group.x_scale);
  return largest;
}

}  // namespace

void calibrate_gate_unit(ProgrammedUnit& programmed, const UnitPlace& place, const Tensor& input) {
  const mapping::AnalogUnit& unit = place.unit;
  double largest = 0;
  bool is_signed = false;
  for (const float x : input.data) {
    largest = std::max(largest, std::abs(static_cast<double>(x)));
    is_signed = is_signed || x < 0;
  }
  const bool exact = place.config.chip.analog_units.fidelity == UnitFidelity::ideal;
  programmed.dac = unit_dac(place.config, exact ? largest : std::min(largest, largest_input(unit)), is_signed);
  Tensor x = input;
  through_dacs(programmed.dac, x.data);
  const Tensor y = exactly(place.node, x);
  programmed.adcs.clear();
  for (std::size_t g = 0; g < unit.groups.size(); ++g) {
    const std::vector<float> nominal = GroupView(x.shape, unit.axis, unit.groups[g]).gather(y.data);
    const bool bipolar = std::any_of(nominal.begin(), nominal.end(), [](float one) { return one < 0; });
    std::vector<float> magnitudes = group_outputs(programmed, place, g, x, y, kCalibrationSamples, input.shape[0]);
    for (float& one : magnitudes) one = std::isfinite(one) ? std::abs(one) : std::numeric_limits<float>::infinity();
    const double full_scale = unit_full_scale(place.config, bipolar, magnitudes);
    programmed.adcs.push_back(unit_adc(place, full_scale, bipolar, static_cast<std::uint32_t>(g),
                                       static_cast<std::int64_t>(unit.groups[g].neurons.size())));
  }
}

Tensor run_gate_unit(const ProgrammedUnit& programmed, const UnitPlace& place, const Tensor& input, std::uint64_t first,
                     std::int64_t count, UnitEvents& events) {
  const mapping::AnalogUnit& unit = place.unit;
  TELLEGEN_ASSERT(programmed.adcs.size() == unit.groups.size());
  Tensor x = input;
  through_dacs(programmed.dac, x.data);
  Tensor output = exactly(place.node, x);
  for (std::size_t g = 0; g < unit.groups.size(); ++g) {
    std::vector<float> y = group_outputs(programmed, place, g, x, output, first, count);
    const std::uint64_t first_value = first * (y.size() / static_cast<std::size_t>(count));
    through_adcs(programmed.adcs[g], place, static_cast<std::uint32_t>(g), first_value, y, events);
    GroupView(x.shape, unit.axis, unit.groups[g]).scatter(y, output.data);
  }
  events.drives += input.size();
  events.evaluations += input.size();
  return output;
}

}  // namespace tellegen::sim
