#pragma once
// A network as shapes alone, as its YAML file says it: `network: {name, source, input, parameters, layers}`. One entry
// per layer, or a block of layers that is repeated.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/models/operators/window.h"

namespace tellegen::models {

/// Height and width: "3", or "41x11".
struct Extent {
  std::int64_t height = 1, width = 1;
};

/// One layer; which numbers count depends on `op`.
struct ShapeLayer {
  std::string name;
  std::string op;
  std::vector<std::string> from;  ///< what it reads; empty: the layer before it
  std::string function = "none";  ///< activation behind it, or what it is
  std::int64_t outputs = 1, groups = 1, entries = 1;
  Extent kernel, stride, dilation, padding{0, 0};
  std::optional<Extent> padding_end;  ///< as `padding` where absent
  std::optional<bool> bias;           ///< absent: unless there is a batch norm
  bool batch_norm = false;
  std::string tied_to;
  std::int64_t heads = 1;
  std::optional<std::int64_t> kv_heads;
  bool causal = false, rotary = false, query_key_norm = false;
  std::int64_t hidden = 1, states = 1, token = 0, first = 0, count = 1;
  bool bidirectional = false, sum_directions = false;
  std::vector<std::int64_t> shape;
  void settings(Settings& v);

 protected:
  void settings_of(Settings& v, std::span<const std::string> ops);
};

/// A layer of the network, or a block of them.
struct ShapeEntry : ShapeLayer {
  int repeat = 1;
  std::vector<ShapeLayer> layers;
  void settings(Settings& v);
};

struct ShapeNetwork {
  std::string name, source;
  std::vector<std::int64_t> input;
  bool tokens = false;  ///< the input holds whole numbers
  std::int64_t parameters = 0;
  std::vector<ShapeEntry> layers;
  void settings(Settings& v);
};

/// A file with a network alone, under its root key.
struct ShapeFile {
  ShapeNetwork network;
  void settings(Settings& v) { v.section("network", network, "a network as shapes alone"); }
};

/// The names of all operations, "block" included.
const std::vector<std::string>& shape_operations();

}  // namespace tellegen::models

namespace tellegen {

template <>
struct ScalarText<models::Extent> {
  static models::Extent parse(std::string_view text);
  static std::string write(const models::Extent& value);
  static std::string kind() { return "size, or height x width (3, 41x11)"; }
};

}  // namespace tellegen
