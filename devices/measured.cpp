#include "tellegen/devices/measured.h"

#include <fmt/format.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tellegen/base/error.h"
#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/data_file.h"
#include "tellegen/devices/real_math.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {
namespace {

/// Where a target lies: after measured target `interval`, `share` of the way to the next.
struct TargetPlace {
  int interval;
  float share;
};

/// The measured targets, evenly spaced or not; `per_step_S` is 1 / distance to the next.
struct TargetGrid {
  const float* target_S;
  const float* per_step_S;
  int last_interval;
};
template <bool evenly_spaced>
TELLEGEN_KERNEL TargetPlace place_of(float target_S, const TargetGrid& grid) {
  if constexpr (evenly_spaced) {
    const float position = (target_S - grid.target_S[0]) * grid.per_step_S[0];
    const int whole = static_cast<int>(position);
    const int interval = whole < grid.last_interval ? whole : grid.last_interval;
    return {interval, position - static_cast<float>(interval)};
  } else {
    int interval = 0;
    for (int l = 1; l <= grid.last_interval; ++l) interval += target_S >= grid.target_S[l] ? 1 : 0;
    return {interval, (target_S - grid.target_S[interval]) * grid.per_step_S[interval]};
  }
}

/// Between two targets and two ranks: G = (from + above rise) + share (to_next + above twist).
struct alignas(16) Patch {
  float from_S, rise_S, to_next_S, twist_S;
};

/// Where each cell of a block stands: the byte at which its patch begins, and the way to the next rank and to the next
/// target. Apart from the look-ups, so that this part vectorises and those are loads and little else.
struct PatchPlaces {
  static constexpr std::size_t cells = block_cells;
  std::array<std::uint32_t, cells> word;  ///< a uniform draw: the rank in units of 2^-32
  std::array<std::uint32_t, cells> patch_byte;
  std::array<float, cells> above, share;
};
template <bool evenly_spaced>
struct FindPlaces {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, TargetGrid grid, PatchPlaces* places) {
    constexpr int nodes = static_cast<int>(MeasuredQuantiles::nodes);
    constexpr int side = static_cast<int>(MeasuredQuantiles::side_nodes);
    static_assert(MeasuredQuantiles::halvings == 15 && MeasuredQuantiles::nodes_per_halving == 4);
    // In units of 2^-32: the lowest rank of a node, and the largest float below 1/2.
    constexpr std::int32_t lowest = 1 << 16, below_half = 0x7fffff80;
    constexpr int node_bits = 21;  // mantissa bits below the two that tell the node within a halving
    constexpr std::uint32_t first_node = std::bit_cast<std::uint32_t>(static_cast<float>(lowest)) >> node_bits;
    constexpr std::uint32_t fraction = (1u << node_bits) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const TargetPlace place = place_of<evenly_spaced>(target_S[i], grid);
      const std::int32_t word = static_cast<std::int32_t>(places->word[i]);
      const bool upper = word < 0;
      std::int32_t from_end = upper ? ~word : word;
      from_end = from_end < lowest ? lowest : from_end;
      from_end = from_end > below_half ? below_half : from_end;
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(from_end));
      const int node = static_cast<int>((bits >> node_bits) - first_node) + (upper ? side : 0);
      places->patch_byte[i] = static_cast<std::uint32_t>(place.interval * nodes + node) * std::uint32_t{sizeof(Patch)};
      places->above[i] = static_cast<float>(static_cast<int>(bits & fraction)) * 0x1p-21f;
      places->share[i] = place.share;
    }
  }
};

/// Four cells at a time: a patch is one load of 16 bytes.
std::size_t look_up_fours(const PatchPlaces& places, const std::byte* patches, std::span<float> g_S) {
  const auto patch = [&](std::size_t cell) {
    return _mm_load_ps(reinterpret_cast<const float*>(patches + places.patch_byte[cell]));
  };
  std::size_t i = 0;
  for (; i + 4 <= g_S.size(); i += 4) {
    __m128 from = patch(i), rise = patch(i + 1), to_next = patch(i + 2), twist = patch(i + 3);
    _MM_TRANSPOSE4_PS(from, rise, to_next, twist);
    const __m128 above = _mm_loadu_ps(&places.above[i]), share = _mm_loadu_ps(&places.share[i]);
    const __m128 here = _mm_add_ps(from, _mm_mul_ps(above, rise));
    const __m128 way = _mm_add_ps(to_next, _mm_mul_ps(above, twist));
    _mm_storeu_ps(&g_S[i], _mm_add_ps(here, _mm_mul_ps(share, way)));
  }
  return i;
}

void look_up(const PatchPlaces& places, const Patch* patches, std::span<float> g_S) {
  const auto* bytes = reinterpret_cast<const std::byte*>(patches);
  for (std::size_t i = look_up_fours(places, bytes, g_S); i < g_S.size(); ++i) {
    const auto& patch = *reinterpret_cast<const Patch*>(bytes + places.patch_byte[i]);
    const float above = places.above[i];
    g_S[i] = (patch.from_S + above * patch.rise_S) + places.share[i] * (patch.to_next_S + above * patch.twist_S);
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

/// Draws conductances of one age.
class QuantileSampler {
 public:
  QuantileSampler(const MeasuredQuantiles& quantiles, double age_s)
      : evenly_spaced_(are_evenly_spaced(quantiles.targets_S())) {
    const auto& targets_S = quantiles.targets_S();
    for (std::size_t l = 0; l < targets_S.size(); ++l) {
      target_S_.push_back(static_cast<float>(targets_S[l]));
      if (l + 1 < targets_S.size()) per_step_S_.push_back(static_cast<float>(1 / (targets_S[l + 1] - targets_S[l])));
    }
    constexpr std::size_t nodes = MeasuredQuantiles::nodes;
    const std::vector<float> q_S = quantiles.at_age(age_s);
    patches_.resize((targets_S.size() - 1) * nodes);
    for (std::size_t k = 0; k < patches_.size(); ++k) {
      if (k % MeasuredQuantiles::side_nodes == MeasuredQuantiles::side_nodes - 1) continue;  // 1/2 begins no patch
      const float rise_S = q_S[k + 1] - q_S[k], next_rise_S = q_S[k + nodes + 1] - q_S[k + nodes];
      patches_[k] = {q_S[k], rise_S, q_S[k + nodes] - q_S[k], next_rise_S - rise_S};
    }
  }

  /// Cells first .. first + g_S.size() - 1, at most a block of them; a cell has the same rank at all ages.
  void draw(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
            std::span<float> g_S) const {
    const TargetGrid grid{target_S_.data(), per_step_S_.data(), static_cast<int>(per_step_S_.size()) - 1};
    PatchPlaces places;
    for (std::size_t from = 0; from < g_S.size(); from += PatchPlaces::cells) {
      const std::span<float> part_S = g_S.subspan(from, std::min(PatchPlaces::cells, g_S.size() - from));
      streams.programming.words(first + from, std::span(places.word).first(part_S.size()));
      const float* goal_S = target_S.data() + from;
      if (evenly_spaced_) {
        vectorised<FindPlaces<true>>(goal_S, part_S.size(), grid, &places);
      } else {
        vectorised<FindPlaces<false>>(goal_S, part_S.size(), grid, &places);
      }
      look_up(places, patches_.data(), part_S);
    }
  }

 private:
  bool evenly_spaced_;
  std::vector<float> target_S_, per_step_S_;
  std::vector<Patch> patches_;  ///< intervals of targets x nodes
};

/// Cells as they are read at the age of `aged`, or as programmed where there is none.
class MeasuredCellsAtAge : public StatisticalDevice {
 public:
  MeasuredCellsAtAge(const CellRange& range, float read_noise, const QuantileSampler* aged)
      : StatisticalDevice(range), read_noise_(read_noise), aged_(aged) {}

 protected:
  void program_block(std::uint64_t /*first*/, std::span<const float> target_S, const CellStreams& /*streams*/,
                     std::span<float> g_S) const override {
    std::copy(target_S.begin(), target_S.end(), g_S.begin());
  }
  bool ages_from_target() const override { return true; }
  void age_block(const Block& block, const Conditions& /*conditions*/, const CellStreams& streams,
                 std::span<float> mean_S) const override {
    if (aged_ == nullptr) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
    } else {
      aged_->draw(block.first, block.target_S, streams, mean_S);
    }
  }
  bool reads_with_noise() const override { return read_noise_ > 0; }
  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& /*conditions*/,
                      std::span<float> variance_S2) const override {
    vectorised<SquareAffineSpread>(mean_S.data(), mean_S.size(), AffineSpread{0, read_noise_}, variance_S2.data());
  }

 private:
  float read_noise_;
  const QuantileSampler* aged_;
};

class MeasuredDevice final : public MeasuredCellsAtAge {
 public:
  MeasuredDevice(const MeasuredParameters& p, MeasuredQuantiles quantiles)
      : MeasuredCellsAtAge(p.range, static_cast<float>(p.read_noise), nullptr),
        range_(p.range),
        quantiles_(std::move(quantiles)),
        file_(p.file.string()),
        beyond_(p.beyond),
        read_noise_(static_cast<float>(p.read_noise)),
        fresh_(quantiles_, 0) {}

  void read_into(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                 ReadStatistics& statistics) const override {
    at_age(conditions, [&](const MeasuredCellsAtAge& aged) {
      aged.MeasuredCellsAtAge::read_into(cells, conditions, address, statistics);
    });
  }
  void read_once(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                 const Stream& noise, std::span<float> out_S) const override {
    at_age(conditions, [&](const MeasuredCellsAtAge& aged) {
      aged.MeasuredCellsAtAge::read_once(cells, conditions, address, noise, out_S);
    });
  }

 private:
  /// Calls read(cells as they are at the age of `conditions`).
  template <class Read>
  void at_age(const Conditions& conditions, Read&& read) const {
    const double age_s = conditions.age.si(), last_s = quantiles_.ages_s().back();
    if (beyond_ == BeyondData::refuse && age_s > last_s) {
      throw InputError(
          fmt::format("device.age = '{}' is after the last measurement in '{}'; allowed: up to {}, or "
                      "beyond: hold.",
                      write_quantity(age_s, Time::dimension), file_, write_quantity(last_s, Time::dimension)));
    }
    if (age_s <= quantiles_.ages_s().front()) {
      read(*this);
      return;
    }
    // The table of an age is made once per array, not once per block.
    const QuantileSampler aged(quantiles_, age_s);
    read(MeasuredCellsAtAge(range_, read_noise_, &aged));
  }

  void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                     std::span<float> g_S) const override {
    fresh_.draw(first, target_S, streams, g_S);
  }

  CellRange range_;
  MeasuredQuantiles quantiles_;
  std::string file_;
  BeyondData beyond_;
  float read_noise_;
  QuantileSampler fresh_;  ///< at the first age
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
