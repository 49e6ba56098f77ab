#include "tellegen/devices/programming/write_verified.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/data_file.h"
#include "tellegen/devices/programming/measured_cells.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {
namespace {

/// Conductances that a cell can be brought to, at the read voltage.
struct Reach {
  double low_S, high_S;
};
Reach reach_of(const MemristorModel& model, double read_V) {
  const StateRange x = model.state();
  const double a_S = conductance_S(model, x.low, read_V), b_S = conductance_S(model, x.high, read_V);
  return {std::min(a_S, b_S), std::max(a_S, b_S)};
}
Reach reach_of(const PulseResponse& curves) {
  return {std::max(curves.raising_S.front(), curves.lowering_S.back()),
          std::min(curves.raising_S.back(), curves.lowering_S.front())};
}

/// An array of cells in their first state.
class CellFactory {
 public:
  CellFactory(std::shared_ptr<const MemristorModel> model, PulseResponse curves, double read_V, PulseSpread spread)
      : model_(std::move(model)), curves_(std::move(curves)), read_V_(read_V), spread_(spread) {}
  std::unique_ptr<PulsedCells> make(std::size_t count, const Stream& stream) const {
    if (model_) {
      return std::make_unique<MemristorCells>(model_, read_V_, std::vector<double>(count, model_->state().initial),
                                              spread_, stream);
    }
    return std::make_unique<MeasuredCells>(curves_, read_V_, std::vector<double>(count, curves_.raising_S.front()),
                                           spread_, stream);
  }
  /// Share of the state's range by which a cell moves in a second without voltage, at most.
  double forgets_per_s() const {
    if (!model_) return 0;
    const StateRange x = model_->state();
    const double rates[] = {std::max(model_->rate_per_s(x.low, 0), 0.0), std::abs(model_->rate_per_s(x.initial, 0)),
                            -std::min(model_->rate_per_s(x.high, 0), 0.0)};
    return *std::max_element(std::begin(rates), std::end(rates)) / x.width();
  }

 private:
  std::shared_ptr<const MemristorModel> model_;  ///< or none: measured curves
  PulseResponse curves_;
  double read_V_;
  PulseSpread spread_;
};

class WriteVerifiedDevice final : public StatisticalDevice {
 public:
  WriteVerifiedDevice(const WriteVerifiedParameters& p, CellFactory cells)
      : StatisticalDevice(p.range),
        cells_(std::move(cells)),
        scheme_(p.scheme),
        program_(p.program),
        read_noise_(static_cast<float>(p.read_noise)),
        forgets_per_s_(cells_.forgets_per_s()) {}

  void program_into(std::span<const float> target_S, const ArrayAddress& address,
                    ProgrammedCells& programmed) const override {
    // Range, levels and stuck cells first; then pulses take the healthy cells to what stands in g_S.
    StatisticalDevice::program_into(target_S, address, programmed);
    const auto cells = cells_.make(target_S.size(), address.stream(Purpose::programming));
    std::vector<double> goal_S(programmed.g_S.begin(), programmed.g_S.end());
    std::uint64_t stuck = 0;
    for (std::size_t i = 0; i < programmed.faults.size(); ++i) {
      if (programmed.faults[i] == Fault::none) continue;
      const std::uint32_t cell[] = {static_cast<std::uint32_t>(i)};
      cells->conductances(cell, std::span(goal_S).subspan(i, 1));  // known as faulty: no pulses
      ++stuck;
    }
    const ProgramResult result = scheme_ == ProgramScheme::open_loop
                                     ? program_open_loop(*cells, goal_S, program_)
                                     : write_verify(*cells, goal_S, program_, verify_stream(address));
    for (std::size_t i = 0; i < result.g_S.size(); ++i) {
      if (programmed.faults.empty() || programmed.faults[i] == Fault::none) {
        programmed.g_S[i] = static_cast<float>(result.g_S[i]);
      }
    }
    programmed.pulses = count(result, target_S.size() - stuck);
  }

  void read_into(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                 ReadStatistics& statistics) const override {
    refuse_forgotten(conditions);
    StatisticalDevice::read_into(cells, conditions, address, statistics);
  }
  void read_once(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                 const Stream& noise, std::span<float> out_S) const override {
    refuse_forgotten(conditions);
    StatisticalDevice::read_once(cells, conditions, address, noise, out_S);
  }

 private:
  void refuse_forgotten(const Conditions& conditions) const {
    constexpr double noticeable = 1e-3;  // share of the state's range
    // The age that the message allows is rounded to three digits, never above what is accepted.
    if (forgets_per_s_ * conditions.age.si() > noticeable) {
      throw InputError(
          fmt::format("device.age = '{}' is longer than the cells remember: by its equations the memristor moves by up "
                      "to {:.2g} of "
                      "its range per second without voltage; allowed: up to {}.",
                      write_quantity(conditions.age.si(), Time::dimension), forgets_per_s_,
                      format_quantity(0.995 * noticeable / forgets_per_s_, Time::dimension)));
    }
  }

  /// Draws of verify reads; relaxation has no other use here.
  static Stream verify_stream(const ArrayAddress& address) { return address.stream(Purpose::relaxation); }

  static PulseCount count(const ProgramResult& result, std::uint64_t cells) {
    PulseCount sum{cells, result.unconverged, 0, 0, result.total_energy_J, result.total_time_s, result.longest_time_s};
    for (const std::uint32_t n : result.pulses) sum.pulses += n;
    for (const std::uint32_t n : result.reads) sum.reads += n;
    return sum;
  }

  void program_block(std::uint64_t /*first*/, std::span<const float> target_S, const CellStreams& /*streams*/,
                     std::span<float> g_S) const override {
    std::copy(target_S.begin(), target_S.end(), g_S.begin());
  }
  void age_block(const Block& block, const Conditions& /*conditions*/, const CellStreams& /*streams*/,
                 std::span<float> mean_S) const override {
    std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
  }
  bool reads_with_noise() const override { return read_noise_ > 0; }
  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& /*conditions*/,
                      std::span<float> variance_S2) const override {
    vectorised<SquareAffineSpread>(mean_S.data(), mean_S.size(), AffineSpread{0, read_noise_}, variance_S2.data());
  }

  CellFactory cells_;
  ProgramScheme scheme_;
  ProgramSettings program_;
  float read_noise_;
  double forgets_per_s_;
};

}  // namespace

std::span<const std::pair<PulsedKind, const char*>> enum_names(PulsedKind) {
  static constexpr std::pair<PulsedKind, const char*> names[] = {{PulsedKind::memristor, "memristor"},
                                                                 {PulsedKind::curves, "curves"}};
  return names;
}

std::span<const std::pair<ProgramScheme, const char*>> enum_names(ProgramScheme) {
  static constexpr std::pair<ProgramScheme, const char*> names[] = {{ProgramScheme::write_verify, "write_verify"},
                                                                    {ProgramScheme::open_loop, "open_loop"}};
  return names;
}

void PulseCurves::settings(Settings& v) {
  v("file", file, "CSV with the columns pulse,raising_S,lowering_S; looked for in the working directory and above it");
  v("raise", raise, "voltage of the measured raising pulses, with its sign");
  v("lower", lower, "voltage of the measured lowering pulses, with its sign");
  v.require(raise.si() * lower.si() < 0, "lower", "must have the other sign than raise.");
  v("width", width, "width of the measured pulses", positive());
}

WriteVerifiedParameters::WriteVerifiedParameters() {
  memristor = MemristorConfig("vteam");
  set_defaults();
}

void WriteVerifiedParameters::set_defaults() {
  PulsePair pulses{curves.raise.si(), curves.lower.si(), curves.width.si(), 0.1};
  Reach reach{10e-6, 100e-6};  // of the curves that come with the program
  if (cells == PulsedKind::memristor) {
    pulses = find_memristor(memristor.model).pulses;
    reach = reach_of(*memristor.make(), pulses.read_V);
  }
  // Far enough from both ends that a cell can be corrected both ways.
  constexpr double margin = 0.1;
  const double width_S = reach.high_S - reach.low_S;
  range.g_min = Conductance::si(reach.low_S + margin * width_S);
  range.g_max = Conductance::si(reach.high_S - margin * width_S);
  program = around(pulses);
  program.tolerance = 0.01 * (range.g_max - range.g_min);
  program.relative_tolerance = 0;
  read_voltage = Voltage::si(pulses.read_V);
  made_for_ = chosen_cells();
}

std::string WriteVerifiedParameters::chosen_cells() const {
  return cells == PulsedKind::memristor ? write_config(memristor) : write_config(curves);
}

void WriteVerifiedParameters::settings(Settings& v) {
  v("cells", cells, "what the pulses act on: a dynamic memristor, or measured pulse curves");
  v.section("memristor", memristor, "the dynamic memristor, where cells = memristor");
  v.section("curves", curves, "the measured pulse curves, where cells = curves");
  if (made_for_ != chosen_cells()) set_defaults();
  range.settings(v);
  v("scheme", scheme,
    "write_verify reads after each pulse; open_loop gives as many pulses as a cell without spread needs");
  v.section("program", program, "pulses, tolerance and limits of the scheme");
  v.section("switching", switching, "how the speed of switching scatters");
  v("read_voltage", read_voltage, "voltage at which conductances are verified", positive());
  v("read_noise", read_noise, "standard deviation of one read in use, as a share of the conductance", at_least(0));
}

std::unique_ptr<ConductanceDevice> WriteVerifiedParameters::make() const {
  std::shared_ptr<const MemristorModel> model;
  PulseResponse response;
  if (cells == PulsedKind::memristor) {
    model = memristor.make();
  } else {
    read_pulse_curves(located_data(curves.file), response);
    response.raise_V = curves.raise.si();
    response.lower_V = curves.lower.si();
    response.width_s = curves.width.si();
  }
  const Reach reach = model ? reach_of(*model, read_voltage.si()) : reach_of(response);
  const auto text = [](double g_S) { return write_quantity(g_S, Conductance::dimension); };
  const auto refuse_outside = [&](const char* name, Conductance g) {
    constexpr double rounding = 1e-9;
    if (reach.low_S * (1 - rounding) <= g.si() && g.si() <= reach.high_S * (1 + rounding)) return;
    throw InputError(fmt::format("device.{} = '{}' is outside what a cell can be brought to; allowed: {} to {}.", name,
                                 text(g.si()), text(reach.low_S), text(reach.high_S)));
  };
  refuse_outside("g_min", range.g_min);
  refuse_outside("g_max", range.g_max);
  return std::make_unique<WriteVerifiedDevice>(
      *this, CellFactory(std::move(model), std::move(response), read_voltage.si(), switching));
}

std::unique_ptr<DeviceParameters> WriteVerifiedParameters::clone() const {
  return std::make_unique<WriteVerifiedParameters>(*this);
}

namespace {

/// The list of settings holds those of the default memristor only.
std::string other_memristors() {
  const std::string shown = WriteVerifiedParameters().memristor.model;
  std::string others;
  for (const std::string& name : memristor_names()) {
    if (name != shown) others += (others.empty() ? "" : ", ") + name;
  }
  return fmt::format(
      "memristor.model is {} unless set, whose settings are listed as memristor.*; it may also be {}: 'tellegen device "
      "describe NAME' lists the settings of each.",
      shown, others);
}

}  // namespace

DeviceEntry write_verified_entry() {
  return {"write_verified",
          "Cells of a dynamic memristor (any model) or of measured pulse curves, programmed pulse by pulse.",
          "definition; the memristors and curves name their own sources",
          "device: {model: write_verified}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<WriteVerifiedParameters>(); },
          "dx/dt and G(x) of the memristor. Read, pulse towards the target, again, until the read value is within "
          "tolerance or max_pulses are used up; pulses of a run grow, and shrink in width each time the target is "
          "passed. Speed of switching: lognormal between cells and between pulses. Pulses, reads, energy, time and "
          "cells that do not get there are counted. Cells keep what was programmed. " +
              other_memristors()};
}

}  // namespace tellegen::devices
