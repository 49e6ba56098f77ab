#pragma once
// One step of a layer with a state, for all entries of a batch.

#include "tellegen/models/operators/recurrent.h"

namespace tellegen::models {

/// States of one direction between two steps.
struct CellState {
  Tensor state;  ///< [batch, hidden]
  Tensor cell;   ///< the same, LSTM only
};

/// Advances `state` by one step. `sums` [batch, gates * hidden]: products with the input; `direction` chooses matrices,
/// activations and peepholes; `product` computes with the matrices.
void step_cell(const RecurrentForm& form, std::int64_t direction, Tensor& sums, const Recurrent::StateProduct& product,
               CellState& state);

}  // namespace tellegen::models
