#include "tellegen/models/shapes/read_shapes.h"

#include <algorithm>
#include <map>

#include "tellegen/base/safe_text.h"
#include "tellegen/models/shapes/layer_builders.h"

namespace tellegen::models {

namespace {

class Reader {
 public:
  Reader(const ShapeNetwork& description, std::filesystem::path file)
      : description_(description),
        file_(std::move(file)),
        graph_(printable(description.name), description.input, description.tokens) {}

  Network read() {
    ValueId value = graph_.input();
    for (const ShapeEntry& entry : description_.layers)
      value = entry.op == "block" ? block(entry, value) : add_layer(entry, "", graph_.input(), value);
    if (graph_.parameters() != description_.parameters)
      throw InputError({file_.string()}, "the layers have " + std::to_string(graph_.parameters()) +
                                             " parameters, and network.parameters = '" +
                                             std::to_string(description_.parameters) +
                                             "'. Correct a layer or the number.");
    return graph_.take(value);
  }

 private:
  /// The block as often as it is repeated, each on top of the one before.
  ValueId block(const ShapeEntry& entry, ValueId value) {
    for (int turn = 0; turn < entry.repeat; ++turn) {
      const std::string prefix = entry.name + (entry.repeat > 1 ? "." + std::to_string(turn) : std::string()) + ".";
      const ValueId before = value;
      for (const ShapeLayer& inside : entry.layers) value = add_layer(inside, prefix, before, value);
    }
    made_[entry.name] = value;
    return value;
  }

  /// One layer; `start` is what its block reads, `previous` what the layer before it made.
  ValueId add_layer(const ShapeLayer& layer, const std::string& prefix, ValueId start, ValueId previous) {
    const std::string name = printable(prefix + layer.name);
    try {
      const auto builders = layer_builders();
      const auto builder = std::find_if(builders.begin(), builders.end(),
                                        [&](const LayerBuilder& known) { return layer.op == known.op; });
      TELLEGEN_ASSERT(builder != builders.end());
      const std::vector<ValueId> inputs = read_inputs(layer, prefix, start, previous);
      if (inputs.size() < builder->least_inputs || inputs.size() > builder->most_inputs)
        throw InputError("reads " + std::to_string(inputs.size()) + " values; " + count_text(*builder) + " needed.");
      graph_.start(name, layer.op);
      const ValueId value = builder->build(graph_, layer, inputs);
      made_[prefix + layer.name] = value;
      return value;
    } catch (const InputError& error) {
      throw InputError({file_.string()}, "layer '" + name + "' (" + layer.op + ") " + error.what());
    }
  }

  static std::string count_text(const LayerBuilder& builder) {
    if (builder.least_inputs == builder.most_inputs)
      return std::to_string(builder.least_inputs) + (builder.least_inputs == 1 ? " is" : " are");
    return std::to_string(builder.least_inputs) + " to " + std::to_string(builder.most_inputs) + " are";
  }

  std::vector<ValueId> read_inputs(const ShapeLayer& layer, const std::string& prefix, ValueId start,
                                   ValueId previous) const {
    if (layer.from.empty()) return {previous};
    std::vector<ValueId> inputs;
    for (const std::string& name : layer.from) {
      auto found = made_.find(prefix + name);
      if (found == made_.end()) found = made_.find(name);
      if (found == made_.end() && name != "input")
        throw InputError("reads '" + printable(name) + "', which is no layer before it.");
      inputs.push_back(found == made_.end() ? start : found->second);
    }
    return inputs;
  }

  const ShapeNetwork& description_;
  std::filesystem::path file_;
  ShapeGraph graph_;
  std::map<std::string, ValueId> made_;  ///< by full name
};

}  // namespace

Network read_shapes(const std::filesystem::path& file) {
  ShapeFile shapes;
  read_config(file, shapes);
  return Reader(shapes.network, file).read();
}

}  // namespace tellegen::models
