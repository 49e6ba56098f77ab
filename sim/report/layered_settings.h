#pragma once
// Settings of a sweep or a comparison on top of an experiment: from the file, from an axis or an option, from the
// command line; and messages that name where the wrong one was written.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/engine/experiment.h"

namespace tellegen::report {

/// Settings as `name: value` of a mapping, for example {chip.adc.bits: 6}: each with exactly one value.
using SettingsMap = std::vector<std::pair<std::string, std::vector<std::string>>>;
Overrides to_overrides(const SettingsMap& settings);
/// For require(): whether each name has exactly one value.
bool single_values(const SettingsMap& settings);
/// For require(): whether all names and values can be printed.
bool all_printable(const SettingsMap& settings);
inline constexpr const char* kNotPrintable = "must be UTF-8 text without control characters.";

/// The settings that a name stands for: "a.b, a.c" are two.
std::vector<std::string> settings_of(const std::string& name);
/// Whether one setting is the other, or holds it: chip.adc and chip.adc.bits; of names that stand for several, any.
bool overlap(const std::string& a, const std::string& b);
/// Throws InputError where an override changes what `holder` ("an axis of sweep.yaml") fixes by one of `settings`: the
/// labels of the rows would lie.
void refuse_fixed(const Overrides& overrides, const SettingsMap& settings, const std::string& holder);

/// Adds the command line's settings to those of the file, each once.
void merge(const Overrides& overrides, SettingsMap& settings);

/// One source of settings: "set", "over", "options[1].set" of the file; "" for --set.
struct SettingsLayer {
  std::string origin;
  Overrides overrides;
};

/// The experiment as named in `file` with `layers` on top, later ones over earlier ones. Throws ConfigError and
/// InputError; a wrong setting is reported as "FILE:LINE:COLUMN: ORIGIN.SETTING ...".
sim::ExperimentConfig read_layered(const std::filesystem::path& experiment, const std::filesystem::path& file,
                                   const std::vector<SettingsLayer>& layers);

}  // namespace tellegen::report
