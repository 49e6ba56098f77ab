#pragma once
// One step of a layer with a state, for all entries of a batch.

#include <memory>
#include <span>

#include "tellegen/models/operators/recurrent.h"

namespace tellegen::models {

/// States of one direction between two steps.
struct CellState {
  Tensor state;  ///< [batch, hidden]
  Tensor cell;   ///< the same, LSTM only
};

/// Computes with the matrices of a layer: here, or by somebody else.
class StateProducts {
 public:
  StateProducts(std::span<const std::shared_ptr<const Linear>> matrices, const Recurrent::StateProduct& elsewhere)
      : matrices_(matrices), elsewhere_(elsewhere) {}
  /// What matrix `index` makes of states [count][inputs], bias included; valid until the next call.
  const Tensor& operator()(std::size_t index, const Tensor& states);

 private:
  std::span<const std::shared_ptr<const Linear>> matrices_;
  const Recurrent::StateProduct& elsewhere_;
  Tensor products_;
};

/// Advances `state` by one step. `sums` [batch, gates * hidden]: products with the input; `direction` chooses matrices,
/// activations and peepholes.
void step_cell(const RecurrentForm& form, std::int64_t direction, Tensor& sums, StateProducts& product,
               CellState& state);

}  // namespace tellegen::models
