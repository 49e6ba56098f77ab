#pragma once
// Which unknown of a system of capacitances (or conductances) has no way to anything that is held.

#include <Eigen/Core>
#include <optional>

namespace tellegen::circuits {

/// The first of the unknowns that no path of non-zero entries of `coupling` joins to one with to_held > 0: the equations
/// say nothing about its voltage. Empty where there is none.
std::optional<Eigen::Index> first_unanchored(const Eigen::Ref<const Eigen::MatrixXd>& coupling,
                                             const Eigen::VectorXd& to_held);

}  // namespace tellegen::circuits
