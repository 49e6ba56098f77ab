// What a chip file may say, and the exact words where it may not.

#include "tellegen/mapping/chip.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

namespace tellegen::mapping {
namespace {

ChipConfig read(const std::string& text) {
  ChipFile file;
  read_config_text(text, "chip.yaml", file);
  return file.chip;
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ChipConfig, ReadsTheSettingsOfATile) {
  const auto chip = read(
      "chip:\n"
      "  node: 40 nm\n"
      "  tiles: 22\n"
      "  tile: {rows: 256, columns: 64, encoding: unit_column, scale: per_layer, bias: rows, cell_levels: 4, slices: "
      "3}\n"
      "  crossbar: {fidelity: ideal}\n"
      "  drift_compensation: per_column\n");
  EXPECT_DOUBLE_EQ(chip.node.si(), 40e-9);
  EXPECT_EQ(chip.tiles, 22);
  EXPECT_EQ(chip.tile.rows, 256);
  EXPECT_EQ(chip.tile.columns, 64);
  EXPECT_EQ(chip.tile.encoding.encoding, Encoding::unit_column);
  EXPECT_EQ(chip.tile.encoding.subtract, Subtraction::digital);  // what a single column does anyway
  EXPECT_EQ(chip.tile.encoding.scale, ScaleScope::per_layer);
  EXPECT_EQ(chip.tile.encoding.bias, BiasPlace::rows);
  EXPECT_EQ(chip.tile.encoding.cell_levels, 4);
  EXPECT_EQ(chip.tile.encoding.slices, 3);
  EXPECT_EQ(chip.crossbar.fidelity, Fidelity::ideal);
  EXPECT_EQ(chip.drift_compensation, Compensation::per_column);
}

TEST(ChipConfig, DefaultsAreAnalogPairs) {
  const auto chip = read("chip: {}");
  EXPECT_EQ(chip.tile.encoding.cell_levels, 0);
  EXPECT_EQ(chip.tile.encoding.subtract, Subtraction::analog);
  EXPECT_FALSE(chip.tiles.has_value());
  EXPECT_EQ(read("chip: {tile: {cell_levels: analog}}").tile.encoding.cell_levels, 0);
}

TEST(ChipConfig, WhatIsWrittenReadsTheSame) {
  for (const char* tile : {"{}", "{encoding: offset, cell_levels: 4, slices: 8}", "{subtract: digital}"}) {
    const std::string once = write_config(ChipFile{read(std::string("chip: {tile: ") + tile + "}")});
    EXPECT_EQ(write_config(ChipFile{read(once)}), once);
  }
}

TEST(ChipConfig, SaysWhatIsWrong) {
  EXPECT_EQ(
      refusal("chip: {tile: {slices: 4}}"),
      "chip.yaml:1:23: chip.tile.slices = '4' needs cells with levels, and cell_levels is analog; set cell_levels, or "
      "slices: 1.");
  EXPECT_EQ(refusal("chip: {tile: {cell_levels: 1}}"),
            "chip.yaml:1:28: chip.tile.cell_levels = '1' is not a number of levels; allowed: analog, or 2 to 1024.");
  EXPECT_EQ(
      refusal("chip: {tile: {cell_levels: 16, slices: 6}}"),
      "chip.yaml:1:40: chip.tile.slices = '6' cells of 16 levels are more than 1048576 steps of a weight; take fewer "
      "slices or levels.");
  EXPECT_EQ(refusal("chip: {tile: {encoding: offset, cell_levels: 2, slices: 1}}"),
            "chip.yaml:1:57: chip.tile.slices = '1' cell of 2 levels cannot hold a sign with encoding: offset; take "
            "more slices "
            "or levels.");
  EXPECT_EQ(
      refusal("chip: {tile: {encoding: offset, subtract: analog}}"),
      "chip.yaml:1:43: chip.tile.subtract = 'analog' needs encoding: differential, it is offset; leave subtract out.");
  EXPECT_EQ(refusal("chip: {tile: {columns: 9, encoding: unit_column, cell_levels: 4, slices: 8}}"),
            "chip.yaml:1:24: chip.tile.columns = '9' has no room for an output of 8 cells and 8 reference columns; "
            "make the tile "
            "wider, or slices fewer.");
  EXPECT_EQ(refusal("chip: {tile: {cell_levels: 16}, device: {model: generic, levels: 8}}"),
            "chip.yaml:1:14: chip.tile needs cells with 16 levels (cell_levels), and the device has 8; take fewer "
            "cell_levels and "
            "more slices.");
  EXPECT_THAT(refusal("chip: {boundary: analogue}"),
              testing::StartsWith("chip.yaml:1:18: chip.boundary = 'analogue' is not known."));
}

class EveryChipFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryChipFile, IsReadAndNamesItsSource) {
  const ChipConfig chip = read_chip(GetParam());
  EXPECT_GT(chip.tile.rows, 0);
  std::ifstream stream(GetParam());
  std::string head;
  for (std::string line; std::getline(stream, line) && line.starts_with("#");) head += line + "\n";
  EXPECT_NE(head.find("Source"), std::string::npos) << "no source on top of " << GetParam();
}

std::vector<std::filesystem::path> chip_files() {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(TELLEGEN_SOURCE_DIR "/configs/chips")) {
    if (entry.path().extension() == ".yaml") files.insert(entry.path());
  }
  return {files.begin(), files.end()};
}

INSTANTIATE_TEST_SUITE_P(Chips, EveryChipFile, testing::ValuesIn(chip_files()),
                         [](const auto& file) { return file.param.stem().string(); });

TEST(ChipFiles, ThereAreSome) { EXPECT_GE(chip_files().size(), 3U); }

TEST(ChipFiles, IsaacHoldsSixteenBitWeightsInEightCellsOfTwoBits) {
  const ChipConfig chip = read_chip(TELLEGEN_SOURCE_DIR "/configs/chips/rram_isaac_128.yaml");
  EXPECT_EQ(largest_magnitude(chip.tile.encoding), 32767);
  EXPECT_EQ(columns_per_output(chip.tile.encoding), 8);
  EXPECT_EQ(chip.adc.columns_per_adc, 128);
  EXPECT_EQ(chip.adc.bits.bits, 8);
}

TEST(ChipFiles, OverridesReachTheSettings) {
  const ChipConfig chip = read_chip(TELLEGEN_SOURCE_DIR "/configs/chips/ideal.yaml", {{"chip.tile.rows", "64"}});
  EXPECT_EQ(chip.tile.rows, 64);
}

}  // namespace
}  // namespace tellegen::mapping
