#pragma once
// A circuit as a netlist, and what ngspice makes of it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/circuits/spice/deck.h"
#include "tellegen/sim/characterize/circuits/catalogue.h"

namespace tellegen::characterize {

/// One operating point: the outputs by name, here and there.
struct Netlist {
  std::string circuit;
  std::string point;  ///< what the inputs are
  tellegen::circuits::Deck deck;
  std::vector<std::string> outputs;
  std::vector<double> ours_A;
  std::optional<std::vector<double>> ngspice_A;  ///< empty where no ngspice was found
  double bias_A = 0;                             ///< what differences are measured against
  std::optional<double> largest_difference() const;
};

/// softmax_array at five inputs, memglu_translinear at the peak of its gate. Works in `folder`. Throws InputError for
/// circuits without a netlist and std::runtime_error with the words of ngspice where it fails.
Netlist netlist_of(const Circuit& circuit, const Overrides& settings, Temperature temperature,
                   const std::filesystem::path& folder);
/// Writes NAME.cir into `folder`; answers its name.
std::string write(const Netlist& netlist, const std::filesystem::path& folder);
/// A table of the outputs, and the largest difference or what to install.
std::string text_of(const Netlist& netlist);

}  // namespace tellegen::characterize
