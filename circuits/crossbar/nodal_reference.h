#pragma once
// The obvious solver: all nodal equations in one sparse matrix, factored by Eigen's SimplicialLDLT. Slow, short, any
// topology; the others are measured and tested against it.

#include <memory>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/nodal_solution.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// A factored array of linear cells, for any number of input vectors.
class NodalReference {
 public:
  /// `cell_S` [rows][columns]. Throws InputError as check, branch_conductances do.
  NodalReference(const Wires& wires, std::span<const double> cell_S);
  ~NodalReference();
  NodalReference(NodalReference&&) noexcept;
  NodalReference& operator=(NodalReference&&) noexcept;

  /// Node voltages are refined with residuals taken from branch voltage drops: a device of 1e-5 S is not rounded away
  /// beside a wire of 1 S, as it is in the diagonal of the matrix. Throws InputError as applied_voltages does.
  NodalSolution solve(std::span<const double> input_V) const;
  /// T [columns][rows] [S], output current per input volt: one solve per row.
  std::vector<double> transfer() const;

 private:
  struct Factored;
  std::unique_ptr<Factored> factored_;
};

}  // namespace tellegen::circuits
