#pragma once
// The steps that paths are made of.

#include <memory>

#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/converter/nonlinear_bank.h"
#include "tellegen/circuits/digital/fixed_point.h"
#include "tellegen/circuits/digital/lookup_table.h"
#include "tellegen/circuits/digital/piecewise_linear.h"
#include "tellegen/circuits/digital/softmax_unit.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"
#include "tellegen/sim/compare/stage.h"

namespace tellegen::compare {

/// Each circuit has a converter of its own. `full_scale` in units of the values.
std::unique_ptr<Stage> adc_stage(const circuits::AdcConfig& config, double full_scale);
/// Values rounded to words.
std::unique_ptr<Stage> word_stage(const circuits::FixedPoint& word);
/// A digital relu with results of words.
std::unique_ptr<Stage> relu_stage(const circuits::FixedPoint& word);
/// Words of the digital side drive rows through the DAC's curve; words fit it, so that it rounds no second time.
std::unique_ptr<Stage> dac_stage(const circuits::DacConfig& config, double full_scale);
std::unique_ptr<Stage> unit_stage(std::shared_ptr<const circuits::LookupTable> table);
std::unique_ptr<Stage> unit_stage(std::shared_ptr<const circuits::PiecewiseLinear> lines);
/// Rows of `length` values.
std::unique_ptr<Stage> softmax_unit_stage(std::shared_ptr<const circuits::SoftmaxUnit> unit, int length);
/// Each circuit has a converter of its own; a design of one line.
std::unique_ptr<Stage> nonlinear_adc_stage(const circuits::NonlinearBank::Design& design);
std::unique_ptr<Stage> front_end_stage(std::shared_ptr<const circuits::FrontEnd> front_end);
std::unique_ptr<Stage> softmax_stage(std::shared_ptr<const circuits::SoftmaxCircuit> circuit, int length);
/// The crossing's full scale is laid on `full_scale`; calibration leaves `residual` of its gain and offset errors.
std::unique_ptr<Stage> crossing_stage(std::shared_ptr<const circuits::Crossing> crossing, double full_scale,
                                      double residual);

}  // namespace tellegen::compare
