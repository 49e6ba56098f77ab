#include "tellegen/circuits/converter/row_dacs.h"

#include <array>
#include <cmath>

#include "tellegen/circuits/converter/linearity.h"

namespace tellegen::circuits {
namespace {

constexpr std::uint64_t kDrawsPerRow = 64;
/// Gain, offset, edge; elements come behind.
constexpr std::uint64_t kFirstElement = 8;
/// Drives of all codes are kept up to here.
constexpr int kMostTableBits = 10;

bool has_elements(const std::string& kind) { return kind == "capacitive" || kind == "c2c" || kind == "r2r"; }

}  // namespace

RowDacs::RowDacs(const Dac& dac, std::int64_t rows, const Stream& mismatch)
    : full_drive_s_(dac.config.full_drive().si()) {
  const DacConfig& config = dac.config;
  if (!config.bits.ideal()) {
    bits_ = dac.digit_bits();
    largest_ = (std::int64_t{1} << bits_) - 1;
  }
  const bool unequal =
      largest_ > 0 && has_elements(config.kind) && (config.mismatch.element > 0 || config.nonlinearity.parasitic > 0);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t first = static_cast<std::uint64_t>(row) * kDrawsPerRow;
    std::array<float, 3> own{};
    mismatch.normals(first, own);
    DacNonlinearity curve = config.nonlinearity;
    curve.gain = (1 + curve.gain) * (1 + config.mismatch.gain * static_cast<double>(own[0])) - 1;
    curve.offset += config.mismatch.offset * static_cast<double>(own[1]);
    curve.edge_loss = curve.edge_loss + static_cast<double>(own[2]) * config.mismatch.edge;
    curves_.push_back(curve);
    if (!unequal) continue;
    const std::vector<double> weights = dac_bit_weights(config.kind, bits_, config.mismatch.element,
                                                        config.nonlinearity.parasitic, mismatch, first + kFirstElement);
    weights_.insert(weights_.end(), weights.begin(), weights.end());
  }
  if (largest_ == 0 || bits_ > kMostTableBits) return;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t digit = 0; digit <= largest_; ++digit) table_.push_back(static_cast<float>(of_digit(row, digit)));
  }
}

double RowDacs::of_digit(std::int64_t row, std::int64_t digit) const {
  double level = static_cast<double>(digit) / static_cast<double>(largest_);
  if (!weights_.empty()) {
    level = 0;
    for (int b = 0; b < bits_; ++b) {
      if ((digit >> b) & 1) level += weights_[static_cast<std::size_t>(row * bits_ + b)];
    }
  }
  return curves_[static_cast<std::size_t>(row)].at(level, full_drive_s_);
}

double RowDacs::at(std::int64_t row, double u) const {
  if (largest_ == 0) return curves_[static_cast<std::size_t>(row)].at(u, full_drive_s_);
  const std::int64_t digit = std::lround(u * static_cast<double>(largest_));
  if (table_.empty()) return of_digit(row, digit);
  return static_cast<double>(table_[static_cast<std::size_t>(row * (largest_ + 1) + digit)]);
}

template <class T>
void RowDacs::drive(const T* ideal, T* actual) const {
  for (std::int64_t row = 0; row < rows(); ++row) {
    const T u = ideal[row];
    const double given = at(row, std::abs(static_cast<double>(u)));
    actual[row] = static_cast<T>(u < T(0) ? -given : given);
  }
}

template void RowDacs::drive(const float*, float*) const;
template void RowDacs::drive(const double*, double*) const;

}  // namespace tellegen::circuits
