#pragma once
// A network's activations as threshold gates, for people: site by site, and as fitted to what layers see.

#include <string>
#include <vector>

#include "tellegen/mapping/conversion.h"
#include "tellegen/models/convert/calibrated_gates.h"

namespace tellegen::report {

/// One row per activation and thing that reads it: whether it may move, its gate, how far that is off, what it adds, why.
std::string conversion_table(const std::vector<mapping::ConversionSite>& sites);

/// One row per activation and model: the gate, its rms and largest error on the values that the activation sees.
std::string calibration_table(const std::vector<models::CalibratedGate>& gates);

/// The float network, or the network with one kind of gates, on a test set.
struct GateFigures {
  std::string gates;
  std::vector<models::Figure> figures;
};
/// One row per kind of gates, one column per metric, each with the difference to the first row.
std::string drift_table(const std::vector<GateFigures>& all);

}  // namespace tellegen::report
