#pragma once
// The events of a run without inference: counts follow from the plan, and what depends on values from their statistics.

#include <cstdint>
#include <string>
#include <vector>

#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/value_statistics.h"

namespace tellegen::sim {

/// Throws RefusedError where statistics of single values do not give the energy of the cells: cells beyond Ohm's law
/// with wires, with read noise that is drawn cell by cell, or by second moments.
template <class T>
void check_energy_method(const ExperimentConfig& config, const ProgrammedChip<T>& chip);

/// Sets the energy of the cells and the squared voltages of the row lines of `events` (per plan layer, counts and images
/// already there) to what one programmed chip is expected to take. Throws as check_energy_method.
template <class T>
void expect_energy(const ProgrammedChip<T>& chip, const ValueStatistics& statistics, const mapping::Plan& plan,
                   const ExperimentConfig& config, std::vector<LayerEvents>& events);

/// Counts of the statistics' samples on one chip, per plan layer: all but what depends on values (clipped and infinite
/// values are not known: 0). Throws RefusedError where ADCs compute activations.
std::vector<LayerEvents> planned_events(const ValueStatistics& statistics, const Workload& workload,
                                        const mapping::Plan& plan, const ExperimentConfig& config);

/// Where the energies that depend on values come from, a full sentence; empty for trace.
std::string energy_log(const ExperimentConfig& config, const Workload& workload);

}  // namespace tellegen::sim
