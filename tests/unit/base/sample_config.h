#pragma once
// A configuration with every kind of setting, as the tests of reader, writer and manual use it.

#include <optional>
#include <string>
#include <vector>

#include "tellegen/base/config.h"

namespace tellegen::testing_support {

enum class Method { max, percentile, analytic };
inline std::span<const std::pair<Method, const char*>> enum_names(Method) {
  static constexpr std::pair<Method, const char*> names[] = {
      {Method::max, "max"}, {Method::percentile, "percentile"}, {Method::analytic, "analytic"}};
  return names;
}

struct Range {
  Method method = Method::percentile;
  double percentile = 99.9;
  void settings(Settings& v) {
    v("method", method, "how the full scale is found");
    v("percentile", percentile, "of the magnitudes", between(0, 100));
  }
};

struct Adc {
  int bits = 8;
  Range range;
  std::optional<double> enob;
  void settings(Settings& v) {
    v("bits", bits, "resolution of one conversion", between(1, 16));
    v.section("range", range, "the full scale");
    v("enob", enob, "effective number of bits", positive());
  }
};

/// Two entries of a catalogue with settings of their own.
struct Device {
  std::string model = "ideal";
  Conductance g_min = Conductance::si(1e-6);
  Conductance g_max = Conductance::si(1e-4);
  double spread = 0.02;
  Time age;
  Time t0 = Time::si(1);
  void settings(Settings& v) {
    static const std::vector<std::string> known = {"ideal", "pcm_joshi", "lognormal_memristor"};
    v.choice("model", model, known, "the physics of a cell");
    v("g_min", g_min, "smallest conductance", at_least(0));
    v("g_max", g_max, "largest conductance", positive());
    v.require(g_min < g_max, "g_min", "must be below g_max (" + format(g_max) + ").");
    if (model != "ideal") v("t0", t0, "first read", positive());
    if (model == "pcm_joshi") v("age", age, "time since programming", at_least(0));
    if (model == "lognormal_memristor") v("spread", spread, "of the logarithm", at_least(0));
  }
};

/// Settings that stand in the mapping of another struct.
struct Encoding {
  int slices = 1;
  void settings(Settings& v) { v("slices", slices, "cells per weight", at_least(1)); }
};

struct Tile {
  int rows = 128;
  Encoding encoding;
  bool square = false;
  void settings(Settings& v) {
    v("rows", rows, "inputs", at_least(1));
    encoding.settings(v);
    v("square", square, "as many columns as rows");
  }
};

struct FrontEnd {
  Current bias = Current::si(1e-8);
  void settings(Settings& v) { v("bias", bias, "of the tail", between(Current::si(1e-12), Current::si(1e-6))); }
};

struct Alternative {
  std::string name = "unnamed";
  Adc adc;
  void settings(Settings& v) {
    v("name", name, "in the table");
    v.section("adc", adc, "its converter");
  }
};

struct Chip {
  std::string title = "chip";
  std::filesystem::path costs = "costs.yaml";
  std::optional<int> tiles;
  Resistance wire = Resistance::si(1.0);
  std::uint64_t seed = 1;
  Tile tile;
  Device device;
  Adc adc;
  std::optional<FrontEnd> front_end;
  std::vector<double> sigmas = {0.05, 0.1};
  std::vector<Voltage> levels;
  std::vector<Alternative> alternatives;
  std::vector<std::pair<std::string, std::vector<std::string>>> sweep;
  void settings(Settings& v) {
    v("title", title, "for reports");
    v("costs", costs, "cost table");
    v("tiles", tiles, "how many there are", at_least(1));
    v("wire", wire, "resistance of a segment", at_least(0));
    v.section("adc", adc, "converter");
    v("seed", seed, "of all draws");
    v.section("tile", tile, "array");
    v.section("device", device, "cell");
    v.section("front_end", front_end, "analog front-end");
    v.list("sigmas", sigmas, "of the noise", at_least(0));
    v.list("levels", levels, "of the driver");
    v.list_of_sections("alternatives", alternatives, "what is compared");
    v.free_map("sweep", sweep, "axes");
  }
};

}  // namespace tellegen::testing_support
