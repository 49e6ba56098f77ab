#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "tellegen/mapping/encoding.h"

namespace tellegen {

/// `cell_levels: 16`, or `analog`.
struct CellLevels {
  int count = 0;  ///< 0: analog
};

template <>
struct ScalarText<CellLevels> {
  static CellLevels parse(std::string_view text) {
    if (text == "analog") return {0};
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size() || count < 2 || count > 1024) {
      throw InputError("is not a number of levels; allowed: analog, or 2 to 1024.");
    }
    return {count};
  }
  static std::string write(const CellLevels& levels) {
    return levels.count == 0 ? "analog" : std::to_string(levels.count);
  }
  static std::string kind() { return "analog, or whole number from 2 to 1024"; }
};

namespace mapping {

std::span<const std::pair<Encoding, const char*>> enum_names(Encoding) {
  static constexpr std::array names{std::pair{Encoding::differential, "differential"},
                                    std::pair{Encoding::offset, "offset"},
                                    std::pair{Encoding::unit_column, "unit_column"}};
  return names;
}
std::span<const std::pair<Subtraction, const char*>> enum_names(Subtraction) {
  static constexpr std::array names{std::pair{Subtraction::analog, "analog"},
                                    std::pair{Subtraction::digital, "digital"}};
  return names;
}
std::span<const std::pair<ScaleScope, const char*>> enum_names(ScaleScope) {
  static constexpr std::array names{std::pair{ScaleScope::per_layer, "per_layer"},
                                    std::pair{ScaleScope::per_column, "per_column"}};
  return names;
}
std::span<const std::pair<BiasPlace, const char*>> enum_names(BiasPlace) {
  static constexpr std::array names{std::pair{BiasPlace::digital, "digital"}, std::pair{BiasPlace::rows, "rows"}};
  return names;
}

namespace {

const char* name_of(Encoding encoding) { return enum_names(encoding)[static_cast<std::size_t>(encoding)].second; }

}  // namespace

void EncodingConfig::settings(Settings& v) {
  v("encoding", encoding, "how signed weights become conductances");
  // Only a pair has two columns to subtract before the ADC; the other encodings subtract digitally and say so when
  // written.
  Subtraction chosen = encoding == Encoding::differential ? subtract : Subtraction::digital;
  v("subtract", chosen, "where the two columns of a differential pair are subtracted: before one ADC, or after two");
  v.require(encoding == Encoding::differential || chosen == Subtraction::digital, "subtract",
            fmt::format("= 'analog' needs encoding: differential, it is {}; leave subtract out.", name_of(encoding)));
  subtract = chosen;
  v("scale", scale, "one weight scale for the whole layer, or one for each output");
  v("bias", bias, "where biases are added: digitally after the ADC, or on a row more of the arrays");
  CellLevels levels{cell_levels};
  v("cell_levels", levels, "conductance levels of one cell, evenly spaced");
  cell_levels = levels.count;
  v("slices", slices, "cells per weight (and polarity), each one digit of it", between(1, 16));
  v.require(
      slices == 1 || cell_levels >= 2, "slices",
      fmt::format("= '{}' needs cells with levels, and cell_levels is analog; set cell_levels, or slices: 1.", slices));
  if (cell_levels == 0) return;
  const double codes = std::pow(cell_levels, slices);
  v.require(codes <= static_cast<double>(kLargestGrid), "slices",
            fmt::format("= '{}' cells of {} levels are more than {} steps of a weight; take fewer slices or levels.",
                        slices, cell_levels, kLargestGrid));
  v.require(encoding == Encoding::differential || codes >= 3, "slices",
            fmt::format("= '{}' cell of {} levels cannot hold a sign with encoding: {}; take more slices or levels.",
                        slices, cell_levels, name_of(encoding)));
}

}  // namespace mapping
}  // namespace tellegen
