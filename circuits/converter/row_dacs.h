#pragma once
// The DACs of the rows of one array where no two are alike (chip.dac.mismatch).

#include <cstdint>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/dac.h"

namespace tellegen::circuits {

/// Immutable. Each row has its own elements, gain, offset and pulse edges; the transfer curve is that of all, behind the
/// elements.
class RowDacs {
 public:
  /// `mismatch`: stream of this array's DACs; row r takes its elements 64 r .. 64 r + 63, so that it is the same in an array of
  /// any height.
  RowDacs(const Dac& dac, std::int64_t rows, const Stream& mismatch);
  std::int64_t rows() const { return static_cast<std::int64_t>(curves_.size()); }

  /// actual[rows] of ideal[rows]: drives of one slice in [-1, 1] without a transfer curve. May be the same.
  template <class T>
  void drive(const T* ideal, T* actual) const;
  /// Drive of a row by the magnitude u in [0, 1] of an ideal one.
  double at(std::int64_t row, double u) const;

 private:
  double of_digit(std::int64_t row, std::int64_t digit) const;

  double full_drive_s_;
  std::int64_t largest_ = 0;             ///< digit; 0: ideal, any u
  int bits_ = 0;                         ///< of a digit
  std::vector<DacNonlinearity> curves_;  ///< [rows]: transfer curve with the row's gain, offset and edge
  std::vector<double> weights_;          ///< [rows][bits], least significant first; empty: exact
  std::vector<float> table_;             ///< [rows][largest + 1] of what is asked for again and again; empty: too large
};

}  // namespace tellegen::circuits
