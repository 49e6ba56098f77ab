#pragma once
// From lists of branches, loads and areas to what one evaluation costs.

#include "tellegen/circuits/front_end/front_end.h"

namespace tellegen::circuits {

/// Area of a circuit over the gates of its transistors: wells, contacts, wires and dummies. An assumption.
inline constexpr Band layout_factor{2, 3, 5};
/// What a node is loaded with beside the gates that hang on it: drains and wires, per transistor. An assumption.
inline constexpr Band wiring_F{0.5e-15, 1e-15, 2e-15};
/// Gate capacitance per area where the card has none: 4.1 nm of oxide, as in 130 nm logic. An assumption.
inline constexpr Band oxide_F_per_m2{5e-3, 8.4e-3, 15e-3};

/// Fills power, bandwidth, settling, dynamic energy, energy and area from supply_V, branches, loads and areas. The time
/// constants of all loads add up (open-circuit time constants: never too fast), and an evaluation lasts until half a
/// step of `settled_bits` bits is reached, unless evaluation_s is already set. Each load is charged by `swing_V` once
/// per evaluation.
void sum_costs(FrontEndCost& cost, int settled_bits, double swing_V);

/// `count` transistors of one size, drawn.
AreaPart transistor_area(const std::string& name, double count, double gate_area_m2);

/// `branch` carries i_A out of the supply for t_s, through elements that drop the voltages given: the item of the
/// supply, and one for each element.
struct Drop {
  std::string element;
  double v_V = 0;
};
void book_branch(EnergyBook& book, double supply_V, const std::string& branch, double i_A, double t_s,
                 std::span<const Drop> drops);
/// A capacitance to ground goes from `from_V` to `to_V`: upwards through an element from the supply, downwards through
/// one to ground.
void book_charging(EnergyBook& book, double supply_V, const std::string& node, double c_F, double from_V, double to_V);

}  // namespace tellegen::circuits
