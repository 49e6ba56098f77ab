#pragma once
// Figures are drawn by gnuplot, from here and nowhere else.

#include <filesystem>
#include <string>

#include "tellegen/sim/report/plot/figure.h"

namespace tellegen::plot {

/// The program that gnuplot runs: data included, drawing to `output`. The format follows `file` (.svg or .png).
/// Throws InputError where the format is another one.
std::string gnuplot_script(const Figure& figure, const std::filesystem::path& file,
                           const std::filesystem::path& output);

/// Throws InputError where figures cannot be drawn as `file`: asked before the work starts.
void require_figure_format(const std::filesystem::path& file);

enum class Drawn { yes, gnuplot_is_missing };

/// Draws `figure` as `file`, complete or not at all. Throws InputError where the place cannot be written or the format
/// is not known, std::runtime_error with gnuplot's words where it fails.
Drawn draw(const Figure& figure, const std::filesystem::path& file);

/// What to tell a user whose machine has no gnuplot.
std::string missing_gnuplot_message(const std::filesystem::path& file);

}  // namespace tellegen::plot
