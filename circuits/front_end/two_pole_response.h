#pragma once
// H(s) = 1 / (1 + b s + a s^2): an amplifier with feedback around one pole of its own.

namespace tellegen::circuits {

struct TwoPoleResponse {
  double first_s = 0;    ///< b
  double second_s2 = 0;  ///< a
  /// -3 dB, closed form.
  double bandwidth_Hz() const;
  /// Until the envelope of a step is within 2^-(bits + 1) of its end, at most.
  double settling_s(int bits) const;
};

/// Feedback capacitance for the flattest response (b^2 = 2 a) of a resistor r_ohm around an integrator of unity_per_s
/// with input_F at its input, where b = r C + slow_s and a = r (input + C) / unity; 0 where it is flat without.
double flat_capacitance(double r_ohm, double input_F, double unity_per_s, double slow_s);

}  // namespace tellegen::circuits
