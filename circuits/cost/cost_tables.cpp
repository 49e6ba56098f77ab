#include "tellegen/circuits/cost/cost_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/price_range.h"

namespace tellegen::circuits {
namespace {

template <class T>
T read_table(const std::filesystem::path& file) {
  T table;
  read_config(file, table);
  return table;
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& message) {
  throw ConfigError(file.string() + ": " + message);
}

}  // namespace

std::span<const std::string> adc_laws() {
  static const std::vector<std::string> names{"andrulis_2024", "isaac_2016", "neurosim_sar", "zigzag_2023",
                                              "survey_2025"};
  return names;
}
std::span<const std::string> dac_laws() {
  static const std::vector<std::string> names{"zigzag_2023", "c2c_ladder", "brahms_2021"};
  return names;
}
std::span<const std::string> digital_tables() {
  static const std::vector<std::string> names{"isaac_2016", "horowitz_2014"};
  return names;
}
std::span<const std::string> activation_sets() {
  static const std::vector<std::string> names{"isaac_2016", "chen_2020", "horowitz_2014"};
  return names;
}
std::span<const std::string> memory_tables() {
  static const std::vector<std::string> names{"cacti7", "isaac_2016"};
  return names;
}
std::span<const std::string> activation_units() {
  static const std::vector<std::string> names{"relu",        "sigmoid",    "tanh",      "silu",         "gelu",
                                              "add",         "multiply",   "max_pool",  "average_pool", "softmax",
                                              "exponential", "layer_norm", "requantise"};
  return names;
}

void WireRule::settings(Settings& v) {
  origin.settings(v);
  v("capacitance", capacitance, "per length", required(positive()));
}

void ControlRule::settings(Settings& v) {
  origin.settings(v);
  v("energy_share", energy_share, "of the whole", required(Allowed{0, 0.9}));
  v("area_share", area_share, "of the whole", required(Allowed{0, 0.9}));
}

void PeripheryTable::settings(Settings& v) {
  v.section("wire", wire, "lines along the array");
  v.section("control", control, "sequencing and clock");
  v.section("flash", flash, "reference ladder of flash converters");
  v("sample_hold", sample_hold, "entry of the sample-and-hold of one column", required());
  v("comparator", comparator, "entry of the comparator that flash and ramp converters are made of", required());
  v("counter", counter, "entry of the counter that current-controlled oscillators drive", required());
  v.list_of_sections("entries", entries, "priced parts");
}

void DigitalTable::settings(Settings& v) {
  v.list("shift_add", shift_add, "entries that shift and add, narrow to wide");
  v.list("add", add, "entries that add, narrow to wide");
  v.list("multiply", multiply, "entries that multiply, narrow to wide");
  v.list_of_sections("entries", entries, "priced parts");
  v.require(!shift_add.empty() && !add.empty() && !multiply.empty(), "add",
            "and shift_add and multiply must have an entry each.");
}

CostTables::CostTables(const CostConfig& wanted, const std::filesystem::path& folder)
    : config(wanted),
      sources(read_table<SourceList>(folder / "sources.yaml")),
      andrulis(read_table<AndrulisLaw>(folder / "adc_andrulis_2024.yaml")),
      isaac(read_table<IsaacAdcLaw>(folder / "adc_isaac_2016.yaml")),
      neurosim(read_table<NeuroSimAdcLaw>(folder / "adc_neurosim.yaml")),
      zigzag(read_table<ZigzagAdcLaw>(folder / "adc_zigzag_2023.yaml")),
      survey(read_table<SurveyLaw>(folder / "adc_survey_2025.yaml")),
      dac(read_table<DacTable>(folder / "dac.yaml")),
      periphery(read_table<PeripheryTable>(folder / "periphery.yaml")),
      activation(read_table<CostTable>(folder / "activation_units.yaml")),
      interconnect(read_table<CostTable>(folder / "interconnect.yaml")),
      cell_writes(read_table<CellWriteTable>(folder / "cell_writes.yaml")),
      memory(read_table<MemoryTable>(folder / "memory_cacti7.yaml")),
      scaling(read_table<ScalingTable>(folder / "scaling_stillmaker_2017.yaml")) {
  add(dac.entries, folder / "dac.yaml");
  add(periphery.entries, folder / "periphery.yaml");
  for (const std::string& name : digital_tables()) {
    const std::filesystem::path file = folder / ("digital_" + name + ".yaml");
    const DigitalTable& table = digital.emplace(name, read_table<DigitalTable>(file)).first->second;
    add(table.entries, file);
  }
  add(activation.entries, folder / "activation_units.yaml");
  add(interconnect.entries, folder / "interconnect.yaml");
  add(cell_writes.entries, folder / "cell_writes.yaml");
  check(folder);
}

void CostTables::add(const std::vector<CostEntry>& list, const std::filesystem::path& file) {
  for (const CostEntry& entry : list) {
    if (!entries.emplace(entry.name, entry).second)
      fail(file, fmt::format("the entry '{}' is in the tables twice.", entry.name));
    order.push_back(entry.name);
  }
}

void CostTables::check(const std::filesystem::path& folder) const {
  const auto known_entry = [&](const std::string& name, const char* file) {
    if (!entries.contains(name)) fail(folder / file, fmt::format("'{}' is not an entry of the cost tables.", name));
  };
  for (const std::string& name : {dac.one_bit, dac.published, dac.pulse_width.entry}) known_entry(name, "dac.yaml");
  for (const std::string& name : {periphery.sample_hold, periphery.comparator, periphery.counter})
    known_entry(name, "periphery.yaml");
  for (const char* kind : {"pipeline", "cco", "time_based", "ramp", "flash"}) {
    if (std::ranges::find(survey.architectures, kind, &SurveyLaw::Architecture::kind) == survey.architectures.end())
      fail(folder / "adc_survey_2025.yaml", fmt::format("the architecture '{}' is missing.", kind));
  }
  for (const auto& [set, table] : digital) {
    const std::string file = "digital_" + set + ".yaml";
    for (const auto* list : {&table.shift_add, &table.add, &table.multiply}) {
      for (const std::string& name : *list) known_entry(name, file.c_str());
    }
  }
  for (const CostUnit& unit : activation.units) {
    for (const std::string& name : unit.parts) known_entry(name, "activation_units.yaml");
  }
  for (const CellWrite& write : cell_writes.cells) known_entry(write.entry, "cell_writes.yaml");
  std::vector<std::pair<std::string, std::string>> used{{"adc_andrulis_2024", andrulis.origin.source},
                                                        {"adc_isaac_2016", isaac.origin.source},
                                                        {"adc_neurosim", neurosim.origin.source},
                                                        {"adc_zigzag_2023", zigzag.origin.source},
                                                        {"adc_survey_2025", survey.origin.source},
                                                        {"dac", dac.capacitor.source},
                                                        {"dac", dac.zigzag.origin.source},
                                                        {"dac", dac.ladder.origin.source},
                                                        {"dac", dac.pulse_width.step_source},
                                                        {"periphery", periphery.wire.origin.source},
                                                        {"periphery", periphery.control.origin.source},
                                                        {"periphery", periphery.flash.origin.source},
                                                        {"memory_cacti7", memory.origin.source}};
  for (const auto& [name, entry] : entries) used.emplace_back(name, entry.source);
  for (const CellWrite& write : cell_writes.cells) used.emplace_back(write.cell, write.source);
  for (const auto& [user, key] : used) {
    if (std::ranges::find(sources.sources, key, &Source::key) == sources.sources.end()) {
      fail(folder / "sources.yaml", fmt::format("the source '{}' of {} is not in the list.", key, user));
    }
  }
}

const CostEntry& CostTables::entry(const std::string& name) const {
  const auto found = entries.find(name);
  if (found != entries.end()) return found->second;
  const std::string near = nearest(name, order);
  throw InputError(fmt::format("'{}' is not an entry of the cost tables{}", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
}

Price CostTables::at_node(const CostEntry& entry, Length node) const {
  Price price = entry.price();
  if (entry.scaling == Scaling::none) {
    warn_about_node(price, entry.name, entry.node, node);
    return price;
  }
  const ScalingFactors factors = scaling.factors(entry.node, entry.supply, node);
  if (factors.path == "none") return price;
  price.energy_J = factors.energy * price.energy_J;
  price.area_m2 = factors.area * price.area_m2;
  price.latency_s *= factors.delay;
  price.from.scaling = factors.path;
  price.from.warnings.insert(price.from.warnings.end(), factors.warnings.begin(), factors.warnings.end());
  price.formula = "(" + price.formula + ") * node_factor";
  price.inputs.emplace_back("node_factor", factors.energy);
  return price;
}

}  // namespace tellegen::circuits
