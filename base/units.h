#pragma once
// Typed quantities for borders. Inside kernels values are plain SI doubles whose names carry the unit (g_S, v_V).

#include <array>
#include <compare>
#include <string>
#include <string_view>

namespace tellegen {

/// Exponents of metre, kilogram, second, ampere, kelvin.
struct Dimension {
  std::array<int, 5> exponents{};
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

template <int L, int M, int T, int I, int K>
class Quantity {
 public:
  static constexpr Dimension dimension{{L, M, T, I, K}};
  constexpr Quantity() = default;
  /// Wraps a value that is already in SI units.
  static constexpr Quantity si(double value) { return Quantity(value); }
  constexpr double si() const { return value_; }
  /// The value counted in `unit`, for example energy.in(pJ).
  constexpr double in(Quantity unit) const { return value_ / unit.value_; }

  constexpr Quantity operator-() const { return Quantity(-value_); }
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator*(double s, Quantity q) { return Quantity(s * q.value_); }
  friend constexpr Quantity operator*(Quantity q, double s) { return Quantity(s * q.value_); }
  friend constexpr Quantity operator/(Quantity q, double s) { return Quantity(q.value_ / s); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  explicit constexpr Quantity(double value) : value_(value) {}
  double value_ = 0.0;
};

template <int L, int M, int T, int I, int K, int L2, int M2, int T2, int I2, int K2>
constexpr auto operator*(Quantity<L, M, T, I, K> a, Quantity<L2, M2, T2, I2, K2> b) {
  using Product = Quantity<L + L2, M + M2, T + T2, I + I2, K + K2>;
  return Product::si(a.si() * b.si());
}
template <int L, int M, int T, int I, int K, int L2, int M2, int T2, int I2, int K2>
requires(!(L == L2 && M == M2 && T == T2 && I == I2 && K == K2)) constexpr auto operator/(
    Quantity<L, M, T, I, K> a, Quantity<L2, M2, T2, I2, K2> b) {
  using Ratio = Quantity<L - L2, M - M2, T - T2, I - I2, K - K2>;
  return Ratio::si(a.si() / b.si());
}

using Length = Quantity<1, 0, 0, 0, 0>;
using Area = Quantity<2, 0, 0, 0, 0>;
using Time = Quantity<0, 0, 1, 0, 0>;
using Frequency = Quantity<0, 0, -1, 0, 0>;
using Temperature = Quantity<0, 0, 0, 0, 1>;
using Current = Quantity<0, 0, 0, 1, 0>;
using Charge = Quantity<0, 0, 1, 1, 0>;
using Voltage = Quantity<2, 1, -3, -1, 0>;
using Resistance = Quantity<2, 1, -3, -2, 0>;
using Conductance = Quantity<-2, -1, 3, 2, 0>;
using Capacitance = Quantity<-2, -1, 4, 2, 0>;
using Energy = Quantity<2, 1, -2, 0, 0>;
using Power = Quantity<2, 1, -3, 0, 0>;

namespace units {
inline constexpr auto m = Length::si(1), um = Length::si(1e-6), nm = Length::si(1e-9);
inline constexpr auto um2 = Area::si(1e-12), mm2 = Area::si(1e-6);
inline constexpr auto s = Time::si(1), ms = Time::si(1e-3), us = Time::si(1e-6), ns = Time::si(1e-9),
                      hour = Time::si(3600), day = Time::si(86400);
inline constexpr auto Hz = Frequency::si(1), MHz = Frequency::si(1e6), GHz = Frequency::si(1e9);
inline constexpr auto K = Temperature::si(1);
inline constexpr auto A = Current::si(1), uA = Current::si(1e-6), nA = Current::si(1e-9);
inline constexpr auto V = Voltage::si(1), mV = Voltage::si(1e-3);
inline constexpr auto ohm = Resistance::si(1), kohm = Resistance::si(1e3);
inline constexpr auto S = Conductance::si(1), uS = Conductance::si(1e-6);
inline constexpr auto F = Capacitance::si(1), fF = Capacitance::si(1e-15);
inline constexpr auto J = Energy::si(1), nJ = Energy::si(1e-9), pJ = Energy::si(1e-12), fJ = Energy::si(1e-15);
inline constexpr auto W = Power::si(1), mW = Power::si(1e-3), uW = Power::si(1e-6);
}  // namespace units

/// Reads "100 uS", "1 day", "0.2 V": a number, white space, a unit of unit_table.h. Returns the SI value, rounded once:
/// "100 uS" is the double 1e-4 (which 100 * 1e-6 is not). Throws UnitError with the reason and the units that fit
/// `dimension`.
double parse_quantity(std::string_view text, const Dimension& dimension);

/// For people: "25 uS", "1.31 uJ", "0.42 mm2", "1 day"; at most `digits` significant digits, in the smallest unit that
/// makes number < 1000.
std::string format_quantity(double value_SI, const Dimension& dimension, int digits = 3);

/// Lossless, for the resolved configuration: a unit from the table that fits ("25 uS", "2.5e-05 S" never), as many
/// digits as parse_quantity needs to return the same double. `value_SI` must be finite.
std::string write_quantity(double value_SI, const Dimension& dimension);

/// "uS, mS": what a message proposes; more are understood.
std::string known_units(const Dimension& dimension);

template <class Q>
Q parse(std::string_view text) {
  return Q::si(parse_quantity(text, Q::dimension));
}
template <class Q>
std::string format(Q q, int digits = 3) {
  return format_quantity(q.si(), Q::dimension, digits);
}

}  // namespace tellegen
