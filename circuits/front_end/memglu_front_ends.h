#pragma once
// The MemGLU gates as lines of the catalogue of front-ends.

#include "tellegen/circuits/front_end/front_end.h"

namespace tellegen::circuits {

FrontEndEntry memglu_translinear_entry();
FrontEndEntry memglu_memristor_entry();
FrontEndEntry memglu_pairs_entry();

/// Throws InputError unless the gate is amplitude tanh(x) sech(x).
void require_tanh_sech(const GateFunction& gate, const std::string& circuit);

/// White noise bandwidth of a single pole at `corner_Hz`: pi / 2 times as much.
double noise_bandwidth_Hz(double corner_Hz);

/// The noise of y at x = 0, where the gate has slope `slope`, as noise of x; its white and flicker parts in the
/// proportion given.
FrontEndNoise referred_to_input(double bandwidth_Hz, double white_y, double flicker_y, double slope);

}  // namespace tellegen::circuits
