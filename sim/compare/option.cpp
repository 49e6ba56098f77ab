#include "tellegen/sim/compare/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/config_tree.h"

namespace tellegen::compare {
namespace {

constexpr int kMostBits = 14;

struct FrontEndFile {
  circuits::FrontEndConfig front_end;
  void settings(Settings& v) { v.section("front_end", front_end, "the circuit"); }
};
struct CrossingFile {
  circuits::CrossingConfig crossing;
  void settings(Settings& v) { v.section("crossing", crossing, "the circuit"); }
};
struct SoftmaxFile {
  circuits::SoftmaxConfig softmax;
  void settings(Settings& v) { v.section("softmax", softmax, "the circuit"); }
};

bool is_size(const std::string& name) { return name == "width" || name == "length"; }
/// Capacitances of the nodes that larger transistors stand at.
bool is_load(const std::string& path) {
  return path.find("loads.source.") != std::string::npos || path.find("loads.output.") != std::string::npos ||
         path.ends_with(".load");
}

/// Of every width and length in the tree (transistors have no others), the value times sqrt(area); of loads, times area.
void scale_sizes(const detail::ConfigNode& node, const std::string& path, double area, Overrides& overrides) {
  for (const detail::ConfigEntry& entry : node.entries) {
    const std::string at = path.empty() ? entry.name : path + "." + entry.name;
    if (entry.value.kind == detail::ConfigNode::Kind::scalar) {
      if (is_size(entry.name))
        overrides.emplace_back(at, fmt::format("{:.17g} m", std::sqrt(area) * parse<Length>(entry.value.text).si()));
      if (is_load(at))
        overrides.emplace_back(at, fmt::format("{:.17g} F", area * parse<Capacitance>(entry.value.text).si()));
    }
    scale_sizes(entry.value, at, area, overrides);
  }
}

/// The names of the range of inputs, circuit by circuit.
void lay_range(detail::ConfigNode& root, double x_scale, Overrides& overrides) {
  for (const char* range : {"full_scale", "input_range"}) {
    if (root.find("front_end")->value.find(range) != nullptr)
      overrides.emplace_back(fmt::format("front_end.{}", range), fmt::format("{:.17g}", x_scale));
  }
}

template <class File>
File reread(const File& file, const std::string& text, const Overrides& overrides) {
  File result = file;
  read_config_text(text, "resized circuit", result, overrides);
  return result;
}

template <class File>
File scaled(const File& file, double area) {
  const std::string text = write_config(file);
  Overrides overrides;
  scale_sizes(detail::parse_yaml(text, "resized circuit"), "", area, overrides);
  return reread(file, text, overrides);
}

}  // namespace

std::span<const std::pair<PathKind, const char*>> enum_names(PathKind) {
  static constexpr std::array names{
      std::pair{PathKind::digital, "digital"}, std::pair{PathKind::tg_after_dac, "tg_after_dac"},
      std::pair{PathKind::nonlinear_adc, "nonlinear_adc"}, std::pair{PathKind::analog, "analog"}};
  return names;
}
std::span<const std::pair<UnitKind, const char*>> enum_names(UnitKind) {
  static constexpr std::array names{std::pair{UnitKind::table, "table"}, std::pair{UnitKind::lines, "lines"}};
  return names;
}

void SearchConfig::settings(Settings& v) {
  v.list("trim_bits", trim_bits, "front_end.trim.bits that are tried", between(0, 16));
  v.list("bias", bias, "front_end.bias that are tried", between(Current::si(1e-12), Current::si(1e-3)));
}

OptionConfig::OptionConfig() {
  adc.bits = {kMostBits};
  CrossingFile file;
  read_config_text("crossing: {circuit: gilbert_multiplier}", "default multiplier", file);
  multiplier = file.crossing;
}

void OptionConfig::settings(Settings& v) {
  v("name", name, "what the row is called", required());
  v("path", path, "how a value crosses from one array to the next", required());
  v.section("adc", adc, "converters; 'bits' is the most that resizing may take, it finds 'enob' itself");
  v.section("dac", dac, "row drivers; resizing finds their bits");
  v("unit", unit, "of path digital: a word for each code of the ADC, or straight lines");
  v("placement", placement, "of unit lines: where segments begin");
  v("hard_wired", hard_wired, "of unit lines: coefficients in logic instead of registers");
  v("method", method, "of path nonlinear_adc: a ramp that counts, or a linear converter and a table of codes");
  v("ramp_clock", ramp_clock, "of method count: steps of the ramp per second", positive());
  v("reference_deviation", reference_deviation,
    "of path nonlinear_adc: standard deviation of the end of its ramp, or of the middle of its linear converter, over "
    "the full scale of the input",
    between(0, 0.1));
  v.section("front_end", front_end, "of paths tg_after_dac and analog");
  v.section("search", search, "of front_end: combinations that are tried; the one that takes least energy is shown");
  v.section("softmax", softmax, "of the same paths, where the layer is a softmax");
  v.section("amplifier", amplifier, "of path analog: from the current of a column to the front-end");
  v.section("multiplier", multiplier, "of the analog paths, where the layer is gated");
  v("amplifier_residual", amplifier_residual,
    "share of the random gain and offset of amplifier and multiplier that calibration leaves", between(0, 1));
  v.require(adc.bits.bits >= 2 && adc.bits.bits <= kMostBits, "adc", "must have from 2 to 14 bits, and not be ideal.");
  v.require(adc.quantiser == circuits::QuantiserKind::sign_magnitude, "adc",
            "must have the quantiser 'sign_magnitude': its codes are the words of the digital side.");
  v.require(!search.any() || path == PathKind::tg_after_dac || path == PathKind::analog, "search",
            "is of paths tg_after_dac and analog: the others have no front-end.");
  v.require(!adc.enob, "adc", "must not state 'enob': it is what resizing finds.");
}

std::vector<OptionConfig> combinations(const OptionConfig& option) {
  const SearchConfig& search = option.search;
  const std::string text = write_config(FrontEndFile{option.front_end});
  std::vector<OptionConfig> all;
  for (std::size_t t = 0; t < std::max<std::size_t>(1, search.trim_bits.size()); ++t) {
    for (std::size_t b = 0; b < std::max<std::size_t>(1, search.bias.size()); ++b) {
      Overrides overrides;
      if (!search.trim_bits.empty())
        overrides.emplace_back("front_end.trim.bits", fmt::format("{}", search.trim_bits[t]));
      if (!search.bias.empty()) overrides.emplace_back("front_end.bias", fmt::format("{:.17g} A", search.bias[b].si()));
      OptionConfig one = option;
      one.search = {};
      if (!search.trim_bits.empty()) one.search.trim_bits = {search.trim_bits[t]};
      if (!search.bias.empty()) one.search.bias = {search.bias[b]};
      if (search.any()) one.front_end = reread(FrontEndFile{option.front_end}, text, overrides).front_end;
      all.push_back(std::move(one));
    }
  }
  return all;
}

circuits::FrontEndConfig resized(const circuits::FrontEndConfig& front_end, double area, double x_scale) {
  const std::string text = write_config(FrontEndFile{front_end});
  detail::ConfigNode root = detail::parse_yaml(text, "resized circuit");
  Overrides overrides;
  scale_sizes(root, "", area, overrides);
  lay_range(root, x_scale, overrides);
  return reread(FrontEndFile{front_end}, text, overrides).front_end;
}

circuits::SoftmaxConfig resized(const circuits::SoftmaxConfig& softmax, double area) {
  return scaled(SoftmaxFile{softmax}, area).softmax;
}

circuits::CrossingConfig resized(const circuits::CrossingConfig& crossing, double area) {
  return scaled(CrossingFile{crossing}, area).crossing;
}

}  // namespace tellegen::compare
