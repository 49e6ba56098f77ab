#include "tellegen/sim/validate/macro.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tellegen::sim {
namespace {

bool is_quantity(const std::string& name) { return name == "energy" || name == "area" || name == "throughput"; }

}  // namespace

std::span<const std::pair<Per, const char*>> enum_names(Per) {
  static constexpr std::array names{std::pair{Per::none, "none"},     std::pair{Per::array, "array"},
                                    std::pair{Per::row, "row"},       std::pair{Per::line, "line"},
                                    std::pair{Per::output, "output"}, std::pair{Per::mac, "mac"},
                                    std::pair{Per::drive, "drive"},   std::pair{Per::conversion, "conversion"}};
  return names;
}

std::span<const std::pair<Times, const char*>> enum_names(Times) {
  static constexpr std::array names{std::pair{Times::once, "once"}, std::pair{Times::magnitude_bits, "magnitude_bits"},
                                    std::pair{Times::integration_steps, "integration_steps"},
                                    std::pair{Times::conversion_steps, "conversion_steps"}};
  return names;
}

void MacroOperation::settings(Settings& v) {
  v("inputs", inputs, "of the product", required(at_least(1)));
  v("outputs", outputs, "of the product", required(at_least(1)));
  v("arrays", arrays, "arrays that do it at once", at_least(1));
}

void MacroActivity::settings(Settings& v) {
  v("drive", drive, "per row and input slice: mean square of the drive; of pulses their mean width or number",
    positive());
  v("cells", cells, "mean conductance over the largest, or share of the capacitance that is charged", positive());
}

void MacroCells::settings(Settings& v) {
  v("conductance", conductance, "largest, of one cell", positive());
  v("capacitance", capacitance, "of one cell and its share of the column", positive());
  v.require(!(conductance && capacitance), "capacitance", "and conductance cannot both be what a cell consumes by.");
}

void BitPlanes::settings(Settings& v) {
  v("input_bits", input_bits, "of the input, sign included", required(between(1, 16)));
  v("output_bits", output_bits, "of the output", required(between(1, 16)));
  v("one_phase_up_to", one_phase_up_to, "magnitude bits that are integrated in one phase; more take two",
    between(1, 16));
  v("step", step, "of integration", required(positive()));
  v("conversion_step", conversion_step, "of conversion", required(positive()));
  v("phase", phase, "beside the steps of each phase", required(positive()));
}

int BitPlanes::magnitude_bits() const { return std::max(1, input_bits - 1); }

std::vector<int> BitPlanes::phases() const {
  const int bits = magnitude_bits();
  if (bits <= one_phase_up_to) return {bits};
  return {(bits + 1) / 2, bits / 2};
}

int BitPlanes::integration_steps() const {
  int steps = 0;
  for (const int bits : phases()) steps += (1 << bits) - 1;
  return steps;
}

int BitPlanes::conversion_steps() const {
  int steps = 0, known = 0;
  for (const int bits : phases()) {
    steps += std::max(output_bits - known, 0);
    known += bits;
  }
  return steps;
}

double BitPlanes::time_s() const {
  return integration_steps() * step.si() + conversion_steps() * conversion_step.si() +
         static_cast<double>(phases().size()) * phase.si();
}

void MacroPart::settings(Settings& v) {
  v("entry", entry, "of the cost tables", required());
  v("per", per, "how many actions per product of one array");
  v("times", times, "and how often each, from bit_planes");
  v("count", count, "factor on the actions", positive());
  v("instances", instances, "where there is one, for the area");
}

void PublishedFigures::settings(Settings& v) {
  v("tops", tops, "10^12 operations per second, 2 per multiply-accumulate of `operation`", positive());
  v("tops_per_watt", tops_per_watt, "10^12 operations per joule", positive());
  v("tops_per_mm2", tops_per_mm2, "with tops: gives the area", positive());
  v("area", area, "of all arrays with what the figures include", positive());
}

void MacroPoint::settings(Settings& v) {
  v("name", name, "what distinguishes it", required());
  v.free_map("set", set, "settings on top of the file");
  v.section("published", published, "figures of the source");
}

void Macro::settings(Settings& v) {
  v("name", name, "of the macro, for people", required());
  v("source", source, "key in configs/costs/sources.yaml", required());
  v("analog", analog, "analog or digital multiplication");
  v("simulated", simulated, "the figures are a simulation or a projection");
  v("unverified", unverified, "why the figures are not trusted yet");
  v.list("flagged", flagged, "of energy, area, throughput: left out of the mean");
  v("flag", flag, "why");
  v("fitted", fitted, "constant of this file that was fitted to this macro: its rows are calibrated ones");
  v.section("operation", operation, "the product that the figures stand for");
  v.section("activity", activity, "what moves on average; assumed");
  v.section("cells", cells, "how a cell consumes");
  v.section("chip", chip, "the hardware, as in an experiment");
  v.section("costs", costs, "the prices, as in an experiment");
  v.list("components", components, "of the ledger that the figures include");
  v("control", control, "the figures include sequencing and clock");
  v.section("bit_planes", bit_planes, "an integrating readout");
  v.list_of_sections("parts", parts, "parts that the chip does not know");
  v.free_map("calibrated", calibrated, "settings of the calibrated run, found with the source's own breakdown");
  v.list_of_sections("points", points, "published operating points");
  v.require(std::ranges::all_of(flagged, is_quantity), "flagged", "must be of energy, area, throughput.");
  v.require(flagged.empty() || !flag.empty(), "flagged", "needs `flag`, the reason.");
  v.require(!points.empty(), "points", "must have at least one point.");
}

Macro read_macro(const std::filesystem::path& file, const MacroSettings& set) {
  Overrides overrides;
  for (const auto& [name, values] : set) overrides.emplace_back(name, values.at(0));
  Macro macro;
  read_config(file, macro, overrides);
  return macro;
}

}  // namespace tellegen::sim
