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

class NonlinearAdcStage final : public Stage {
 public:
  NonlinearAdcStage(const circuits::NonlinearAdc& adc, double deviation_x) : adc_(adc), deviation_x_(deviation_x) {}
  void run(std::span<float> values, const Circuits& circuits, std::uint32_t number) const override {
    const auto count = static_cast<std::size_t>(circuits.count);
    const Stream mismatch(circuits.seed, Purpose::mismatch, {circuits.group, number, circuits::kConverterPart});
    for (std::size_t c = 0; c < count; ++c) {
      const circuits::NonlinearAdc mine = adc_.with_errors(deviation_x_, mismatch, c << 20);
      for (std::size_t i = c; i < values.size(); i += count)
        values[i] = static_cast<float>(mine.convert(static_cast<double>(values[i])));
    }
  }

 private:
  circuits::NonlinearAdc adc_;
  double deviation_x_;
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
std::unique_ptr<Stage> nonlinear_adc_stage(const circuits::NonlinearAdc& adc, double deviation_x) {
  return std::make_unique<NonlinearAdcStage>(adc, deviation_x);
}

}  // namespace tellegen::compare
