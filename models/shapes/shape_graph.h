#pragma once
// A network under construction from shapes: nodes with what they make, and how many trained numbers the authors count.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

class ShapeGraph {
 public:
  /// `input`: dimensions of one sample. Throws InputError where it is too large.
  ShapeGraph(const std::string& name, const Shape& input, bool tokens);

  /// From here on nodes belong to this layer.
  void start(const std::string& layer, const std::string& op);
  /// The value that `operation` makes; `what` tells nodes of one layer apart. Throws InputError that continues
  /// "layer 'name' (op) ...".
  ValueId add(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs,
              const std::string& what = "");
  const Shape& shape(ValueId value) const { return network_.values[static_cast<std::size_t>(value)].shape; }
  bool is_integer(ValueId value) const { return network_.values[static_cast<std::size_t>(value)].integer; }
  ValueId input() const { return network_.input; }

  /// Trained numbers that the authors count beside those of the operations (norms that are folded away), or, below 0,
  /// that two operations share.
  void count_parameters(std::int64_t more) { parameters_ += more; }
  std::int64_t parameters() const { return parameters_; }
  /// The layer is an embedding with a table of so many numbers, which another may use as well.
  void note_table(std::int64_t numbers) { tables_[layer_] = numbers; }
  /// Numbers in the table of an embedding. Throws InputError where there is none of that name.
  std::int64_t table(const std::string& layer) const;
  /// Names the nodes of the layer as one thing: "causal attention".
  void note_group(const std::string& kind) { network_.groups.push_back({kind, {layer_}, false}); }

  /// The network with its output.
  Network take(ValueId output);

 private:
  Network network_;
  std::string layer_, op_;
  std::int64_t parameters_ = 0;
  std::map<std::string, std::int64_t> tables_;
};

}  // namespace tellegen::models
