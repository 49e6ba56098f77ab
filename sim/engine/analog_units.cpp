#include "tellegen/sim/engine/analog_units.h"

#include "tellegen/sim/engine/gate_units.h"
#include "tellegen/sim/engine/softmax_units.h"
#include "tellegen/sim/engine/unit_parts.h"

namespace tellegen::sim {

ProgrammedUnit program_unit(const UnitPlace& place) {
  ProgrammedUnit programmed;
  if (place.config.chip.analog_units.fidelity != mapping::UnitFidelity::circuit) return programmed;
  const mapping::AnalogUnit& unit = place.unit;
  for (std::size_t g = 0; g < unit.groups.size(); ++g) {
    programmed.gates.push_back(unit.groups[g].circuit->sample(
        unit_stream(place, Purpose::mismatch, kUnitCircuits + static_cast<std::uint32_t>(g)), 0,
        static_cast<std::int64_t>(unit.groups[g].neurons.size())));
  }
  for (std::int64_t head = 0; unit.softmax != nullptr && head < unit.heads; ++head) {
    programmed.softmax.push_back(
        unit.softmax->sample(unit_stream(place, Purpose::mismatch, kUnitCircuits + static_cast<std::uint32_t>(head)),
                             static_cast<std::size_t>(unit.row)));
  }
  return programmed;
}

void calibrate_unit(ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input) {
  if (place.unit.softmax != nullptr) {
    calibrate_softmax_unit(programmed, place, input);
  } else {
    calibrate_gate_unit(programmed, place, input);
  }
}

models::Tensor run_unit(const ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input,
                        std::uint64_t first, std::int64_t count, UnitEvents& events) {
  return place.unit.softmax != nullptr ? run_softmax_unit(programmed, place, input, first, count, events)
                                       : run_gate_unit(programmed, place, input, first, count, events);
}

std::map<std::string, std::int64_t> digital_work_beside(const mapping::AnalogUnit& unit, const UnitEvents& events) {
  if (unit.softmax == nullptr) return {};
  return {{"max_pool", events.drives}, {"add", events.drives}};
}

}  // namespace tellegen::sim
