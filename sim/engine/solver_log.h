#pragma once
// Which solvers a run uses for its crossbars and why: what a user should know before trusting speed and numbers.

#include <cstdint>
#include <string>
#include <vector>

#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::sim {

/// Full sentences; slow ways begin with "Slow: ". Empty for tiles without wires whose cells follow Ohm's law. The same
/// for any number of threads.
std::vector<std::string> solver_log(const ExperimentConfig& config, const mapping::Plan& plan, std::int64_t samples);

}  // namespace tellegen::sim
