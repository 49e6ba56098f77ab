#include "tellegen/models/operators/recurrent_import.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/constant.h"
#include "tellegen/models/operators/gather.h"
#include "tellegen/models/operators/recurrent.h"
#include "tellegen/models/operators/slice.h"
#include "tellegen/models/operators/transpose.h"

namespace tellegen::models {

namespace {

using Form = RecurrentForm;
using Cell = RecurrentForm::Cell;

/// Inputs of the operators that all of them share.
enum Input : std::size_t { kX = 0, kW = 1, kR = 2, kB = 3, kLengths = 4, kState = 5, kCellState = 6, kPeepholes = 7 };

Form::Order read_order(onnx::ImportContext& context) {
  const std::string direction = context.text("direction", "forward");
  if (direction == "forward") return Form::Order::forward;
  if (direction == "reverse") return Form::Order::reverse;
  if (direction == "bidirectional") return Form::Order::both;
  throw InputError("has direction '" + direction + "'; forward, reverse and bidirectional are allowed.");
}

/// Activations by ONNX's names, with their numbers where the file gives some.
class Activations {
 public:
  explicit Activations(onnx::ImportContext& context) {
    if (const onnx::Attribute* names = context.find("activations")) names_ = names->texts;
    if (const onnx::Attribute* alpha = context.find("activation_alpha")) alpha_ = alpha->numbers;
    if (const onnx::Attribute* beta = context.find("activation_beta")) beta_ = beta->numbers;
  }

  std::vector<Pointwise> read(const std::vector<Pointwise>& otherwise, std::int64_t directions) {
    std::vector<Pointwise> result;
    if (names_.empty())
      for (std::int64_t direction = 0; direction < directions; ++direction)
        result.insert(result.end(), otherwise.begin(), otherwise.end());
    for (const std::string& name : names_) result.push_back(of(name));
    if (result.size() != otherwise.size() * static_cast<std::size_t>(directions))
      throw InputError("has " + std::to_string(result.size()) + " activations; " +
                       std::to_string(otherwise.size() * static_cast<std::size_t>(directions)) + " are needed.");
    return result;
  }

 private:
  float next(std::vector<float>& numbers, float otherwise) {
    if (numbers.empty()) return otherwise;
    const float number = numbers.front();
    numbers.erase(numbers.begin());
    return number;
  }

  Pointwise of(const std::string& name) {
    using Kind = Pointwise::Kind;
    if (name == "Sigmoid") return Pointwise(Kind::sigmoid);
    if (name == "Tanh") return Pointwise(Kind::tanh);
    if (name == "Relu") return Pointwise(Kind::relu);
    if (name == "Softplus") return Pointwise(Kind::softplus);
    if (name == "LeakyRelu") return Pointwise(Kind::leaky_relu, next(alpha_, 0.01F));
    if (name == "Elu") return Pointwise(Kind::elu, next(alpha_, 1.0F));
    if (name == "HardSigmoid") {
      const float slope = next(alpha_, 0.2F);
      return Pointwise(Kind::hard_sigmoid, slope, next(beta_, 0.5F));
    }
    throw InputError("has activation '" + name +
                     "'; Sigmoid, Tanh, Relu, Softplus, LeakyRelu, Elu and HardSigmoid are supported.");
  }

  std::vector<std::string> names_;
  std::vector<float> alpha_, beta_;
};

/// `rows` rows of [directions][gates * hidden][columns], from row `first` of direction `direction`.
std::vector<float> part(const Tensor& tensor, std::int64_t direction, std::int64_t first, std::int64_t rows) {
  const std::int64_t columns = tensor.shape.size() == 3 ? tensor.shape[2] : 1;
  const auto begin = tensor.data.begin() + (direction * tensor.shape[1] + first) * columns;
  return {begin, begin + rows * columns};
}

class Importer {
 public:
  Importer(onnx::ImportContext& context, Cell cell) : context_(context) {
    form_.cell = cell;
    form_.order = read_order(context);
    batch_first_ = context.integer("layout", 0) != 0;
    if (context.has_attribute("clip")) form_.clip = context.number("clip", 0);
    context.ignore("output_sequence");  // opset 1 said so what is said by unused outputs now
    const Tensor& recurrent = context.constant(kR);
    const bool fits = recurrent.shape.size() == 3 && recurrent.shape[0] == form_.directions();
    if (fits) form_.hidden = recurrent.shape[2];
    form_.hidden = context.integer("hidden_size", form_.hidden);
    check(kR, {form_.directions(), width(), form_.hidden});
    check(kW, {form_.directions(), width(), inputs()});
    if (context.has_input(kB)) check(kB, {form_.directions(), 2 * width()});
  }

  Form& form() { return form_; }

  void emit() {
    const Shape shape = context_.shape(kX);
    if (shape.size() != 3)
      throw InputError("has an input of shape '" + to_string(shape) + "'; steps x batch x inputs is needed.");
    const std::size_t time = batch_first_ ? 1 : 0;
    form_.streaming = is_batch(shape[time]);
    if (form_.streaming) refuse_streams(shape);
    form_.gives_final_states = context_.output_is_read(1) || context_.output_is_read(2);
    std::vector<ValueId> inputs{sums()};
    if (context_.has_input(kLengths)) add_lengths(inputs, shape[time]);
    form_.has_state = add_state(inputs, kState);
    form_.has_cell_state = form_.cell == Cell::lstm && add_state(inputs, kCellState);
    const ValueId packed = context_.compute(std::make_shared<const Recurrent>(form_, matrices()), inputs);
    if (form_.streaming) context_.set_streaming();
    bind_outputs(packed);
  }

 private:
  std::int64_t width() const { return form_.gates() * form_.hidden; }
  std::int64_t inputs() const { return context_.constant(kW).shape.back(); }

  void check(std::size_t input, const Shape& wanted) const {
    const Shape& shape = context_.constant(input).shape;
    if (shape != wanted || element_count(wanted) == 0)
      throw InputError("has a weight tensor of shape '" + to_string(shape) + "' as input " + std::to_string(input + 1) +
                       "; " + to_string(wanted) + " is needed.");
  }

  void refuse_streams(const Shape& shape) const {
    const std::size_t batch = batch_first_ ? 0 : 1;
    if (shape[batch] != 1)
      throw InputError("has an input of shape '" + to_string(shape) +
                       "', whose samples are steps of several sequences; one sequence is supported.");
    if (form_.order != Form::Order::forward)
      throw InputError("goes backwards over the batch: its samples are steps in time, and the last are not known yet.");
    if (context_.output_is_read(1) || context_.output_is_read(2))
      throw InputError("gives the last state of a sequence over the batch; samples must stay apart.");
  }

  std::vector<float> bias(std::int64_t direction, std::int64_t first, std::int64_t rows) const {
    if (!context_.has_input(kB)) return {};
    return part(context_.constant(kB), direction, first, rows);
  }

  /// Products with the input, batch in front: [batch, steps, directions * gates * hidden].
  ValueId sums() {
    std::vector<float> weights = context_.constant(kW).data, biases;
    for (std::int64_t direction = 0; direction < form_.directions(); ++direction) {
      const std::vector<float> more = bias(direction, 0, width());
      biases.insert(biases.end(), more.begin(), more.end());
    }
    auto linear = std::make_shared<const Linear>(inputs(), std::move(weights), std::move(biases));
    const ValueId value = compute_linear(context_, std::move(linear), context_.value(kX), "inputs");
    if (batch_first_) return value;
    return transpose(value, {1, 0, 2}, "inputs, batch first");
  }

  std::vector<std::shared_ptr<const Linear>> matrices() const {
    std::vector<std::shared_ptr<const Linear>> result;
    const std::int64_t hidden = form_.hidden;
    const auto add = [&](std::int64_t direction, std::int64_t first, std::int64_t rows) {
      result.push_back(std::make_shared<const Linear>(hidden, part(context_.constant(kR), direction, first, rows),
                                                      bias(direction, width() + first, rows)));
    };
    for (std::int64_t direction = 0; direction < form_.directions(); ++direction) {
      if (form_.cell == Cell::gru && !form_.reset_after) {
        add(direction, 0, 2 * hidden);
        add(direction, 2 * hidden, hidden);
      } else {
        add(direction, 0, width());
      }
    }
    return result;
  }

  ValueId transpose(ValueId value, std::vector<std::size_t> order, const std::string& what) {
    return context_.compute(std::make_shared<const Transpose>(std::move(order)), {value}, what);
  }

  /// Constant lengths that are all whole say nothing.
  void add_lengths(std::vector<ValueId>& inputs, std::int64_t steps) {
    if (context_.is_known(kLengths)) {
      const std::vector<std::int64_t> lengths = context_.integers(kLengths);
      if (std::all_of(lengths.begin(), lengths.end(), [steps](auto length) { return length == steps; })) return;
    }
    form_.has_lengths = true;
    inputs.push_back(context_.is_known(kLengths) ? context_.operand(kLengths) : context_.any_value(kLengths));
  }

  /// An initial state [directions, batch, hidden], with the batch in front. False where there is none, or only zeros.
  bool add_state(std::vector<ValueId>& inputs, std::size_t input) {
    if (!context_.has_input(input)) return false;
    const std::string what = input == kState ? "state" : "cell state";
    if (context_.is_constant(input)) {
      const Tensor state = same_for_all(context_.constant(input));
      if (std::all_of(state.data.begin(), state.data.end(), [](float x) { return x == 0; })) return false;
      inputs.push_back(context_.compute(std::make_shared<const ConstantTensor>(state), {}, what));
      return true;
    }
    ValueId value = context_.operand(input);
    if (!batch_first_) value = transpose(value, {1, 0, 2}, what);
    inputs.push_back(value);
    return true;
  }

  /// A constant state with the batch in front; 1 of them where a file that fixes the batch repeats it.
  Tensor same_for_all(const Tensor& state) const {
    if (state.shape.size() != 3) throw InputError("has an initial state of shape '" + to_string(state.shape) + "'.");
    const Transpose swap({1, 0, 2});
    const Tensor* only[] = {&state};
    Tensor first = batch_first_ ? state : swap.run(only);
    const std::int64_t size = first.size() / first.shape[0];
    for (std::int64_t at = size; at < first.size(); ++at)
      if (first.data[at] != first.data[at - size]) return first;
    first.data.resize(static_cast<std::size_t>(size));
    first.shape[0] = 1;
    return first;
  }

  /// All steps, the last state, the last cell state out of what Recurrent gives.
  void bind_outputs(ValueId packed) {
    const std::int64_t steps = context_.shape_of(packed)[1] - 2;
    for (std::size_t output = 0; output < 3; ++output) {
      if (!context_.output_is_read(output)) continue;
      ValueId value = packed;
      if (output == 0) {
        if (form_.gives_final_states)
          value = context_.compute(std::make_shared<const Slice>(std::vector{Slice::Range{1, 0, steps, 1}}), {packed},
                                   "steps");
        if (!batch_first_) value = transpose(value, {1, 2, 0, 3}, "steps first");
      } else {
        const std::int64_t row = steps + static_cast<std::int64_t>(output) - 1;
        const std::string what = output == 1 ? "last state" : "last cell state";
        value = context_.compute(std::make_shared<const Select>(1, Shape{}, std::vector{row}), {packed}, what);
        if (!batch_first_) value = transpose(value, {1, 0, 2}, what + ", direction first");
      }
      context_.bind(output, value);
    }
  }

  onnx::ImportContext& context_;
  Form form_;
  bool batch_first_ = false;
};

}  // namespace

void import_lstm(onnx::ImportContext& context) {
  Importer importer(context, Cell::lstm);
  Form& form = importer.form();
  form.input_forget = context.integer("input_forget", 0) != 0;
  const Pointwise sigmoid(Pointwise::Kind::sigmoid), tanh(Pointwise::Kind::tanh);
  form.activations = Activations(context).read({sigmoid, tanh, tanh}, form.directions());
  if (context.has_input(kPeepholes)) {
    const Tensor& peepholes = context.constant(kPeepholes);
    if (peepholes.shape != Shape{form.directions(), 3 * form.hidden})
      throw InputError("has peepholes of shape '" + to_string(peepholes.shape) + "'; " +
                       to_string(Shape{form.directions(), 3 * form.hidden}) + " is needed.");
    form.peepholes = peepholes.data;
  }
  importer.emit();
}

void import_gru(onnx::ImportContext& context) {
  Importer importer(context, Cell::gru);
  Form& form = importer.form();
  form.reset_after = context.integer("linear_before_reset", 0) != 0;
  form.activations = Activations(context).read({Pointwise(Pointwise::Kind::sigmoid), Pointwise(Pointwise::Kind::tanh)},
                                               form.directions());
  importer.emit();
}

void import_rnn(onnx::ImportContext& context) {
  Importer importer(context, Cell::rnn);
  Form& form = importer.form();
  form.activations = Activations(context).read({Pointwise(Pointwise::Kind::tanh)}, form.directions());
  importer.emit();
}

}  // namespace tellegen::models
