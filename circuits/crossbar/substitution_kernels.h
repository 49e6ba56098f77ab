#pragma once
// The way back from the ports of an array to its inner nodes: an eliminated node has the mean of its neighbours'
// voltages, weighted by the conductances that it had to them when it was eliminated. Many operating points at once,
// side by side in memory.

#include <cstdint>

#include "tellegen/base/vector_units.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"

namespace tellegen::circuits {

/// node_V [nodes][count]: fills in the first `eliminated` nodes from the others. `factor`: the columns of those nodes
/// after `eliminate`, in a front of that many nodes.
void substitute(const double* factor, std::int64_t nodes, std::int64_t eliminated, double* node_V, std::int64_t count,
                VectorUnit unit = best_vector_unit());

/// node_V [program.nodes()][count]: fills in the eliminated nodes, which come first. `places`: what `run` has left
/// there.
void substitute(const LeafProgram& program, const double* places, double* node_V, std::int64_t count,
                VectorUnit unit = best_vector_unit());

}  // namespace tellegen::circuits
