#include "tellegen/devices/mosfet/noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/technology/physical_constants.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

const Temperature room = Temperature::si(300);
const Mosfet transistor(1.3, 5e-7, 0.45, room);

TEST(Noise, OfABalancedPairEqualsTheVectors) {
  for (const auto& row : test::mosfet_vectors("noise").at("rows")) {
    const double tail_A = row.at("Ib"), window_s = row.at("T_int");
    EXPECT_RELATIVE(white_noise_in_window_A(partition_noise_A2_per_Hz(tail_A / 2, tail_A / 2), window_s),
                    row.at("sigma_partition_A").get<double>(), 1e-12);
    EXPECT_RELATIVE(white_noise_in_window_A(shot_noise_A2_per_Hz(tail_A / 2), window_s),
                    row.at("sigma_with_shot_tail_A").get<double>(), 1e-12);
  }
}

TEST(Noise, PartitionAndTailAddUpToShotNoise) {
  const double i1_A = 3e-9, i2_A = 7e-9, tail_A = i1_A + i2_A;
  const double of_tail = shot_noise_A2_per_Hz(tail_A) * (i1_A / tail_A) * (i1_A / tail_A);
  EXPECT_RELATIVE(partition_noise_A2_per_Hz(i1_A, i2_A) + of_tail, shot_noise_A2_per_Hz(i1_A), 1e-14);
}

TEST(Noise, OfASaturatedChannelIsShotNoiseInWeakInversion) {
  const OperatingPoint at = transistor.operating_point(-0.1, 0, 1.5);
  EXPECT_RELATIVE(thermal_noise_A2_per_Hz(transistor, at, 1), shot_noise_A2_per_Hz(at.i_A), 1e-6);
  const double thermal_form = 4 * boltzmann_J_per_K * 300 * 1.3 / 2 * at.gm_S;
  EXPECT_RELATIVE(thermal_noise_A2_per_Hz(transistor, at, 1), thermal_form, 1e-6);
}

TEST(Noise, OfASaturatedChannelIsTwoThirdsInStrongInversion) {
  const OperatingPoint at = transistor.operating_point(50, 0, 60);
  const double long_channel = 4 * boltzmann_J_per_K * 300 * (2.0 / 3.0) * 1.3 * at.gm_S;
  EXPECT_RELATIVE(thermal_noise_A2_per_Hz(transistor, at, 1), long_channel, 2e-3);
}

TEST(Noise, WithoutDrainVoltageIsThatOfAResistor) {
  for (const double g_V : {0.1, 0.5, 1.5}) {
    const OperatingPoint at = transistor.operating_point(g_V, 0.2, 0.2);
    EXPECT_RELATIVE(thermal_noise_A2_per_Hz(transistor, at, 1), 4 * boltzmann_J_per_K * 300 * at.gmd_S, 1e-12);
  }
}

TEST(Noise, OfTheChannelIsTheIntegralOfTheChargeAlongIt) {
  // Mean of q over the channel, dx = (2 q + 1) dq / i, by the midpoint rule.
  const double q_forward = 3, q_reverse = 0.4, i = ekv::current_between(q_forward, q_reverse);
  constexpr int steps = 20000;
  const double dq = (q_forward - q_reverse) / steps;
  double mean = 0;
  for (int k = 0; k < steps; ++k) {
    const double q = q_reverse + (k + 0.5) * dq;
    mean += q * (2 * q + 1) * dq / i;
  }
  EXPECT_RELATIVE(ekv::mean_charge(q_forward, q_reverse), mean, 1e-8);
}

TEST(Noise, FlickerFallsWithFrequencyAndArea) {
  MosfetConfig config(find_mosfet("gf180_nmos_3p3"));
  const Mosfet device(config, room);
  const OperatingPoint at = device.operating_point(0.6, 0, 1.5);
  const double one_Hz = flicker_noise_A2_per_Hz(config, at, 1);
  EXPECT_RELATIVE(flicker_noise_A2_per_Hz(config, at, 1000), one_Hz / 1000, 1e-14);
  EXPECT_RELATIVE(one_Hz / (at.gm_S * at.gm_S), 1.316e-10 / 2, 1e-3);  // V^2 um^2 over 2 um^2
  MosfetConfig larger = config;
  larger.length = 4 * larger.length;
  EXPECT_RELATIVE(flicker_noise_A2_per_Hz(larger, at, 1), one_Hz / 4, 1e-14);
  const double corner_Hz = corner_frequency_Hz(config, device, at);
  EXPECT_RELATIVE(flicker_noise_A2_per_Hz(config, at, corner_Hz),
                  thermal_noise_A2_per_Hz(device, at, config.card.white_excess), 1e-12);
}

TEST(Noise, IntegratesOverABand) {
  const MosfetConfig config(find_mosfet("sky130_nfet_01v8"));
  const Mosfet device(config, room);
  const OperatingPoint at = device.operating_point(0.6, 0, 1.5);
  const auto density = [&](double f_Hz) {
    return thermal_noise_A2_per_Hz(device, at, config.card.white_excess) + flicker_noise_A2_per_Hz(config, at, f_Hz);
  };
  // Midpoint rule in ln f.
  constexpr int steps = 20000;
  const double ratio = 1e7, step = std::log(ratio) / steps;
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    const double f_Hz = std::exp((k + 0.5) * step);
    sum += density(f_Hz) * f_Hz * step;
  }
  EXPECT_RELATIVE(integrated_noise_A(config, device, at, 1, ratio), std::sqrt(sum), 1e-6);
}

TEST(Noise, OfTheCardsIsThatOfTheirSimulatedTransistors) {
  for (const auto& row : test::mosfet_vectors("ngspice_cards")) {
    const MosfetConfig config(find_mosfet(row.at("card")));
    const double area_um2 = config.width.in(units::um)*config.length.in(units::um);
    const double flicker_V2um2 = std::pow(config.card.flicker.si() * 1e6, 2);
    EXPECT_RELATIVE(flicker_V2um2, row.at("noise").at("S_VG_1Hz").get<double>() * area_um2, 1e-3) << row.at("card");
    EXPECT_RELATIVE(config.card.white_excess, row.at("noise").at("S_ID_1e7Hz_over_2qI").get<double>(), 5e-3)
        << row.at("card");
  }
}

}  // namespace
}  // namespace tellegen::devices
