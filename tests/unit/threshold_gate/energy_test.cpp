// Supply energy equals what is dissipated, stored and delivered; costs follow from sizes, currents and loads.

#include <algorithm>
#include <filesystem>
#include <numbers>
#include <set>

#include "gates.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/gate_speed.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

using test::room;

std::vector<ThresholdGate> circuits() {
  std::vector<ThresholdGate> out;
  GateSettings settings;
  settings.supply = Voltage::si(1.8);
  GateFunction nested = test::gelu_gate();
  nested.form = GateForm::nested;
  GateFunction leaky = swish_gate(1);
  leaky.slopes = {0.1, 1};
  leaky.constants = {-0.3, 0};
  for (const GateOutput output : {GateOutput::mirror, GateOutput::direct}) {
    settings.output = output;
    for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
      settings.signed_tail = way;
      for (const GateFunction& gate : {sigmoid_gate(), tanh_gate(), swish_gate(1), test::gelu_gate(), nested, leaky}) {
        out.emplace_back(settings, gate, room);
      }
    }
  }
  settings.trim.emplace();
  out.emplace_back(settings, swish_gate(1), room);
  settings.compares = true;
  out.emplace_back(settings, test::hard_tanh_gate(), room);
  return out;
}

TEST(GateEnergy, SupplyGivesWhatIsDissipatedStoredAndDelivered) {
  for (const ThresholdGate& circuit : circuits()) {
    for (const auto& [before, x] : {std::pair{-1.0, 1.0}, {1.0, -1.0}, {0.0, 0.0}, {-8.0, 8.0}, {5.0, -0.3}}) {
      const EnergyBook book = circuit.energy(before, x, 1e-6);
      EXPECT_GT(book.supply_J(), 0);
      EXPECT_LT(book.imbalance(), 1e-9);
    }
  }
}

TEST(GateEnergy, NothingInTheCircuitGeneratesEnergy) {
  for (const ThresholdGate& circuit : circuits()) {
    for (const double x : {-3.0, 0.0, 3.0}) {
      for (const auto& item : circuit.energy(0, x, 1e-6).dissipated) EXPECT_GE(item.energy_J, -1e-21) << item.name;
    }
  }
}

TEST(GateEnergy, BarePairOfFixedTailTakesTailTimesSupplyTimesTime) {
  GateSettings settings;
  settings.output = GateOutput::direct;
  settings.bias_units = 1000000000;
  settings.reference.string_current.low = settings.reference.string_current.typical = Current::si(0);
  const ThresholdGate circuit(settings, sigmoid_gate(), room);
  for (const double x : {-2.0, 0.0, 1.0}) {
    EXPECT_RELATIVE(circuit.energy(x, x, 3e-6).supply_J(), 10e-9 * 0.9 * 3e-6, 1e-8);
  }
}

TEST(GateEnergy, EveryKindOfBranchIsListed) {
  const auto names = [](const ThresholdGate& circuit) {
    std::set<std::string> out;
    for (const SupplyBranch& branch : circuit.cost().branches) {
      EXPECT_FALSE(branch.from.empty());
      EXPECT_TRUE(out.insert(branch.name).second) << branch.name;
    }
    return out;
  };
  GateSettings settings;
  settings.signed_tail = SignedTail::two_pair;
  settings.trim.emplace();
  EXPECT_EQ(names(ThresholdGate(settings, swish_gate(1), room)),
            (std::set<std::string>{"pair 1 side 1", "pair 1 side 1 copy", "pair 1 side 2", "pair 1 tail source",
                                   "pair 1 trim", "pair 2 side 1", "pair 2 side 1 copy", "pair 2 side 2",
                                   "pair 2 tail source", "pair 2 trim", "reference"}));
  settings.trim.reset();
  settings.compares = true;
  EXPECT_EQ(names(ThresholdGate(settings, relu_gate(), room)),
            (std::set<std::string>{"pair 1 side 1", "pair 1 side 1 copy", "pair 1 side 2", "pair 1 tail source",
                                   "pair 2 side 1", "pair 2 side 1 copy", "pair 2 side 2", "pair 2 tail source",
                                   "reference", "comparator 1"}));
}

TEST(GateCost, PowerIsTheMeanOfTheBooksOfBothInputs) {
  for (const ThresholdGate& circuit : circuits()) {
    const FrontEndCost& cost = circuit.cost();
    const double static_W = (circuit.energy(1, 1, 1).supply_J() + circuit.energy(-1, -1, 1).supply_J()) / 2;
    EXPECT_NEAR(cost.power_W.typical, static_W, 1e-13 + 1e-9 * static_W);
    EXPECT_LE(cost.power_W.low, cost.power_W.typical);
    EXPECT_LE(cost.energy_J.low, cost.energy_J.typical);
    EXPECT_LE(cost.energy_J.typical, cost.energy_J.high);
    const double moved_J = (circuit.energy(1, -1, 0).supply_J() + circuit.energy(-1, 1, 0).supply_J()) / 2;
    EXPECT_RELATIVE(cost.dynamic_J.typical, moved_J, 1e-9);
  }
}

TEST(GateCost, SourceNodeIsAsFastAsTheVectorsSay) {
  for (const auto& row : test::pair_vectors("bandwidth").at("rows")) {
    GateSettings settings;
    settings.output = GateOutput::direct;
    settings.bias = Current::si(row.at("Ib"));
    settings.transistor.card.specific_current = Current::si(1);
    settings.transistor.card.threshold = Voltage::si(0.9);
    settings.supply = Voltage::si(1.8);
    const Capacitance c = row.at("C_fF").get<double>() * units::fF;
    settings.loads.source = {c, c, c};
    const ThresholdGate circuit(settings, sigmoid_gate(), room);
    EXPECT_RELATIVE(circuit.cost().bandwidth_Hz, row.at("f3dB_Hz").get<double>(), 1e-5);
    EXPECT_RELATIVE(circuit.cost().settling_s.typical, row.at("t_settle_8b_s").get<double>(), 1e-5);
    // Energy of the tail over that time: V_DD C kT/q (B + 1) ln 2, whatever the current.
    const double energy_J = 1.8 * settings.bias.si() * circuit.cost().settling_s.typical;
    EXPECT_RELATIVE(energy_J, 1.8 * c.si() * devices::thermal_voltage_V(300) * 9 * std::log(2.0), 1e-5);
  }
}

TEST(GateCost, TwoPolesSettleAsTheirStepResponseDoes) {
  for (const TwoPoles poles : {TwoPoles{3e-9, 1e-9}, TwoPoles{1e-9, 3e-9}, TwoPoles{2e-9, 2e-9}, TwoPoles{5e-9, 0}}) {
    const double t = poles.settling_s(8), a = poles.first_s, b = poles.second_s;
    double left = std::exp(-t / a);
    if (a == b) left = (1 + t / a) * std::exp(-t / a);
    if (a != b && b > 0) left = (a * std::exp(-t / a) - b * std::exp(-t / b)) / (a - b);
    EXPECT_RELATIVE(left, std::ldexp(1.0, -9), 1e-6);
    const double w = 2 * std::numbers::pi * poles.bandwidth_Hz();
    EXPECT_NEAR((1 + w * w * a * a) * (1 + w * w * b * b), 2, 1e-9);
  }
}

TEST(GateCost, SignedTailsHaveTheirOwnPrice) {
  const auto cost = [](SignedTail way) {
    GateSettings settings;
    settings.supply = Voltage::si(1.8);
    settings.signed_tail = way;
    return ThresholdGate(settings, swish_gate(1), room).cost();
  };
  const FrontEndCost two_pair = cost(SignedTail::two_pair), class_ab = cost(SignedTail::class_ab);
  const FrontEndCost gilbert = cost(SignedTail::gilbert);
  // Class AB carries the signal instead of a bias as large as full scale.
  EXPECT_LT(class_ab.power_W.typical, 0.7 * two_pair.power_W.typical);
  EXPECT_NE(gilbert.power_W.typical, two_pair.power_W.typical);
  EXPECT_GT(gilbert.area_m2.typical, two_pair.area_m2.typical);
}

TEST(GateCost, AreaIsGateAreaTimesLayoutAndTheAssumptions) {
  GateSettings settings;
  settings.output = GateOutput::direct;
  const FrontEndCost cost = ThresholdGate(settings, sigmoid_gate(), room).cost();
  // Two transistors of 2 um x 1 um; a tail of 1 um x 4 um with a sixteenth of its mirror's input; no mirrors.
  EXPECT_RELATIVE(cost.areas[0].area_m2.typical, 3 * 4e-12, 1e-12);
  EXPECT_RELATIVE(cost.areas[0].area_m2.low, 2 * 4e-12, 1e-12);
  EXPECT_RELATIVE(cost.areas[0].area_m2.high, 5 * 4e-12, 1e-12);
  EXPECT_RELATIVE(cost.areas[1].area_m2.typical, 3 * 4e-12 * (1 + 1.0 / 16), 1e-12);
  EXPECT_EQ(cost.areas[2].area_m2.typical, 0);
  Band sum;
  for (const AreaPart& part : cost.areas) sum += part.area_m2;
  EXPECT_EQ(sum, cost.area_m2);
}

TEST(GateCost, PriceIsThatOfOneEvaluation) {
  const ThresholdGate circuit(GateSettings{}, swish_gate(1), room);
  const Price price = evaluation_price(circuit.cost(), 0);
  EXPECT_EQ(price.energy_J, circuit.cost().energy_J);
  EXPECT_RELATIVE(evaluation_price(circuit.cost(), 1e-6).energy_J.typical,
                  price.energy_J.typical + 1e-6 * circuit.cost().power_W.typical, 1e-12);
  EXPECT_RELATIVE(price.energy_J.typical,
                  circuit.cost().power_W.typical * circuit.cost().evaluation_s + circuit.cost().dynamic_J.typical,
                  1e-12);
  EXPECT_EQ(price.static_W, Band{});
}

TEST(ThresholdDesign, HeadroomIsCheckedAndTold) {
  GateSettings settings;
  settings.supply = Voltage::si(0.3);
  settings.bias = Current::si(1e-6);
  try {
    ThresholdGate circuit(settings, sigmoid_gate(), room);
    FAIL();
  } catch (const RefusedError& error) {
    EXPECT_NE(std::string(error.what()).find("have no headroom"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("Raise the supply"), std::string::npos);
  }
  settings.supply = Voltage::si(1.8);
  settings.common_mode = Voltage::si(0.1);
  EXPECT_THROW(ThresholdGate(settings, sigmoid_gate(), room), RefusedError);
}

TEST(ThresholdDesign, MirrorsAreOfTheOtherChannelAndPChannelPairsAreTheSameCircuitUpsideDown) {
  const GateSettings n_pair;
  EXPECT_EQ(n_pair.mirror_transistor().card_name, "bulk_28nm_pmos");
  EXPECT_EQ(n_pair.mirror_transistor().length, n_pair.mirror.length);
  GateSettings p_pair;
  p_pair.transistor = devices::MosfetConfig(devices::find_mosfet("bulk_28nm_pmos"));
  EXPECT_EQ(p_pair.mirror_transistor().card_name, "bulk_28nm");
  const ThresholdGate circuit(p_pair, swish_gate(1), room);
  EXPECT_NEAR(circuit.transfer(1), swish_gate(1)(1), 1e-3);
  EXPECT_LT(circuit.energy(-1, 1, 1e-6).imbalance(), 1e-9);
  EXPECT_GT(circuit.design().pairs.front().common_mode_V, 0);
}

TEST(ThresholdDesign, TailsAndDrainsKeepTheirSaturationVoltage) {
  for (const ThresholdGate& circuit : circuits()) {
    const ThresholdDesign& d = circuit.design();
    if (d.settings.compares) continue;
    for (const double x : {-20.0, -1.0, 0.0, 1.0}) {
      const auto states = d.states(x);
      const auto source_V = d.source_voltages(states);
      for (std::size_t k = 0; k < states.size(); ++k) {
        if (d.pairs[k].net.stacked_on < 0 && states[k].tail > 1e-3 * d.network.largest_tail) {
          EXPECT_GE(source_V[k], d.tail_needs_V - 1e-9) << k << ' ' << x;
        }
      }
    }
  }
}

struct FrontEndFile {
  FrontEndConfig front_end;
  void settings(Settings& v) { v.section("front_end", front_end, "the front-end"); }
};

TEST(FrontEndFiles, AreReadAndMakeTheirGates) {
  for (const char* name :
       {"differential_pair", "differential_pair_sky130", "two_pair_sky130", "gilbert_sky130", "comparator"}) {
    const std::filesystem::path file = TELLEGEN_SOURCE_DIR "/configs/circuits/" + std::string(name) + ".yaml";
    FrontEndFile config;
    read_config(file, config);
    const GateFunction& gate = find_front_end(config.front_end.circuit).example;
    for (const double kelvin : {233.0, 300.0, 398.0}) {
      const auto circuit = config.front_end.make(gate, Temperature::si(kelvin));
      EXPECT_NEAR(circuit->transfer(1), gate(1), kelvin == 300 ? 0.05 : 0.12) << name << ' ' << kelvin;
    }
  }
}

TEST(FrontEndCatalog, EntriesReadWriteAndMakeTheirExample) {
  for (const FrontEndEntry& entry : front_end_catalog()) {
    FrontEndFile file, again;
    read_config_text(entry.smallest_yaml, "smallest", file);
    EXPECT_EQ(file.front_end.circuit, entry.name);
    const std::string written = write_config(file);
    read_config_text(written, "written", again);
    EXPECT_EQ(write_config(again), written);
    const auto circuit = again.front_end.make(entry.example, room);
    EXPECT_NEAR(circuit->transfer(1), entry.example(1), 0.05) << entry.name;
    EXPECT_FALSE(entry.equations.empty() || entry.source.empty() || entry.summary.empty());
  }
  try {
    find_front_end("diferential_pair");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("'diferential_pair' is not a known front-end; did you mean "
                        "'differential_pair'? Known front-ends: differential_pair, comparator"),
              0u)
        << error.what();
  }
}

}  // namespace
}  // namespace tellegen::circuits
