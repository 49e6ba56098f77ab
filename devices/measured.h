#pragma once
// A device made of measured data: whatever distribution the samples have, the cells have.

#include <filesystem>

#include "tellegen/devices/measured_samples.h"
#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// What an age after the last measurement means.
enum class BeyondData { hold, refuse };
std::span<const std::pair<BeyondData, const char*>> enum_names(BeyondData);

/// A cell keeps its rank among the cells of its target: samples of different ages carry no sign of which cell they
/// belong to. Quantiles are linear in the target between measured ones, linear in ln(age) between measured ages; an age
/// before the first measurement counts as the first.
struct MeasuredParameters final : DeviceParameters {
  std::filesystem::path file = "configs/devices/measured/oxide_rram.csv";
  CellRange range;
  double read_noise = 0;
  BeyondData beyond = BeyondData::hold;
  MeasuredParameters();
  void settings(Settings& v) override;
  /// Throws InputError where the file cannot be used or g_min or g_max are outside what it holds.
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry measured_entry();

}  // namespace tellegen::devices
