#pragma once
// A sweep as a picture: accuracy against one of its axes.

#include <filesystem>

#include "tellegen/sim/report/plot/figure.h"
#include "tellegen/sim/report/sweep.h"

namespace tellegen::report {

/// Accuracy [%] against the axis of numbers or quantities that has the most values (the first of equals), one curve for
/// each choice of the other axes, with the 95 % interval over chips as a band. With two other axes or more there is one
/// panel for each value of the first of them. Values from 1 to 50 times apart or more, and above 0, are on a logarithmic
/// axis. Points without result break the curve. Throws InputError where no axis has two numbers or more.
plot::Figure sweep_figure(const SweepResult& result);

/// Asked before a long run. Throws InputError where the sweep in `file` has no axis to draw against, ConfigError where
/// it cannot be read.
void require_figure_axis(const std::filesystem::path& file);

}  // namespace tellegen::report
