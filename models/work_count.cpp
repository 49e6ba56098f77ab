#include "tellegen/models/work_count.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/average_pool.h"
#include "tellegen/models/operators/matrix_product.h"
#include "tellegen/models/operators/max_pool.h"
#include "tellegen/models/operators/normalization.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/prelu.h"
#include "tellegen/models/operators/recurrent.h"
#include "tellegen/models/operators/reduce.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/models/operators/softmax.h"
#include "tellegen/models/shapes/shape_only.h"

namespace tellegen::models {

namespace {

template <class T>
const T* as(const Operation& operation) {
  return dynamic_cast<const T*>(&operation);
}

/// Elements that belong to one sample.
std::int64_t per_sample(const Shape& shape) { return std::abs(element_count(shape)); }

const Shape& shape_of(const Network& network, ValueId value) {
  return network.values[static_cast<std::size_t>(value)].shape;
}

/// Of a square of scores the half that a token sees; all of what is no square.
std::int64_t seen(std::int64_t whole, const Shape& scores) {
  const std::int64_t tokens = scores.back();
  if (scores.size() < 2 || scores[scores.size() - 2] != tokens) return whole;
  return whole / tokens * (tokens + 1) / 2;
}

/// Names of the nodes of causal attention.
std::set<std::string> causal_nodes(const Network& network) {
  std::set<std::string> names;
  for (const Group& group : network.groups)
    if (group.kind == "causal attention") names.insert(group.nodes.begin(), group.nodes.end());
  return names;
}

/// The shape of the scores that a product of attention makes or reads.
const Shape& scores_of(const Network& network, const Node& node) {
  const Shape& made = shape_of(network, node.output);
  const Shape& read = shape_of(network, node.inputs[0]);
  return read.back() == read[read.size() - 2] ? read : made;
}

std::int64_t whole_products(const Network& network, const Node& node) {
  if (as<MatrixProduct>(*node.operation) == nullptr) return 0;
  return per_sample(shape_of(network, node.output)) * shape_of(network, node.inputs[0]).back();
}

class Counter {
 public:
  explicit Counter(const Network& network) : network_(network), causal_(causal_nodes(network)) {
    count_.parameters = parameter_count(network);
  }

  WorkCount run() {
    for (const Node& node : network_.nodes) {
      const std::int64_t made = per_sample(shape_of(network_, node.output));
      if (node.gate) count(node.gate->activation->label(), per_sample(shape_of(network_, node.inputs[0])));
      if (const auto* matrix = as<MatrixOperation>(*node.operation))
        count_matrix(*matrix, matrix_positions(*matrix, node));
      else if (const auto* recurrent = as<Recurrent>(*node.operation))
        count_recurrent(*recurrent, node);
      else
        count_functions(node, made);
    }
    return std::move(count_);
  }

 private:
  void count(const std::string& function, std::int64_t times) { count_.evaluations[function] += times; }

  std::int64_t matrix_positions(const MatrixOperation& matrix, const Node& node) const {
    const Shape& input = shape_of(network_, node.inputs[0]);
    return std::abs(input[0]) * matrix.positions(input);
  }

  void count_matrix(const MatrixOperation& matrix, std::int64_t positions) {
    count_.matrix_weights += matrix.weight_count();
    count_.static_products += matrix.weight_count() * positions;
  }

  /// The sums are [N, steps, gates], or [1, N, gates] where the batch is time.
  void count_recurrent(const Recurrent& recurrent, const Node& node) {
    const Shape& sums = shape_of(network_, node.inputs[0]);
    const std::int64_t steps = std::abs(sums[0]) * std::abs(sums[1]);
    for (const auto& matrix : recurrent.matrices()) count_matrix(*matrix, steps);
    const RecurrentForm& form = recurrent.form();
    using Cell = RecurrentForm::Cell;
    const std::vector<std::int64_t> times = form.cell == Cell::lstm  ? std::vector<std::int64_t>{3, 1, 1}
                                            : form.cell == Cell::gru ? std::vector<std::int64_t>{2, 1}
                                                                     : std::vector<std::int64_t>{1};
    for (std::size_t i = 0; i < form.activations.size(); ++i)
      count(form.activations[i].label(), times[i % times.size()] * form.hidden * steps);
    if (form.cell != Cell::rnn) count("multiply", 3 * form.hidden * steps * form.directions());
  }

  void count_functions(const Node& node, std::int64_t made) {
    const Operation& operation = *node.operation;
    if (const auto* shape_only = as<ShapeOnlyOperation>(operation)) {
      for (const auto& [function, times] : shape_only->evaluations()) count(function, times);
    } else if (as<MatrixProduct>(operation) != nullptr) {
      count_.dynamic_products += dynamic_products(network_, node);
    } else if (as<Softmax>(operation) != nullptr) {
      const bool causal = causal_.contains(node.source.node_name);
      count("softmax", causal ? seen(made, shape_of(network_, node.output)) : made);
    } else if (const auto* arithmetic = as<Arithmetic>(operation)) {
      const bool product = arithmetic->kind() == Arithmetic::Kind::multiply && !arithmetic->constant();
      if (product) count("multiply", made);
    } else if (as<MaxPool>(operation) != nullptr) {
      count("max pool", made);
    } else if (is_average(operation)) {
      count("average pool", made);
    } else if (as<Pointwise>(operation) != nullptr || as<Prelu>(operation) != nullptr ||
               as<Selection>(operation) != nullptr || as<Normalization>(operation) != nullptr) {
      count(operation.label(), made);
    }
  }

  static bool is_average(const Operation& operation) {
    const auto* reduce = as<Reduce>(operation);
    return as<AveragePool>(operation) != nullptr || as<GlobalAveragePool>(operation) != nullptr ||
           (reduce != nullptr && reduce->kind() == Reduce::Kind::mean);
  }

  const Network& network_;
  std::set<std::string> causal_;
  WorkCount count_;
};

}  // namespace

std::int64_t dynamic_products(const Network& network, const Node& node) {
  const std::int64_t whole = whole_products(network, node);
  if (whole == 0 || !causal_nodes(network).contains(node.source.node_name)) return whole;
  return seen(whole, scores_of(network, node));
}

WorkCount count_work(const Network& network) { return Counter(network).run(); }

}  // namespace tellegen::models
