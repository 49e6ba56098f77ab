// Attention between queries, keys and values that linear layers have made: products of computed values, which no array
// holds.

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/expand.h"
#include "tellegen/models/operators/matrix_product.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/slice.h"
#include "tellegen/models/operators/softmax.h"
#include "tellegen/models/operators/transpose.h"
#include "tellegen/models/shapes/layer_builders.h"
#include "tellegen/models/shapes/shape_only.h"

namespace tellegen::models {

namespace {

class AttentionBuilder {
 public:
  AttentionBuilder(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs)
      : graph_(graph), layer_(layer), kv_heads_(layer.kv_heads.value_or(layer.heads)) {
    if (inputs.size() == 2) throw InputError("reads two values; queries, keys and values, or all in one, are needed.");
    const Shape& shape = graph.shape(inputs[0]);
    if (shape.size() != 3)
      throw InputError("reads a value of shape '" + to_string(shape) + "'; tokens x channels is needed.");
    if (layer.heads % kv_heads_ != 0)
      throw InputError("has " + std::to_string(layer.heads) + " heads and " + std::to_string(kv_heads_) +
                       " of keys and values; the second must divide the first.");
    tokens_ = shape[1];
    const std::int64_t parts = inputs.size() == 1 ? layer.heads + 2 * kv_heads_ : layer.heads;
    if (shape[2] % parts != 0)
      throw InputError("reads " + std::to_string(shape[2]) + " channels, which do not divide into " +
                       std::to_string(parts) + " heads.");
    head_ = shape[2] / parts;
    sources_ = inputs;
  }

  ValueId build() {
    const ValueId queries = transpose(heads("queries", 0, layer_.heads, true), {0, 2, 1, 3}, "queries by head");
    const ValueId keys = repeated(transpose(heads("keys", 1, kv_heads_, true), {0, 2, 3, 1}, "keys by head"), "keys");
    const ValueId values =
        repeated(transpose(heads("values", 2, kv_heads_, false), {0, 2, 1, 3}, "values by head"), "values");
    ValueId scores = graph_.add(std::make_shared<const MatrixProduct>(), {queries, keys}, "scores");
    const Tensor scale{{}, {static_cast<float>(1 / std::sqrt(static_cast<double>(head_)))}};
    scores =
        graph_.add(std::make_shared<const Arithmetic>(Arithmetic::Kind::multiply, scale, false), {scores}, "scale");
    if (layer_.causal) scores = unlearned(scores, "causal mask", "add", 0, "mask");
    const ValueId weights = graph_.add(std::make_shared<const Softmax>(3, 3), {scores}, "softmax");
    const ValueId mixed = graph_.add(std::make_shared<const MatrixProduct>(), {weights, values}, "mix");
    graph_.note_group(layer_.causal ? "causal attention" : "attention");
    const ValueId by_token = transpose(mixed, {0, 2, 1, 3}, "by token");
    return reshape(by_token, {-1, tokens_, layer_.heads * head_}, "output");
  }

 private:
  ValueId transpose(ValueId value, std::vector<std::size_t> order, const std::string& what) {
    return graph_.add(std::make_shared<const Transpose>(std::move(order)), {value}, what);
  }
  ValueId reshape(ValueId value, Shape target, const std::string& what) {
    return graph_.add(std::make_shared<const Reshape>("reshape", std::move(target)), {value}, what);
  }
  ValueId unlearned(ValueId value, const char* label, const char* unit, std::int64_t parameters,
                    const std::string& what) {
    return graph_.add(std::make_shared<const ShapeOnlyOperation>(
                          ShapeOnlyOperation::Form{label, unit, graph_.shape(value), parameters, {}}),
                      {value}, what);
  }

  /// Queries, keys or values (part 0, 1, 2) as [N, tokens, heads, channels of a head].
  ValueId heads(const std::string& what, std::size_t part, std::int64_t count, bool turned) {
    ValueId value = sources_.size() == 1 ? cut(part, count, what) : sources_[part];
    const Shape wanted{-1, tokens_, count * head_};
    if (graph_.shape(value) != wanted)
      throw InputError("reads " + what + " of shape '" + to_string(graph_.shape(value)) + "'; " + to_string(wanted) +
                       " is needed.");
    value = reshape(value, {-1, tokens_, count, head_}, what);
    if (turned && layer_.query_key_norm) value = unlearned(value, "rms norm", "multiply", head_, what + " norm");
    if (turned && layer_.rotary) value = unlearned(value, "rotary embedding", "multiply", 0, what + " turned");
    return value;
  }

  /// A part of queries, keys and values in one.
  ValueId cut(std::size_t part, std::int64_t count, const std::string& what) {
    const std::int64_t before = part == 0 ? 0 : layer_.heads + (part == 2 ? kv_heads_ : 0);
    return graph_.add(std::make_shared<const Slice>(std::vector{Slice::Range{2, before * head_, count * head_, 1}}),
                      {sources_[0]}, what + " alone");
  }

  /// Keys or values of one head for all the queries that share them.
  ValueId repeated(ValueId value, const std::string& what) {
    if (kv_heads_ == layer_.heads) return value;
    const Shape shape = graph_.shape(value);
    const std::int64_t times = layer_.heads / kv_heads_;
    value = reshape(value, {-1, kv_heads_, 1, shape[2], shape[3]}, what + " to share");
    value = graph_.add(std::make_shared<const Expand>(Shape{kv_heads_, times, shape[2], shape[3]}), {value},
                       what + " shared");
    return reshape(value, {-1, layer_.heads, shape[2], shape[3]}, what + " of each head");
  }

  ShapeGraph& graph_;
  const ShapeLayer& layer_;
  std::int64_t kv_heads_, tokens_ = 0, head_ = 0;
  std::vector<ValueId> sources_;
};

}  // namespace

ValueId build_attention(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs) {
  return AttentionBuilder(graph, layer, inputs).build();
}

}  // namespace tellegen::models
