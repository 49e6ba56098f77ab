#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/sim/compare/stages.h"

namespace tellegen::compare {
namespace {

class AdcStage final : public Stage {
 public:
  AdcStage(const circuits::AdcConfig& config, double full_scale) : config_(config), full_scale_(full_scale) {
    config_.columns_per_adc = 1;  // values of one circuit meet one converter
  }
  void run(std::span<float> values, const Circuits& circuits, std::uint32_t number) const override {
    const StreamPlace place{circuits.group, number, circuits::kConverterPart};
    const circuits::Adc adc = circuits::make_adc(
        config_, full_scale_, true, Stream(circuits.seed, Purpose::mismatch, place), static_cast<int>(circuits.count));
    circuits::ArrayScratch<float> scratch;
    circuits::convert<float>(adc, values, Stream(circuits.seed, Purpose::converter_noise, place), 0, scratch);
  }

 private:
  circuits::AdcConfig config_;
  double full_scale_;
};

class DacStage final : public Stage {
 public:
  DacStage(const circuits::DacConfig& config, double full_scale) : config_(config), full_scale_(full_scale) {}
  void run(std::span<float> values, const Circuits&, std::uint32_t) const override {
    if (!config_.nonlinearity.any()) return;
    const double full_drive_s = config_.full_drive().si();
    for (float& value : values) {
      const double drive = config_.nonlinearity.at(std::min(1.0, std::abs(value) / full_scale_), full_drive_s);
      value = static_cast<float>(std::copysign(full_scale_ * drive, value));
    }
  }

 private:
  circuits::DacConfig config_;
  double full_scale_;
};

template <class Unit>
class UnitStage final : public Stage {
 public:
  explicit UnitStage(std::shared_ptr<const Unit> unit) : unit_(std::move(unit)) {}
  void run(std::span<float> values, const Circuits&, std::uint32_t) const override {
    for (float& value : values) value = static_cast<float>((*unit_)(static_cast<double>(value)));
  }

 private:
  std::shared_ptr<const Unit> unit_;
};

class SoftmaxUnitStage final : public Stage {
 public:
  SoftmaxUnitStage(std::shared_ptr<const circuits::SoftmaxUnit> unit, int length)
      : unit_(std::move(unit)), length_(static_cast<std::size_t>(length)) {}
  void run(std::span<float> values, const Circuits& circuits, std::uint32_t) const override {
    const auto count = static_cast<std::size_t>(circuits.count);
    const circuits::FixedPoint& word = unit_->design().input;
    const double step = std::exp2(-unit_->design().output_bits);
    std::vector<std::int64_t> row(length_);
    for (std::size_t first = 0; first < values.size(); first += length_ * count) {
      for (std::size_t c = 0; c < count; ++c) {
        for (std::size_t k = 0; k < length_; ++k)
          row[k] = word.code(std::numbers::log2e * static_cast<double>(values[first + k * count + c]));
        const std::vector<std::int64_t> shares = unit_->codes(row);
        for (std::size_t k = 0; k < length_; ++k)
          values[first + k * count + c] = static_cast<float>(step * static_cast<double>(shares[k]));
      }
    }
  }

 private:
  std::shared_ptr<const circuits::SoftmaxUnit> unit_;
  std::size_t length_;
};

class WordStage final : public Stage {
 public:
  WordStage(const circuits::FixedPoint& word, bool rectified) : word_(word), rectified_(rectified) {}
  void run(std::span<float> values, const Circuits&, std::uint32_t) const override {
    for (float& value : values) {
      const double x = static_cast<double>(value);
      value = static_cast<float>(word_.value(word_.code(rectified_ ? std::max(x, 0.0) : x)));
    }
  }

 private:
  circuits::FixedPoint word_;
  bool rectified_;
};

/// Circuits have a ramp (or a linear converter and its table) each.
class NonlinearAdcStage final : public Stage {
 public:
  explicit NonlinearAdcStage(const circuits::NonlinearBank::Design& design)
      : design_(design), shaped_(circuits::NonlinearBank::shape(design)) {}
  void run(std::span<float> values, const Circuits& circuits, std::uint32_t number) const override {
    const auto count = static_cast<std::size_t>(circuits.count);
    for (std::size_t c = 0; c < count; ++c) {
      const StreamPlace place{circuits.group, number, kFirstRamp + static_cast<std::uint32_t>(c)};
      const circuits::NonlinearBank bank(design_, shaped_, Stream(circuits.seed, Purpose::mismatch, place));
      const auto draws = static_cast<std::size_t>(bank.draws());
      std::vector<float> normals(draws * values.size() / count);
      Stream(circuits.seed, Purpose::converter_noise, place).normals(0, normals);
      for (std::size_t i = c, e = 0; i < values.size(); i += count, ++e) {
        const std::span<const float> mine = std::span(normals).subspan(e * draws, draws);
        values[i] = static_cast<float>(bank.convert(static_cast<double>(values[i]), 0, mine));
      }
    }
  }

 private:
  /// Parts of a place that no other stage has.
  static constexpr std::uint32_t kFirstRamp = 1U << 20;
  circuits::NonlinearBank::Design design_;
  std::optional<circuits::NonlinearAdc> shaped_;
};

}  // namespace

std::unique_ptr<Stage> adc_stage(const circuits::AdcConfig& config, double full_scale) {
  return std::make_unique<AdcStage>(config, full_scale);
}
std::unique_ptr<Stage> dac_stage(const circuits::DacConfig& config, double full_scale) {
  return std::make_unique<DacStage>(config, full_scale);
}
std::unique_ptr<Stage> unit_stage(std::shared_ptr<const circuits::LookupTable> table) {
  return std::make_unique<UnitStage<circuits::LookupTable>>(std::move(table));
}
std::unique_ptr<Stage> unit_stage(std::shared_ptr<const circuits::PiecewiseLinear> lines) {
  return std::make_unique<UnitStage<circuits::PiecewiseLinear>>(std::move(lines));
}
std::unique_ptr<Stage> softmax_unit_stage(std::shared_ptr<const circuits::SoftmaxUnit> unit, int length) {
  return std::make_unique<SoftmaxUnitStage>(std::move(unit), length);
}
std::unique_ptr<Stage> nonlinear_adc_stage(const circuits::NonlinearBank::Design& design) {
  return std::make_unique<NonlinearAdcStage>(design);
}
std::unique_ptr<Stage> word_stage(const circuits::FixedPoint& word) { return std::make_unique<WordStage>(word, false); }
std::unique_ptr<Stage> relu_stage(const circuits::FixedPoint& word) { return std::make_unique<WordStage>(word, true); }

}  // namespace tellegen::compare
