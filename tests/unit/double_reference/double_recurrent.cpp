#include <cmath>

#include "double_network.h"
#include "tellegen/base/error.h"

namespace tellegen::models::reference {

namespace {

/// One sequence in one direction.
class Sequence {
 public:
  Sequence(const Recurrent& layer, std::int64_t direction, const Functions& functions)
      : form_(layer.form()),
        direction_(direction),
        matrices_(layer.matrices()),
        state_(static_cast<std::size_t>(form_.hidden), 0.0),
        cell_(state_) {
    const std::size_t each = form_.activations.size() / static_cast<std::size_t>(form_.directions());
    for (std::size_t i = 0; i < each; ++i)
      curves_.push_back(functions.curve(form_.activations[static_cast<std::size_t>(direction) * each + i]));
  }
  const std::vector<double>& state() const { return state_; }
  const std::vector<double>& cell() const { return cell_; }

  void step(const double* sums) {
    if (form_.cell == RecurrentForm::Cell::lstm)
      lstm(sums);
    else
      gru(sums);
  }

 private:
  /// One gate's sums of a matrix with `states`, bias included.
  std::vector<double> product(std::size_t matrix, std::int64_t gate, const std::vector<double>& states) const {
    const Linear& linear = *matrices_[matrix];
    std::vector<double> result;
    for (std::int64_t output = gate * form_.hidden; output < (gate + 1) * form_.hidden; ++output) {
      double sum = linear.bias().empty() ? 0.0 : static_cast<double>(linear.bias()[static_cast<std::size_t>(output)]);
      for (std::int64_t i = 0; i < form_.hidden; ++i)
        sum += static_cast<double>(linear.weights()[static_cast<std::size_t>(output * form_.hidden + i)]) *
               states[static_cast<std::size_t>(i)];
      result.push_back(sum);
    }
    return result;
  }

  /// Gates stand in the order input, output, forget, candidate.
  void lstm(const double* sums) {
    std::vector<std::vector<double>> gates;
    for (std::int64_t g = 0; g < 4; ++g) gates.push_back(product(static_cast<std::size_t>(direction_), g, state_));
    const auto hidden = static_cast<std::size_t>(form_.hidden);
    for (std::size_t i = 0; i < hidden; ++i) {
      const auto gate = [&](std::size_t g, std::size_t curve) {
        return curves_[curve](gates[g][i] + sums[g * hidden + i]);
      };
      cell_[i] = gate(2, 0) * cell_[i] + gate(0, 0) * gate(3, 1);
      state_[i] = gate(1, 0) * curves_[2](cell_[i]);
    }
  }

  /// Gates stand in the order update, reset, hidden.
  void gru(const double* sums) {
    const auto hidden = static_cast<std::size_t>(form_.hidden);
    const auto first = static_cast<std::size_t>(form_.reset_after ? direction_ : 2 * direction_);
    const std::vector<double> update = product(first, 0, state_), reset = product(first, 1, state_);
    std::vector<double> resets(hidden), other = state_;
    for (std::size_t i = 0; i < hidden; ++i) resets[i] = curves_[0](reset[i] + sums[hidden + i]);
    if (!form_.reset_after)
      for (std::size_t i = 0; i < hidden; ++i) other[i] *= resets[i];
    std::vector<double> candidate = form_.reset_after ? product(first, 2, other) : product(first + 1, 0, other);
    for (std::size_t i = 0; i < hidden; ++i) {
      if (form_.reset_after) candidate[i] *= resets[i];
      const double z = curves_[0](update[i] + sums[i]), n = curves_[1](candidate[i] + sums[2 * hidden + i]);
      state_[i] = (1 - z) * n + z * state_[i];
    }
  }

  const RecurrentForm& form_;
  std::int64_t direction_;
  std::span<const std::shared_ptr<const Linear>> matrices_;
  std::vector<double> state_, cell_;
  std::vector<Curve> curves_;
};

}  // namespace

Doubles run_recurrent(const Recurrent& layer, const Doubles& sums, const Functions& functions) {
  const RecurrentForm& form = layer.form();
  TELLEGEN_ASSERT(form.cell != RecurrentForm::Cell::rnn && form.peepholes.empty() && !form.input_forget &&
                  std::isinf(form.clip) && !form.has_lengths && !form.has_state && !form.has_cell_state);
  Doubles result;
  result.shape = layer.output_shape(std::span<const Shape>(&sums.shape, 1));
  result.data.assign(static_cast<std::size_t>(element_count(result.shape)), 0.0);
  const std::int64_t batch = sums.shape[0], steps = sums.shape[1], width = form.gates() * form.hidden;
  for (std::int64_t entry = 0; entry < batch; ++entry)
    for (std::int64_t direction = 0; direction < form.directions(); ++direction) {
      Sequence sequence(layer, direction, functions);
      const auto put = [&](std::int64_t step, const std::vector<double>& values) {
        const std::int64_t at = ((entry * result.shape[1] + step) * form.directions() + direction) * form.hidden;
        std::copy(values.begin(), values.end(), result.data.begin() + at);
      };
      const bool backwards = form.order == RecurrentForm::Order::reverse || direction == 1;
      for (std::int64_t i = 0; i < steps; ++i) {
        const std::int64_t step = backwards ? steps - 1 - i : i;
        sequence.step(sums.data.data() + ((entry * steps + step) * form.directions() + direction) * width);
        put(step, sequence.state());
      }
      if (!form.gives_final_states) continue;
      put(steps, sequence.state());
      if (form.cell == RecurrentForm::Cell::lstm) put(steps + 1, sequence.cell());
    }
  return result;
}

}  // namespace tellegen::models::reference
