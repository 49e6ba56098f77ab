#pragma once
// A comparison of activations at equal error as a table, as CSV and as JSON.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/compare/comparison.h"
#include "tellegen/sim/report/plot/figure.h"

namespace tellegen::report {

/// What resizing found, of what the path has: "ENOB 6.02, 8-bit words", "area x 5.1".
std::string sizes_text(const compare::Row& row);

/// Per layer and error one row per option; shares; totals per inference; break-even points; notes.
std::string activation_table(const compare::Comparison& comparison);
/// One line per row: error, sizes, energy, area with low and high, latency, verdict.
std::string activation_csv(const compare::Comparison& comparison);
std::string activation_json(const compare::Comparison& comparison);
/// Energy against area per activation at equal error, one panel per error of the first layer that has results; bars from
/// low to high.
plot::Figure activation_figure(const compare::Comparison& comparison);

/// Names of the files that write_activation_output leaves, the figure last.
std::vector<std::string> activation_files();
/// Writes activations.csv, activations.json and pareto.svg (left out where gnuplot is missing: returns its message, else
/// "") into `folder`, all or none. Throws InputError.
std::string write_activation_output(const std::filesystem::path& folder, const compare::Comparison& comparison);

}  // namespace tellegen::report
