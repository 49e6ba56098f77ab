#pragma once
// A crossbar of capacitors as a matrix: column voltages are T times the change of the row voltages, exactly, floating
// rows and neighbouring columns included. Computed once; then a read costs a matrix product.
//
// Rows touch columns only, so floating rows are eliminated one by one. What is left is the capacitance matrix K of the
// columns [columns][columns]: K v = C' V + q. K is diagonal, sum_i C_ij + C_j, where no row floats and no neighbours
// couple.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/charge_array.h"

namespace tellegen::circuits {

/// An amplifier on every column with a capacitance from its output back to the column.
struct ChargeAmplifier {
  double feedback_F = 0;
  double gain = 0;  ///< open loop; infinity: the column stays at 0 V
};

class ChargeTransfer {
 public:
  /// `row_state` [rows]; empty: all driven. Without an amplifier columns float and their voltages are the outputs; with
  /// one its output voltages are. Throws InputError as check does, for an amplifier whose feedback or gain is not above
  /// 0, and for columns without any capacitance to ground or to a row that is held.
  ChargeTransfer(const ChargeArray& array, std::span<const RowState> row_state,
                 const std::optional<ChargeAmplifier>& amplifier = std::nullopt);

  /// T [columns][rows] [V/V]: change of the outputs per change of the inputs. 0 for grounded and floating rows.
  const std::vector<double>& transfer() const { return transfer_; }
  /// What charges on the columns [columns] (charge injection, for one) do to the outputs [V], [columns].
  std::vector<double> offsets_V(std::span<const double> column_C) const;
  /// Thermal noise that the opening reset switches leave at the outputs [V^2], [columns][columns]. Floating columns:
  /// kT K^-1 (equipartition). With an amplifier the switch lies across the feedback: kT / feedback_F of charge each,
  /// seen through the amplifier.
  std::vector<double> reset_covariance_V2(double temperature_K) const;
  /// Its standard deviation [V], [columns].
  std::vector<double> reset_noise_V(double temperature_K) const;

 private:
  std::int64_t columns_;
  std::vector<double> transfer_;
  std::vector<double> per_charge_;  ///< outputs per charge at the columns [V/C], [columns][columns]
  double feedback_F_ = 0;           ///< 0: no amplifier
};

}  // namespace tellegen::circuits
