#include "tellegen/circuits/cost/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/cost_tables.h"
#include "tellegen/circuits/cost/price_multiple.h"

namespace tellegen::circuits {
namespace {

/// `count` of `price` side by side.
Price repeated(const Price& price, double count, const std::string& name) {
  return count == 1 ? price : multiple(price, count, count, name);
}

/// The narrowest entry that holds `bits`, or several of the widest: in number as the width, for products as its square.
Price word_operation(const CostTables& t, const std::vector<std::string>& names, int bits, Length node, bool product) {
  for (const std::string& name : names) {
    if (t.entry(name).bits >= bits) return t.at_node(t.entry(name), node);
  }
  const CostEntry& widest = t.entry(names.back());
  const double words = std::ceil(static_cast<double>(bits) / widest.bits);
  return repeated(t.at_node(widest, node), product ? words * words : words, "words");
}

/// One bit of the narrowest adder.
Price full_adder(const CostTables& t, Length node) {
  const CostEntry& adder = t.entry(t.digital.at(t.config.digital).add.front());
  return repeated(t.at_node(adder, node), 1.0 / adder.bits, "share of the adder");
}

}  // namespace

std::span<const std::string> adc_kinds() {
  static const std::vector<std::string> names{"sar",    "flash", "ramp",       "pipeline",
                                              "cyclic", "cco",   "time_based", "sense_amplifier"};
  return names;
}

void ComponentScales::settings(Settings& v) {
  v("adc", adc, "analog-to-digital converters", positive());
  v("dac", dac, "row drivers", positive());
  v("row_line", row_line, "charging of row lines", positive());
  v("cell", cell, "cells of the arrays", positive());
  v("sample_hold", sample_hold, "sample-and-hold of columns", positive());
  v("digital", digital, "shift-add, add, multiply", positive());
  v("activation", activation, "digital activation units", positive());
  v("memory", memory, "buffers", positive());
  v("interconnect", interconnect, "routers, links and memory off the chip", positive());
}

void CostConfig::settings(Settings& v) {
  v.choice("adc", adc, adc_laws(), "price law of SAR converters");
  v.choice("dac", dac, dac_laws(), "price law of capacitive DACs");
  v.choice("digital", digital, digital_tables(), "prices of shift-add, add and multiply");
  v.choice("activation", activation, activation_sets(), "prices of digital activation units");
  v.choice("memory", memory, memory_tables(), "prices of buffers");
  v.section("energy_scale", energy_scale, "factors on energy and static power, for a design whose figures are known");
  v.section("area_scale", area_scale, "factors on area");
}

CostModel::CostModel(const CostConfig& config, const std::filesystem::path& folder)
    : tables_(std::make_unique<const CostTables>(config, folder)) {}
CostModel::~CostModel() = default;
CostModel::CostModel(CostModel&&) noexcept = default;

Price CostModel::adc_conversion(const AdcUse& use) const {
  const CostTables& t = *tables_;
  const auto price = [&]() -> Price {
    if (use.bits <= 0) return free_of_cost("ideal converter");
    const auto comparator = [&] { return t.at_node(t.entry(t.periphery.comparator), use.node); };
    if (use.kind == "flash")
      return flash_price(use, comparator(), full_adder(t, use.node), t.periphery.flash, t.scaling.supply(use.node));
    if (use.kind == "ramp") return ramp_price(use, comparator());
    if (use.kind == "sense_amplifier") return comparator();
    if (use.kind == "cyclic") return t.survey.cyclic_price(use);
    if (use.kind == "cco" && t.config.adc != "survey_2025")
      return cco_price(use, t.at_node(t.entry(t.periphery.counter), use.node));
    if (use.kind == "pipeline" || use.kind == "cco" || use.kind == "time_based")
      return t.survey.median_price(use.kind, use);
    if (use.kind != "sar") {
      throw InputError(fmt::format("there is no price for an ADC of kind '{}'. Known kinds: {}.", use.kind,
                                   fmt::join(adc_kinds(), ", ")));
    }
    if (t.config.adc == "survey_2025") return t.survey.sar_price(use);
    if (t.config.adc == "isaac_2016") return t.isaac.price(use);
    if (t.config.adc == "neurosim_sar") return t.neurosim.price(use);
    if (t.config.adc == "zigzag_2023") return t.zigzag.price(use);
    return t.andrulis.price(use);
  };
  return with_factors(price(), t.config.energy_scale.adc, t.config.area_scale.adc);
}

Price CostModel::dac_drive(const DacUse& use) const {
  const CostTables& t = *tables_;
  const auto price = [&]() -> Price {
    if (use.bits <= 0) return free_of_cost("ideal converter");
    if (use.kind == "one_bit") {
      if (use.bits > 1) {
        throw InputError(
            fmt::format("a DAC of kind 'one_bit' drives one bit at a time, but is asked for {}. Stream the "
                        "input bit by bit, or choose capacitive, r2r or pwm.",
                        use.bits));
      }
      return t.at_node(t.entry(t.dac.one_bit), use.node);
    }
    if (use.kind == "r2r") return r2r_price(t.dac, use.bits, use.node, t.scaling.supply(use.node), use.pulse);
    if (use.kind == "pwm") {
      return pulse_width_price(t.dac, t.at_node(t.entry(t.dac.pulse_width.entry), use.node), use.bits);
    }
    if (use.kind != "capacitive" && use.kind != "c2c") {
      throw InputError(fmt::format(
          "there is no price for a DAC of kind '{}'. Known kinds: capacitive, c2c, r2r, pwm, one_bit.", use.kind));
    }
    if (use.kind == "c2c" || t.config.dac == "c2c_ladder")
      return c2c_price(t.dac, use.bits, use.node, t.scaling.supply(use.node));
    if (t.config.dac == "zigzag_2023") return zigzag_dac_price(t.dac, use.bits, use.node);
    const CostEntry& published = t.entry(t.dac.published);
    Price fixed = t.at_node(published, use.node);
    if (use.bits != published.bits) {
      fixed.from.warnings.push_back(fmt::format("brahms_2021 is published for {} bits: its price is used for {} bits.",
                                                published.bits, use.bits));
    }
    return fixed;
  };
  return with_factors(price(), t.config.energy_scale.dac, t.config.area_scale.dac);
}

Price CostModel::row_line(int columns, double cell_area_F2, Length node) const {
  const CostTables& t = *tables_;
  const WireRule& wire = t.periphery.wire;
  const double pitch_m = std::sqrt(cell_area_F2) * node.si();
  Price price;
  price.from = wire.origin.provenance(node.in(units::nm));
  price.from.spread = spread_or_assumed(wire.origin.energy_spread, wire.origin.evidence).from;  // it has no area
  price.energy_J = wire.origin.energy(columns * pitch_m * wire.capacitance.si());
  price.formula = "columns * pitch_m * wire_F_per_m";
  price.inputs = {{"columns", columns}, {"pitch_m", pitch_m}, {"wire_F_per_m", wire.capacitance.si()}};
  return with_factors(price, t.config.energy_scale.row_line, 1);
}

Price CostModel::cell(double cell_area_F2, Length node) const {
  Price price = free_of_cost("");
  price.from.source = "calculated";
  price.from.node_nm = node.in(units::nm);
  price.energy_J = Band::exact(1);
  price.area_m2 = Band::exact(cell_area_F2 * node.si() * node.si());
  price.formula = "1 (the joules are counted: sum of V^2 G t)";
  price.inputs = {{"cell_area_F2", cell_area_F2}, {"node_m", node.si()}};
  return with_factors(price, tables_->config.energy_scale.cell, tables_->config.area_scale.cell);
}

Price CostModel::cell_write(const std::string& cell, double pulses, Length node) const {
  const CostTables& t = *tables_;
  CostEntry pulse = t.entry(t.cell_writes.of(cell).entry);
  pulse.area = Area::si(1);  // a write has none, which is no gap in the table
  Price price = repeated(t.at_node(pulse, node), pulses, "pulses");
  price.area_m2 = {};
  price.latency_s *= pulses;
  return with_factors(price, t.config.energy_scale.cell, 1);
}

const CellWrite& CostModel::written_cell(const std::string& cell) const { return tables_->cell_writes.of(cell); }

Price CostModel::sample_hold(Length node) const {
  const CostTables& t = *tables_;
  const Price price = t.at_node(t.entry(t.periphery.sample_hold), node);
  return with_factors(price, t.config.energy_scale.sample_hold, t.config.area_scale.sample_hold);
}

Price CostModel::shift_add(int bits, Length node) const {
  const CostTables& t = *tables_;
  const Price price = word_operation(t, t.digital.at(t.config.digital).shift_add, bits, node, false);
  return with_factors(price, t.config.energy_scale.digital, t.config.area_scale.digital);
}

Price CostModel::add(int bits, Length node) const {
  const CostTables& t = *tables_;
  const Price price = word_operation(t, t.digital.at(t.config.digital).add, bits, node, false);
  return with_factors(price, t.config.energy_scale.digital, t.config.area_scale.digital);
}

Price CostModel::multiply(int bits, Length node) const {
  const CostTables& t = *tables_;
  const Price price = word_operation(t, t.digital.at(t.config.digital).multiply, bits, node, true);
  return with_factors(price, t.config.energy_scale.digital, t.config.area_scale.digital);
}

Price CostModel::activation(const std::string& unit, Length node) const {
  const CostTables& t = *tables_;
  if (unit.empty()) return free_of_cost("nothing is computed");
  for (const CostUnit& candidate : t.activation.units) {
    if (candidate.set != t.config.activation || candidate.unit != unit) continue;
    if (candidate.parts.size() == 1) {
      const Price price = t.at_node(t.entry(candidate.parts.front()), node);
      return with_factors(price, t.config.energy_scale.activation, t.config.area_scale.activation);
    }
    std::vector<std::pair<std::string, Price>> parts;
    for (const std::string& name : candidate.parts) parts.emplace_back(name, t.at_node(t.entry(name), node));
    return with_factors(combine(parts), t.config.energy_scale.activation, t.config.area_scale.activation);
  }
  const std::string near = nearest(unit, activation_units());
  throw InputError(fmt::format("'{}' is not an activation unit that costs.activation = {} prices. Known units: {}{}",
                               unit, t.config.activation, fmt::join(activation_units(), ", "),
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
}

Price CostModel::buffer(Access access, std::int64_t bytes, Length node) const {
  const CostTables& t = *tables_;
  if (bytes <= 0) return free_of_cost("nothing is stored");
  if (t.config.memory == "cacti7") {
    return with_factors(t.memory.price(access, bytes, node, t.scaling), t.config.energy_scale.memory,
                        t.config.area_scale.memory);
  }
  const CostEntry& edram = t.entry("isaac_edram_64kb");
  Price price = t.at_node(edram, node);
  price.energy_J = price.energy_J * (1.0 / edram.bits);
  price.area_m2 = price.area_m2 * (static_cast<double>(bytes) / static_cast<double>(edram.bytes));
  price.formula = "(" + price.formula + ") / bits";
  price.inputs.emplace_back("bits", edram.bits);
  return with_factors(price, t.config.energy_scale.memory, t.config.area_scale.memory);
}

Price CostModel::control(const Total& rest) const {
  const ControlRule& rule = tables_->periphery.control;
  const auto beside = [](double share) { return share / (1 - share); };
  Price price;
  price.from = rule.origin.provenance(rule.origin.node ? rule.origin.node->in(units::nm) : 0);
  price.from.scaling = "none: a share of what it controls";
  price.energy_J = rule.origin.energy(rest.energy_J.typical * beside(rule.energy_share));
  price.area_m2 = rule.origin.area(rest.area_m2.typical * beside(rule.area_share));
  price.formula = "rest_J * energy_share / (1 - energy_share)";
  price.inputs = {{"rest_J", rest.energy_J.typical}, {"energy_share", rule.energy_share}};
  return price;
}

Price CostModel::entry(const std::string& name) const { return fact(name).price(); }
Price CostModel::entry(const std::string& name, Length node) const { return tables_->at_node(fact(name), node); }
const CostEntry& CostModel::fact(const std::string& name) const { return tables_->entry(name); }
const SourceList& CostModel::sources() const { return tables_->sources; }
const CostConfig& CostModel::config() const { return tables_->config; }

}  // namespace tellegen::circuits
