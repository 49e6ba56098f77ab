#pragma once
// The goals of speed as ratios to a bare matrix product, all measured in one run.

#include <string>

namespace tellegen::bench {

/// The table, one row per goal, and whether all goals are met. Contestants take turns, so that a busy machine slows all
/// of them; a verdict compares the fastest repetitions, in processor time except where the number of threads is the
/// point.
struct Ratios {
  std::string table;
  bool met = true;
};
Ratios measure_ratios(int repetitions);

}  // namespace tellegen::bench
