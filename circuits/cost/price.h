#pragma once
// What one component costs, with its pedigree. Prices are looked up once per component; the ledger multiplies them by
// counts.

#include <string>
#include <utility>
#include <vector>

namespace tellegen::circuits {

/// A value with its spread: low <= typical <= high, in one SI unit. Sums are interval sums: all low, or all high.
struct Band {
  double low = 0, typical = 0, high = 0;

  /// A value that is calculated, not looked up: it has no spread.
  static constexpr Band exact(double value) { return {value, value, value}; }
  constexpr Band& operator+=(const Band& other) {
    low += other.low;
    typical += other.typical;
    high += other.high;
    return *this;
  }
  friend constexpr Band operator+(Band a, const Band& b) { return a += b; }
  /// `factor` >= 0.
  friend constexpr Band operator*(double factor, const Band& b) {
    return {factor * b.low, factor * b.typical, factor * b.high};
  }
  friend constexpr Band operator*(const Band& b, double factor) { return factor * b; }
  friend constexpr bool operator==(const Band&, const Band&) = default;
};

/// Where a price comes from and how it was brought to the chip's node.
struct Provenance {
  std::string source;    ///< keys of configs/costs/sources.yaml, joined by " + "
  std::string evidence;  ///< silicon, synthesis, simulation, paper_table, memory, or derived (geometry and physics)
  double node_nm = 0;    ///< node of the source; 0 where the price does not depend on one
  std::string scaling;   ///< "none", or the path: "Stillmaker & Baas, 45 nm 0.9 V to 32 nm 0.9 V"
  std::string spread;    ///< how low and high were found: "assumed x/4 (paper table)" or measured against what
  std::vector<std::string> warnings;  ///< bounds of the model that this use leaves, full sentences
};

/// The price of one component. Energy is per action, area and static power per instance, latency per action.
struct Price {
  Band energy_J;
  Band area_m2;
  Band static_W;
  double latency_s = 0;
  Provenance from;
  std::string formula;                                 ///< of the typical energy, in the names of `inputs`
  std::vector<std::pair<std::string, double>> inputs;  ///< name with unit suffix, value
};

/// One action and one instance of each named part: what a composed unit (SiLU = sigmoid + multiply) costs. Latencies
/// add.
Price combine(const std::vector<std::pair<std::string, Price>>& parts);

/// A component that costs nothing (an ideal converter, no activation), saying why.
Price free_of_cost(const std::string& why);

/// `number` for people: six significant digits at most ("1.2e+09", "0.28").
std::string short_number(double number);

}  // namespace tellegen::circuits
