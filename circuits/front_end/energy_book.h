#pragma once
// Where the energy of one evaluation of an analog circuit comes from and where it goes.

#include <string>
#include <vector>

namespace tellegen::circuits {

/// supply_J() == dissipated_J() + stored_J() + delivered_J() for every circuit, because voltages and currents obey
/// Kirchhoff's laws. Each side is summed from its own list: supplies from branch currents, the others element by
/// element from node voltages.
struct EnergyBook {
  struct Item {
    std::string name;
    double energy_J = 0;
  };
  std::vector<Item> supplied;    ///< by branch of the supply
  std::vector<Item> dissipated;  ///< by element
  std::vector<Item> stored;      ///< by capacitance; negative where it gave energy back
  std::vector<Item> delivered;   ///< to what the output drives

  double supply_J() const { return sum(supplied); }
  double dissipated_J() const { return sum(dissipated); }
  double stored_J() const { return sum(stored); }
  double delivered_J() const { return sum(delivered); }
  /// |supply - dissipated - stored - delivered| / supply.
  double imbalance() const;

 private:
  static double sum(const std::vector<Item>& items);
};

}  // namespace tellegen::circuits
