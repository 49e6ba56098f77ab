#include "tellegen/sim/cli/array_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <utility>

#include "tellegen/base/units.h"

namespace tellegen::cli {
namespace {

using circuits::Drive;
using circuits::Sense;

constexpr std::array drives = {std::pair{Drive::one_side, "one_side"}, std::pair{Drive::both_sides, "both_sides"}};
constexpr std::array senses = {std::pair{Sense::one_end, "one_end"}, std::pair{Sense::both_ends, "both_ends"},
                               std::pair{Sense::alternate, "alternate"}};

template <class Q>
double quantity(const std::string& option, const std::string& text) {
  try {
    return parse<Q>(text).si();
  } catch (const UnitError& error) {
    throw InputError(option + " '" + text + "' " + error.reason());
  }
}

void change(double& value, const char* option, const std::optional<std::string>& text) {
  if (text) value = quantity<Resistance>(option, *text);
}

devices::CellLaw law_of(const std::string& cell, const std::optional<std::string>& v0) {
  devices::CellLawConfig law;
  law.law = chosen<devices::CellLawKind>("--cell", cell, enum_names(devices::CellLawKind()));
  if (v0) {
    law.v0 = Voltage::si(quantity<Voltage>("--v0", *v0));
    if (!(law.v0.si() > 0)) throw InputError("--v0 '" + *v0 + "' is not above 0 V.");
  }
  return law.make();
}

}  // namespace

std::string ArrayOptions::first_given() const {
  const std::pair<const char*, bool> all[] = {{"--row-wire", row_wire.has_value()},
                                              {"--column-wire", column_wire.has_value()},
                                              {"--driver", driver.has_value()},
                                              {"--sense-resistance", sense_resistance.has_value()},
                                              {"--access", access.has_value()},
                                              {"--drive", drive.has_value()},
                                              {"--sense", sense.has_value()},
                                              {"--cell", cell.has_value()},
                                              {"--v0", v0.has_value()},
                                              {"--voltages", !voltages.empty()}};
  for (const auto& [name, given] : all) {
    if (given) return name;
  }
  return "";
}

array::ArrayFile ArrayOptions::read() const {
  array::ArrayFile out = array::read_array_file(file);
  change(out.wires.row_segment_ohm, "--row-wire", row_wire);
  change(out.wires.column_segment_ohm, "--column-wire", column_wire);
  change(out.wires.driver_ohm, "--driver", driver);
  change(out.wires.sense_ohm, "--sense-resistance", sense_resistance);
  change(out.wires.access_ohm, "--access", access);
  if (drive) out.wires.drive = chosen<Drive>("--drive", *drive, drives);
  if (sense) out.wires.sense = chosen<Sense>("--sense", *sense, senses);
  if (cell) {
    out.law = law_of(*cell, v0);
  } else if (v0) {
    throw InputError("--v0 is given without --cell. Add --cell sinh or --cell cubic.");
  }
  if (!voltages.empty()) {
    out.input_V = array::read_voltages(voltages, out.wires.rows);
    out.expected_A.clear();
  }
  return out;
}

array::ChargeFile ArrayOptions::read_charge() const {
  const std::string option = first_given();
  if (!option.empty()) {
    throw InputError(file.string() + ": " + option +
                     " is for arrays of conductances, and this is one of capacitors. Leave it out.");
  }
  return array::read_charge_file(file);
}

void add_array_options(CLI::App& verb, ArrayOptions& options) {
  verb.add_option("file", options.file, "The array: .json, .yaml, .csv (siemens) or .h5.")
      ->required()
      ->type_name("FILE");
  const auto resistance = [&](const char* name, std::optional<std::string>& value, const char* help) {
    verb.add_option(name, value, help)->type_name("\"1 ohm\"");
  };
  resistance("--row-wire", options.row_wire, "Resistance of a row wire from cell to cell.");
  resistance("--column-wire", options.column_wire, "Resistance of a column wire from cell to cell.");
  resistance("--driver", options.driver, "Resistance of a driver.");
  resistance("--sense-resistance", options.sense_resistance, "Resistance from the end of a column to 0 V.");
  resistance("--access", options.access, "Resistance of the access transistor of each cell.");
  verb.add_option("--drive", options.drive, "Where rows are driven: one_side, both_sides.")->type_name("NAME");
  verb.add_option("--sense", options.sense, "Where columns are sensed: one_end, both_ends, alternate.")
      ->type_name("NAME");
  verb.add_option("--cell", options.cell, "Current of a cell: ohmic, sinh, cubic, milo.")->type_name("NAME");
  verb.add_option("--v0", options.v0, "Voltage at which sinh and cubic cells leave Ohm's law.")
      ->type_name("\"0.25 V\"");
  verb.add_option("--voltages", options.voltages, "Input vectors, CSV, one line per vector, in volts.")
      ->type_name("FILE.csv");
}

}  // namespace tellegen::cli
