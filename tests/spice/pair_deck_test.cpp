// Differential pairs and threshold gates against the same circuit solved by ngspice.

#include "tellegen/circuits/spice/pair_deck.h"

#include "../unit/threshold_gate/gates.h"
#include "live.h"
#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

using test::grid;
using test::room;

constexpr double tolerance = 1e-6;  // of the tail current

TEST(PairDeck, ChargeFormEqualsNgspiceInAllRegions) {
  const devices::Mosfet transistor(1.3, 5e-7, 0.45, room);
  std::vector<double> dv_V, tail_A, ours;
  for (const double tail : {1e-9, 1e-7, 1e-5}) {
    for (const double dv : grid(-0.3, 0.3, 31)) {
      dv_V.push_back(dv);
      tail_A.push_back(tail);
      ours.push_back(pair_shares(dv / (1.3 * transistor.thermal_voltage_V()), tail / 1e-6).one);
    }
  }
  NGSPICE_OR_SKIP(theirs, pair_deck(transistor, 0.6, dv_V, tail_A, EkvForm::charge));
  double worst = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) worst = std::max(worst, std::abs(ours[k] - theirs[k]));
  RecordProperty("largest difference over the tail", std::to_string(worst));
  EXPECT_LE(worst, 1e-9);
}

// The stored sweep is of the interpolation form: the deck reproduces it, and our law, the charge form, does not.
TEST(PairDeck, InterpolationFormEqualsTheStoredSweepAndIsAnotherModel) {
  for (const auto& row : test::pair_vectors("ngspice_interpolation_form")) {
    const double tail = row.at("Ib"), specific_A = row.at("Ispec"), n = row.at("n");
    const devices::Mosfet transistor(n, specific_A, 0.45, room);
    std::vector<double> dv_V, stored;
    for (const auto& sample : row.at("samples")) {
      dv_V.push_back(sample.at("dV"));
      stored.push_back(sample.at("I1_over_Ib"));
    }
    NGSPICE_OR_SKIP(theirs,
                    pair_deck(transistor, 0.6, dv_V, std::vector<double>(dv_V.size(), tail), EkvForm::interpolation));
    double other_model = 0;
    for (std::size_t k = 0; k < stored.size(); ++k) {
      EXPECT_NEAR(theirs[k], stored[k], 1e-7) << tail;
      const double ours = pair_shares(dv_V[k] / (n * transistor.thermal_voltage_V()), tail / (2 * specific_A)).one;
      other_model = std::max(other_model, std::abs(ours - stored[k]));
    }
    EXPECT_GT(other_model, 1e-3) << tail;
  }
}

/// A gate whose tails reach moderate inversion, and its inputs.
ThresholdGate moderate(SignedTail way, const GateFunction& gate) {
  GateSettings settings;
  settings.supply = Voltage::si(1.8);
  settings.bias = Current::si(1e-6);
  settings.signed_tail = way;
  return {settings, gate, room};
}

void expect_ngspice_agrees(const ThresholdGate& circuit) {
  const auto xs = grid(-7.5, 7.5, 31);
  NGSPICE_OR_SKIP(theirs, threshold_gate_deck(circuit.design(), xs));
  std::vector<float> x(xs.begin(), xs.end()), y(x.size());
  circuit.evaluate(x, {}, nullptr, 0, y);
  const double full = circuit.design().network.largest_tail;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    EXPECT_NEAR(circuit.transfer(xs[k]), theirs[k], tolerance * full) << xs[k];
    EXPECT_NEAR(y[k], theirs[k], tolerance * full + circuit.table_error()) << xs[k];
  }
}

TEST(GateDeck, SignedTailsEqualNgspiceWithTheTailSwept) {
  for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
    expect_ngspice_agrees(moderate(way, swish_gate(1)));
    expect_ngspice_agrees(moderate(way, test::gelu_gate()));
  }
}

TEST(GateDeck, FixedTailsAndStacksEqualNgspice) {
  expect_ngspice_agrees(moderate(SignedTail::two_pair, sigmoid_gate()));
  expect_ngspice_agrees(moderate(SignedTail::two_pair, tanh_gate()));
  GateFunction nested = test::gelu_gate();
  nested.form = GateForm::nested;
  expect_ngspice_agrees(moderate(SignedTail::two_pair, nested));
  expect_ngspice_agrees(moderate(SignedTail::class_ab, nested));
}

// A table at one inversion coefficient, that of the tail at the threshold, is not the circuit.
TEST(GateDeck, TransferAtAFixedTailFailsAgainstNgspice) {
  for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
    const ThresholdGate circuit = moderate(way, swish_gate(1));
    const ThresholdDesign& d = circuit.design();
    const auto xs = grid(-7.5, 7.5, 31);
    NGSPICE_OR_SKIP(theirs, threshold_gate_deck(d, xs));
    double worst = 0;
    for (std::size_t k = 0; k < xs.size(); ++k) {
      double y = d.base(xs[k]);
      for (const DesignedPair& pair : d.pairs) {
        const double share = pair_shares(pair.dv_per_x * (xs[k] - pair.theta), d.ic_at_threshold(pair)).one;
        y += pair.net.weight * pair.net.tail.current(xs[k]) * (share - pair.net.pedestal);
      }
      worst = std::max(worst, std::abs(y - theirs[k]));
    }
    EXPECT_GT(worst, 100 * (tolerance * d.network.largest_tail + circuit.table_error())) << static_cast<int>(way);
  }
}

TEST(PairDeck, RefusesUnpairedNumbers) {
  const devices::Mosfet transistor(1.3, 5e-7, 0.45, room);
  try {
    pair_deck(transistor, 0.6, std::vector<double>{0, 1}, std::vector<double>{1e-9}, EkvForm::charge);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "'2' voltages and '1' tail currents are given; they come in pairs.");
  }
}

}  // namespace
}  // namespace tellegen::circuits
