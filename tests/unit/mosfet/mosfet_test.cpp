#include "tellegen/devices/mosfet/mosfet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tellegen/base/error.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

const Temperature room = Temperature::si(300);
const Mosfet transistor(1.3, 5e-7, 0.45, room);

TEST(Mosfet, CurrentsEqualTheVectors) {
  const auto vectors = test::mosfet_vectors("ekv_device");
  const auto& p = vectors.at("params");
  const Mosfet device(p.at("n"), p.at("Ispec"), p.at("VT0"), Temperature::si(p.at("T")));
  for (const auto& row : vectors.at("rows")) {
    EXPECT_RELATIVE(device.current_A(row.at("VG"), row.at("VS"), row.at("VD")), row.at("ID_charge").get<double>(),
                    1e-11);
  }
}

TEST(Mosfet, ConductancesAreTheDerivativesOfTheCurrent) {
  constexpr double h_V = 1e-6;
  for (const double g_V : {0.2, 0.5, 0.9}) {
    for (const double d_V : {0.02, 0.3}) {
      const OperatingPoint at = transistor.operating_point(g_V, 0.01, d_V);
      const auto rate = [&](double dg, double ds, double dd) {
        const double above = transistor.current_A(g_V + dg, 0.01 + ds, d_V + dd);
        const double below = transistor.current_A(g_V - dg, 0.01 - ds, d_V - dd);
        return (above - below) / (2 * h_V);
      };
      EXPECT_RELATIVE(at.gm_S, rate(h_V, 0, 0), 1e-7);
      EXPECT_RELATIVE(-at.gms_S, rate(0, h_V, 0), 1e-7);
      EXPECT_NEAR(at.gmd_S, rate(0, 0, h_V), 1e-7 * at.gms_S);
      EXPECT_RELATIVE(at.gm_S * transistor.slope(), at.gms_S - at.gmd_S, 1e-14);
    }
  }
}

TEST(Mosfet, IsSymmetricInSourceAndDrain) {
  for (const double g_V : {0.1, 0.6, 1.2}) {
    EXPECT_EQ(transistor.current_A(g_V, 0.1, 0.4), -transistor.current_A(g_V, 0.4, 0.1));
    EXPECT_EQ(transistor.current_A(g_V, 0.3, 0.3), 0);
  }
}

TEST(Mosfet, OneStepFromDrainVoltageZeroKeepsItsDigits) {
  // i(V_DS) -> g_ms V_DS: no cancellation between forward and reverse current.
  const OperatingPoint at = transistor.operating_point(0.7, 0.1, 0.1);
  constexpr double small_V = 1e-9;
  EXPECT_RELATIVE(transistor.current_A(0.7, 0.1, 0.1 + small_V), at.gms_S * small_V, 1e-6);
}

TEST(Mosfet, WeakInversionSaturatesWithTheDrainVoltage) {
  const double thermal_V = transistor.thermal_voltage_V();
  const double full_A = transistor.current_A(0.1, 0, 40 * thermal_V);
  for (const double times : {1.0, 4.0, 6.0}) {
    EXPECT_NEAR(transistor.current_A(0.1, 0, times * thermal_V) / full_A, 1 - std::exp(-times), 1e-4);
  }
}

TEST(Mosfet, GateVoltageUndoesTheCurrentInAllRegions) {
  for (double log_i = -14; log_i < -2; log_i += 0.5) {
    const double i_A = std::pow(10.0, log_i);
    for (const double d_V : {0.101, 0.15, 0.6, 3.0}) {
      const double g_V = transistor.gate_voltage_V(i_A, 0.1, d_V);
      const OperatingPoint at = transistor.operating_point(g_V, 0.1, d_V);
      // What some eight roundings of the pinch-off voltage do to the currents of source and drain, which subtract.
      const double rounding_V = 8 * std::numeric_limits<double>::epsilon() * (1 + std::abs(g_V));
      EXPECT_NEAR(at.i_A / i_A, 1, 1e-13 + (at.gms_S + at.gmd_S) / i_A * rounding_V) << i_A << " " << d_V;
    }
    const double saturated_V = transistor.saturated_gate_voltage_V(i_A, 0.1);
    EXPECT_RELATIVE(transistor.gate_voltage_V(i_A, 0.1, 1000), saturated_V, 1e-13);
  }
}

TEST(Mosfet, GateVoltageOfAnImpossibleCurrentIsRefused) {
  try {
    transistor.gate_voltage_V(-1e-9, 0, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "A gate voltage exists only for a current above 0 A that flows from a drain above its source; exchange "
        "source and drain for the other direction.");
  }
  EXPECT_THROW(transistor.gate_voltage_V(1e-9, 0.5, 0.5), InputError);
}

TEST(Mosfet, PChannelIsTheMirrorOfTheNChannel) {
  const Mosfet mirrored(1.3, 5e-7, 0.45, room, Channel::p);
  EXPECT_EQ(mirrored.channel(), Channel::p);
  EXPECT_EQ(mirrored.threshold_V(), -0.45);
  for (const double g_V : {0.1, 0.6, 1.2}) {
    for (const double d_V : {0.0, 0.2, 0.9}) {
      const OperatingPoint n = transistor.operating_point(g_V, 0.1, d_V);
      const OperatingPoint p = mirrored.operating_point(-g_V, -0.1, -d_V);
      EXPECT_EQ(p.i_A, -n.i_A);
      EXPECT_EQ(p.gm_S, n.gm_S);
      EXPECT_EQ(p.gms_S, n.gms_S);
      EXPECT_EQ(p.gmd_S, n.gmd_S);
    }
  }
  EXPECT_EQ(mirrored.gate_voltage_V(-1e-8, -0.1, -0.6), -transistor.gate_voltage_V(1e-8, 0.1, 0.6));
  EXPECT_EQ(mirrored.saturated_gate_voltage_V(-1e-8, 0.5), -transistor.saturated_gate_voltage_V(1e-8, -0.5));
  const std::vector<float> gate{-0.6f, -0.2f}, source{0, 0}, drain{-0.8f, -0.5f}, shift{0.01f, -0.02f};
  std::vector<float> i_A(2);
  mirrored.currents(gate, source, drain, shift, i_A);
  EXPECT_RELATIVE(static_cast<double>(i_A[0]), mirrored.current_A(-0.6 + 0.01, 0, -0.8), 1e-5);
  EXPECT_RELATIVE(static_cast<double>(i_A[1]), mirrored.current_A(-0.2 - 0.02, 0, -0.5), 1e-5);
}

TEST(Mosfet, PChannelConductancesAreTheDerivativesOfTheCurrent) {
  const Mosfet p(MosfetConfig(find_mosfet("ptm_65nm_pmos")), room);
  constexpr double h_V = 1e-6;
  const OperatingPoint at = p.operating_point(-0.5, -0.02, -0.2);
  EXPECT_LT(at.i_A, 0);
  EXPECT_RELATIVE(at.gm_S, (p.current_A(-0.5 + h_V, -0.02, -0.2) - p.current_A(-0.5 - h_V, -0.02, -0.2)) / (2 * h_V),
                  1e-7);
  EXPECT_RELATIVE(at.gms_S, (p.current_A(-0.5, -0.02 - h_V, -0.2) - p.current_A(-0.5, -0.02 + h_V, -0.2)) / (2 * h_V),
                  1e-7);
}

TEST(Mosfet, ACurrentMirrorOfPChannelTransistorsRepeatsItsCurrent) {
  // Bulk at the supply, sources too: two equal transistors on one gate voltage carry the ratio of their widths.
  MosfetConfig config(find_mosfet("gf180_pmos_3p3"));
  const Mosfet input(config, room);
  config.width = 2 * config.width;
  const Mosfet output(config, room);
  const double gate_V = input.gate_voltage_V(-1e-6, 0, -1.5);
  EXPECT_LT(gate_V, 0);
  EXPECT_RELATIVE(output.current_A(gate_V, 0, -1.5), -2e-6, 1e-9);
}

TEST(Mosfet, PChannelGateVoltageOfAnImpossibleCurrentIsRefused) {
  try {
    Mosfet(1.3, 5e-7, 0.45, room, Channel::p).gate_voltage_V(1e-9, 0, -1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "A gate voltage exists only for a current below 0 A that flows from a drain below its source; exchange "
        "source and drain for the other direction.");
  }
}

TEST(Mosfet, ArraysFollowTheSingleTransistor) {
  std::vector<float> gate, source, drain, shift;
  for (int k = 0; k < 1001; ++k) {
    gate.push_back(0.0012f * static_cast<float>(k));
    source.push_back(0.1f * static_cast<float>(k % 5));
    drain.push_back(source.back() + 0.12f * static_cast<float>(1 + k % 7));
    shift.push_back(0.003f * static_cast<float>(k % 11 - 5));
  }
  std::vector<float> i_A(gate.size()), unshifted_A(gate.size());
  transistor.currents(gate, source, drain, shift, i_A);
  transistor.currents(gate, source, drain, {}, unshifted_A);
  for (std::size_t k = 0; k < gate.size(); ++k) {
    const double g_V = gate[k], s_V = source[k], d_V = drain[k], shift_V = shift[k];
    // Voltages in float carry rounding errors of 1e-7 V, 4e-6 of kT/q.
    EXPECT_RELATIVE(static_cast<double>(i_A[k]), transistor.current_A(g_V - shift_V, s_V, d_V), 1e-5) << k;
    EXPECT_RELATIVE(static_cast<double>(unshifted_A[k]), transistor.current_A(g_V, s_V, d_V), 1e-5) << k;
  }
}

TEST(Mosfet, SizeScalesTheCurrentAndHeatMovesIt) {
  MosfetConfig config(find_mosfet("sky130_nfet_01v8"));
  const Mosfet at_room(config, room);
  config.width = 2 * config.width;
  EXPECT_RELATIVE(Mosfet(config, room).current_A(0.5, 0, 1), 2 * at_room.current_A(0.5, 0, 1), 1e-14);
  const Mosfet hot(config, Temperature::si(360));
  EXPECT_DOUBLE_EQ(hot.threshold_V(), at_room.threshold_V() - 0.06);
  EXPECT_RELATIVE(hot.specific_current_A(), 2 * at_room.specific_current_A() * std::pow(1.2, 2.7), 1e-14);
  EXPECT_RELATIVE(hot.thermal_voltage_V(), 1.2 * at_room.thermal_voltage_V(), 1e-14);
}

}  // namespace
}  // namespace tellegen::devices
