#pragma once
// Layers with a state that go through a sequence step by step: LSTM, GRU and the plain recurrent layer.
//
// Products with the input do not depend on the state: the import makes one Linear of them, for all steps and directions at
// once. What stays here are the products with the state, one matrix operation after the other (a crossbar may compute them),
// and the gates.

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "tellegen/models/operation.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models {

/// How a layer with a state is built.
struct RecurrentForm {
  enum class Cell {
    lstm,  ///< gates input, output, forget, cell
    gru,   ///< gates update, reset, hidden
    rnn    ///< one
  };
  enum class Order { forward, reverse, both };
  Cell cell = Cell::lstm;
  Order order = Order::forward;
  std::int64_t hidden = 0;
  /// GRU: the reset gate acts on the product with the state (as PyTorch does), not on the state.
  bool reset_after = false;
  bool input_forget = false;                            ///< LSTM: the forget gate is 1 - input gate
  float clip = std::numeric_limits<float>::infinity();  ///< limits sums before their activation
  /// Of each direction: for LSTM of gates, cell and output; for GRU of gates and hidden; for RNN one.
  std::vector<Pointwise> activations;
  std::vector<float> peepholes;  ///< LSTM [directions][3][hidden] for input, output, forget; or empty
  bool gives_final_states =
      false;  ///< two more steps at the end of the output: the last state, and the last cell state
  bool has_lengths = false, has_state = false, has_cell_state = false;  ///< which optional inputs follow the first
  /// Steps of the batch's sequence go on where the last call ended (Network::streaming).
  bool streaming = false;

  std::int64_t directions() const { return order == Order::both ? 2 : 1; }
  std::int64_t gates() const { return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1; }
};

class Recurrent final : public Operation {
 public:
  /// Products with states: gets matrix number `index` of matrices() and states [count][inputs], must return what that
  /// matrix makes of them, bias included, [count][outputs].
  using StateProduct = std::function<Tensor(std::size_t index, const Tensor& states)>;
  /// State and cell state [directions][batch][hidden], kept between calls of a streaming network. Empty: from the start.
  struct Memory {
    std::vector<Tensor> state, cell;
  };

  /// `matrices`: one per direction; for a GRU that resets before the product two per direction, update and reset
  /// together, then hidden.
  Recurrent(RecurrentForm form, std::vector<std::shared_ptr<const Linear>> matrices);
  const RecurrentForm& form() const { return form_; }
  std::span<const std::shared_ptr<const Linear>> matrices() const { return matrices_; }
  std::string label() const override;
  /// First input: products with the input [batch, steps, directions * gates * hidden], gates in the order of the form.
  /// Then, where the form has them, lengths [batch], initial state and cell state [batch or 1, directions, hidden].
  /// Output [batch, steps, directions, hidden].
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override { return run_with(inputs, {}, nullptr); }
  /// The same with products computed by somebody else (empty: here), and with a memory (null: none).
  Tensor run_with(std::span<const Tensor* const> inputs, const StateProduct& product, Memory* memory) const;
  /// Gates are sigmoids and multiplications; the sigmoids are what is counted per output element.
  std::string digital_unit() const override { return form_.cell == RecurrentForm::Cell::rnn ? "tanh" : "sigmoid"; }
  std::int64_t parameters() const override;
  bool has_weights() const override;

 private:
  RecurrentForm form_;
  std::vector<std::shared_ptr<const Linear>> matrices_;
};

}  // namespace tellegen::models
