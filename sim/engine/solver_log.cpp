#include "tellegen/sim/engine/solver_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/circuits/crossbar/solver_choice.h"
#include "tellegen/sim/engine/drive_power.h"
#include "tellegen/sim/engine/law_tile.h"

namespace tellegen::sim {
namespace {

using mapping::ChipConfig;

/// Input vectors of all tiles for one image, and of the largest tile for all images.
struct Reads {
  std::int64_t per_image = 0;
  std::int64_t rows = 0, columns = 0, of_largest = 0;
};

Reads count_reads(const ExperimentConfig& config, const mapping::Plan& plan, std::int64_t samples) {
  circuits::Dac dac;
  dac.config = config.chip.dac;
  Reads reads;
  for (const mapping::LayerPlan& layer : plan.layers) {
    for (const mapping::TileSlice& slice : layer.slices) {
      reads.per_image += layer.positions * dac.slices();
      if (slice.rows() * slice.columns_used <= reads.rows * reads.columns) continue;
      reads.rows = slice.rows();
      reads.columns = slice.columns_used;
      reads.of_largest = layer.positions * dac.slices() * samples;
    }
  }
  return reads;
}

std::string law_name(const ChipConfig& chip) {
  for (const auto& [law, name] : enum_names(chip.device.iv.law)) {
    if (law == chip.device.iv.law) return name;
  }
  return "";
}

std::string law_text(const ChipConfig& chip, const Reads& reads) {
  const std::string law = law_name(chip);
  const bool products = law_solver(chip, false) == LawSolver::products;
  if (!products) {
    return fmt::format(
        "Slow: cells of the law '{}' behind wires are solved by Newton's method, one read after the other: {} for "
        "each image and chip. Without wires (chip.crossbar.fidelity: functional) they are matrix products.",
        law, reads.per_image);
  }
  if (law_solver(chip, true) == LawSolver::products) {
    return fmt::format("Cells of the law '{}' are one matrix product per read, exact.", law);
  }
  return fmt::format(
      "Cells of the law '{}' are three matrix products per read, exact. Slow: where the device has read noise, every "
      "cell is drawn for every read instead.",
      law);
}

std::vector<std::string> wire_texts(const ChipConfig& chip, const mapping::Plan& plan, const Reads& reads) {
  const circuits::SolverChoice choice =
      circuits::choose_solver(chip.crossbar.wires.wires(reads.rows, reads.columns), reads.of_largest);
  const bool transfer = choice.solver == circuits::LinearSolver::transfer;
  std::vector<std::string> texts;
  texts.push_back(fmt::format(
      "Wires are solved exactly by a transfer matrix for each of {} tiles, made once for each chip. Largest tile: "
      "{}{}.",
      plan.tiles, choice.reason,
      transfer ? "" : "; a solve for each read would be faster, but reads come in batches and the matrix is kept"));
  if (chip.crossbar.read_noise == mapping::NoiseThroughWires::fast) {
    texts.emplace_back(
        "Read noise passes the wires by two products per read, outputs independent of each other "
        "(chip.crossbar.read_noise: fast).");
  } else {
    texts.emplace_back("Slow: read noise is drawn for every cell and every read (chip.crossbar.read_noise: exact).");
  }
  texts.push_back(fmt::format(
      "The power of cells and wires is worked out for one read in {} and scaled with the drives of the others.",
      kPowerStride));
  return texts;
}

}  // namespace

std::vector<std::string> solver_log(const ExperimentConfig& config, const mapping::Plan& plan, std::int64_t samples) {
  const ChipConfig& chip = config.chip;
  if (chip.crossbar.fidelity == mapping::Fidelity::ideal) return {};
  const Reads reads = count_reads(config, plan, samples);
  if (!is_ohmic(chip.device.iv.make())) return {law_text(chip, reads)};
  if (chip.crossbar.fidelity == mapping::Fidelity::circuit) return wire_texts(chip, plan, reads);
  return {};
}

}  // namespace tellegen::sim
