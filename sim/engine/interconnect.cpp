#include "tellegen/sim/engine/interconnect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/circuits/cost/interconnect_cost.h"
#include "tellegen/circuits/cost/roll_up.h"
#include "tellegen/mapping/traffic.h"
#include "tellegen/sim/engine/digital_work.h"

namespace tellegen::sim {
namespace {

using circuits::Band;
using circuits::Price;
using mapping::Topology;

constexpr std::int64_t kSumBits = 16;  // of partial sums: as shift-add
constexpr int kAnalogWeightBits = 8;   // of a weight off the chip whose cells are analog: our choice
constexpr double kMillimetre = 1e-3;

class InterconnectPricing {
 public:
  InterconnectPricing(Ledger& ledger, const models::Network& network, const mapping::Plan& plan,
                      const ExperimentConfig& config, const circuits::CostModel& costs)
      : ledger_(ledger), network_(network), plan_(plan), chip_(config.chip), costs_(costs) {}

  void add() {
    if (chip_.interconnect.topology != Topology::none) add_fabric();
    if (chip_.interconnect.dram != "none") add_off_chip();
    if (chip_.interconnect.control) add_control();
  }

 private:
  void energy(const std::string& layer, const std::string& component, double count, const std::string& unit,
              const Price& price) {
    ledger_.energy.push_back({layer, component, count, unit, price, count * price.energy_J});
    warn(price);
  }
  void area(const std::string& layer, const std::string& component, double instances, const Price& price) {
    ledger_.area.push_back({layer, component, instances, price, instances * price.area_m2, instances * price.static_W});
    warn(price);
  }
  void warn(const Price& price) {
    for (const std::string& warning : price.from.warnings) {
      if (std::ranges::count(ledger_.warnings, warning) == 0) ledger_.warnings.push_back(warning);
    }
  }

  void add_fabric() {
    const mapping::InterconnectConfig& config = chip_.interconnect;
    const double pitch_mm = std::sqrt(total_area_m2(ledger_).typical / std::max(plan_.tiles, 1)) / kMillimetre;
    const Price router = circuits::router_price(costs_, config.flit_bits, chip_.node);
    const Price link = circuits::link_price(costs_, chip_.node);
    const auto traffic = mapping::traffic(network_, plan_, config.topology, buffer_bits(chip_), kSumBits);
    const mapping::Fabric built = mapping::fabric(config.topology, plan_.tiles);
    for (std::size_t l = 0; l < mapping::row_count(plan_); ++l) {
      const std::string& layer = mapping::row_of(plan_, l).name;
      if (built.routers > 0) energy(layer, "router", traffic[l].router_bits / config.flit_bits, "flits", router);
      energy(layer, "link", traffic[l].pitch_bits * pitch_mm, "bit mm", link);
    }
    const std::size_t before = ledger_.area.size();
    if (built.routers > 0) area(kInterconnect, "router", built.routers, router);
    area(kInterconnect, "link", built.pitches * pitch_mm * config.flit_bits, link);
    if (built.routers > 0 && !config.clock_gated) {
      const double cycles = total_latency_s(ledger_) / router.latency_s;
      energy(kInterconnect, "router_clock", built.routers * cycles, "cycles",
             circuits::router_clock_price(costs_, config.flit_bits, chip_.node));
    }
    Band static_W;
    for (std::size_t row = before; row < ledger_.area.size(); ++row) static_W += ledger_.area[row].static_W;
    Price leakage;
    leakage.energy_J = static_W;
    leakage.from.source = "the static powers of routers and links";
    leakage.from.evidence = "derived";
    leakage.from.scaling = "none";
    leakage.from.spread = "sum of the components' bands";
    leakage.formula = "static power of all instances";
    energy(kInterconnect, "leakage", total_latency_s(ledger_), "s", leakage);
  }

  /// Bits of one weight where it comes from.
  int weight_bits() const {
    const mapping::EncodingConfig& encoding = chip_.tile.encoding;
    if (encoding.cell_levels == 0) return kAnalogWeightBits;
    const double levels = std::log2(static_cast<double>(encoding.cell_levels)) * encoding.slices;
    const bool sign_apart = encoding.encoding == mapping::Encoding::differential;
    return static_cast<int>(std::ceil(levels)) + (sign_apart ? 1 : 0);
  }

  void add_off_chip() {
    const mapping::InterconnectConfig& config = chip_.interconnect;
    const Price price = circuits::off_chip_price(costs_, config.dram);
    if (config.dram_inputs) {
      const auto bits = static_cast<double>(mapping::input_values(network_) * buffer_bits(chip_));
      energy(kInterconnect, "dram_inputs", bits, "bits", price);
    }
    for (std::size_t l = 0; config.weight_loads > 0 && l < plan_.layers.size(); ++l) {
      const mapping::LayerPlan& layer = plan_.layers[l];
      const double weights = static_cast<double>(layer.outputs() * layer.block_rows());
      energy(layer.name, "dram_weights", config.weight_loads * weights * weight_bits(), "bits", price);
    }
  }

  /// Layer by layer: a share of the energy of its actions and of its area.
  void add_control() {
    for (std::size_t l = 0; l < mapping::row_count(plan_); ++l) {
      const mapping::LayerPlan& layer = mapping::row_of(plan_, l);
      circuits::Total rest;
      for (const EnergyRow& row : ledger_.energy) {
        if (row.layer == layer.name && row.component != "leakage") rest.energy_J += row.energy_J;
      }
      rest.area_m2 = total_area_m2(ledger_, layer.name);
      const Price price = costs_.control(rest);
      energy(layer.name, "control", 1, "layers", price);
      area(layer.name, "control", 1, price);
    }
  }

  Ledger& ledger_;
  const models::Network& network_;
  const mapping::Plan& plan_;
  const mapping::ChipConfig& chip_;
  const circuits::CostModel& costs_;
};

}  // namespace

void add_interconnect(Ledger& ledger, const models::Network& network, const mapping::Plan& plan,
                      const ExperimentConfig& config, const circuits::CostModel& costs) {
  InterconnectPricing(ledger, network, plan, config, costs).add();
  ledger.note = interconnect_note(config.chip);
}

std::string interconnect_note(const mapping::ChipConfig& chip) {
  const mapping::InterconnectConfig& config = chip.interconnect;
  std::vector<std::string> missing;
  if (config.topology == Topology::none) missing.emplace_back("the way from tile to tile (chip.interconnect.topology)");
  if (config.dram == "none") missing.emplace_back("memory off the chip (chip.interconnect.dram)");
  if (!config.control) missing.emplace_back("control of the tiles (chip.interconnect.control)");
  std::string note;
  if (!missing.empty()) note = fmt::format("Energy and area leave out {}.", fmt::join(missing, ", "));
  if (config.topology != Topology::none)
    note += std::string(note.empty() ? "" : " ") +
            "The way from tile to tile takes no time: it is taken to go on while tiles compute.";
  return note;
}

}  // namespace tellegen::sim
