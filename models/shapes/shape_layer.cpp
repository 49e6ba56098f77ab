#include "tellegen/models/shapes/shape_layer.h"

#include <algorithm>
#include <set>

#include "tellegen/models/shapes/layer_builders.h"

namespace tellegen::models {

namespace {

/// No layer of a network is wider; keeps products of sizes below 2^63.
constexpr double kMostOutputs = 1 << 24;
constexpr double kMostRepeats = 1000;

Allowed size() { return between(1, kMostOutputs); }

const std::vector<std::string>& layer_operations() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LayerBuilder& builder : layer_builders()) all.emplace_back(builder.op);
    return all;
  }();
  return names;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"none"};
    for (const NamedActivation& activation : named_activations()) all.emplace_back(activation.name);
    return all;
  }();
  return names;
}

bool one_of(const std::string& op, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

template <class Layers>
void require_unique(Settings& v, const Layers& layers) {
  std::set<std::string> seen;
  const auto found =
      std::ranges::find_if(layers, [&](const ShapeLayer& layer) { return !seen.insert(layer.name).second; });
  const std::string twice = found == layers.end() ? "" : found->name;
  v.require(twice.empty(), "layers", "has two layers named '" + twice + "'; names must differ.");
}

}  // namespace

const std::vector<std::string>& shape_operations() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = layer_operations();
    all.emplace_back("block");
    return all;
  }();
  return names;
}

void ShapeLayer::settings(Settings& v) { settings_of(v, layer_operations()); }

void ShapeLayer::settings_of(Settings& v, std::span<const std::string> ops) {
  v("name", name, "names the layer in reports and for others that read it", required());
  v.choice("op", op, ops, "what the layer does");
  v.require(!op.empty(), "op", "is missing; it says what the layer does.");
  v.list("from", from, "names of the layers it reads, 'input' for what the block reads; the layer before it if absent");
  if (one_of(op, {"conv", "linear", "embedding"})) v("outputs", outputs, "channels it makes", required(size()));
  if (one_of(op, {"conv", "max_pool", "average_pool"})) {
    v("kernel", kernel, "window");
    v("stride", stride, "steps of the window");
    v("padding", padding, "rows and columns of zeros around the input");
    v("padding_end", padding_end, "the same at the lower and right edge, where it differs");
  }
  if (op == "conv") {
    v("dilation", dilation, "distance between the taps of the window");
    v("groups", groups, "groups of channels that stay apart; as many as channels: depthwise", size());
    v("batch_norm", batch_norm, "whether a batch norm follows, which is folded into the weights");
  }
  if (one_of(op, {"conv", "linear"})) v("bias", bias, "whether there is a bias; none: unless there is a batch norm");
  if (op == "linear") v("tied_to", tied_to, "the embedding whose table its weights are");
  if (op == "embedding") v("entries", entries, "rows of the table", required(size()));
  if (one_of(op, {"conv", "linear", "add", "multiply", "batch_norm"}))
    v.choice("activation", function, function_names(), "what follows it");
  if (op == "activation") v.choice("function", function, function_names(), "what it computes");
  if (op == "attention") {
    v("heads", heads, "of the queries", required(size()));
    v("kv_heads", kv_heads, "of keys and values, where they are fewer", size());
    v("causal", causal, "whether a token sees only those before it");
    v("rotary", rotary, "whether queries and keys are turned by their position");
    v("query_key_norm", query_key_norm, "whether queries and keys go through an RMS norm of their own");
  }
  if (one_of(op, {"lstm", "gru"})) {
    v("hidden", hidden, "size of the state", required(size()));
    v("bidirectional", bidirectional, "whether it also goes backwards");
    v("sum_directions", sum_directions, "whether both directions are added, not laid side by side");
  }
  if (op == "selective_scan") v("states", states, "states per channel", required(size()));
  if (op == "reshape") v.list("shape", shape, "dimensions of a sample", size());
  if (op == "select_token") v("token", token, "number of the token; -1 is the last", at_least(-1));
  if (op == "slice") {
    v("first", first, "first entry of the last dimension", between(0, kMostOutputs));
    v("count", count, "how many entries", required(size()));
  }
}

void ShapeEntry::settings(Settings& v) {
  settings_of(v, shape_operations());
  if (op != "block") return;
  v("repeat", repeat, "how often the block stands one behind the other", between(1, kMostRepeats));
  v.list_of_sections("layers", layers, "layers of the block");
  v.require(!layers.empty(), "layers", "is empty; a block needs at least one layer.");
  require_unique(v, layers);
}

void ShapeNetwork::settings(Settings& v) {
  v("name", name, "names the network", required());
  v("source", source, "where the shapes come from", required());
  v.list("input", input, "dimensions of one input: channels x height x width, tokens, or tokens x channels", size());
  v.require(!input.empty(), "input", "is missing; dimensions of one input are needed.");
  v("tokens", tokens, "whether the input holds numbers of tokens");
  v("parameters", parameters, "trained numbers in all, as published; the layers must add up to it",
    required(at_least(1)));
  v.list_of_sections("layers", layers, "layers and blocks, in order");
  v.require(!layers.empty(), "layers", "is empty; at least one layer is needed.");
  require_unique(v, layers);
}

}  // namespace tellegen::models

namespace tellegen {

namespace {

constexpr std::int64_t kMostExtent = 4096;

std::int64_t extent(std::string_view text) {
  if (text.empty() || text.size() > 4 || text.find_first_not_of("0123456789") != std::string_view::npos)
    throw InputError("is neither a size such as 3 nor a height and a width such as 41x11.");
  const std::int64_t size = std::stoll(std::string(text));
  if (size > kMostExtent) throw InputError("is out of range; allowed: 0 to " + std::to_string(kMostExtent) + ".");
  return size;
}

}  // namespace

models::Extent ScalarText<models::Extent>::parse(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return {extent(text), extent(text)};
  return {extent(text.substr(0, cross)), extent(text.substr(cross + 1))};
}

std::string ScalarText<models::Extent>::write(const models::Extent& value) {
  if (value.height == value.width) return std::to_string(value.height);
  return std::to_string(value.height) + "x" + std::to_string(value.width);
}

}  // namespace tellegen
