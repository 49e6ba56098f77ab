#pragma once
// What stays of a product on rewritten tiles from sample to sample.

#include <vector>

#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"

namespace tellegen::sim {

/// One entry of Plan::written.
struct WrittenLayer {
  circuits::Dac dac;               ///< of the first factor
  std::vector<double> full_scale;  ///< [heads]: value of the largest conductance; empty: the largest of each column
  bool causal = false;             ///< tokens are written one by one, none looks ahead
  std::vector<circuits::Adc> adc;  ///< per slice of the plan; set by calibration
};

}  // namespace tellegen::sim
