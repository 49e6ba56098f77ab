#include "tellegen/models/operators/recurrent_cell.h"

#include <algorithm>
#include <cmath>

#include "tellegen/models/operators/activation_kernels.h"
#include "tellegen/models/operators/dense_product.h"

namespace tellegen::models {

namespace {

/// In place on `size` numbers.
void activate(const Pointwise& function, float clip, float* data, std::int64_t size) {
  if (std::isfinite(clip))
    for (std::int64_t i = 0; i < size; ++i) data[i] = std::clamp(data[i], -clip, clip);
  if (function.kind() == Pointwise::Kind::sigmoid) {
    kernels::sigmoid(best_vector_unit(), data, size);
  } else if (function.kind() == Pointwise::Kind::tanh) {
    kernels::tanh(best_vector_unit(), data, size);
  } else {
    const Tensor input{{size}, {data, data + size}};
    const Tensor* inputs[] = {&input};
    std::ranges::copy(function.run(inputs).data, data);
  }
}

const Pointwise& function(const RecurrentForm& form, std::int64_t direction, std::size_t which) {
  const std::size_t each = form.activations.size() / static_cast<std::size_t>(form.directions());
  return form.activations[static_cast<std::size_t>(direction) * each + which];
}

void add(Tensor& sums, const Tensor& more) {
  for (std::size_t i = 0; i < sums.data.size(); ++i) sums.data[i] += more.data[i];
}

/// One entry of the batch: gates [input, output, forget, cell][hidden], which end as their activations.
void lstm_entry(const RecurrentForm& form, std::int64_t direction, float* gates, float* state, float* cell,
                float* scratch) {
  const std::int64_t hidden = form.hidden;
  float *input = gates, *output = gates + hidden, *forget = gates + 2 * hidden, *candidate = gates + 3 * hidden;
  const float* peep = form.peepholes.empty() ? nullptr : form.peepholes.data() + direction * 3 * hidden;
  const Pointwise& gate = function(form, direction, 0);
  for (std::int64_t i = 0; peep != nullptr && i < hidden; ++i) {
    input[i] += peep[i] * cell[i];
    forget[i] += peep[2 * hidden + i] * cell[i];
  }
  activate(gate, form.clip, input, hidden);
  if (form.input_forget)
    for (std::int64_t i = 0; i < hidden; ++i) forget[i] = 1.0F - input[i];
  else
    activate(gate, form.clip, forget, hidden);
  activate(function(form, direction, 1), form.clip, candidate, hidden);
  for (std::int64_t i = 0; i < hidden; ++i) cell[i] = forget[i] * cell[i] + input[i] * candidate[i];
  for (std::int64_t i = 0; peep != nullptr && i < hidden; ++i) output[i] += peep[hidden + i] * cell[i];
  activate(gate, form.clip, output, hidden);
  std::copy_n(cell, hidden, scratch);
  activate(function(form, direction, 2), std::numeric_limits<float>::infinity(), scratch, hidden);
  for (std::int64_t i = 0; i < hidden; ++i) state[i] = output[i] * scratch[i];
}

void step_lstm(const RecurrentForm& form, std::int64_t direction, Tensor& sums, StateProducts& product,
               CellState& state) {
  add(sums, product(static_cast<std::size_t>(direction), state.state));
  std::vector<float> scratch(static_cast<std::size_t>(form.hidden));
  for (std::int64_t entry = 0; entry < sums.shape[0]; ++entry)
    lstm_entry(form, direction, sums.data.data() + entry * 4 * form.hidden,
               state.state.data.data() + entry * form.hidden, state.cell.data.data() + entry * form.hidden,
               scratch.data());
}

/// state = (1 - update) * candidate + update * state.
void mix(const float* update, const float* candidate, float* state, std::int64_t hidden) {
  for (std::int64_t i = 0; i < hidden; ++i) state[i] = candidate[i] + update[i] * (state[i] - candidate[i]);
}

void step_gru_reset_after(const RecurrentForm& form, std::int64_t direction, Tensor& sums, StateProducts& product,
                          CellState& state) {
  const std::int64_t hidden = form.hidden;
  const Tensor& products = product(static_cast<std::size_t>(direction), state.state);
  for (std::int64_t entry = 0; entry < sums.shape[0]; ++entry) {
    float* gates = sums.data.data() + entry * 3 * hidden;
    const float* recurrent = products.data.data() + entry * 3 * hidden;
    for (std::int64_t i = 0; i < 2 * hidden; ++i) gates[i] += recurrent[i];
    activate(function(form, direction, 0), form.clip, gates, 2 * hidden);
    for (std::int64_t i = 0; i < hidden; ++i) gates[2 * hidden + i] += gates[hidden + i] * recurrent[2 * hidden + i];
    activate(function(form, direction, 1), form.clip, gates + 2 * hidden, hidden);
    mix(gates, gates + 2 * hidden, state.state.data.data() + entry * hidden, hidden);
  }
}

void step_gru_reset_before(const RecurrentForm& form, std::int64_t direction, Tensor& sums, StateProducts& product,
                           CellState& state) {
  const std::int64_t hidden = form.hidden;
  const Tensor& products = product(static_cast<std::size_t>(2 * direction), state.state);
  Tensor reset = state.state;
  for (std::int64_t entry = 0; entry < sums.shape[0]; ++entry) {
    float* gates = sums.data.data() + entry * 3 * hidden;
    for (std::int64_t i = 0; i < 2 * hidden; ++i) gates[i] += products.data[entry * 2 * hidden + i];
    activate(function(form, direction, 0), form.clip, gates, 2 * hidden);
    for (std::int64_t i = 0; i < hidden; ++i) reset.data[entry * hidden + i] *= gates[hidden + i];
  }
  const Tensor& candidates = product(static_cast<std::size_t>(2 * direction + 1), reset);
  for (std::int64_t entry = 0; entry < sums.shape[0]; ++entry) {
    float* gates = sums.data.data() + entry * 3 * hidden;
    for (std::int64_t i = 0; i < hidden; ++i) gates[2 * hidden + i] += candidates.data[entry * hidden + i];
    activate(function(form, direction, 1), form.clip, gates + 2 * hidden, hidden);
    mix(gates, gates + 2 * hidden, state.state.data.data() + entry * hidden, hidden);
  }
}

void step_rnn(const RecurrentForm& form, std::int64_t direction, Tensor& sums, StateProducts& product,
              CellState& state) {
  add(sums, product(static_cast<std::size_t>(direction), state.state));
  activate(function(form, direction, 0), form.clip, sums.data.data(), sums.size());
  state.state.data = sums.data;
}

}  // namespace

const Tensor& StateProducts::operator()(std::size_t index, const Tensor& states) {
  if (elsewhere_) {
    products_ = elsewhere_(index, states);
    return products_;
  }
  const Linear& matrix = *matrices_[index];
  const std::int64_t count = states.shape[0], inputs = matrix.rows_per_group(), outputs = matrix.outputs_per_group();
  products_.shape = {count, outputs};
  products_.data.resize(static_cast<std::size_t>(count * outputs));
  for (std::int64_t row = 0; row < count && !matrix.bias().empty(); ++row)
    std::ranges::copy(matrix.bias(), products_.data.begin() + row * outputs);
  dense_product_transposed(count, outputs, inputs, states.data.data(), inputs, matrix.weights().data(), inputs,
                           matrix.bias().empty() ? 0.0F : 1.0F, products_.data.data(), outputs);
  return products_;
}

void step_cell(const RecurrentForm& form, std::int64_t direction, Tensor& sums, StateProducts& product,
               CellState& state) {
  switch (form.cell) {
    case RecurrentForm::Cell::lstm:
      return step_lstm(form, direction, sums, product, state);
    case RecurrentForm::Cell::gru:
      return form.reset_after ? step_gru_reset_after(form, direction, sums, product, state)
                              : step_gru_reset_before(form, direction, sums, product, state);
    case RecurrentForm::Cell::rnn:
      return step_rnn(form, direction, sums, product, state);
  }
}

}  // namespace tellegen::models
