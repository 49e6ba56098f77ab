#pragma once
// Numbers of what was counted and measured: events, accuracy, signal quality, tiles.

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// What a report, a sweep and a comparison say where signals are infinite or not a number.
inline constexpr const char* kInfiniteOutputs =
    "Outputs of a layer are not finite on the chip or in the float network: accuracies count arbitrary predictions.";

/// count.LAYER.EVENT, summed over all images and chips.
void add_counts(const sim::RunResult& result, Report& report);
/// accuracy.float, accuracy.chip (with its 95 % interval as low and high), accuracy.chip.0, accuracy.chip.1, ...: of the
/// metric that network.metric names, in its unit.
void add_accuracy(const sim::RunResult& result, Report& report);
/// metric.NAME.float and metric.NAME.chip: all metrics of the test set, with intervals over its samples and over chips.
void add_metrics(const sim::RunResult& result, Report& report);
/// snr.LAYER, clipped.LAYER, faults.LAYER. Needs the counts.
void add_signals(const sim::RunResult& result, Report& report);
/// tiles, tiles.LAYER, utilisation, utilisation.LAYER, macs.
void add_plan_numbers(const sim::RunResult& result, Report& report);

}  // namespace tellegen::report
