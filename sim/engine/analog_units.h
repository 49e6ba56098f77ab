#pragma once
// Circuits between DACs and ADCs that compute activations and softmaxes: as manufactured, calibrated, and at work.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/mapping/analog_units.h"
#include "tellegen/models/network.h"
#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::sim {

/// The circuits of one mapping::AnalogUnit on one chip.
struct ProgrammedUnit {
  std::vector<circuits::UnitErrors> gates;       ///< of each group of an activation
  std::vector<circuits::SoftmaxErrors> softmax;  ///< of each head
  circuits::Dac dac;                             ///< of every input; set by calibrate_unit
  std::vector<circuits::Adc> adcs;               ///< of the outputs of each group or head; set by calibrate_unit
};

/// Which unit is at work where.
struct UnitPlace {
  const mapping::AnalogUnit& unit;
  const models::Node& node;
  const ExperimentConfig& config;
  std::uint32_t chip = 0;
};

/// Samples that calibrate are numbered from here, so that their noise is not that of inference.
inline constexpr std::uint64_t kCalibrationSamples = std::uint64_t{1} << 32;

/// Draws the errors of all its circuits, addressed by (seed, chip, node).
ProgrammedUnit program_unit(const UnitPlace& place);

/// Lays the ranges of its converters on `input` [samples, ...], what the node gets from calibration samples.
void calibrate_unit(ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input);

/// The node's output for samples first .. first + count - 1, `count` the samples of `input`. Noise is addressed by (seed, chip,
/// node, sample, position, neuron). Counts into `events`.
models::Tensor run_unit(const ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input,
                        std::uint64_t first, std::int64_t count, UnitEvents& events);

/// What stays digital beside them, by name of the digital unit: the largest of each row is found and taken off before
/// a softmax.
std::map<std::string, std::int64_t> digital_work_beside(const mapping::AnalogUnit& unit, const UnitEvents& events);

}  // namespace tellegen::sim
