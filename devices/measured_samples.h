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

/// The conductance at given targets and ages as a function of rank. Ranks are counted on a normal scale: node k stands
/// for the quantile that a standard normal draw of -4 + k / 4 has, so that normal data are straight between nodes.
/// Beyond the lowest and highest sample nothing is known; the quantile stays there.
class MeasuredQuantiles {
 public:
  static constexpr std::size_t nodes = 33;
  static constexpr double lowest_draw = -4, nodes_per_draw = 4;
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
