#pragma once
// How fast the outputs of a crossbar follow its inputs, when its wires have capacitance.
//
// A capacitance C_n to ground at every node turns the nodal equations into C dv/dt + A v = B V, I = D v. In the
// coordinates in which A and C are both diagonal the nodes are independent: v is the settled voltage plus modes that
// fade as exp(-t / tau_m), so currents at any time and charges over any window are closed forms. Four answers, from
// cheap to complete:
//   slowest_time_bound_s   one number, any size, one sparse factorisation
//   SettledReadout         the charge that settling costs, any size: exact once the modes have faded in a window
//   reduced_response       everything that the outputs show, by a few hundred modes: seconds for 64 x 64
//   modal_response         everything, for arrays that are small enough: the slow reference

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/read_waveform.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// Capacitance to ground at each node w(i,j) and b(i,j) [F]: one wire segment and what a cell hangs on it. 0 is a wire
/// that follows at once.
struct NodeCapacitance {
  double row_F = 0;
  double column_F = 0;
};

/// The largest Elmore time of any node [s]: max over n of (A^-1 C 1)_n, sums of resistance shared with the way to the
/// terminals times capacitance, with the cells as additional ways to ground. No time constant of the array is larger
/// (A^-1 has no negative entry, so its row sums bound the eigenvalues of A^-1 C). For the end of a plain line of N
/// segments it is R_driver N c + r c N (N + 1) / 2. Throws InputError as check, branch_conductances do, and for a
/// capacitance that is negative or not finite.
double slowest_time_bound_s(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance);

/// Time until one mode has faded to half a step of a converter of `bits` bits: (bits + 1) ln 2 tau. With the bound
/// above: an estimate on the safe side by 10 to 20 % for plain lines, where the settled value is shared by few modes.
double half_step_time_s(double time_constant_s, int bits);

/// A read in which every window is long against the slowest time constant.
class SettledReadout {
 public:
  /// One collapse that keeps node voltages, then 2 rows x columns^2 x rows products. Throws InputError as above.
  SettledReadout(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance);

  /// T [columns][rows] [S].
  const std::vector<double>& transfer_S() const { return transfer_S_; }
  /// M [columns][rows] [F]: charge per volt that is missing at an output after a step of an input, compared with a
  /// current that settles at once.
  const std::vector<double>& missing_F() const { return missing_F_; }

  /// Charges [windows][columns] [C] of windows of `window_s` with constant inputs `input_V` [windows][rows], starting
  /// from rest: T V_k window - M (V_k - V_k-1). What a window leaves behind lies in the next one.
  std::vector<double> window_charges_C(std::span<const double> input_V, double window_s) const;
  /// Charges [columns] of a window that begins with the pulses and ends when the array is at rest again: T (V t),
  /// exactly. Wires and their capacitance delay the charge but lose none of it.
  std::vector<double> pulse_charges_C(std::span<const double> amplitude_V, std::span<const double> width_s) const;

 private:
  std::vector<double> applied(std::span<const double> input_V) const;

  Wires wires_;
  std::vector<double> transfer_S_, missing_F_;
};

/// Modes of an array: all of them, or those of a smaller system that its terminals can hardly tell from it.
class ModalResponse {
 public:
  static constexpr std::int64_t most_nodes = 2048;  ///< 32 x 32 cells: dense eigenvalues, half a minute

  const std::vector<double>& time_constants_s() const { return time_constants_s_; }  ///< slowest first
  const std::vector<double>& transfer_S() const { return transfer_S_; }              ///< T [columns][rows]

  /// Output currents [columns] [A] at `time_s`. `steps` in order of time, none before 0 s.
  std::vector<double> currents_A(std::span<const VoltageStep> steps, double time_s) const;
  /// Charges [windows][columns] [C]; window k lasts from the end of the one before (0 s) to window_end_s[k].
  std::vector<double> charges_C(std::span<const VoltageStep> steps, std::span<const double> window_end_s) const;
  /// After a step from rest to `input_V`: the last time at which an output is `tolerance_A` or more away from its
  /// settled value [s].
  double settling_time_s(std::span<const double> input_V, double tolerance_A) const;

 private:
  class Walk;
  friend std::variant<ModalResponse, Refusal> modal_response(const Wires&, std::span<const double>,
                                                             const NodeCapacitance&);
  friend ModalResponse reduced_response(const Wires&, std::span<const double>, const NodeCapacitance&, int);
  Wires wires_;
  std::vector<double> time_constants_s_;
  std::vector<double> transfer_S_;
  std::vector<double> from_input_;  ///< settled amplitude of mode m per volt at row i, [modes][rows]
  std::vector<double> to_output_;   ///< current of output j per amplitude of mode m, [columns][modes]
};

/// Refuses arrays with more than ModalResponse::most_nodes nodes. Throws InputError as slowest_time_bound_s does.
std::variant<ModalResponse, Refusal> modal_response(const Wires& wires, std::span<const double> cell_S,
                                                    const NodeCapacitance& capacitance);

/// The same from the nodal equations projected on the first `blocks` blocks A^-1 B, A^-1 C A^-1 B, ... of inputs and
/// outputs: at most blocks x (rows + columns) modes. For any size; passive, settles exactly, and the first 2 x blocks
/// moments of the outputs in time are exact (the charge that settling costs is the first of them). What is lost are
/// modes that fade at once. With 3 blocks, 1 ohm wires, 1 to 100 uS, up to 64 x 64: settling times to 8 or 12 bits within
/// 1e-5; one slowest time constant after a step currents within 2e-4 and charges within 1e-4 of the settled ones (1e-8
/// behind drivers of 500 ohm). Throws InputError as slowest_time_bound_s does, and for blocks below 1.
ModalResponse reduced_response(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance,
                               int blocks = 3);

}  // namespace tellegen::circuits
