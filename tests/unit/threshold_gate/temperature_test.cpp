// Sharpness over temperature: 1/T in weak inversion, the all-region law elsewhere, and what compensation does.

#include <boost/math/tools/minima.hpp>

#include "gates.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

double sigmoid(double u) { return 1 / (1 + std::exp(-u)); }

/// tau of the sigmoid nearest to a circuit, least largest deviation.
double sharpness(const ThresholdGate& circuit) {
  const auto xs = test::grid(-8, 8, 401);
  const auto deviation = [&](double tau) {
    return test::largest_difference(
        xs, [&](double x) { return circuit.transfer(x); }, [&](double x) { return sigmoid(tau * x); });
  };
  return boost::math::tools::brent_find_minima(deviation, 0.3, 3.0, 30).first;
}

double sharpness(const GateSettings& settings, double kelvin) {
  return sharpness(ThresholdGate(settings, sigmoid_gate(), Temperature::si(kelvin)));
}

TEST(GateTemperature, WeaklyInvertedSharpnessGoesAsOneOverT) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(1.8);
  for (const auto& row : test::pair_vectors("temperature").at("tau_rel_300K_fixed_S")) {
    EXPECT_RELATIVE(sharpness(settings, row.at("T")), row.at("tau_rel").get<double>(), 2e-5);
  }
}

TEST(GateTemperature, SiluErrsByTheStoredAmountsWhereNothingIsCompensated) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(1.8);
  settings.full_scale = 10;
  for (const auto& row : test::pair_vectors("temperature").at("silu_error_at_T")) {
    const ThresholdGate circuit(settings, swish_gate(1), Temperature::si(row.at("T")));
    const double error = test::largest_difference(
        test::grid(-10, 10, 4001), [&](double x) { return circuit.transfer(x); },
        [](double x) { return x * sigmoid(x); });
    EXPECT_NEAR(error, row.at("max_abs_err_vs_silu").get<double>(), 2e-5);
  }
}

TEST(GateTemperature, AtFiniteInversionTheAllRegionLawHolds) {
  GateSettings settings;
  settings.supply = Voltage::si(1.8);
  settings.bias = Current::si(1e-6);
  const auto ic = [&](double kelvin) {
    return 1e-6 / (2 * 0.8e-6 * 2 * std::pow(kelvin / 300, settings.transistor.card.current_exponent));
  };
  for (const double kelvin : {233.0, 300.0, 358.0, 398.0}) {
    const double predicted = 300 / kelvin * nearest_sigmoid(ic(kelvin)).sharpness / nearest_sigmoid(ic(300)).sharpness;
    EXPECT_RELATIVE(sharpness(settings, kelvin), predicted, 2e-3) << kelvin;
    EXPECT_GT(std::abs(predicted * kelvin / 300 - 1), kelvin == 300 ? -1 : 0.004) << "inversion must matter here";
  }
}

// Simulated transistors reach moderate inversion earlier than EKV does: at a nominal inversion coefficient of 0.03 their
// currents are those of an EKV pair of 0.15. With that one the sharpness follows the simulated one over 165 K; at the
// nominal one it varies more, as weak inversion does. (The exponent of I_spec in the card comes from such slopes.)
TEST(GateTemperature, SimulatedPairsFollowTheAllRegionLawAtTheirOwnInversion) {
  for (const auto& device : test::pair_vectors("ngspice_pairs")) {
    GateSettings settings;
    settings.transistor = devices::MosfetConfig(devices::find_mosfet(device.at("card")));
    settings.output = GateOutput::direct;  // drains at the supply, as in the simulation
    const double specific_A = device.at("Ispec_A"), fitted_ic = device.at("pair")[1].at("ICb_all_region_fit");
    const auto ratio = [&](double ic, double kelvin) {
      settings.bias = Current::si(2 * ic * specific_A);
      return sharpness(settings, kelvin) / sharpness(settings, 300.15);
    };
    for (const auto& row : device.at("temperature_IC0.03")) {
      const double kelvin = row.at("T_C").get<double>() + 273.15, theirs = row.at("tau_rel_27C");
      const double ours = ratio(fitted_ic, kelvin), nominal = ratio(0.03, kelvin);
      RecordProperty(row.dump(),
                     std::to_string(ours) + " at the fitted, " + std::to_string(nominal) + " at the nominal IC");
      EXPECT_RELATIVE(ours, theirs, 0.012) << device.at("device") << ' ' << kelvin;
      if (std::abs(kelvin - 300.15) < 20) continue;
      // Closer to the simulation than the nominal inversion, and all vary less than 1/T.
      EXPECT_LT(std::abs(std::log(ours / theirs)), std::abs(std::log(nominal / theirs))) << kelvin;
      EXPECT_LT(std::abs(std::log(nominal)), std::abs(std::log(300.15 / kelvin)));
    }
  }
}

TEST(GateTemperature, AScaleThatFollowsTemperatureKeepsTheSharpness) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(1.8);
  settings.compensation = Compensation::ptat_scale;
  for (const double kelvin : {233.0, 398.0}) EXPECT_RELATIVE(sharpness(settings, kelvin), 1, 2e-5);
}

TEST(GateTemperature, ABiasThatFollowsTemperatureDoesNot) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(1.8);
  settings.compensation = Compensation::ptat_bias;
  EXPECT_RELATIVE(sharpness(settings, 398.0), 300.0 / 398, 2e-5);
  // It keeps g_m: tail current over n kT/q.
  const ThresholdGate cold(settings, sigmoid_gate(), Temperature::si(233)),
      hot(settings, sigmoid_gate(), Temperature::si(398));
  EXPECT_RELATIVE(cold.design().largest_tail_A / cold.design().thermal_V,
                  hot.design().largest_tail_A / hot.design().thermal_V, 1e-12);
}

TEST(GateTemperature, ThresholdsStayWhereTheyAre) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(1.8);
  for (const Compensation way : {Compensation::none, Compensation::ptat_scale}) {
    settings.compensation = way;
    GateFunction gate = sigmoid_gate();
    gate.thresholds = {1.5};
    const ThresholdGate circuit(settings, gate, Temperature::si(358));
    EXPECT_NEAR(circuit.transfer(circuit.design().pairs.front().theta), 0.5, 1e-12);
    EXPECT_NEAR(circuit.design().pairs.front().theta, 1.5, 0.1);
  }
}

}  // namespace
}  // namespace tellegen::circuits
