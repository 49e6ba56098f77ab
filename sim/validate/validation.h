#pragma once
// Published macros against this program: ratios, and how far off they are on average and at worst.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/sim/validate/macro_figures.h"

namespace tellegen::sim {

/// Ours over published; absent where it was not published.
struct Ratios {
  std::optional<double> energy, area, throughput;
};

struct ValidationRow {
  std::string macro, point, source;
  bool analog = true, simulated = false, unverified = false, fitted = false;
  std::vector<std::string> flagged;
  PublishedFigures published;
  MacroFigures ours;
  Ratios ratios, calibrated;
  bool energy_in_band = false;  ///< published energy between our low and high
  std::string factors;          ///< of the calibrated run: "costs.energy_scale.adc 0.276, ..."; "" where there are none
};

/// Over the macros (a macro with several points counts once, by the mean of its points): |ratio - 1|.
struct ErrorSummary {
  int macros = 0;
  double mean = 0, worst = 0;
  std::string worst_macro;
};

struct Validation {
  std::vector<ValidationRow> rows;  ///< macros by file name, points in their order
};

/// All macros (.yaml) of a folder. Throws ConfigError, and InputError where there is no such folder or no macro in it.
Validation validate(const std::filesystem::path& macros, const std::filesystem::path& costs);

/// One quantity ("energy", "area", "throughput"). Flagged ones and simulated macros are left out; unverified ones unless asked
/// for; fitted ones where uncalibrated.
ErrorSummary summarise(const Validation& validation, const std::string& quantity, bool calibrated,
                       bool with_unverified);

/// The table and the means, for people; and every number, as CSV.
std::string validation_table(const Validation& validation);
std::string validation_csv(const Validation& validation);

}  // namespace tellegen::sim
