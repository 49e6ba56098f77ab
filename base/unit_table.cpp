#include "tellegen/base/unit_table.h"

namespace tellegen {
namespace {

constexpr auto usual = UnitRole::usual;
constexpr auto fitting = UnitRole::fitting;
constexpr auto printed = UnitRole::printed;
constexpr auto read = UnitRole::read;

constexpr Dimension length = Length::dimension, area = Area::dimension, time = Time::dimension,
                    frequency = Frequency::dimension, temperature = Temperature::dimension,
                    current = Current::dimension, charge = Charge::dimension, voltage = Voltage::dimension,
                    resistance = Resistance::dimension, conductance = Conductance::dimension,
                    capacitance = Capacitance::dimension, energy = Energy::dimension, power = Power::dimension;

constexpr Dimension over(Dimension a, Dimension b) {
  for (std::size_t i = 0; i < a.exponents.size(); ++i) a.exponents[i] -= b.exponents[i];
  return a;
}
constexpr Dimension times(Dimension a, Dimension b) {
  for (std::size_t i = 0; i < a.exponents.size(); ++i) a.exponents[i] += b.exponents[i];
  return a;
}

constexpr Unit table[] = {
    {"nm", length, -9, usual},
    {"um", length, -6, usual},
    {"mm", length, -3, printed},
    {"cm", length, -2, read},
    {"m", length, 0, printed},
    {"nm2", area, -18, printed},
    {"um2", area, -12, usual},
    {"mm2", area, -6, usual},
    {"cm2", area, -4, read},
    {"m2", area, 0, printed},
    {"fs", time, -15, printed},
    {"ps", time, -12, printed},
    {"ns", time, -9, usual},
    {"us", time, -6, usual},
    {"ms", time, -3, usual},
    {"s", time, 0, usual},
    {"min", time, 0, printed, 60},
    {"hour", time, 0, usual, 3600},
    {"day", time, 0, usual, 86400},
    {"year", time, 0, usual, 365.25 * 86400},
    {"Hz", frequency, 0, printed},
    {"kHz", frequency, 3, usual},
    {"MHz", frequency, 6, usual},
    {"GHz", frequency, 9, usual},
    {"mK", temperature, -3, read},
    {"K", temperature, 0, usual},
    {"fA", current, -15, printed},
    {"pA", current, -12, printed},
    {"nA", current, -9, usual},
    {"uA", current, -6, usual},
    {"mA", current, -3, usual},
    {"A", current, 0, printed},
    {"aC", charge, -18, printed},
    {"fC", charge, -15, usual},
    {"pC", charge, -12, usual},
    {"nC", charge, -9, printed},
    {"uC", charge, -6, printed},
    {"mC", charge, -3, printed},
    {"C", charge, 0, printed},
    {"nV", voltage, -9, printed},
    {"uV", voltage, -6, printed},
    {"mV", voltage, -3, usual},
    {"V", voltage, 0, usual},
    {"kV", voltage, 3, printed},
    {"mohm", resistance, -3, printed},
    {"ohm", resistance, 0, usual},
    {"kohm", resistance, 3, usual},
    {"Mohm", resistance, 6, usual},
    {"Gohm", resistance, 9, printed},
    {"fS", conductance, -15, printed},
    {"pS", conductance, -12, printed},
    {"nS", conductance, -9, printed},
    {"uS", conductance, -6, usual},
    {"mS", conductance, -3, usual},
    {"S", conductance, 0, printed},
    {"aF", capacitance, -18, printed},
    {"fF", capacitance, -15, usual},
    {"pF", capacitance, -12, usual},
    {"nF", capacitance, -9, printed},
    {"uF", capacitance, -6, printed},
    {"mF", capacitance, -3, printed},
    {"F", capacitance, 0, printed},
    {"eV", energy, 0, fitting, 1.602176634e-19},  // exact since the SI of 2019
    {"aJ", energy, -18, printed},
    {"fJ", energy, -15, usual},
    {"pJ", energy, -12, usual},
    {"nJ", energy, -9, usual},
    {"uJ", energy, -6, printed},
    {"mJ", energy, -3, printed},
    {"J", energy, 0, printed},
    {"kJ", energy, 3, printed},
    {"aW", power, -18, printed},
    {"fW", power, -15, printed},
    {"pW", power, -12, printed},
    {"nW", power, -9, printed},
    {"uW", power, -6, usual},
    {"mW", power, -3, usual},
    {"W", power, 0, usual},
    {"kW", power, 3, printed},
    // Per length and per area: wires, cells, fields, films.
    {"ohm/mm", over(resistance, length), 3, printed},
    {"ohm/um", over(resistance, length), 6, usual},
    {"ohm*m", times(resistance, length), 0, usual},
    {"aF/um", over(capacitance, length), -12, usual},
    {"fF/um", over(capacitance, length), -9, usual},
    {"aF/um2", over(capacitance, area), -6, usual},
    {"fF/um2", over(capacitance, area), -3, usual},
    {"uA/um", over(current, length), 0, usual},
    {"uA/um2", over(current, area), 6, usual},
    {"uC/cm2", over(charge, area), -2, usual},
    {"kV/cm", over(voltage, length), 5, read},
    {"V/um", over(voltage, length), 6, printed},
    {"MV/cm", over(voltage, length), 8, usual},
    {"V/us", over(voltage, time), 6, usual},
    // Mismatch (Pelgrom), mobility, temperature coefficients, transconductance squared-law.
    {"mV*um", times(voltage, length), -9, usual},
    {"cm2/Vs", over(area, times(voltage, time)), -4, usual},
    {"mV/K", over(voltage, temperature), -3, usual},
    {"uA/V2", over(current, times(voltage, voltage)), -6, usual},
};

}  // namespace

std::span<const Unit> unit_table() { return table; }

}  // namespace tellegen
