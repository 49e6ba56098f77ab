#pragma once
// Every option is made as bad as the asked error allows: what is equal can be compared.

#include <string>

#include "tellegen/sim/compare/path.h"

namespace tellegen::compare {

inline constexpr double kTolerance = 0.05;  ///< errors this near to each other are equal

enum class Reached {
  equal,        ///< within kTolerance of the asked error
  better,       ///< below it: the smallest sizes already are
  unreachable,  ///< above it, whatever the size
  refused,      ///< the circuit cannot do this function, or has no room
};
const char* name_of(Reached reached);

struct Resized {
  Reached reached = Reached::refused;
  Sizes sizes;
  double error = 0;         ///< 95th percentile over the circuits, with these sizes
  double median_error = 0;  ///< over the circuits
  std::string why;          ///< of refusals and what is unreachable, one sentence
};

/// Sizes in whole numbers and those that others depend on take at most half of the allowed error's power; one continuous
/// size takes the rest: ENOB behind digital steps, transistor area in analog paths, references of a non-linear ADC.
Resized resize(const Task& task, double asked_error);

}  // namespace tellegen::compare
