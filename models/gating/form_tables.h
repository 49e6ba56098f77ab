#pragma once
// The parts of the catalogue in forms.h, one file each.

#include <vector>

#include "tellegen/models/gating/forms.h"

namespace tellegen::models::gating {

void add_exact_forms(std::vector<Form>& forms);
void add_gelu_forms(std::vector<Form>& forms);
void add_closed_tail_forms(std::vector<Form>& forms);
void add_other_forms(std::vector<Form>& forms);

/// K = 3 with thresholds -theta and theta, slopes 0, 1/2, 1 and constants 0, c, 0: exact tails, and f(x) - f(-x) = x.
ThresholdGate symmetric_three(double tau, double theta, double constant);

/// A x / (q + cosh(tau x)), closed tails: three legs on one tail, the middle one carries A x / q.
ThresholdGate three_legs(double amplitude, double q, double tau);

inline constexpr const char* kThresholdGating = "M. Sabih, F. Hannig, J. Teich, arXiv 2607.03148 (threshold gating)";
inline constexpr const char* kOwnFit = "own fit by Nelder-Mead";

}  // namespace tellegen::models::gating
