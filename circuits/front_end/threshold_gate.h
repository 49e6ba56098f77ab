#pragma once
// Threshold gates as circuits: differential pairs (logistic gates), or comparators that switch the tails (hard gates).

#include <memory>
#include <vector>

#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/gate_design.h"
#include "tellegen/circuits/front_end/gate_mismatch.h"
#include "tellegen/circuits/front_end/gate_noise.h"
#include "tellegen/circuits/front_end/pair_kernels.h"
#include "tellegen/circuits/front_end/pair_table.h"

namespace tellegen::circuits {

class ThresholdGate final : public FrontEnd {
 public:
  ThresholdGate(const GateSettings& settings, const GateFunction& gate, Temperature temperature);

  const GateFunction& gate() const override { return design_.gate; }
  double transfer(double x) const override { return design_.output(design_.states(x), x); }
  double table_error() const override;
  InputLimits limits() const override { return design_.limits; }
  const std::vector<ErrorPlane>& error_planes() const override { return mismatch_.planes(); }
  UnitErrors sample(const Stream& mismatch, std::uint64_t first_unit, std::int64_t units) const override {
    return mismatch_.sample(mismatch, first_unit, units);
  }
  void evaluate(std::span<const float> x, const UnitErrors& errors, const Stream* noise, std::uint64_t first_element,
                std::span<float> y) const override;
  /// One draw for the currents, and one for each decision of a comparator.
  int draws_per_element() const override { return draws_; }
  /// Of comparators: without the jitter of the decision, which acts at the input (noise().white_x).
  double output_noise(double x) const override { return noise_.output(design_, design_.states(x)); }
  const FrontEndNoise& noise() const override { return noise_.at_input(); }
  const FrontEndCost& cost() const override { return cost_; }
  EnergyBook energy(double x_before, double x, double duration_s) const override;

  const ThresholdDesign& design() const { return design_; }
  const GateMismatch& mismatch() const { return mismatch_; }

 private:
  void prepare(std::size_t k);
  void evaluate_chunk(const float* x, std::int64_t count, const UnitErrors& errors, std::int64_t first_unit,
                      const float* normals, float* y) const;
  kernels::PairErrors errors_of(std::size_t k, const UnitErrors& errors, std::int64_t first_unit) const;

  ThresholdDesign design_;
  FrontEndCost cost_;
  GateNoise noise_;
  GateMismatch mismatch_;
  PairTable table_;
  VectorUnit unit_ = best_vector_unit();
  std::vector<kernels::PairConstants> constants_;
  std::vector<float> decision_x_;  ///< noise at the input of each pair's comparator
  bool stacked_ = false;
  int draws_ = 1;
};

class ThresholdGateParameters final : public FrontEndParameters {
 public:
  explicit ThresholdGateParameters(bool compares) { settings_.compares = compares; }
  void settings(Settings& v) override { settings_.settings(v); }
  std::unique_ptr<FrontEnd> make(const GateFunction& gate, Temperature temperature) const override;
  std::unique_ptr<FrontEndParameters> clone() const override;

 private:
  GateSettings settings_;
};

FrontEndEntry differential_pair_entry();
FrontEndEntry comparator_entry();

}  // namespace tellegen::circuits
