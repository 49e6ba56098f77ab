#pragma once
// Measured conductances of many cells, at a few targets and a few times, as tables of quantiles.

#include <cstddef>
#include <filesystem>
#include <vector>

namespace tellegen::devices {

/// One measurement of one cell.
struct ConductanceSample {
  double target_S = 0;
  double age_s = 0;
  double g_S = 0;
};

/// Reads a CSV file with the columns target_S, age_s, g_S in any order (lines that begin with # are remarks), or an
/// HDF5 file (.h5, .hdf5) with one-dimensional datasets of these names. Throws InputError with file and line.
std::vector<ConductanceSample> read_samples(const std::filesystem::path& file);

/// The conductance at given targets and ages as a function of rank, a share of the cells. Nodes stand at four ranks in
/// each halving towards both ends, rank = 2^-16 .. 1/2 and 1 - rank, so that the bits of a uniform draw are the number of
/// its node and tails are as fine as the middle. Beyond the lowest and highest sample nothing is known; the quantile
/// stays there.
class MeasuredQuantiles {
 public:
  static constexpr int halvings = 15, nodes_per_halving = 4;
  static constexpr std::size_t side_nodes = halvings * nodes_per_halving + 1;
  static constexpr std::size_t nodes = 2 * side_nodes;  ///< ranks up to 1/2, then from the top down to 1/2
  static double rank(std::size_t node);
  static constexpr std::size_t fewest_samples = 10;  ///< per target and age

  /// Needs two targets or more and every target at every age. Throws InputError, `name` stands for the data.
  MeasuredQuantiles(const std::vector<ConductanceSample>& samples, const std::string& name);

  const std::vector<double>& targets_S() const { return targets_S_; }
  const std::vector<double>& ages_s() const { return ages_s_; }
  /// targets x nodes at an age: linear in ln(age) between measured ages, constant outside them.
  std::vector<float> at_age(double age_s) const;

 private:
  std::vector<double> targets_S_, ages_s_;
  std::vector<double> quantiles_S_;  ///< ages x targets x nodes
};

}  // namespace tellegen::devices
