// The numbers. Wires: NeuroSim V1.4 (neurosim/DNN_NeuroSim_V1.4 ac828e67: width, aspect ratio and resistivity, with its
// barrier in the nanometres that were meant: the code takes it in metres beside widths in nanometres, so that it has no
// effect there), CACTI 7 (HewlettPackard/cacti 1ffd8df) and DSENT (as in gem5/gem5 ext/dsent), run once for these
// nodes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/devices/technology/technology.h"

namespace tellegen::devices {
namespace {

using namespace units;

constexpr WirePerLength per_um(double r_ohm, double c_fF) {
  return {ResistancePerLength::si(r_ohm * 1e6), CapacitancePerLength::si(c_fF * 1e-9)};
}

/// Width, aspect ratio, resistivity and barrier of NeuroSim; 0.2 fF/um at all nodes.
struct NeurosimRow {
  int node_nm;
  double supply_V, read_V, gate_F_per_m;
  double width_nm, aspect, rho_uohm_cm, barrier_nm;
};
constexpr NeurosimRow neurosim_rows[] = {
    {130, 1.3, 0.58, 6.058e-10, 175, 1.6, 2.01, 10},
    {90, 1.2, 0.58, 5.694e-10, 110, 1.6, 2.2, 10},
    {65, 1.1, 0.55, 4.868e-10, 105, 1.7, 2.21, 7},
    {45, 1.0, 0.51, 4.091e-10, 80, 1.7, 2.37, 5},
    {32, 0.9, 0.51, 3.768e-10, 56, 1.8, 2.63, 4},
    {22, 0.85, 0.55, 3.287e-10, 40, 1.9, 2.97, 2.5},
    {14, 0.8, 0.277, 0, 32, 2.0, 3.25, 2.5},
    {10, 0.75, 0.28, 0, 22, 2.0, 3.95, 2},
    {7, 0.7, 0.264, 0, 20, 2.0, 4.17, 2},
};

/// Ohm and fF per um, local, semi-global and global, aggressive and conservative.
struct CactiRow {
  int node_nm;
  double width_um[3], aggressive[3][2], conservative[3][2];
};
constexpr CactiRow cacti_rows[] = {
    {90,
     {0.1125, 0.18, 0.36},
     {{0.9148, 0.3039}, {0.3258, 0.3136}, {0.06726, 0.3352}},
     {{1.051, 0.2926}, {0.3811, 0.3023}, {0.09074, 0.3151}}},
    {65,
     {0.08125, 0.13, 0.26},
     {{1.01, 0.294}, {0.3945, 0.3023}, {0.0951, 0.3085}},
     {{2.03, 0.2741}, {0.734, 0.2824}, {0.1744, 0.2981}}},
    {45,
     {0.05625, 0.09, 0.18},
     {{1.896, 0.2834}, {0.7407, 0.2908}, {0.1852, 0.2908}},
     {{4.202, 0.258}, {1.524, 0.2654}, {0.363, 0.2814}}},
    {32,
     {0.04, 0.064, 0.128},
     {{3.75, 0.2608}, {1.465, 0.2686}, {0.3662, 0.2686}},
     {{8.403, 0.2458}, {3.034, 0.2537}, {0.72, 0.2673}}},
    {22,
     {0.0275, 0.044, 0.088},
     {{7.934, 0.2403}, {3.099, 0.2479}, {0.7748, 0.2479}},
     {{20.66, 0.2394}, {7.152, 0.247}, {1.645, 0.26}}},
};

/// Ohm and fF per um of the first metal, an intermediate and a global level; DSENT gives no widths.
struct DsentRow {
  int node_nm;
  double levels[3][2];
};
constexpr DsentRow dsent_rows[] = {
    {45, {{2.679, 0.1784}, {1.182, 0.1715}, {0.5134, 0.1569}}},
    {32, {{7.273, 0.1797}, {1.182, 0.1715}, {0.5134, 0.1569}}},
    {22, {{26.04, 0.1707}, {7.273, 0.1572}, {0.5134, 0.1457}}},
};
constexpr WireLevel levels[] = {WireLevel::local, WireLevel::semi_global, WireLevel::global};

TechnologyEntry named(int node_nm, std::string summary, std::string source, Confidence confidence) {
  TechnologyEntry entry;
  entry.name = fmt::format("cmos_{}nm", node_nm);
  entry.summary = std::move(summary);
  entry.source = std::move(source);
  entry.confidence = confidence;
  entry.smallest_yaml = fmt::format("technology: {{name: {}}}", entry.name);
  entry.node = Length::si(node_nm / 1e9);
  return entry;
}

void add_other_wires(TechnologyEntry& entry, int node_nm) {
  for (const CactiRow& row : cacti_rows) {
    if (row.node_nm != node_nm) continue;
    for (int k = 0; k < 3; ++k) {
      const Length width = row.width_um[k] * um;
      entry.wires.push_back({"cacti_aggressive", levels[k], width, per_um(row.aggressive[k][0], row.aggressive[k][1])});
      entry.wires.push_back(
          {"cacti_conservative", levels[k], width, per_um(row.conservative[k][0], row.conservative[k][1])});
    }
  }
  for (const DsentRow& row : dsent_rows) {
    if (row.node_nm != node_nm) continue;
    for (int k = 0; k < 3; ++k) {
      entry.wires.push_back({"dsent", levels[k], Length::si(0), per_um(row.levels[k][0], row.levels[k][1])});
    }
  }
}

TechnologyEntry tabulated(const NeurosimRow& row) {
  TechnologyEntry entry =
      named(row.node_nm, fmt::format("Supply, gates and wires of a {} nm node.", row.node_nm),
            "NeuroSim V1.4 ac828e67 (supply, read voltage, gate capacitance, wires with the barrier "
            "that its code loses); CACTI 7 1ffd8df and DSENT as other opinions on the wires",
            Confidence::published);
  entry.supply = row.supply_V * V;
  entry.read_voltage = row.read_V * V;
  if (row.gate_F_per_m > 0) entry.gate_capacitance = CapacitancePerLength::si(row.gate_F_per_m);
  const double width_m = row.width_nm / 1e9;
  const WireGeometry geometry{width_m, width_m * row.aspect, row.rho_uohm_cm * 1e-8, row.barrier_nm * 1e-9};
  entry.wires.push_back({"neurosim",
                         WireLevel::local,
                         Length::si(width_m),
                         {ResistancePerLength::si(geometry.resistance_ohm_per_m()), CapacitancePerLength::si(0.2e-9)}});
  add_other_wires(entry, row.node_nm);
  return entry;
}

/// No source was read for this node: the 130 nm wires at constant aspect ratio and resistivity.
TechnologyEntry extrapolated_180(const TechnologyEntry& node_130) {
  TechnologyEntry entry =
      named(180, "Working values of a 180 nm node.",
            "supply as is usual; wires scaled from the 130 nm node at constant aspect ratio", Confidence::assumed);
  entry.supply = 1.8 * V;
  const ConstantFieldScaling scaling = constant_field_scaling(node_130.node, entry.node);
  const WireRow& wires = node_130.wires.front();
  entry.wires.push_back({"neurosim",
                         WireLevel::local,
                         scaling.length * wires.width,
                         {scaling.wire_resistance_per_length * wires.per_length.r, wires.per_length.c}});
  return entry;
}

/// Between the 32 and the 22 nm node, straight in logarithms.
TechnologyEntry interpolated_28(const TechnologyEntry& node_32, const TechnologyEntry& node_22) {
  TechnologyEntry entry =
      named(28, "Working values of a 28 nm node.",
            "supply as is usual; wires between those of the 32 and the 22 nm node in logarithms", Confidence::assumed);
  entry.supply = 0.9 * V;
  const WireRow &large = node_32.wires.front(), &small = node_22.wires.front();
  const double weight = std::log(entry.node / node_22.node) / std::log(node_32.node / node_22.node);
  const auto between = [weight](auto low, auto high) { return std::pow(high / low, weight) * low; };
  entry.wires.push_back({"neurosim",
                         WireLevel::local,
                         between(small.width, large.width),
                         {between(small.per_length.r, large.per_length.r), large.per_length.c}});
  return entry;
}

const TechnologyEntry& find_node(const std::vector<TechnologyEntry>& entries, int node_nm) {
  return *std::find_if(entries.begin(), entries.end(),
                       [&](const TechnologyEntry& entry) { return entry.node == Length::si(node_nm / 1e9); });
}

}  // namespace

const std::vector<TechnologyEntry>& technology_catalog() {
  static const std::vector<TechnologyEntry> catalog = [] {
    std::vector<TechnologyEntry> all;
    for (const NeurosimRow& row : neurosim_rows) all.push_back(tabulated(row));
    const TechnologyEntry node_180 = extrapolated_180(all.front());
    const TechnologyEntry node_28 = interpolated_28(find_node(all, 32), find_node(all, 22));
    all.insert(all.begin(), node_180);
    all.insert(
        std::find_if(all.begin(), all.end(), [](const auto& entry) { return entry.node < Length::si(28 / 1e9); }),
        node_28);
    return all;
  }();
  return catalog;
}

}  // namespace tellegen::devices
