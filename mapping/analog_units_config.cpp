#include "tellegen/mapping/analog_units_config.h"

#include <array>
#include <vector>

namespace tellegen::mapping {
namespace {

std::vector<std::string> with_none(const std::vector<std::string>& names) {
  std::vector<std::string> all{"none"};
  all.insert(all.end(), names.begin(), names.end());
  return all;
}

}  // namespace

std::span<const std::pair<UnitFidelity, const char*>> enum_names(UnitFidelity) {
  static constexpr std::array names{std::pair{UnitFidelity::ideal, "ideal"},
                                    std::pair{UnitFidelity::nominal, "nominal"},
                                    std::pair{UnitFidelity::circuit, "circuit"}};
  return names;
}

void GateUnitConfig::settings(Settings& v) {
  static const std::vector<std::string> known = with_none(circuits::front_end_names());
  v.choice("circuit", circuit, known, "the circuit; none: a digital unit. Its own settings follow in the same mapping");
  if (!used()) return;
  front_end.circuit = circuit;
  front_end.circuit_settings(v);
}

void SoftmaxUnitConfig::settings(Settings& v) {
  static const std::vector<std::string> known = with_none(circuits::softmax_names());
  v.choice("circuit", circuit, known, "the circuit; none: a digital unit. Its own settings follow in the same mapping");
  if (!used()) return;
  v("longest_row", longest_row, "inputs of a circuit: a longer row is refused", between(1, 65536));
  softmax.circuit = circuit;
  softmax.circuit_settings(v);
}

void AnalogUnitsConfig::settings(Settings& v) {
  v("fidelity", fidelity,
    "ideal: converters alone; nominal: the circuit without mismatch and noise; circuit: with mismatch and noise");
  v.section("gate", gate, "of activations that no threshold gate in front of a layer takes, one unit per neuron");
  v.section("softmax", softmax, "of softmax, one circuit per head");
}

}  // namespace tellegen::mapping
