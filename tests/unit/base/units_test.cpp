#include "tellegen/base/units.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>

#include "message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/base/unit_table.h"

namespace tellegen {
namespace {

using testing_support::message_of;

std::string conductance_error(const std::string& text) {
  return message_of<UnitError>([&] { parse<Conductance>(text); });
}

TEST(Quantity, HasADimension) {
  using namespace units;
  const Current i = (50.0 * uS) * (0.2 * V);
  EXPECT_DOUBLE_EQ(i.in(uA), 10.0);
  static_assert((V / ohm).dimension == A.dimension);
  static_assert((V * A).dimension == W.dimension);
  static_assert((W * s).dimension == J.dimension);
  static_assert((F * V).dimension == (A * s).dimension);
  static_assert(std::is_same_v<decltype(V / V), double>);
}

TEST(ParseQuantity, ReadsNumberAndUnit) {
  EXPECT_EQ(parse<Conductance>("100 uS").si(), 100e-6);
  EXPECT_EQ(parse<Conductance>("  2.5e1 \t uS ").si(), 25e-6);
  EXPECT_EQ(parse<Conductance>("100uS").si(), 1e-4);
  EXPECT_EQ(parse<Voltage>("-0.2 V").si(), -0.2);
  EXPECT_EQ(parse<Time>("1 day").si(), 86400.0);
  EXPECT_EQ(parse<Time>("1.5 hour").si(), 5400.0);
  EXPECT_EQ(parse<Time>("2 year").si(), 2 * 365.25 * 86400);
  EXPECT_EQ(parse<Resistance>("10 kohm").si(), 1e4);
  EXPECT_EQ(parse<Area>("0.42 mm2").si(), 0.42e-6);
  EXPECT_EQ(parse<Temperature>("300 K").si(), 300.0);
  EXPECT_EQ(parse<Energy>("1 eV").si(), 1.602176634e-19);
  EXPECT_EQ(parse<Capacitance>("3 fF").si(), 3e-15);
}

TEST(ParseQuantity, IsRoundedOnce) {
  // 100 * 1e-6 is the double below 1e-4; the text means 1e-4.
  ASSERT_NE(100 * 1e-6, 1e-4);
  EXPECT_EQ(parse<Conductance>("100 uS").si(), 1e-4);
  EXPECT_EQ(parse<Energy>("0.3 pJ").si(), 0.3e-12);
}

TEST(ParseQuantity, CompoundUnits) {
  using PerLength = decltype(Resistance() / Length());
  using PerArea = decltype(Capacitance() / Area());
  using Field = decltype(Voltage() / Length());
  EXPECT_EQ(parse<PerLength>("2 ohm/um").si(), 2e6);
  EXPECT_EQ(parse<PerArea>("1 fF/um2").si(), 1e-3);
  EXPECT_EQ(parse<Field>("1 MV/cm").si(), 1e8);
  EXPECT_EQ(parse<decltype(Charge() / Area())>("20 uC/cm2").si(), 0.2);
  EXPECT_EQ(parse<decltype(Area() / (Voltage() * Time()))>("300 cm2/Vs").si(), 0.03);
}

TEST(ParseQuantity, SaysWhatIsWrong) {
  EXPECT_EQ(conductance_error("100"), "'100' needs a number and a unit (uS, mS).");
  EXPECT_EQ(conductance_error("uS"), "'uS' needs a number and a unit (uS, mS).");
  EXPECT_EQ(conductance_error(""), "'' needs a number and a unit (uS, mS).");
  EXPECT_EQ(conductance_error("nan uS"), "'nan uS' needs a number and a unit (uS, mS).");
  EXPECT_EQ(conductance_error("inf uS"), "'inf uS' needs a number and a unit (uS, mS).");
  EXPECT_EQ(conductance_error("1e999 uS"), "'1e999 uS' is too large or too small to be stored.");
  EXPECT_EQ(conductance_error("10 kohm"), "'10 kohm' has the wrong dimension; use uS, mS.");
  EXPECT_EQ(conductance_error("100 us"), "'100 us' has the wrong dimension; use uS, mS.");
  EXPECT_EQ(conductance_error("100 uX"), "'100 uX' has the unknown unit 'uX'; did you mean 'uS'?");
  EXPECT_EQ(conductance_error("100 \u00b5S"), "'100 \u00b5S' has the unknown unit '\u00b5S'; did you mean 'uS'?");
  EXPECT_EQ(conductance_error("100 furlongs"), "'100 furlongs' has the unknown unit 'furlongs'; use uS, mS.");
  EXPECT_EQ(conductance_error("1 2 uS"), "'1 2 uS' has the unknown unit '2 uS'; did you mean 'uS'?");
  EXPECT_EQ(conductance_error("0x10 uS"), "'0x10 uS' has the unknown unit 'x10 uS'; use uS, mS.");
  EXPECT_EQ(conductance_error("1e-320 fS"), "'1e-320 fS' is too large or too small to be stored.");
  EXPECT_EQ(message_of<UnitError>([] { parse<Time>("3 days"); }),
            "'3 days' has the unknown unit 'days'; did you mean 'day'?");
  EXPECT_EQ(message_of<UnitError>([] { parse<Frequency>("1e308 GHz"); }),
            "'1e308 GHz' is too large or too small to be stored.");
  EXPECT_EQ(message_of<UnitError>([] { parse<Time>("1e308 day"); }),
            "'1e308 day' is too large or too small to be stored.");
}

TEST(ParseQuantity, DoesNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    std::setlocale(LC_ALL, name);
    EXPECT_EQ(parse<Voltage>("0.25 V").si(), 0.25);
    EXPECT_EQ(format(Voltage::si(0.25)), "250 mV");
    EXPECT_EQ(format(Voltage::si(1.25)), "1.25 V");
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(FormatQuantity, PicksUnitsForPeople) {
  EXPECT_EQ(format(Conductance::si(25e-6)), "25 uS");
  EXPECT_EQ(format(Energy::si(1.3099e-6)), "1.31 uJ");
  EXPECT_EQ(format(Area::si(0.42e-6)), "0.42 mm2");
  EXPECT_EQ(format(Area::si(0.011e-6)), "0.011 mm2");
  EXPECT_EQ(format(Area::si(500e-12)), "500 um2");
  EXPECT_EQ(format(Time::si(86400)), "1 day");
  EXPECT_EQ(format(Time::si(2.3 * 3600)), "2.3 hour");
  EXPECT_EQ(format(Time::si(90)), "1.5 min");
  EXPECT_EQ(format(Time::si(59)), "59 s");
  EXPECT_EQ(format(Time::si(0.31e-3)), "310 us");
  EXPECT_EQ(format(Power::si(-2.5e-3)), "-2.5 mW");
  EXPECT_EQ(format(Temperature::si(300)), "300 K");
  EXPECT_EQ(format(Voltage::si(0)), "0 mV");
}

TEST(FormatQuantity, RoundsBeforeItChoosesTheUnit) {
  EXPECT_EQ(format(Energy::si(999.6e-9)), "1 uJ");
  EXPECT_EQ(format(Energy::si(999.4e-9)), "999 nJ");
  EXPECT_EQ(format(Energy::si(123.456e-9), 2), "120 nJ");
  EXPECT_EQ(format(Energy::si(123.456e-9), 5), "123.46 nJ");
}

TEST(WriteQuantity, IsReadable) {
  EXPECT_EQ(write_quantity(25e-6, Conductance::dimension), "25 uS");
  EXPECT_EQ(write_quantity(1e-4, Conductance::dimension), "100 uS");
  EXPECT_EQ(write_quantity(0.2, Voltage::dimension), "200 mV");
  EXPECT_EQ(write_quantity(86400, Time::dimension), "1 day");
  EXPECT_EQ(write_quantity(1e9, Frequency::dimension), "1 GHz");
  EXPECT_EQ(write_quantity(32e-9, Length::dimension), "32 nm");
  EXPECT_EQ(write_quantity(0.0, Conductance::dimension), "0 uS");
  EXPECT_EQ(write_quantity(0.1 + 0.2, Voltage::dimension), "300.00000000000004 mV");
  EXPECT_EQ(write_quantity(1e-30, Conductance::dimension), "1e-15 fS");
  EXPECT_THROW(write_quantity(std::numeric_limits<double>::infinity(), Time::dimension), std::logic_error);
}

TEST(WriteQuantity, ReturnsTheSameDouble) {
  std::mt19937_64 random(7);
  std::set<std::uint64_t> values;
  for (const Unit& unit : unit_table()) {
    for (int i = 0; i < 200; ++i) {
      // Any finite bit pattern, and values as people write them: few digits at usual sizes.
      double any = std::bit_cast<double>(random());
      if (!std::isfinite(any)) any = 0.0;
      const double usual =
          static_cast<double>(random() % 100000) * std::pow(10.0, static_cast<double>(random() % 30) - 20.0);
      for (const double value : {any, usual, -usual, usual * 86400, 0.0, -0.0, 5e-324, 1.7976931348623157e308}) {
        const double again = parse_quantity(write_quantity(value, unit.dimension), unit.dimension);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(again), std::bit_cast<std::uint64_t>(value))
            << write_quantity(value, unit.dimension);
        values.insert(std::bit_cast<std::uint64_t>(value));
      }
    }
  }
  EXPECT_GT(values.size(), 10000u);
}

TEST(UnitTable, IsOrderedAndUnambiguous) {
  std::set<std::string> names;
  const Unit* before = nullptr;
  for (const Unit& unit : unit_table()) {
    EXPECT_TRUE(names.insert(unit.name).second) << unit.name;
    EXPECT_NE(known_units(unit.dimension), "") << unit.name;
    if (before != nullptr && before->dimension == unit.dimension) {
      EXPECT_LT(before->factor * std::pow(10, before->exponent), unit.factor * std::pow(10, unit.exponent))
          << unit.name;
    }
    before = &unit;
  }
}

TEST(UnitTable, AgreesWithTheConstants) {
  EXPECT_DOUBLE_EQ(parse<Length>("1 um") / units::um, 1.0);
  EXPECT_DOUBLE_EQ(parse<Area>("1 um2") / units::um2, 1.0);
  EXPECT_DOUBLE_EQ(parse<Time>("1 hour") / units::hour, 1.0);
  EXPECT_DOUBLE_EQ(parse<Frequency>("1 MHz") / units::MHz, 1.0);
  EXPECT_DOUBLE_EQ(parse<Current>("1 nA") / units::nA, 1.0);
  EXPECT_DOUBLE_EQ(parse<Resistance>("1 kohm") / units::kohm, 1.0);
  EXPECT_DOUBLE_EQ(parse<Conductance>("1 uS") / units::uS, 1.0);
  EXPECT_DOUBLE_EQ(parse<Capacitance>("1 fF") / units::fF, 1.0);
  EXPECT_DOUBLE_EQ(parse<Energy>("1 pJ") / units::pJ, 1.0);
  EXPECT_DOUBLE_EQ(parse<Power>("1 mW") / units::mW, 1.0);
}

TEST(Energies, ActivationEnergiesReadAndWriteInElectronvolts) {
  EXPECT_EQ(known_units(Energy::dimension), "eV, fJ, pJ, nJ");
  for (const char* text : {"1.1 eV", "0.6 eV", "0.05 eV", "3.2 fJ", "0 fJ"}) {
    EXPECT_EQ(write_quantity(parse_quantity(text, Energy::dimension), Energy::dimension), text);
  }
  EXPECT_EQ(format_quantity(parse_quantity("1.1 eV", Energy::dimension), Energy::dimension), "1.1 eV");
  EXPECT_EQ(format_quantity(5e-17, Energy::dimension), "50 aJ");
}

}  // namespace
}  // namespace tellegen
