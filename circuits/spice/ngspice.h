#pragma once
// Running ngspice, where it is installed, and reading what it found.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/circuits/spice/deck.h"

namespace tellegen::circuits {

/// Outputs of a deck by column, as ngspice computes them to all its digits; empty where no ngspice is found. Works in
/// `folder`, with names of its own that are removed again. Throws InputError where that cannot be written and
/// std::runtime_error with the words of ngspice where it fails.
std::optional<std::vector<double>> run_ngspice(const Deck& deck, const std::filesystem::path& folder);

/// max |ours - theirs| / max |theirs|; the plain largest difference where theirs are all 0.
double relative_difference(std::span<const double> ours, std::span<const double> theirs);

}  // namespace tellegen::circuits
