#include "tellegen/models/operators/recurrent.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/recurrent_cell.h"

namespace tellegen::models {

namespace {

using Form = RecurrentForm;

/// The optional inputs by name; null where the form has none.
struct Inputs {
  const Tensor* sums = nullptr;
  const Tensor* lengths = nullptr;
  const Tensor* state = nullptr;
  const Tensor* cell = nullptr;
};
Inputs named(const Form& form, std::span<const Tensor* const> inputs) {
  Inputs by_name;
  std::size_t next = 0;
  by_name.sums = inputs[next++];
  if (form.has_lengths) by_name.lengths = inputs[next++];
  if (form.has_state) by_name.state = inputs[next++];
  if (form.has_cell_state) by_name.cell = inputs[next++];
  return by_name;
}

/// State of one direction [batch, hidden] out of [batch or 1, directions, hidden]; zeros where there is none.
Tensor start_state(const Form& form, const Tensor* given, std::int64_t direction, std::int64_t batch) {
  Tensor state{{batch, form.hidden}, std::vector<float>(static_cast<std::size_t>(batch * form.hidden))};
  if (given == nullptr) return state;
  for (std::int64_t entry = 0; entry < batch; ++entry) {
    const std::int64_t from = given->shape[0] == 1 ? 0 : entry;
    std::copy_n(given->data.data() + (from * form.directions() + direction) * form.hidden, form.hidden,
                state.data.data() + entry * form.hidden);
  }
  return state;
}

std::vector<std::int64_t> read_lengths(const Tensor* lengths, std::int64_t batch, std::int64_t steps) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(batch), steps);
  if (lengths == nullptr) return result;
  for (std::size_t entry = 0; entry < result.size(); ++entry)
    result[entry] = std::clamp<std::int64_t>(static_cast<std::int64_t>(lengths->data[entry]), 0, steps);
  return result;
}

/// One direction through all steps of a batch.
class Run {
 public:
  Run(const Form& form, const Inputs& inputs, StateProducts& product, Tensor& output)
      : form_(form),
        inputs_(inputs),
        product_(product),
        output_(output),
        batch_(inputs.sums->shape[0]),
        steps_(inputs.sums->shape[1]),
        lengths_(read_lengths(inputs.lengths, batch_, steps_)) {}

  void direction(std::int64_t number, CellState& state) {
    reversed_ = form_.order == Form::Order::reverse || number == 1;
    const std::int64_t width = form_.gates() * form_.hidden;
    Tensor sums{{batch_, width}, std::vector<float>(static_cast<std::size_t>(batch_ * width))};
    for (std::int64_t step = 0; step < steps_; ++step) {
      for (std::int64_t entry = 0; entry < batch_; ++entry)
        std::copy_n(
            inputs_.sums->data.data() + ((entry * steps_ + place(entry, step)) * form_.directions() + number) * width,
            width, sums.data.data() + entry * width);
      const CellState before = keeps_some(step) ? state : CellState{};
      step_cell(form_, number, sums, product_, state);
      finish(number, step, before, state);
    }
    if (form_.gives_final_states) {
      for (std::int64_t entry = 0; entry < batch_; ++entry) {
        put(entry, steps_, number, state.state);
        if (!state.cell.data.empty()) put(entry, steps_ + 1, number, state.cell);
      }
    }
  }

 private:
  /// Where in time an entry is at a step; what lies behind its length is read as padding and thrown away.
  std::int64_t place(std::int64_t entry, std::int64_t step) const {
    const std::int64_t length = lengths_[static_cast<std::size_t>(entry)];
    return reversed_ && step < length ? length - 1 - step : step;
  }

  bool keeps_some(std::int64_t step) const {
    return std::any_of(lengths_.begin(), lengths_.end(), [step](std::int64_t length) { return step >= length; });
  }

  /// Writes outputs; entries that have ended keep their state and give zeros.
  void finish(std::int64_t number, std::int64_t step, const CellState& before, CellState& state) {
    for (std::int64_t entry = 0; entry < batch_; ++entry) {
      if (step < lengths_[static_cast<std::size_t>(entry)]) {
        put(entry, place(entry, step), number, state.state);
        continue;
      }
      const auto keep = [&](const Tensor& from, Tensor& to) {
        if (!to.data.empty())
          std::copy_n(from.data.data() + entry * form_.hidden, form_.hidden, to.data.data() + entry * form_.hidden);
      };
      keep(before.state, state.state);
      keep(before.cell, state.cell);
    }
  }

  void put(std::int64_t entry, std::int64_t step, std::int64_t number, const Tensor& state) {
    std::copy_n(state.data.data() + entry * form_.hidden, form_.hidden,
                output_.data.data() + ((entry * output_.shape[1] + step) * form_.directions() + number) * form_.hidden);
  }

  const Form& form_;
  const Inputs& inputs_;
  StateProducts& product_;
  Tensor& output_;
  std::int64_t batch_, steps_;
  std::vector<std::int64_t> lengths_;
  bool reversed_ = false;
};

}  // namespace

Recurrent::Recurrent(RecurrentForm form, std::vector<std::shared_ptr<const Linear>> matrices)
    : form_(std::move(form)), matrices_(std::move(matrices)) {
  const bool two = form_.cell == Form::Cell::gru && !form_.reset_after;
  TELLEGEN_ASSERT(static_cast<std::int64_t>(matrices_.size()) == form_.directions() * (two ? 2 : 1));
}

std::string Recurrent::label() const {
  const char* order = form_.order == Form::Order::both      ? "bidirectional "
                      : form_.order == Form::Order::reverse ? "reverse "
                                                            : "";
  const char* cell = form_.cell == Form::Cell::lstm ? "lstm" : form_.cell == Form::Cell::gru ? "gru" : "rnn";
  return std::string(order) + cell;
}

std::int64_t Recurrent::parameters() const {
  auto total = static_cast<std::int64_t>(form_.peepholes.size());
  for (const auto& matrix : matrices_) total += matrix->parameters();
  return total;
}

bool Recurrent::has_weights() const {
  return std::all_of(matrices_.begin(), matrices_.end(), [](const auto& matrix) { return matrix->has_weights(); });
}

Shape Recurrent::output_shape(std::span<const Shape> inputs) const {
  const Shape& sums = inputs[0];
  const std::int64_t width = form_.directions() * form_.gates() * form_.hidden;
  if (sums.size() != 3 || sums[2] != width)
    throw InputError("has gates for " + std::to_string(width) + " sums and an input of shape '" + to_string(sums) +
                     "'.");
  std::size_t next = form_.has_lengths ? 2 : 1;
  for (; next < inputs.size(); ++next) {
    const Shape& state = inputs[next];
    const bool fits = state.size() == 3 && (state[0] == 1 || state[0] == sums[0]) && state[1] == form_.directions() &&
                      state[2] == form_.hidden;
    if (!fits) throw InputError("has an initial state of shape '" + to_string(state) + "' that does not fit.");
  }
  return {sums[0], sums[1] + (form_.gives_final_states ? 2 : 0), form_.directions(), form_.hidden};
}

Tensor Recurrent::run_with(std::span<const Tensor* const> inputs, const StateProduct& product, Memory* memory) const {
  const Inputs by_name = named(form_, inputs);
  std::vector<Shape> shapes;
  for (const Tensor* input : inputs) shapes.push_back(input->shape);
  Tensor output;
  output.shape = output_shape(shapes);
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  StateProducts products(matrices_, product);
  Run run(form_, by_name, products, output);
  const std::int64_t batch = by_name.sums->shape[0];
  const bool remembers = memory != nullptr && form_.streaming;
  for (std::int64_t direction = 0; direction < form_.directions(); ++direction) {
    CellState state;
    const auto number = static_cast<std::size_t>(direction);
    if (remembers && number < memory->state.size()) {
      state = {memory->state[number], memory->cell[number]};
    } else {
      state.state = start_state(form_, by_name.state, direction, batch);
      if (form_.cell == Form::Cell::lstm) state.cell = start_state(form_, by_name.cell, direction, batch);
    }
    run.direction(direction, state);
    if (!remembers) continue;
    memory->state.resize(static_cast<std::size_t>(form_.directions()));
    memory->cell.resize(memory->state.size());
    memory->state[number] = std::move(state.state);
    memory->cell[number] = std::move(state.cell);
  }
  return output;
}

}  // namespace tellegen::models
