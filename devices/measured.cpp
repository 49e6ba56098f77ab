#include "tellegen/devices/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/data_file.h"
#include "tellegen/devices/real_math.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {
namespace {

/// Quantiles at one age. Targets are evenly spaced or not; `target_S` and `per_step_S` (1 / distance to the next) say
/// where.
struct QuantileTable {
  const float* quantile_S;
  const float* target_S;
  const float* per_step_S;
  int last_interval;
};

/// Where a target lies: after measured target `interval`, `share` of the way to the next.
struct TargetPlace {
  int interval;
  float share;
};
template <bool evenly_spaced>
TELLEGEN_KERNEL TargetPlace place_of(float target_S, const QuantileTable& table) {
  if constexpr (evenly_spaced) {
    const float position = (target_S - table.target_S[0]) * table.per_step_S[0];
    const int whole = static_cast<int>(position);
    const int interval = whole < table.last_interval ? whole : table.last_interval;
    return {interval, position - static_cast<float>(interval)};
  } else {
    int interval = 0;
    for (int l = 1; l <= table.last_interval; ++l) interval += target_S >= table.target_S[l] ? 1 : 0;
    return {interval, (target_S - table.target_S[interval]) * table.per_step_S[interval]};
  }
}

/// Where each cell of a block stands in the table: number of the node below, and the way to the next node and to the
/// next target. Apart from the look-ups, so that this part vectorises.
struct TablePlaces {
  std::array<int, block_cells> node;
  std::array<float, block_cells> above, share;
};
template <bool evenly_spaced>
struct FindPlaces {
  TELLEGEN_KERNEL static void run(const float* target_S, const float* draws, std::size_t count, QuantileTable table,
                                  TablePlaces* places) {
    constexpr int nodes = static_cast<int>(MeasuredQuantiles::nodes);
    constexpr float lowest = static_cast<float>(MeasuredQuantiles::lowest_draw);
    constexpr float per_draw = static_cast<float>(MeasuredQuantiles::nodes_per_draw);
    for (std::size_t i = 0; i < count; ++i) {
      const TargetPlace place = place_of<evenly_spaced>(target_S[i], table);
      const float position = clamped((draws[i] - lowest) * per_draw, 0.0f, static_cast<float>(nodes - 1));
      const int whole = static_cast<int>(position);
      const int node = whole < nodes - 1 ? whole : nodes - 2;
      places->node[i] = place.interval * nodes + node;
      places->above[i] = position - static_cast<float>(node);
      places->share[i] = place.share;
    }
  }
};

/// Quantiles at the places, linear between the four around each.
void look_up(const TablePlaces& places, const QuantileTable& table, std::span<float> g_S) {
  for (std::size_t i = 0; i < g_S.size(); ++i) {
    const float* low = table.quantile_S + places.node[i];
    const float* high = low + MeasuredQuantiles::nodes;
    const float low_S = low[0] + places.above[i] * (low[1] - low[0]);
    const float high_S = high[0] + places.above[i] * (high[1] - high[0]);
    g_S[i] = low_S + places.share[i] * (high_S - low_S);
  }
}

/// Whether floats cannot tell the targets from evenly spaced ones.
bool are_evenly_spaced(const std::vector<double>& targets_S) {
  const double step_S = (targets_S.back() - targets_S.front()) / static_cast<double>(targets_S.size() - 1);
  for (std::size_t l = 0; l < targets_S.size(); ++l) {
    if (std::abs(targets_S[l] - targets_S.front() - step_S * static_cast<double>(l)) > 1e-7 * targets_S.back()) {
      return false;
    }
  }
  return true;
}

class MeasuredDevice final : public StatisticalDevice {
 public:
  MeasuredDevice(const MeasuredParameters& p, MeasuredQuantiles quantiles)
      : StatisticalDevice(p.range),
        quantiles_(std::move(quantiles)),
        file_(p.file.string()),
        beyond_(p.beyond),
        read_noise_(static_cast<float>(p.read_noise)),
        evenly_spaced_(are_evenly_spaced(quantiles_.targets_S())),
        first_S_(quantiles_.at_age(0)) {
    const auto& targets_S = quantiles_.targets_S();
    for (std::size_t l = 0; l < targets_S.size(); ++l) {
      target_S_.push_back(static_cast<float>(targets_S[l]));
      if (l + 1 < targets_S.size()) per_step_S_.push_back(static_cast<float>(1 / (targets_S[l + 1] - targets_S[l])));
    }
  }

  void read_into(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                 ReadStatistics& statistics) const override {
    const double last_s = quantiles_.ages_s().back();
    if (beyond_ == BeyondData::refuse && conditions.age.si() > last_s) {
      throw InputError(fmt::format(
          "device.age = '{}' is after the last measurement in '{}'; allowed: up to {}, or "
          "beyond: hold.",
          write_quantity(conditions.age.si(), Time::dimension), file_, write_quantity(last_s, Time::dimension)));
    }
    StatisticalDevice::read_into(cells, conditions, address, statistics);
  }

 private:
  void draw(std::uint64_t first, std::span<const float> target_S, const std::vector<float>& quantile_S,
            const ArrayAddress& address, std::span<float> g_S) const {
    address.stream(Purpose::programming).normals(first, g_S);
    const QuantileTable table{quantile_S.data(), target_S_.data(), per_step_S_.data(),
                              static_cast<int>(per_step_S_.size()) - 1};
    TablePlaces places;
    if (evenly_spaced_) {
      vectorised<FindPlaces<true>>(target_S.data(), g_S.data(), g_S.size(), table, &places);
    } else {
      vectorised<FindPlaces<false>>(target_S.data(), g_S.data(), g_S.size(), table, &places);
    }
    look_up(places, table, g_S);
  }

  void program_block(std::uint64_t first, std::span<const float> target_S, const ArrayAddress& address,
                     std::span<float> g_S) const override {
    draw(first, target_S, first_S_, address, g_S);
  }

  bool ages_from_target() const override { return true; }

  void age_block(const Block& block, const Conditions& conditions, const ArrayAddress& address,
                 std::span<float> mean_S) const override {
    if (conditions.age.si() <= quantiles_.ages_s().front()) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
      return;
    }
    draw(block.first, block.target_S, quantiles_.at_age(conditions.age.si()), address, mean_S);
  }

  bool reads_with_noise() const override { return read_noise_ > 0; }

  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& /*conditions*/,
                      std::span<float> variance_S2) const override {
    vectorised<SquareAffineSpread>(mean_S.data(), mean_S.size(), AffineSpread{0, read_noise_}, variance_S2.data());
  }

  MeasuredQuantiles quantiles_;
  std::string file_;
  BeyondData beyond_;
  float read_noise_;
  bool evenly_spaced_;
  std::vector<float> first_S_;  ///< quantiles at the first age
  std::vector<float> target_S_, per_step_S_;
};

}  // namespace

std::span<const std::pair<BeyondData, const char*>> enum_names(BeyondData) {
  static constexpr std::pair<BeyondData, const char*> names[] = {{BeyondData::hold, "hold"},
                                                                 {BeyondData::refuse, "refuse"}};
  return names;
}

MeasuredParameters::MeasuredParameters() {
  range.g_min = Conductance::si(5e-6);
  range.g_max = Conductance::si(40e-6);
}

void MeasuredParameters::settings(Settings& v) {
  v("file", file,
    "CSV or HDF5 with one sample per line: target_S, age_s, g_S; looked for in the working directory and above it");
  range.settings(v);
  v("read_noise", read_noise,
    "standard deviation of one read, as a share of the conductance, beyond what the data hold", at_least(0));
  v("beyond", beyond, "an age after the last measurement: hold counts it as the last, refuse is an error");
}

std::unique_ptr<ConductanceDevice> MeasuredParameters::make() const {
  MeasuredQuantiles quantiles(read_samples(located_data(file)), file.string());
  const Conductance low = Conductance::si(quantiles.targets_S().front());
  const Conductance high = Conductance::si(quantiles.targets_S().back());
  const auto text = [](Conductance g) { return write_quantity(g.si(), Conductance::dimension); };
  const auto refuse_outside = [&](const char* name, Conductance g) {
    constexpr double rounding = 1e-9;
    if (low * (1 - rounding) <= g && g <= high * (1 + rounding)) return;
    throw InputError(fmt::format("device.{} = '{}' is outside the targets that '{}' holds; allowed: {} to {}.", name,
                                 text(g), file.string(), text(low), text(high)));
  };
  refuse_outside("g_min", range.g_min);
  refuse_outside("g_max", range.g_max);
  return std::make_unique<MeasuredDevice>(*this, std::move(quantiles));
}

std::unique_ptr<DeviceParameters> MeasuredParameters::clone() const {
  return std::make_unique<MeasuredParameters>(*this);
}

DeviceEntry measured_entry() {
  return {"measured",
          "Cells with the distribution of measured samples (target, age, conductance), whatever its shape.",
          "the samples that `file` names; those shipped were drawn from a model that their file states",
          "device: {model: measured}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<MeasuredParameters>(); },
          "G = Q(rank; target, t): empirical quantiles, linear in the target and in ln(t) between what was "
          "measured; a cell keeps its rank. Read: sigma = read_noise G."};
}

}  // namespace tellegen::devices
