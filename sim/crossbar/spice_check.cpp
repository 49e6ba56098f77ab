#include "tellegen/sim/crossbar/spice_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "tellegen/base/error.h"
#include "tellegen/base/output_file.h"
#include "tellegen/base/table.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/crossbar/charge_transfer.h"
#include "tellegen/circuits/spice/ngspice.h"
#include "tellegen/sim/crossbar/array_solve.h"

namespace tellegen::array {
namespace {

using circuits::Deck;

/// Numbers of the vectors that are asked for.
std::vector<std::int64_t> asked_for(std::size_t vectors, std::optional<std::int64_t> only) {
  if (vectors == 0)
    throw InputError("There are no input voltages. Give them with --voltages, or as 'V_vectors' in the file.");
  const auto count = static_cast<std::int64_t>(vectors);
  if (only && (*only < 0 || *only >= count)) {
    throw InputError(fmt::format("Input vector '{}' is asked for; the file has vectors 0 to {}.", *only, count - 1));
  }
  if (only) return {*only};
  std::vector<std::int64_t> out;
  for (std::int64_t k = 0; k < count; ++k) out.push_back(k);
  return out;
}

void run(SpiceVector& vector, const std::filesystem::path& folder) {
  const auto begin = std::chrono::steady_clock::now();
  vector.ngspice = circuits::run_ngspice(vector.deck, folder);
  vector.ngspice_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (vector.ngspice) vector.difference = circuits::relative_difference(vector.ours, *vector.ngspice);
}

std::string name_of(const devices::CellLaw& law) {
  constexpr std::array names = {"linear", "sinh", "cubic", "milo"};
  static_assert(names.size() == std::variant_size_v<devices::CellLaw>);
  return names[law.index()];
}

}  // namespace

std::optional<double> SpiceCheck::largest_difference() const {
  std::optional<double> largest;
  for (const SpiceVector& vector : vectors) {
    if (vector.difference) largest = std::max(largest.value_or(0), *vector.difference);
  }
  return largest;
}

SpiceCheck check_with_ngspice(const ArrayFile& file, std::optional<std::int64_t> only,
                              const std::filesystem::path& folder) {
  if (file.transistor) {
    throw InputError("Access transistors are not written to netlists. Give 'r_access', their on-resistance, instead.");
  }
  SpiceCheck out;
  out.array = fmt::format("{} x {} cells, {}", file.wires.rows, file.wires.columns, name_of(file.law));
  out.unit = "A";
  ArrayFile asked = file;
  asked.input_V.clear();
  asked.expected_A.clear();
  for (const std::int64_t number : asked_for(file.input_V.size(), only)) {
    asked.input_V.push_back(file.input_V[static_cast<std::size_t>(number)]);
    out.vectors.push_back({.number = number, .deck = {}, .ours = {}, .ngspice = {}, .difference = {}});
  }
  const ArraySolution solution = solve_array(asked, {});
  for (std::size_t k = 0; k < out.vectors.size(); ++k) {
    SpiceVector& vector = out.vectors[k];
    vector.ours = solution.vectors[k].output_A;
    vector.deck = circuits::crossbar_deck(file.wires, file.cell_S, file.law, asked.input_V[k]);
    run(vector, folder);
  }
  return out;
}

SpiceCheck check_with_ngspice(const ChargeFile& file, std::optional<std::int64_t> only,
                              const std::filesystem::path& folder) {
  SpiceCheck out;
  out.array = fmt::format("{} x {} capacitors, {}", file.array.rows, file.array.columns,
                          file.amplifier ? "charge amplifiers" : "charge sharing");
  out.unit = "V";
  const circuits::ChargeTransfer transfer(file.array, file.row_state, file.amplifier);
  for (const std::int64_t number : asked_for(file.input_V.size(), only)) {
    const std::vector<double>& input_V = file.input_V[static_cast<std::size_t>(number)];
    SpiceVector vector;
    vector.number = number;
    vector.deck = circuits::charge_deck(file.array, file.row_state, input_V, file.amplifier);
    vector.ours.assign(static_cast<std::size_t>(file.array.columns), 0);
    for (std::size_t k = 0; k < transfer.transfer().size(); ++k) {
      vector.ours[k / input_V.size()] += transfer.transfer()[k] * input_V[k % input_V.size()];
    }
    run(vector, folder);
    out.vectors.push_back(std::move(vector));
  }
  return out;
}

std::vector<std::string> write_spice_check(const SpiceCheck& check, const std::filesystem::path& folder) {
  nlohmann::json report;
  report["array"] = check.array;
  report["unit"] = check.unit;
  report["largest_difference"] = nullptr;
  if (const auto largest = check.largest_difference()) report["largest_difference"] = *largest;
  report["vectors"] = nlohmann::json::array();
  std::vector<std::string> names;
  for (const SpiceVector& vector : check.vectors) {
    names.push_back(fmt::format("vector{}.cir", vector.number));
    write_text_file(folder / names.back(), vector.deck.text);
    nlohmann::json entry = {{"number", vector.number}, {"deck", names.back()}, {"output", vector.ours}};
    if (vector.ngspice) {
      entry["ngspice_output"] = *vector.ngspice;
      entry["difference"] = *vector.difference;
    }
    report["vectors"].push_back(entry);
  }
  names.emplace_back("spice.json");
  write_text_file(folder / names.back(), report.dump(1) + "\n");
  return names;
}

std::string spice_check_text(const SpiceCheck& check) {
  std::string text = check.array + "\n";
  const auto largest = check.largest_difference();
  if (!largest) {
    return text +
           "The program ngspice was not found: nothing was compared. Install the package ngspice and run again, or "
           "run 'ngspice -b -r out.raw FILE.cir' elsewhere.\n";
  }
  Table table({{"vector"}, {"largest difference"}, {"time of ngspice"}});
  for (const SpiceVector& vector : check.vectors) {
    table.row(
        {std::to_string(vector.number), fmt::format("{:.2g}", *vector.difference), format(Time::si(vector.ngspice_s))});
  }
  return text + table.text() +
         fmt::format("Largest difference between tellegen and ngspice: {:.2g} of the largest output.\n", *largest);
}

}  // namespace tellegen::array
