#pragma once
// The interface of softmax circuits: rows of n voltages in, n currents out whose shares of the tail are p.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/circuits/front_end/front_end.h"

namespace tellegen::circuits {

/// Deviations of the parts of one circuit for n inputs: of its n outputs, and of its log-sum-exp cells where it has
/// any. Planes as in the circuit's lists.
struct SoftmaxErrors {
  UnitErrors outputs, cells;
};

class SoftmaxCircuit {
 public:
  virtual ~SoftmaxCircuit() = default;

  /// p of `z.size() / n` rows. masked (as many values as z, or empty) takes inputs out: p is 0 there, and 0 throughout a
  /// row without inputs, whose tail is switched off. errors with outputs.units = 0 is the nominal circuit. `noise` adds
  /// one evaluation's noise: row r uses draws (first_row + r) * draws_per_row(n) and following.
  virtual void evaluate(std::span<const float> z, std::size_t n, std::span<const unsigned char> masked,
                        const SoftmaxErrors& errors, const Stream* noise, std::uint64_t first_row,
                        std::span<float> p) const = 0;
  virtual std::size_t draws_per_row(std::size_t n) const = 0;
  /// One nominal row in double, nothing masked.
  virtual std::vector<double> row(std::span<const double> z) const = 0;

  virtual const std::vector<ErrorPlane>& output_planes() const = 0;
  virtual const std::vector<ErrorPlane>& cell_planes() const = 0;
  /// For n inputs. Give each circuit its own stream (Purpose::mismatch).
  virtual SoftmaxErrors sample(const Stream& mismatch, std::size_t n) const = 0;

  /// Standard deviation of p[k] at z from noise.
  virtual std::vector<double> output_noise(std::span<const double> z) const = 0;
  /// Inputs further below the largest of their row are clipped to this.
  virtual double input_range() const = 0;
  /// The least p that an input can get beside n - 1 equal largest ones: the range of inputs ends, transistors leak.
  virtual double floor(std::size_t n) const = 0;
  /// Of one row of n inputs.
  virtual FrontEndCost cost(std::size_t n) const = 0;
  /// Where the energy of one row goes that starts settled at z_before.
  virtual EnergyBook energy(std::span<const double> z_before, std::span<const double> z, double duration_s) const = 0;
};

class SoftmaxParameters {
 public:
  virtual ~SoftmaxParameters() = default;
  virtual void settings(Settings& v) = 0;
  /// Throws RefusedError where the design has no headroom.
  virtual std::unique_ptr<SoftmaxCircuit> make(Temperature temperature) const = 0;
  virtual std::unique_ptr<SoftmaxParameters> clone() const = 0;
};

/// A line of the catalogue.
struct SoftmaxEntry {
  std::string name;     ///< as in `softmax: {circuit: name}`
  std::string summary;  ///< one sentence
  std::string equations;
  std::string source;
  std::string smallest_yaml;  ///< a complete file: "softmax: {circuit: name}"
  std::unique_ptr<SoftmaxParameters> (*defaults)();
};

const std::vector<SoftmaxEntry>& softmax_catalog();
const std::vector<std::string>& softmax_names();
/// Throws InputError listing the known names.
const SoftmaxEntry& find_softmax(const std::string& name);
SoftmaxEntry softmax_array_entry();
SoftmaxEntry softmax_tree_entry();
SoftmaxEntry softmax_chain_entry();

/// `softmax:` in a file: the circuit and its own settings in the same mapping.
struct SoftmaxConfig {
  std::string circuit = "softmax_array";
  SoftmaxConfig();
  SoftmaxConfig(const SoftmaxConfig& other);
  SoftmaxConfig& operator=(const SoftmaxConfig& other);
  std::unique_ptr<SoftmaxCircuit> make(Temperature temperature) const { return parameters_->make(temperature); }
  void settings(Settings& v);
  /// Those of the circuit alone, for mappings that choose it in another way.
  void circuit_settings(Settings& v);

 private:
  std::unique_ptr<SoftmaxParameters> parameters_;
  std::string made_for_;  ///< the circuit that parameters_ belongs to
};

}  // namespace tellegen::circuits
