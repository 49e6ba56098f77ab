#include "tellegen/sim/engine/ledger.h"

#include <algorithm>
#include <cmath>

#include "tellegen/circuits/cost/nonlinear_adc_cost.h"
#include "tellegen/mapping/plan_table.h"
#include "tellegen/mapping/written_products.h"
#include "tellegen/sim/engine/unit_prices.h"

namespace tellegen::sim {
namespace {

using circuits::Band;
using circuits::Price;
using mapping::LayerPlan;

constexpr int kAccumulatorBits = 16;  // of shift-add and scaling: ISAAC's width
constexpr std::int64_t kLeastBufferBytes = 1024;

circuits::AdcUse adc_use(const mapping::ChipConfig& chip) {
  circuits::AdcUse use;
  use.kind = chip.adc.kind;
  use.bits = chip.adc.bits.ideal() ? 0 : chip.adc.enob.value_or(chip.adc.bits.bits);
  use.node = chip.node;
  use.rate = chip.adc.rate;
  use.rows = chip.tile.rows;
  return use;
}

circuits::DacUse dac_use(const mapping::ChipConfig& chip) {
  circuits::DacUse use;
  const bool serial = chip.dac.streaming == circuits::Streaming::bit_serial;
  use.bits = chip.dac.bits.ideal() ? 0 : serial ? chip.dac.bits_per_slice : chip.dac.bits.bits;
  use.kind = chip.dac.kind;
  use.node = chip.node;
  use.pulse = chip.dac.full_drive();
  return use;
}

/// One layer's rows; knows what the chip is made of.
class LayerPricing {
 public:
  LayerPricing(const mapping::Plan& plan, const LayerPlan& layer, const LayerEvents& events,
               const ExperimentConfig& config, const circuits::CostModel& costs, Ledger& ledger)
      : plan_(plan),
        layer_(layer),
        events_(events),
        chip_(config.chip),
        costs_(costs),
        ledger_(ledger),
        images_(static_cast<double>(events.images)) {}

  void energy() {
    const Length node = chip_.node;
    if (!analog_inputs())
      row("dac", static_cast<double>(events_.dac_drives), "drives", costs_.dac_drive(dac_use(chip_)));
    if (layer_.front_end)
      row("front_end", static_cast<double>(events_.gates), "evaluations", held(layer_.front_end->cost()));
    row("row_line", events_.drive_V2, "V2", costs_.row_line(chip_.tile.columns, chip_.crossbar.cell_area_F2, node));
    row("cells", events_.cell_energy_J, "J", costs_.cell(chip_.crossbar.cell_area_F2, node));
    if (analog_outputs()) {
      row("amplifier", static_cast<double>(events_.amplified), "values", held(layer_.amplifier->cost()));
    } else {
      row("sample_hold", static_cast<double>(events_.conversions), "samples", costs_.sample_hold(node));
      row(converter(), static_cast<double>(events_.conversions), "conversions", conversion());
      row("shift_add", static_cast<double>(events_.shift_adds), "additions", costs_.shift_add(kAccumulatorBits, node));
      row("scaling", static_cast<double>(events_.scalings), "multiplications", costs_.multiply(kAccumulatorBits, node));
    }
    if (is_written()) row("cell_writes", static_cast<double>(events_.cell_writes), "writes", cell_write());
    for (const auto& [unit, count] : events_.digital) {
      row("activation_" + unit, static_cast<double>(count), "elements", costs_.activation(unit, node));
    }
    for (const UnitCost& unit : unit_costs(plan_, events_, chip_, unit_converters()))
      row(unit.component, unit.count, unit.count_unit, unit.price);
    row("buffer_read", static_cast<double>(events_.buffer_read_bits), "bits",
        costs_.buffer(circuits::Access::read, buffer_bytes(), node));
    row("buffer_write", static_cast<double>(events_.buffer_write_bits), "bits",
        costs_.buffer(circuits::Access::write, buffer_bytes(), node));
  }

  void area() {
    const Length node = chip_.node;
    const double tiles = static_cast<double>(layer_.slices.size());
    const mapping::TileConverters built = mapping::built_converters(chip_);
    const double cells = tiles * chip_.tile.rows * chip_.tile.columns;
    place("cells", cells, costs_.cell(chip_.crossbar.cell_area_F2, node));
    if (!analog_inputs()) place("dac", tiles * built.dacs, costs_.dac_drive(dac_use(chip_)));
    if (layer_.front_end) place("front_end", tiles * built.dacs, held(layer_.front_end->cost()));
    if (analog_outputs()) {
      place("amplifier", tiles * built.lines, held(layer_.amplifier->cost()));
    } else {
      place("sample_hold", tiles * built.lines, costs_.sample_hold(node));
      place(converter(), tiles * (ramps() ? built.lines : built.adcs), conversion());
      if (!layer_.adc_function) {
        place("shift_add", tiles * built.adcs, costs_.shift_add(kAccumulatorBits, node));
        place("scaling", tiles, costs_.multiply(kAccumulatorBits, node));
      }
    }
    for (const auto& [unit, count] : events_.digital) place("activation_" + unit, 1, costs_.activation(unit, node));
    for (const UnitCost& unit : unit_costs(plan_, events_, chip_, unit_converters()))
      place(unit.component, unit.instances, unit.price);
    place("buffer", 1, costs_.buffer(circuits::Access::read, buffer_bytes(), node));
  }

  void latency() {
    LatencyRow row;
    row.layer = layer_.name;
    row.positions = static_cast<double>(layer_.positions);
    circuits::Dac dac;
    dac.config = chip_.dac;
    row.input_slices = dac.slices();
    row.lines_per_adc = ramps() ? 1 : std::min(chip_.adc.columns_per_adc, mapping::built_converters(chip_).lines);
    row.drive_s = chip_.dac.full_drive().si() + settling_s();
    row.conversion_s = analog_outputs() ? 0 : conversion_s();
    row.units_s = units_latency_s(plan_, events_, chip_, unit_converters());
    row.latency_s =
        row.positions * row.input_slices * std::max(row.drive_s, row.lines_per_adc * row.conversion_s) + row.units_s;
    if (is_written()) row.latency_s += row.writes_s = writes_s();
    ledger_.latency.push_back(row);
  }

  void wear() {
    if (!is_written()) return;
    std::int64_t cells = 0;
    for (const mapping::TileSlice& slice : layer_.slices)
      cells += mapping::tokens_of(layer_, slice) * mapping::cells_per_token(layer_, slice, chip_.tile.encoding);
    const circuits::CellWrite& cell = costs_.written_cell(chip_.attention.cell);
    const double writes = images_ > 0 ? static_cast<double>(events_.cell_writes) / images_ : 0;
    ledger_.wear.push_back(
        {layer_.name, writes / static_cast<double>(cells), cell.endurance, cell.source + ". " + cell.note});
  }

  /// Everything that leaks, for as long as one image takes.
  void leakage(double latency_s) {
    Price price;
    for (const AreaRow& row : ledger_.area) {
      if (row.layer == layer_.name) price.energy_J += row.static_W;
    }
    price.from.source = "the static powers of the layer's components";
    price.from.evidence = "derived";
    price.from.scaling = "none";
    price.from.spread = "sum of the components' bands";
    price.formula = "static power of all instances";
    row("leakage", images_ * latency_s, "s", price);
  }

 private:
  bool is_written() const { return mapping::written_of(plan_, layer_.node).has_value(); }
  Price cell_write() const { return costs_.cell_write(chip_.attention.cell, chip_.attention.pulses, chip_.node); }
  /// Tokens one after the other; tiles at the same time, and in a tile the cells of a token, or as many as may be.
  double writes_s() const {
    std::int64_t cells = 0;
    for (const mapping::TileSlice& slice : layer_.slices)
      cells = std::max(cells, mapping::cells_per_token(layer_, slice, chip_.tile.encoding));
    const std::int64_t at_once = chip_.attention.cells_at_once > 0 ? chip_.attention.cells_at_once : cells;
    const std::int64_t tokens = layer_.token_rows ? layer_.rows_per_group : layer_.outputs_per_group;
    return static_cast<double>(tokens * ((cells + at_once - 1) / at_once)) * cell_write().latency_s;
  }
  UnitConverterPrices unit_converters() const {
    UnitConverterPrices prices{costs_.dac_drive(dac_use(chip_)), costs_.sample_hold(chip_.node),
                               costs_.adc_conversion(adc_use(chip_)), 0};
    if (!chip_.adc.bits.ideal()) prices.conversion_s = std::max(1 / chip_.adc.rate.si(), prices.adc.latency_s);
    return prices;
  }
  /// Of one conversion: what the rate asks for, or what the converter needs where it is slower.
  double conversion_s() const {
    if (chip_.adc.bits.ideal()) return 0;
    const double asked_s = ramps() ? 0 : 1 / chip_.adc.rate.si();
    return std::max(asked_s, conversion().latency_s);
  }
  const char* converter() const { return layer_.adc_function ? "nonlinear_adc" : "adc"; }
  /// Whether all lines convert at once, each with a comparator on a shared ramp.
  bool ramps() const {
    return layer_.adc_function && !chip_.adc.bits.ideal() &&
           chip_.nonlinear_adc.method == circuits::NonlinearMethod::count;
  }
  /// Of one line's value, by linear converters or by such as compute an activation.
  Price conversion() const {
    circuits::AdcUse linear = adc_use(chip_);
    if (!layer_.adc_function || chip_.adc.bits.ideal()) return costs_.adc_conversion(linear);
    const int bits = chip_.adc.bits.bits;
    circuits::NonlinearAdcUse use;
    use.method = chip_.nonlinear_adc.method;
    use.bits = bits;
    use.input_bits = chip_.nonlinear_adc.input_bits_for(bits);
    use.directions = !layer_.adc_function->turning_points().empty();
    use.steps = std::ldexp(1.0, bits) - 1;
    if (events_.ramp_steps > 0)
      use.steps = static_cast<double>(events_.ramp_steps) / static_cast<double>(events_.conversions);
    if (!ramps()) return circuits::nonlinear_adc_price(use, costs_, linear, 1);
    linear.rate = Frequency::si(chip_.nonlinear_adc.ramp_clock.si() / use.steps);
    return circuits::nonlinear_adc_price(use, costs_, linear, chip_.adc.columns_per_adc);
  }
  bool analog_inputs() const { return layer_.boundary == mapping::Boundary::analog; }
  bool analog_outputs() const { return layer_.amplifier != nullptr; }
  /// What the cells' currents wait for: front-ends in front of them, amplifiers behind.
  double settling_s() const {
    return (layer_.front_end ? layer_.front_end->cost().settling_s.typical : 0) +
           (layer_.amplifier ? layer_.amplifier->cost().settling_s.typical : 0);
  }
  /// Of one evaluation of an analog unit: it settles, then holds its output for as long as the cells are driven.
  Price held(const circuits::FrontEndCost& cost) const {
    return circuits::evaluation_price(cost, chip_.dac.full_drive().si());
  }
  std::int64_t buffer_bytes() const {
    const std::int64_t images = std::max<std::int64_t>(events_.images, 1);
    return std::max(kLeastBufferBytes, events_.buffer_write_bits / images / 8);
  }
  void row(const std::string& component, double count, const std::string& unit, const Price& price) {
    const double per_image = images_ > 0 ? count / images_ : 0;
    ledger_.energy.push_back({layer_.name, component, per_image, unit, price, per_image * price.energy_J});
    warn(price);
  }
  void place(const std::string& component, double instances, const Price& price) {
    ledger_.area.push_back(
        {layer_.name, component, instances, price, instances * price.area_m2, instances * price.static_W});
    warn(price);
  }
  void warn(const Price& price) {
    for (const std::string& warning : price.from.warnings) {
      if (std::find(ledger_.warnings.begin(), ledger_.warnings.end(), warning) == ledger_.warnings.end())
        ledger_.warnings.push_back(warning);
    }
  }

  const mapping::Plan& plan_;
  const LayerPlan& layer_;
  const LayerEvents& events_;
  const mapping::ChipConfig& chip_;
  const circuits::CostModel& costs_;
  Ledger& ledger_;
  double images_;
};

template <class Rows, class Get>
Band sum(const Rows& rows, const std::string& layer, const std::string& component, Get get) {
  Band total;
  for (const auto& row : rows) {
    if ((layer.empty() || row.layer == layer) && (component.empty() || row.component == component)) total += get(row);
  }
  return total;
}

}  // namespace

Ledger price(const std::vector<LayerEvents>& events, const mapping::Plan& plan, const ExperimentConfig& config,
             const circuits::CostModel& costs) {
  Ledger ledger;
  std::vector<LayerPricing> layers;
  for (std::size_t l = 0; l < plan.layers.size(); ++l)
    layers.emplace_back(plan, plan.layers[l], events[l], config, costs, ledger);
  ExperimentConfig rewritten = config;
  rewritten.chip = mapping::attention_chip(config.chip);
  for (std::size_t w = 0; w < plan.written.size(); ++w)
    layers.emplace_back(plan, plan.written[w], events[plan.layers.size() + w], rewritten, costs, ledger);
  for (LayerPricing& layer : layers) {
    layer.energy();
    layer.area();
    layer.latency();
    layer.wear();
  }
  if (config.chip.adc.bits.ideal()) ledger.warnings.push_back("The ADC is ideal: it costs nothing and takes no time.");
  if (config.chip.dac.bits.ideal()) {
    ledger.warnings.push_back("The DAC is ideal: it costs nothing, and buffers hold 16 bits for each value.");
  }
  const double latency_s = total_latency_s(ledger);
  for (LayerPricing& layer : layers) layer.leakage(latency_s);
  return ledger;
}

Band total_energy_J(const Ledger& ledger, const std::string& layer, const std::string& component) {
  return sum(ledger.energy, layer, component, [](const EnergyRow& row) { return row.energy_J; });
}

Band total_area_m2(const Ledger& ledger, const std::string& layer, const std::string& component) {
  return sum(ledger.area, layer, component, [](const AreaRow& row) { return row.area_m2; });
}

double total_latency_s(const Ledger& ledger) {
  double total = 0;
  for (const LatencyRow& row : ledger.latency) total += row.latency_s;
  return total;
}

}  // namespace tellegen::sim
