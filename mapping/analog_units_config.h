#pragma once
// `chip.analog_units`: circuits that compute, between a DAC and an ADC, what no gate in front of a product can: the gate
// of a gated feed-forward, activations that are added or multiplied, the softmax of attention.

#include <span>
#include <string>
#include <utility>

#include "tellegen/base/config.h"
#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"

namespace tellegen::mapping {

/// ideal: converters alone, what they stand for is computed exactly. nominal: the circuit without mismatch and noise.
/// circuit: with both.
enum class UnitFidelity { ideal, nominal, circuit };
std::span<const std::pair<UnitFidelity, const char*>> enum_names(UnitFidelity);

/// The circuit of activations, one unit per neuron.
struct GateUnitConfig {
  std::string circuit = "none";  ///< or one of circuits::front_end_names()
  circuits::FrontEndConfig front_end;
  bool used() const { return circuit != "none"; }
  void settings(Settings& v);
};

/// The circuit of softmaxes, one per head.
struct SoftmaxUnitConfig {
  std::string circuit = "none";  ///< or one of circuits::softmax_names()
  circuits::SoftmaxConfig softmax;
  int longest_row = 128;  ///< inputs that a circuit can have
  bool used() const { return circuit != "none"; }
  void settings(Settings& v);
};

struct AnalogUnitsConfig {
  UnitFidelity fidelity = UnitFidelity::circuit;
  GateUnitConfig gate;
  SoftmaxUnitConfig softmax;
  bool used() const { return gate.used() || softmax.used(); }
  void settings(Settings& v);
};

}  // namespace tellegen::mapping
